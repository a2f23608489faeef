"""An installation with a ledger; as a program: appends without end until it is killed."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bailiwick.config import Settings
from bailiwick.kit.folder import DataFolder
from bailiwick.kit.ledger import Ledger, LedgerFinding, Report, verify
from bailiwick.kit.ledger.connections import OnPostgresql, OnSqlite
from bailiwick.kit.ledger.ledger import checkpoint_path
from bailiwick.office import Office as Product
from bailiwick.office import opened


def body(number: int, **changes: Any) -> dict[str, Any]:
    """What the gate writes, more or less."""
    return {
        "call_id": f"cal-{number}",
        "workspace_id": "wsp-1",
        "caller": {"kind": "agent", "id": "agt-1", "name": "Ada", "version": "3"},
        "tool": "mail.search",
        "decision": "ALLOW",
        "status": "done",
        "arguments": {"q": f"Zürich {number}"},
        **changes,
    }


@dataclass
class Shelf:
    """What a test needs to write, tamper and check."""

    product: Product

    @property
    def file(self) -> Path:
        return checkpoint_path(self.product.storage)

    def ledger(self, **options: Any):
        return Ledger.opened(self.product.storage, self.product.vault, **options)

    async def fill(self, *parts: int) -> None:
        """Append so many rows, sealed after each part."""
        async with self.ledger() as ledger:
            done = 0
            for count in parts:
                await asyncio.gather(*(ledger.append(body(done + i)) for i in range(count)))
                await ledger.seal()
                done += count

    def lines(self) -> list[str]:
        """The lines of the file of checkpoints."""
        return self.file.read_text().splitlines()

    def write_lines(self, lines: Iterable[str]) -> None:
        self.file.write_text("".join(f"{line}\n" for line in lines))

    async def made_at(self, checkpoint: int) -> str:
        """When a checkpoint was made, by the database."""
        statement = "SELECT at FROM ledger_checkpoints WHERE number = :number"
        return (await self.sql(statement, number=checkpoint))[0][0]

    async def sql(self, statement: str, **values: Any) -> list[Any]:
        """What an attacker with the database, and without the vault's key, can do."""
        async with self.product.storage.audit.write() as session:
            result = await session.execute(text(statement), values)
            return list(result.all()) if result.returns_rows else []

    async def verify(self) -> Report:
        return await verify(self.product.storage, self.product.vault)

    async def found(self) -> list[LedgerFinding]:
        return (await self.verify()).problems

    async def said(self) -> list[tuple[str, int | None, str]]:
        """The kind, the number and the words of what was found."""
        return [(each.kind, each.number, each.text) for each in await self.found()]

    async def cut_back(self, *, checkpoint: int, row: int) -> None:
        """Only the database: the file still knows more."""
        await self.sql("DELETE FROM ledger WHERE number > :row", row=row)
        await self.sql("DELETE FROM ledger_checkpoints WHERE number > :number", number=checkpoint)

    async def forget_marks(self) -> None:
        """What an attacker who can write every store does too."""
        for name in ("app", "engine"):
            async with self.product.storage[name].write() as session:
                await session.execute(text("DELETE FROM ledger_marks"))

    async def kinds(self) -> set[str]:
        report = await self.verify()
        assert report.is_clean == (not report.problems)
        return {found.kind for found in report.problems}


def go_on_after_the_first_read(
    monkeypatch: pytest.MonkeyPatch, ledger: Ledger, kind: type[OnSqlite | OnPostgresql]
) -> None:
    """Another appends and seals twice when the first question of whoever reads is answered."""
    loop, real, busy = asyncio.get_running_loop(), kind.execute, False

    async def go_on() -> None:
        for number in range(2):
            await ledger.append(body(number))
            await ledger.seal()

    def execute(connection: Any, statement: str, values: Any = ()) -> Any:
        nonlocal busy
        read = real(connection, statement, values)
        if not busy and "FROM ledger" in statement:
            busy = True
            asyncio.run_coroutine_threadsafe(go_on(), loop).result()
        return read

    monkeypatch.setattr(kind, "execute", execute)


@asynccontextmanager
async def opened_shelf(settings: Settings) -> AsyncIterator[Shelf]:
    DataFolder(settings.data).prepare()
    async with opened(settings) as product:
        yield Shelf(product)


async def append_without_end(data: str, url: str) -> None:
    settings = Settings.model_validate({"data": Path(data), "database_url": url or None})
    async with opened_shelf(settings) as shelf, shelf.ledger() as ledger:

        async def caller(name: int) -> None:
            number = 0
            while True:
                await ledger.append(body(number, call_id=f"{name}-{number}"))
                print(f"{name}-{number}", flush=True)
                number += 1
                if number % 7 == 0:
                    await ledger.seal()

        await asyncio.gather(*(caller(name) for name in range(8)))


if __name__ == "__main__":
    asyncio.run(append_without_end(*sys.argv[1:]))
