"""Verification: finds what was edited, removed, moved, added or cut, and says where.

It reads one snapshot in batches, while others append. The order matters: the file's length is
taken before the snapshot (every head in those lines must be in it) and again after (every
checkpoint in the snapshot must be in those lines).
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bailiwick.errors import BadConfiguration
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger import anchor, checkpoints, keyring, keys, marks
from bailiwick.kit.ledger.checkpoints import Checkpoint, CheckpointContent
from bailiwick.kit.ledger.connections import LedgerConnection, connector
from bailiwick.kit.ledger.file import CheckpointFile
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.ledger import checkpoint_path
from bailiwick.kit.ledger.lines import CheckpointLines, missing_from_file, tell_ahead
from bailiwick.kit.ledger.links import ChainLinks
from bailiwick.kit.ledger.records.check import ChainedRecords, RecordCheck
from bailiwick.kit.ledger.records.table import Hasher, RecordTable
from bailiwick.kit.ledger.report import BreakKind, LedgerFinding, Report
from bailiwick.kit.ledger.rows import GENESIS, Head
from bailiwick.kit.vault import Vault

__all__ = ["Elsewhere", "LedgerFinding", "Records", "Report", "verify"]
_LOWEST = -(1 << 63)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What was kept outside the data folder, to be compared."""

    file: Path | None = None
    entry: str | None = None  # of the operating system's keyring
    copy: Sequence[str] = ()  # lines that a person gives
    mark: tuple[int, str] | None = None  # the number and the digest that a person kept


@dataclass(frozen=True, slots=True)
class Records:
    """Tables of records whose digests are in the chains, and what seals their rows."""

    tables: Sequence[RecordTable]
    hasher: Hasher


async def verify(
    storage: Storage,
    vault: Vault,
    *,
    elsewhere: Elsewhere = Elsewhere(),  # noqa: B008
    records: Records | None = None,
) -> Report:
    """Check every row, every checkpoint, the file of checkpoints, and the records."""
    ring = await keys.known(storage, vault)
    # In this order: a mark may be ahead of what was read before it, and never of what is read next.
    newest = await marks.newest(storage)
    marked = await marks.read(storage)
    copies, lost = await _kept(elsewhere)
    report, said, chained = await asyncio.to_thread(_verify, storage, ring)
    await marks.check(storage, ring, marked, newest=newest, report=report)
    report.notes += lost
    for name, anchored in copies.items():
        await asyncio.to_thread(anchor.check, storage, ring, name, anchored, report)
    if elsewhere.mark:
        await asyncio.to_thread(anchor.check_mark, storage, elsewhere.mark, report)
    if records and said.records:
        await RecordCheck(storage, records.hasher, chained, report).check(records.tables)
    return report


async def _kept(
    elsewhere: Elsewhere,
) -> tuple[dict[str, Sequence[Checkpoint]], list[str]]:
    """The checkpoints of all copies by their names, and what is to be said of the others."""
    found, lost = dict[str, Sequence[Checkpoint]](), list[str]()
    try:
        if elsewhere.file:
            name = str(elsewhere.file)
            found[name] = await asyncio.to_thread(anchor.read, elsewhere.file)
    except OSError as error:
        lost.append(f"The checkpoints kept elsewhere could not be compared: {error}.")
    try:
        if elsewhere.entry:
            known = await keyring.read(elsewhere.entry)
            found["The system keyring"] = [known] if known else []
    except BadConfiguration as error:
        lost.append(f"The checkpoint in the system keyring could not be compared: {error.detail}")
    if elsewhere.copy:
        found["The copy that you gave"] = anchor.parsed(elsewhere.copy)
    lost += [f"{name} has no checkpoint in it." for name, lines in found.items() if not lines]
    return found, lost


def _verify(storage: Storage, ring: Ring) -> tuple[Report, CheckpointContent, ChainedRecords]:
    report, file = Report(at=clock.now()), CheckpointFile(checkpoint_path(storage))
    lines = CheckpointLines(file, file.size())
    connection = connector(storage)()
    try:
        connection.begin_snapshot()
        said, chained = _check(connection, ring, lines, report, alone=storage.url is None)
        connection.rollback()
        tell_ahead(lines, connection, report)
    finally:
        connection.close()
    return report, said, chained


def _check(
    connection: LedgerConnection, ring: Ring, lines: CheckpointLines, report: Report, *, alone: bool
) -> tuple[CheckpointContent, ChainedRecords]:
    last = checkpoints.last(connection)
    newest = _newest_authentic(connection, ring, last)
    said = newest.content if newest else CheckpointContent(heads={})
    _check_checkpoints(connection, ring, said, report)
    lines.check(connection, ring, said, newest=last.number if last else 0, report=report)
    missing_from_file(lines, last, alone=alone, report=report)
    if newest is None and lines.last:
        newest, said = lines.last, lines.last.content
    links = ChainLinks(connection, ring, said, report)
    _check_ends(said, newest, links.check(), report)
    report.sealed_at = newest.moment if newest else None
    report.mark = newest.mark if newest else None
    if said.since:
        report.since = datetime.fromisoformat(said.since).replace(tzinfo=UTC)
        report.notes.append(f"Rows sealed before {said.since[:19]} UTC were removed as old.")
    return said, links.records


def _newest_authentic(
    connection: LedgerConnection, ring: Ring, last: Checkpoint | None
) -> Checkpoint | None:
    if last and checkpoints.is_authentic(ring, last):
        return last
    found = None
    for checkpoint in checkpoints.stored(connection, after=0):
        if checkpoints.is_authentic(ring, checkpoint):
            found = checkpoint
    return found


def _check_checkpoints(
    connection: LedgerConnection, ring: Ring, said: CheckpointContent, report: Report
) -> None:
    before: Checkpoint | None = None
    expected = said.first
    for checkpoint in checkpoints.stored(connection, after=_LOWEST):
        if 0 < checkpoint.number < said.first:
            continue  # declared forgotten, and not removed yet
        if checkpoint.number != expected:
            text = f"Checkpoints {expected} to {checkpoint.number - 1} are gone."
            _add(report, "checkpoint_removed", text, checkpoint)
            before = None
        _check_one(connection, ring, checkpoint, before, said, report)
        before, expected = checkpoint, checkpoint.number + 1
        report.checkpoints += 1
    if before is None and len(ring):
        text = "There is no checkpoint, though there always is one: all of them were removed."
        report.add(LedgerFinding("checkpoint_removed", text))


def _check_one(
    connection: LedgerConnection,
    ring: Ring,
    checkpoint: Checkpoint,
    before: Checkpoint | None,
    said: CheckpointContent,
    report: Report,
) -> None:
    if not checkpoints.is_authentic(ring, checkpoint):
        _add(report, "checkpoint_altered", "This checkpoint was changed or added.", checkpoint)
        return
    if (before and checkpoint.previous != before.signature) or (
        checkpoint.number == 1 and checkpoint.previous != GENESIS
    ):
        text = "This checkpoint does not follow the one before it."
        _add(report, "checkpoint_altered", text, checkpoint)
    if checkpoint.number == 1 and checkpoint.content.heads:
        # A ledger makes a checkpoint before its first row.
        text = "All checkpoints before this one were removed, and the count began anew."
        _add(report, "checkpoint_removed", text, checkpoint)
    if checkpoint.content.accepts is not None:
        report.accepted_at = max(report.accepted_at or "", checkpoint.at)
    for chain, head in checkpoint.content.heads.items():
        if head.number > said.floor.get(chain, Head()).number and checkpoints.differs(
            connection, chain, head
        ):
            text = "This row was replaced after it was sealed."
            found = LedgerFinding(
                "altered", text, chain=chain, number=head.number, at=checkpoint.at
            )
            report.add(found)


def _check_ends(
    said: CheckpointContent, newest: Checkpoint | None, ends: Mapping[str, int], report: Report
) -> None:
    for chain, head in said.heads.items():
        begins = said.floor.get(chain, Head()).number
        end = ends.get(chain, begins)
        if newest is None or end >= head.number:
            continue
        gone = f"the rows {end + 1} to {head.number} are gone; they were there when it was sealed."
        kind, text = (
            ("vanished", f"The whole chain has vanished: {gone}")
            if end == begins
            else ("truncated", f"The chain was cut at its end: {gone}")
        )
        report.add(LedgerFinding(kind, text, chain=chain, number=end + 1, at=newest.at))


def _add(report: Report, kind: BreakKind, text: str, checkpoint: Checkpoint) -> None:
    report.add(LedgerFinding(kind, text, number=checkpoint.number, at=str(checkpoint.at)))
