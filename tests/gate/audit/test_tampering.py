"""A hundred random tamperings with what the audit rests on: each is found, and nothing else is."""

import asyncio
import random
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bailiwick.config import Settings
from bailiwick.gate.audit import anchors
from bailiwick.gate.audit.service import RECORDS, verified
from bailiwick.identity import signins
from bailiwick.identity.signins import Browser
from bailiwick.instance import changes
from bailiwick.kit.ledger import Ledger, Records, Report, verify
from bailiwick.kit.ledger.file import NAME
from bailiwick.kit.ledger.records.recorder import Recorder
from bailiwick.office import Office, opened

pytestmark = pytest.mark.req("GATE-14")
TIMES = 110
STORES = ("app", "audit", "engine")
TABLES = {
    "ledger": "audit",
    "ledger_checkpoints": "audit",
    "sign_ins": "audit",
    "changes": "app",
    "ledger_marks": "app",
}
Template = tuple[Path, Path, Path]
Tampering = Callable[["Folder", random.Random], None]


class Folder:
    """The data folder, in the hands of someone who can write to it, and lacks the vault's key."""

    def __init__(self, data: Path, older: Path) -> None:
        self.data, self.older = data, older

    def sql(self, store: str, statement: str, *values: Any) -> list[Any]:
        with closing(sqlite3.connect(self.data / f"{store}.db")) as database:
            rows = database.execute(statement, values).fetchall()
            database.commit()
        return rows

    def columns(self, table: str) -> list[str]:
        found = self.sql(TABLES[table], f"SELECT name FROM pragma_table_info('{table}')")
        return [name for (name,) in found]

    def some_row(self, table: str, chance: random.Random) -> int:
        return chance.choice(self.sql(TABLES[table], f"SELECT rowid FROM {table}"))[0]

    def put_back(self, *names: str) -> None:
        """Older files in the place of newer ones."""
        for name in names:
            for path in self.data.glob(f"{name}*"):
                path.unlink()
            for path in self.older.glob(f"{name}*"):
                shutil.copy2(path, self.data / path.name)

    @property
    def lines(self) -> list[str]:
        return (self.data / NAME).read_text().splitlines(keepends=True)

    def write_lines(self, lines: list[str]) -> None:
        (self.data / NAME).write_text("".join(lines))


def edit(folder: Folder, chance: random.Random) -> None:
    table = chance.choice([*TABLES])
    column = chance.choice([name for name in folder.columns(table) if name != "rowid"])
    row, store = folder.some_row(table, chance), TABLES[table]
    ((old,),) = folder.sql(store, f"SELECT {column} FROM {table} WHERE rowid = ?", row)
    match old:
        case int():
            new: Any = old + chance.choice([1_000, 5_000, -1_000_000])
        case bytes():
            new = chance.randbytes(len(old))
        case str() if column == "at":
            new = old.replace("20", "19", 1)
        case str() if column in ("before", "after"):
            new = '{"other": 1}'
        case None if column in ("before", "after"):
            new = '{"other": 1}'
        case _:
            new = f"{old or ''}x"
    folder.sql(store, f"UPDATE {table} SET {column} = ? WHERE rowid = ?", new, row)


def delete(folder: Folder, chance: random.Random) -> None:
    table = chance.choice([*TABLES])
    row = folder.some_row(table, chance)
    folder.sql(TABLES[table], f"DELETE FROM {table} WHERE rowid = ?", row)


def insert(folder: Folder, chance: random.Random) -> None:
    table = chance.choice([*TABLES])
    first, *others = folder.columns(table)
    values = folder.sql(
        TABLES[table],
        f"SELECT {first}, {', '.join(others)} FROM {table} WHERE rowid = ?",
        folder.some_row(table, chance),
    )[0]
    new = values[0] + 50 if isinstance(values[0], int) else f"{values[0]}x"
    marks = ", ".join("?" * len(values))
    folder.sql(TABLES[table], f"INSERT INTO {table} VALUES ({marks})", new, *values[1:])


def swap(folder: Folder, chance: random.Random) -> None:
    table = chance.choice(["ledger", "sign_ins", "changes"])
    column = {"ledger": "body", "sign_ins": "at", "changes": "subject_id"}[table]
    rows = folder.sql(TABLES[table], f"SELECT rowid, {column} FROM {table}")
    one = chance.choice(rows)
    other = chance.choice([row for row in rows if row[1] != one[1]])
    for row, value in ((one[0], other[1]), (other[0], one[1])):
        folder.sql(TABLES[table], f"UPDATE {table} SET {column} = ? WHERE rowid = ?", value, row)


def truncate(folder: Folder, chance: random.Random) -> None:
    table = chance.choice(["ledger", "ledger_checkpoints"])
    sealed = folder.sql("audit", f"SELECT count(*) FROM {table}")[0][0]
    cut = chance.randint(1, sealed - 1)
    folder.sql("audit", f"DELETE FROM {table} WHERE number > ?", cut)


def cut_newest_in_both(folder: Folder, chance: random.Random) -> None:
    cut = chance.randint(1, 2)
    newest = folder.sql("audit", "SELECT max(number) FROM ledger_checkpoints")[0][0]
    folder.sql("audit", "DELETE FROM ledger_checkpoints WHERE number > ?", newest - cut)
    folder.write_lines(folder.lines[:-cut])


def roll_back_audit_and_file(folder: Folder, chance: random.Random) -> None:
    folder.put_back("audit.db", NAME)


def roll_back_a_store(folder: Folder, chance: random.Random) -> None:
    folder.put_back(f"{chance.choice(STORES)}.db")


def damage_file(folder: Folder, chance: random.Random) -> None:
    lines = folder.lines
    at = chance.randrange(len(lines))
    match chance.choice(["edit", "delete", "twice", "swap", "cut"]):
        case "edit":
            lines[at] = lines[at].replace('"number":', '"number":1')
        case "delete":
            del lines[at]
        case "twice":
            lines.insert(at, lines[at])
        case "swap":
            lines[at], lines[at - 1] = lines[at - 1], lines[at]
        case _:
            lines = lines[:at]
    folder.write_lines(lines)


KINDS: list[Tampering] = [
    edit,
    edit,
    edit,
    delete,
    insert,
    swap,
    truncate,
    cut_newest_in_both,
    roll_back_audit_and_file,
    roll_back_a_store,
    damage_file,
]


async def work(settings: Settings, times: int) -> None:
    """What leaves lines, sign-ins and changes, sealed several times."""
    async with opened(settings) as product, ledger_of(product) as both:
        ledger, recorder = both
        for number in range(times):
            browser = Browser(f"192.0.2.{number}", "test")
            await signins.record(
                product.storage,
                browser,
                method="password",
                email=f"olive{number}@example.com",
                outcome="accepted",
            )
            async with product.storage.app.write() as session:
                changes.record(
                    session,
                    changes.SYSTEM,
                    action="settings.changed",
                    subject=f"setting-{times}-{number}",
                    before={"a": number},
                    after={"a": number + 1},
                )
            await recorder.flush()
            await ledger.append({"call_id": f"cal-{times}-{number}", "tool": "list_tasks"})
            await ledger.seal()


@asynccontextmanager
async def ledger_of(product: Office) -> AsyncGenerator[tuple[Ledger, Recorder]]:
    kept = anchors.of(product)
    async with (
        Ledger.opened(product.storage, product.vault, anchors=kept) as ledger,
        Recorder(product.storage, ledger, product.hasher, RECORDS).running() as recorder,
    ):
        await recorder.catch_up()
        yield ledger, recorder


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory, migrated_folder: Path) -> Template:
    """A used data folder, how it was some work before, and the file elsewhere."""
    base = tmp_path_factory.mktemp("tampering")
    data, older, kept = base / "data", base / "older", base / "kept.jsonl"
    shutil.copytree(migrated_folder, data)

    async def anchored() -> None:
        async with opened(Settings(data=data)) as product:
            await product.changeable.change(changes.SYSTEM, values={"audit_anchor_file": str(kept)})

    asyncio.run(anchored())
    asyncio.run(work(Settings(data=data), 3))
    shutil.copytree(data, older)
    asyncio.run(work(Settings(data=data), 4))
    return data, older, kept


async def report_of(data: Path, *, compared: bool = True) -> Report:
    """What a verification says, with or without what was kept elsewhere."""
    async with opened(Settings(data=data)) as product:
        if compared:
            return await verified(product)
        records = Records(RECORDS, product.hasher)
        return await verify(product.storage, product.vault, records=records)


@pytest.mark.parametrize("seed", range(TIMES))
async def test_each_tampering_is_found(template: Template, tmp_path: Path, seed: int):
    data, older, _ = template
    copy = tmp_path / "data"
    shutil.copytree(data, copy)
    tamper = KINDS[seed % len(KINDS)]
    tamper(Folder(copy, older), random.Random(seed))
    report = await report_of(copy, compared=False)
    assert not report.is_clean, tamper.__name__


async def test_an_older_copy_of_the_whole_folder_is_found_by_what_was_kept_elsewhere(
    template: Template, tmp_path: Path
):
    copy = tmp_path / "data"
    shutil.copytree(template[1], copy)
    alone = await report_of(copy, compared=False)
    assert alone.is_clean
    assert "could have put an older copy of all of it in its place" in " ".join(alone.limits)
    assert "rolled_back" in {each.kind for each in (await report_of(copy)).problems}


async def test_what_nobody_touched_is_whole(template: Template, tmp_path: Path):
    copy = tmp_path / "data"
    shutil.copytree(template[0], copy)
    report = await report_of(copy)
    assert (report.problems, report.notes) == ([], [])
    assert report.records > 10
    await work(Settings(data=copy), 2)
    assert (await report_of(copy)).problems == []
