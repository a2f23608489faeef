"""What the start of a ledger finds behind, and would bring up to date without a trace.

It goes into the chain, and every verification names it until somebody says that a backup was
restored.
"""

import asyncio
from typing import Any

from bailiwick.kit.db import Storage
from bailiwick.kit.ledger import checkpoints, marks
from bailiwick.kit.ledger.connections import connector
from bailiwick.kit.ledger.file import CheckpointFile
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.report import LedgerFinding

FOUND = "found"  # the phase of such a line
_NOBODY = "-"


async def found(storage: Storage, ring: Ring, file: CheckpointFile) -> list[dict[str, Any]]:
    """A line for each store, and for the file, that knows less than the database."""
    if storage.kind != "sqlite":
        return []  # where several processes write at once, they are behind for a moment
    behind = await marks.behind(storage, ring)
    if cut := await asyncio.to_thread(_cut, storage, file):
        behind.append(cut)
    return [
        {
            "owner_id": _NOBODY,
            "phase": FOUND,
            "kind": each.kind,
            "text": f"When the server started: {each.text}",
        }
        for each in behind
    ]


def _cut(storage: Storage, file: CheckpointFile) -> LedgerFinding | None:
    """That the file lacks lines; one that is gone may be of a backup on a new machine."""
    if not file.exists():
        return None
    connection = connector(storage)()
    try:
        newest = checkpoints.last(connection)
    finally:
        connection.close()
    last = file.last()
    at = last.number if last else 0
    if newest is None or at >= newest.number:
        return None
    text = f"The checkpoint file ended with {at}, the database with {newest.number}."
    return LedgerFinding("file_cut", text, number=newest.number, at=newest.at)
