"""The newest checkpoint, kept in the other stores too: going back in one of them shows.

A mark moves on only from a checkpoint that the audit still has, so that the audit and its file,
cut back together, do not take the proof with them.
"""

import asyncio
from collections.abc import Mapping

import structlog
from sqlalchemy import String, Text, func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Storage
from bailiwick.kit.db.base import StoreName
from bailiwick.kit.ledger import checkpoints
from bailiwick.kit.ledger.checkpoints import Checkpoint
from bailiwick.kit.ledger.connections import connector
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.models import CheckpointRow
from bailiwick.kit.ledger.report import BreakKind, LedgerFinding, Report

log = structlog.stdlib.get_logger("bailiwick.ledger")
Marks = Mapping[StoreName, Checkpoint | None]
_STORES: tuple[StoreName, ...] = ("app", "engine")
_NEWEST = "newest"
_FOREIGN = Checkpoint(0, "", "", "{}", b"", b"")  # in the place of what we did not write
# The engine's schema is not ours to migrate.
_MAKE = "CREATE TABLE IF NOT EXISTS ledger_marks (id VARCHAR(16) PRIMARY KEY, line TEXT NOT NULL)"
_TOLD: frozenset[BreakKind] = frozenset(
    ("rolled_back", "truncated", "vanished", "checkpoint_removed", "checkpoint_altered")
)


class LedgerMark(Base):
    """The newest checkpoint of the audit, as this store knows it."""

    __tablename__ = "ledger_marks"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    line: Mapped[str] = mapped_column(Text)


async def read(storage: Storage) -> Marks:
    """What the other stores say; None where there is nothing that can be read."""
    return {name: await _read(storage, name) for name in _STORES}


async def write(storage: Storage, newest: Checkpoint, *, force: bool = False) -> None:
    """Let the other stores know a checkpoint; `force` when a restored backup was accepted."""
    for name in _STORES:
        mark = await _read(storage, name)
        if mark and not force and (mark.number >= newest.number or not await has(storage, mark)):
            if not await has(storage, mark):
                log.error("the audit lacks a checkpoint that a store knows", store=name)
            continue
        try:
            async with storage[name].write() as session:
                if name == "engine":
                    await session.execute(text(_MAKE))
                await session.execute(text("DELETE FROM ledger_marks"))
                statement = text("INSERT INTO ledger_marks (id, line) VALUES (:id, :line)")
                await session.execute(statement, {"id": _NEWEST, "line": newest.line()})
            await storage[name].flush()
        except (DBAPIError, OSError) as error:
            reason = str(getattr(error, "orig", error))
            log.warning("a store could not be marked", store=name, reason=reason)


async def newest(storage: Storage) -> int:
    """The number of the audit's newest checkpoint."""
    return (await _bounds(storage))[1]


async def check(storage: Storage, ring: Ring, marks: Marks, *, newest: int, report: Report) -> None:
    """Hold what the other stores said before the verification against the audit."""
    if not any(marks.values()) and not await _were_written(storage, ring, newest):
        return
    for name, mark in marks.items():
        if mark is None and await _read(storage, name):
            continue  # it was on its way
        if mark is None:
            text = f"The store {name} does not know the newest checkpoint: it was removed there."
            report.add(LedgerFinding("checkpoint_removed", text))
        elif not checkpoints.is_authentic(ring, mark):
            text = f"The store {name} has a checkpoint that was changed, or is of another audit."
            report.add(LedgerFinding("checkpoint_altered", text, number=mark.number, at=mark.at))
        elif not await has(storage, mark):
            _add_rolled_back(name, mark, report)
        elif storage.kind == "sqlite" and newest - mark.number > 1:
            report.add(_older(name, mark, newest))


async def behind(storage: Storage, ring: Ring) -> list[LedgerFinding]:
    """The stores that lack a mark, or have an old one, and would get the newest unseen."""
    last, found = await newest(storage), list[LedgerFinding]()
    for name, mark in (await read(storage)).items():
        if mark is None and await _were_written(storage, ring, last):
            text = f"The store {name} did not know the newest checkpoint: it was removed there."
            found.append(LedgerFinding("checkpoint_removed", text))
        elif mark and last - mark.number > 1 and await has(storage, mark):
            found.append(_older(name, mark, last))
    return found


def _older(name: StoreName, mark: Checkpoint, newest: int) -> LedgerFinding:
    text = (
        f"The store {name} is older than the audit: it knows checkpoint {mark.number}, and the "
        f"newest is {newest}. Someone put an older {name}.db in its place."
    )
    return LedgerFinding("rolled_back", text, number=mark.number, at=mark.at)


async def _were_written(storage: Storage, ring: Ring, newest: int) -> bool:
    """Whether the stores got marks: the checkpoint before the newest says so."""

    def before() -> Checkpoint | None:
        connection = connector(storage)()
        try:
            return checkpoints.numbered(connection, newest - 1)
        finally:
            connection.close()

    made = await asyncio.to_thread(before)
    return made is not None and checkpoints.is_authentic(ring, made) and made.content.marked


def _add_rolled_back(name: StoreName, mark: Checkpoint, report: Report) -> None:
    if any(found.kind in _TOLD for found in report.problems):
        return  # the file has told it, and better
    text = (
        f"The store {name} knows checkpoint {mark.number} of {mark.at[:19]} UTC, which the audit "
        f"and its file do not have. If you restored a backup, say so with `bailiwick audit verify "
        f"--accept-restore`; if nobody did, someone cut both back, or wrote them anew."
    )
    report.add(LedgerFinding("rolled_back", text, number=mark.number, at=mark.at))


async def _read(storage: Storage, name: StoreName) -> Checkpoint | None:
    try:
        async with storage[name].read() as session:
            found = (await session.execute(text("SELECT id, line FROM ledger_marks"))).all()
    except DBAPIError:
        return None  # no table yet
    if len(found) > 1 or any(id != _NEWEST for id, _ in found):
        return _FOREIGN
    return Checkpoint.parse(found[0][1]) if found else None


async def has(storage: Storage, mark: Checkpoint) -> bool:
    """Whether the audit has this checkpoint, or has let it go because it was old."""
    first, _ = await _bounds(storage)
    statement = select(CheckpointRow.signature).where(CheckpointRow.number == mark.number)
    async with storage.audit.read() as session:
        signature = (await session.scalars(statement)).one_or_none()
    return mark.number < first if signature is None else bytes(signature) == mark.signature


async def _bounds(storage: Storage) -> tuple[int, int]:
    statement = select(func.min(CheckpointRow.number), func.max(CheckpointRow.number))
    async with storage.audit.read() as session:
        first, last = (await session.execute(statement)).one()
    return first or 0, last or 0
