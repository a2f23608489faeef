"""Checkpoints kept outside the data folder: whoever has the folder and its keys lacks these.

The newest checkpoint seals everything before it, so that a copy may begin and have gaps anywhere.
What only a person can look up (a mail, a webhook's receiver) is compared by number and digest.
"""

import asyncio
import os
import re
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bailiwick.errors import BailiwickError
from bailiwick.kit.db import Storage
from bailiwick.kit.files import PRIVATE_FILE, sync_folder
from bailiwick.kit.ledger import checkpoints
from bailiwick.kit.ledger.checkpoints import Checkpoint
from bailiwick.kit.ledger.connections import LedgerConnection, connector
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.report import BreakKind, LedgerFinding, Report

log = structlog.stdlib.get_logger("bailiwick.ledger")
Where = Callable[[], Awaitable[Path | None]]
_PATIENCE_SECONDS = 10
_LINE = 65_536
_MARK = re.compile(r"(\d{1,15}):([0-9a-f]{64})")


class Anchor:
    """Keeps the newest checkpoint somewhere else; a failure is told, and stops nothing."""

    def __init__(self) -> None:
        self._kept: tuple[object, bytes] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self.failure: str | None = None

    @abstractmethod
    async def place(self) -> object | None:
        """Where to keep it; None if nobody wants that."""

    @abstractmethod
    async def put(self, newest: Checkpoint, *, force: bool) -> None:
        """Keep it there; `force` when a restored backup was accepted."""

    async def keep(self, newest: Checkpoint, *, force: bool = False) -> None:
        """Keep a checkpoint, unless it was the last one that was kept there."""
        if self._keeping and not self._keeping.done():
            return  # what does not answer has told so already
        try:
            place = await self.place()
            if place and self._kept != (place, newest.signature):
                self._keeping = asyncio.create_task(self.put(newest, force=force))
                # Not cancelled after that: a dead network disk may hold a thread of it.
                if not (await asyncio.wait({self._keeping}, timeout=_PATIENCE_SECONDS))[0]:
                    raise TimeoutError(f"{place} does not answer")
                self._keeping.result()
                self._kept = place, newest.signature
        except (OSError, ValueError, SQLAlchemyError, BailiwickError) as error:
            self.failure = str(error)
            log.warning("the audit could not be anchored; trying again", reason=self.failure)
        else:
            self.failure = None


class FileAnchor(Anchor):
    """Appends to a file elsewhere."""

    def __init__(self, where: Where) -> None:
        super().__init__()
        self._where = where

    async def place(self) -> object | None:
        """The file that the owner chose."""
        return await self._where()

    async def put(self, newest: Checkpoint, *, force: bool) -> None:
        """Append a line; the file is never shortened."""
        if path := await self._where():
            await asyncio.to_thread(_append, path, newest)


def read(path: Path) -> list[Checkpoint]:
    """The checkpoints of a file elsewhere."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return parsed(file)


def parsed(lines: Iterable[str]) -> list[Checkpoint]:
    """The checkpoints in some lines; others, such as one that a crash cut, are passed over."""
    return [found for line in lines if (found := Checkpoint.parse(line))]


def parsed_mark(text: str) -> tuple[int, str] | None:
    """The number and the digest that somebody kept; None if it is no such thing."""
    found = _MARK.fullmatch(text.strip().lower())
    return (int(found[1]), found[2]) if found else None


def check_mark(storage: Storage, mark: tuple[int, str], report: Report) -> None:
    """Hold a number and a digest that a person kept elsewhere against the audit."""
    connection = connector(storage)()
    try:
        connection.begin_snapshot()
        mine = checkpoints.numbered(connection, mark[0])
        first = min((each.number for each in checkpoints.stored(connection, after=0)), default=0)
    finally:
        connection.close()
    number, digest = mark
    if mine and mine.signature.hex() == digest:
        report.anchored_at = max(report.anchored_at or mine.moment, mine.moment)
    elif mine is None and number < first:
        report.notes.append(f"Checkpoint {number} was removed as old, so it proves nothing.")
    else:
        what = "has otherwise" if mine else "does not have"
        text = (
            f"You kept checkpoint {number}, which the office {what}. If a backup was restored "
            f"since, that is why; if nobody did, someone cut the audit back, or wrote it anew with "
            f"its key in hand."
        )
        report.add(LedgerFinding("anchor_differs" if mine else "rolled_back", text, number=number))


def check(
    storage: Storage, ring: Ring, name: str, anchored: Sequence[Checkpoint], report: Report
) -> None:
    """Hold checkpoints that were kept elsewhere, and read before the audit was, against it."""
    connection = connector(storage)()
    try:
        connection.begin_snapshot()
        _compare(connection, ring, name, anchored, report)
    finally:
        connection.close()


def _compare(
    connection: LedgerConnection,
    ring: Ring,
    name: str,
    anchored: Sequence[Checkpoint],
    report: Report,
) -> None:
    stored = {each.number: each for each in checkpoints.stored(connection, after=0)}
    said = [each for each in stored.values() if checkpoints.is_authentic(ring, each)]
    restored = [each for each in said if each.content.accepts]
    first = min(stored, default=0)
    lacking, other, excused = list[Checkpoint](), list[Checkpoint](), list[Checkpoint]()
    for each in anchored:
        mine = stored.get(each.number)
        if mine and mine.signature == each.signature:
            report.anchored_at = max(report.anchored_at or mine.moment, mine.moment)
        elif any(accepted.at >= each.at for accepted in restored):
            excused.append(each)
        elif mine:
            other.append(each)
        elif each.number >= first:
            lacking.append(each)
    _tell(report, "rolled_back", name, lacking, "the office does not have")
    _tell(report, "anchor_differs", name, other, "the office has otherwise")
    if excused:
        by = " and ".join(sorted({str(each.content.by) for each in restored}))
        report.notes.append(
            f"{name} has {_range(excused)}, which the office does not have. {by} said that a "
            f"backup was restored; if nobody did, someone wrote the audit anew."
        )


def _tell(
    report: Report, kind: BreakKind, name: str, found: Sequence[Checkpoint], what: str
) -> None:
    if found:
        text = (
            f"{name} has {_range(found)}, which {what}. If you restored a backup, say so with "
            f"`bailiwick audit verify --accept-restore`; if nobody did, someone cut the audit "
            f"back, or wrote it anew with its key in hand."
        )
        report.add(LedgerFinding(kind, text, number=found[0].number, at=found[0].at))


def _range(found: Sequence[Checkpoint]) -> str:
    first, last = found[0], found[-1]
    if len(found) == 1:
        return f"checkpoint {first.number} of {first.at[:19]} UTC"
    return (
        f"{len(found)} checkpoints, from {first.number} of {first.at[:19]} to {last.number} of "
        f"{last.at[:19]} UTC"
    )


def _append(path: Path, newest: Checkpoint) -> None:
    new = not path.exists()
    # No link is followed, and nothing but a file of checkpoints is written to: an admin of the
    # office may choose the file, and must not be able to add to others of its operator.
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
    with os.fdopen(os.open(path, flags, PRIVATE_FILE), "a+b") as file:
        file.seek(0)
        begins = file.readline(_LINE)
        if begins and Checkpoint.parse(begins.decode(errors="replace")) is None:
            raise ValueError(f"{path} has something else in it, so nothing was added")
        lead = b""
        if begins:
            file.seek(-1, os.SEEK_END)
            lead = b"" if file.read(1) == b"\n" else b"\n"  # a crash cut the last line
        # One write, so that the lines of two processes do not mix.
        file.write(lead + newest.line().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    if new:
        sync_folder(path.parent)
