"""Verification: finds what was edited, removed, moved, added or cut, and says where.

It reads one snapshot in batches, while others append. The order matters: the file's length is
taken before the snapshot (every head in those lines must be in it) and again after (every
checkpoint in the snapshot must be in those lines).
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger import anchor, checkpoints, keys, marks
from bailiwick.kit.ledger.checkpoints import Checkpoint, CheckpointContent
from bailiwick.kit.ledger.connections import LedgerConnection, connector
from bailiwick.kit.ledger.file import CheckpointFile
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.ledger import checkpoint_path
from bailiwick.kit.ledger.lines import CheckpointLines, missing_from_file, tell_ahead
from bailiwick.kit.ledger.links import ChainLinks
from bailiwick.kit.ledger.report import BreakKind, LedgerFinding, Report
from bailiwick.kit.ledger.rows import GENESIS, Head
from bailiwick.kit.vault import Vault

__all__ = ["LedgerFinding", "Report", "verify"]
_LOWEST = -(1 << 63)


async def verify(
    storage: Storage, vault: Vault, *, elsewhere: Path | None = None, copy: Sequence[str] = ()
) -> Report:
    """Check every row, every checkpoint and the file of checkpoints.

    They are held against those kept `elsewhere`, and against the lines of a `copy`, if there are.
    """
    ring = await keys.known(storage, vault)
    # In this order: a mark may be ahead of what was read before it, and never of what is read next.
    newest = await marks.newest(storage)
    marked = await marks.read(storage)
    copies, lost = await asyncio.to_thread(_kept, elsewhere, copy)
    report = await asyncio.to_thread(_verify, storage, ring)
    await marks.check(storage, ring, marked, newest=newest, report=report)
    report.notes += lost
    for name, anchored in copies.items():
        await asyncio.to_thread(anchor.check, storage, ring, name, anchored, report)
    return report


def _kept(
    elsewhere: Path | None, copy: Sequence[str]
) -> tuple[dict[str, Sequence[Checkpoint]], list[str]]:
    """The checkpoints of all copies by their names, and what is to be said of the others."""
    found, lost = dict[str, Sequence[Checkpoint]](), list[str]()
    if elsewhere:
        try:
            found[str(elsewhere)] = anchor.read(elsewhere)
        except OSError as error:
            lost.append(f"The checkpoints kept elsewhere could not be compared: {error}.")
    if copy:
        found["The copy that you gave"] = anchor.parsed(copy)
    lost += [f"{name} has no checkpoint in it." for name, lines in found.items() if not lines]
    return found, lost


def _verify(storage: Storage, ring: Ring) -> Report:
    report, file = Report(at=clock.now()), CheckpointFile(checkpoint_path(storage))
    lines = CheckpointLines(file, file.size())
    connection = connector(storage)()
    try:
        connection.begin_snapshot()
        _check(connection, ring, lines, report, alone=storage.url is None)
        connection.rollback()
        tell_ahead(lines, connection, report)
    finally:
        connection.close()
    return report


def _check(
    connection: LedgerConnection, ring: Ring, lines: CheckpointLines, report: Report, *, alone: bool
) -> None:
    last = checkpoints.last(connection)
    newest = _newest_authentic(connection, ring, last)
    said = newest.content if newest else CheckpointContent(heads={})
    _check_checkpoints(connection, ring, said, report)
    lines.check(connection, ring, said, newest=last.number if last else 0, report=report)
    missing_from_file(lines, last, alone=alone, report=report)
    if newest is None and lines.last:
        newest, said = lines.last, lines.last.content
    ends = ChainLinks(connection, ring, said, report).check()
    _check_ends(said, newest, ends, report)
    report.sealed_at = newest.moment if newest else None
    if said.since:
        report.since = datetime.fromisoformat(said.since).replace(tzinfo=UTC)
        report.notes.append(f"Rows sealed before {said.since[:19]} UTC were removed as old.")


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
