"""Everything that someone with the database, and without the vault's key, can do is found."""

import json
import random
from collections.abc import Awaitable, Callable

import pytest
from chains import Shelf

from bailiwick.kit.ledger.rows import row_id

pytestmark = pytest.mark.req("GATE-14")
Attack = Callable[[Shelf, random.Random], Awaitable[None]]
ROWS = 12
_TEMP = row_id(999, 1)


async def swap(shelf: Shelf, one: int, other: int) -> None:
    for old, new in ((one, None), (other, one), (None, other)):
        await shelf.sql(
            "UPDATE ledger SET id = :new, number = :number WHERE id = :old",
            old=row_id(1, old) if old else _TEMP,
            new=row_id(1, new) if new else _TEMP,
            number=new or 0,
        )


async def edit_body(shelf: Shelf, chance: random.Random) -> None:
    await shelf.sql(
        "UPDATE ledger SET body = replace(body, 'ALLOW', 'DENY') WHERE id = :id",
        id=row_id(1, chance.randint(1, ROWS)),
    )


async def edit_time(shelf: Shelf, chance: random.Random) -> None:
    rows = await shelf.sql("SELECT min(at) FROM ledger")
    await shelf.sql(
        "UPDATE ledger SET at = :at WHERE id = :id",
        at=rows[0][0].replace(year=2025)
        if shelf.product.storage.url
        else "2025-01-01 00:00:00.000000",
        id=row_id(1, chance.randint(1, ROWS)),
    )


async def edit_hash(shelf: Shelf, chance: random.Random) -> None:
    await shelf.sql(
        "UPDATE ledger SET hash = :hash WHERE id = :id",
        hash=chance.randbytes(32),
        id=row_id(1, chance.randint(1, ROWS)),
    )


async def edit_link(shelf: Shelf, chance: random.Random) -> None:
    await shelf.sql(
        "UPDATE ledger SET previous = :hash WHERE id = :id",
        hash=chance.randbytes(chance.choice([0, 31, 32])),
        id=row_id(1, chance.randint(1, ROWS)),
    )


async def edit_column(shelf: Shelf, chance: random.Random) -> None:
    column = chance.choice(
        ["workspace_id", "caller_id", "tool", "decision", "status", "call_id", "owner_id"]
    )
    value = chance.choice([None, "other"])
    await shelf.sql(
        f"UPDATE ledger SET {column} = :value WHERE id = :id",
        value=value,
        id=row_id(1, chance.randint(1, ROWS)),
    )


async def another_key(shelf: Shelf, chance: random.Random) -> None:
    await shelf.sql(
        "UPDATE ledger SET key_id = 'lky-mine' WHERE id = :id",
        id=row_id(1, chance.randint(1, ROWS)),
    )


async def lose_the_key(shelf: Shelf, _: random.Random) -> None:
    await shelf.sql("DELETE FROM ledger_keys")


async def break_the_key(shelf: Shelf, _: random.Random) -> None:
    await shelf.sql("UPDATE ledger_keys SET id = 'lky-mine'")


async def remove_some(shelf: Shelf, chance: random.Random) -> None:
    first = chance.randint(1, ROWS)
    bounds = {"first": row_id(1, first), "last": row_id(1, chance.randint(first, ROWS))}
    await shelf.sql("DELETE FROM ledger WHERE id BETWEEN :first AND :last", **bounds)


async def remove_and_close_the_gap(shelf: Shelf, chance: random.Random) -> None:
    gone = chance.randint(1, ROWS)
    await shelf.sql("DELETE FROM ledger WHERE id = :id", id=row_id(1, gone))
    for number in range(gone + 1, ROWS + 1):
        await shelf.sql(
            "UPDATE ledger SET id = id - 1, number = number - 1 WHERE id = :id",
            id=row_id(1, number),
        )


async def reorder(shelf: Shelf, chance: random.Random) -> None:
    await swap(shelf, *chance.sample(range(1, ROWS + 1), 2))


async def copy_a_row(shelf: Shelf, chance: random.Random) -> None:
    place = chance.choice([(1, ROWS + 1), (2, 1), (1, 0), (-3, 5), (0, 1)])
    await shelf.sql(
        "INSERT INTO ledger SELECT :id, chain, number, at, key_id, body, previous, hash,"
        " workspace_id, caller_id, tool, decision, status, call_id, owner_id"
        " FROM ledger WHERE id = :old",
        id=row_id(*place),
        old=row_id(1, chance.randint(1, ROWS)),
    )


async def invent_a_row(shelf: Shelf, chance: random.Random) -> None:
    slot, number = chance.choice([(1, ROWS + 1), (2, 1), (7, 3)])
    await shelf.sql(
        "INSERT INTO ledger SELECT :id, :chain, :number, at, key_id, body, hash, :hash,"
        " workspace_id, caller_id, tool, decision, status, call_id, owner_id"
        " FROM ledger WHERE id = :old",
        id=row_id(slot, number),
        chain=f"slot-{slot}",
        number=number,
        hash=chance.randbytes(32),
        old=row_id(1, ROWS),
    )


async def move_the_chain(shelf: Shelf, _: random.Random) -> None:
    await shelf.sql("UPDATE ledger SET id = id + :far, chain = 'slot-5'", far=row_id(4, 0))


async def cut_the_end(shelf: Shelf, chance: random.Random) -> None:
    await shelf.sql("DELETE FROM ledger WHERE id >= :id", id=row_id(1, chance.randint(2, ROWS)))


async def empty_the_table(shelf: Shelf, _: random.Random) -> None:
    await shelf.sql("DELETE FROM ledger")


async def empty_everything(shelf: Shelf, _: random.Random) -> None:
    for table in ("ledger", "ledger_checkpoints"):
        await shelf.sql(f"DELETE FROM {table}")
    shelf.file.unlink()


async def edit_a_checkpoint(shelf: Shelf, chance: random.Random) -> None:
    number = chance.randint(1, 4)
    column, value = chance.choice(
        [("content", '{"heads":{}}'), ("signature", b"x" * 32), ("previous", b"y" * 32)]
    )
    await shelf.sql(
        f"UPDATE ledger_checkpoints SET {column} = :value WHERE number = :number",
        value=value,
        number=number,
    )


async def remove_a_checkpoint(shelf: Shelf, chance: random.Random) -> None:
    await shelf.sql(
        "DELETE FROM ledger_checkpoints WHERE number = :number", number=chance.randint(1, 4)
    )


async def reorder_checkpoints(shelf: Shelf, chance: random.Random) -> None:
    one, other = chance.sample(range(1, 5), 2)
    for old, new in ((one, 99), (other, one), (99, other)):
        await shelf.sql(
            "UPDATE ledger_checkpoints SET number = :new WHERE number = :old", old=old, new=new
        )


async def invent_a_checkpoint(shelf: Shelf, chance: random.Random) -> None:
    await shelf.sql(
        "INSERT INTO ledger_checkpoints SELECT :number, at, key_id, content, signature, :signature"
        " FROM ledger_checkpoints WHERE number = 4",
        number=chance.choice([5, -1, 0]),
        signature=chance.randbytes(32),
    )


async def remove_all_checkpoints(shelf: Shelf, _: random.Random) -> None:
    await shelf.sql("DELETE FROM ledger_checkpoints")
    shelf.file.unlink()


async def roll_back(shelf: Shelf, chance: random.Random) -> None:
    """To exactly what the database was at an earlier checkpoint."""
    number = chance.randint(1, 3)
    ((content,),) = await shelf.sql(
        "SELECT content FROM ledger_checkpoints WHERE number = :number", number=number
    )
    head = json.loads(content)["heads"].get("slot-1", [0])[0]
    await shelf.sql("DELETE FROM ledger WHERE id > :id", id=row_id(1, head))
    await shelf.sql("DELETE FROM ledger_checkpoints WHERE number > :number", number=number)


async def edit_the_file(shelf: Shelf, chance: random.Random) -> None:
    lines = shelf.file.read_text().splitlines()
    number = chance.randrange(4)
    said = json.loads(lines[number])
    name, value = chance.choice(
        [
            ("number", 77),
            ("at", "2020-01-01 00:00:00"),
            ("signature", "00"),
            ("key", "x"),
            ("previous", "zz"),
        ]
    )
    lines[number] = chance.choice([json.dumps({**said, name: value}), "{}", "x", "[" * 99_999])
    shelf.file.write_text("".join(f"{line}\n" for line in lines))


async def rewrite_the_file(shelf: Shelf, chance: random.Random) -> None:
    lines = shelf.file.read_text().splitlines()
    one, other = sorted(chance.sample(range(4), 2))
    change = chance.choice(["remove", "swap", "repeat", "cut", "behead"])
    if change == "remove" and not shelf.product.storage.url:
        del lines[one]
    elif change == "repeat":
        lines.insert(other, lines[one])
    elif change == "cut" and not shelf.product.storage.url:
        del lines[other:]
    elif change == "behead":
        del lines[:other]
    else:
        lines[one], lines[other] = lines[other], lines[one]
    shelf.file.write_text("".join(f"{line}\n" for line in lines))


ATTACKS: list[Attack] = [
    edit_body, edit_time, edit_hash, edit_link, edit_column, another_key, lose_the_key,
    break_the_key, remove_some, remove_and_close_the_gap, reorder, copy_a_row, invent_a_row,
    move_the_chain, cut_the_end, empty_the_table, empty_everything, edit_a_checkpoint,
    remove_a_checkpoint, reorder_checkpoints, invent_a_checkpoint, remove_all_checkpoints,
    roll_back, edit_the_file, rewrite_the_file,
]  # fmt: skip
SEEDS = 2
TABLES = {
    "ledger": "id chain number at key_id body previous hash workspace_id caller_id tool decision"
    " status call_id owner_id",
    "ledger_checkpoints": "number at key_id content previous signature",
    "ledger_keys": "id key created_at",
}


class Copy:
    """What was there before an attack, to be put back."""

    async def take(self, shelf: Shelf) -> "Copy":
        self.file = shelf.file.read_bytes()
        self.rows = {
            name: await shelf.sql(f"SELECT {', '.join(columns.split())} FROM {name}")
            for name, columns in TABLES.items()
        }
        return self

    async def put_back(self, shelf: Shelf) -> None:
        shelf.file.write_bytes(self.file)
        for name, columns in TABLES.items():
            await shelf.sql(f"DELETE FROM {name}")
            names = columns.split()
            marks = ", ".join(f":{column}" for column in names)
            for row in self.rows[name]:
                await shelf.sql(
                    f"INSERT INTO {name} ({', '.join(names)}) VALUES ({marks})",
                    **dict(zip(names, row, strict=True)),
                )


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
async def test_every_attack_is_found(sqlite_shelf: Shelf, attack: Attack):
    await sqlite_shelf.fill(4, 4, 4)
    assert await sqlite_shelf.kinds() == set()
    before = await Copy().take(sqlite_shelf)
    for seed in range(SEEDS):
        await attack(sqlite_shelf, random.Random(seed))
        report = await sqlite_shelf.verify()
        assert not report.is_clean, f"seed {seed}"
        assert all(found.text for found in report.problems)
        await before.put_back(sqlite_shelf)
    assert await sqlite_shelf.kinds() == set(), "the copy is whole"


async def test_every_attack_on_postgresql_is_found_too(postgresql_shelf: Shelf):
    await postgresql_shelf.fill(4, 4, 4)
    before = await Copy().take(postgresql_shelf)
    for attack in ATTACKS:
        await attack(postgresql_shelf, random.Random(attack.__name__))
        assert not (await postgresql_shelf.verify()).is_clean, attack.__name__
        await before.put_back(postgresql_shelf)
    assert await postgresql_shelf.kinds() == set()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
async def test_a_server_that_goes_on_after_an_attack_does_not_hide_it(
    sqlite_shelf: Shelf, attack: Attack
):
    await sqlite_shelf.fill(4, 4, 4)
    await attack(sqlite_shelf, random.Random(3))
    await sqlite_shelf.fill(3)
    report = await sqlite_shelf.verify()
    assert not report.is_clean, "the other stores know what was there"


@pytest.mark.parametrize("place", [(1, 13), (2, 1), (1, 0), (-3, 5), (0, 1)])
async def test_a_row_that_was_copied_elsewhere_is_named(sqlite_shelf: Shelf, place):
    await sqlite_shelf.fill(ROWS)
    await sqlite_shelf.sql(
        "INSERT INTO ledger SELECT :id, chain, number, at, key_id, body, previous, hash,"
        " workspace_id, caller_id, tool, decision, status, call_id, owner_id"
        " FROM ledger WHERE number = 4",
        id=row_id(*place),
    )
    report = await sqlite_shelf.verify()
    found = report.problems[-1] if place[0] > 0 and place[1] else report.problems[0]
    assert (found.chain, found.number) == (f"slot-{place[0]}", place[1]) or found.kind == "removed"
    assert "altered" in {each.kind for each in report.problems}


async def test_each_finding_says_what_it_is_and_where(shelf: Shelf):
    async def found() -> list[tuple[str, str | None, int | None]]:
        report = await shelf.verify()
        assert all(each.at for each in report.problems)
        return [(each.kind, each.chain, each.number) for each in report.problems]

    await shelf.fill(4, 4, 4)
    before = await Copy().take(shelf)
    await shelf.sql("UPDATE ledger SET body = '{}' WHERE number = 5")
    assert await found() == [("altered", "slot-1", 5)]
    await before.put_back(shelf)
    await shelf.sql("UPDATE ledger SET decision = 'DENY' WHERE number = 6")
    assert await found() == [("column_altered", "slot-1", 6)]
    await before.put_back(shelf)
    await shelf.sql("DELETE FROM ledger WHERE number IN (2, 3)")
    assert await found() == [("removed", "slot-1", 2)]
    await before.put_back(shelf)
    await shelf.sql("DELETE FROM ledger WHERE number > 10")
    assert await found() == [("truncated", "slot-1", 11)]
    await before.put_back(shelf)
    await shelf.sql("DELETE FROM ledger")
    assert await found() == [("vanished", "slot-1", 1)]
    await before.put_back(shelf)
    await shelf.sql("UPDATE ledger SET key_id = 'x' WHERE number = 1")
    assert await found() == [("unknown_key", "slot-1", 1)]
    await before.put_back(shelf)
    await shelf.sql("DELETE FROM ledger_checkpoints WHERE number = 2")
    assert await found() == [("checkpoint_removed", None, 3)]
    await before.put_back(shelf)
    await shelf.sql("DELETE FROM ledger_checkpoints WHERE number = 4")
    assert await found() == [("checkpoint_removed", None, 4)]
    await before.put_back(shelf)
    await roll_back(shelf, random.Random(1))
    assert {kind for kind, *_ in await found()} == {"rolled_back"}


async def test_text_that_is_none_does_not_stop_the_check(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(4)
    await sqlite_shelf.sql("UPDATE ledger SET body = CAST(x'80ff' AS TEXT) WHERE number = 2")
    await sqlite_shelf.sql("UPDATE ledger SET hash = 'text', previous = 7 WHERE number = 3")
    await sqlite_shelf.sql("UPDATE ledger SET body = x'80ff', at = 3, key_id = 5 WHERE number = 4")
    report = await sqlite_shelf.verify()
    assert {found.number for found in report.problems if found.chain} == {2, 3, 4}


async def test_many_findings_are_counted_and_the_first_are_named(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(150)
    await sqlite_shelf.sql("UPDATE ledger SET body = '{}'")
    report = await sqlite_shelf.verify()
    assert (report.count, len(report.problems)) == (150, 100)
