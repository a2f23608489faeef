"""The whole audit as JSON lines; the last line counts the others and has their checksum."""

import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any

from bailiwick.gate.audit import repository
from bailiwick.gate.audit.repository import AuditQuery
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger.models import Row


async def lines(storage: Storage, query: AuditQuery) -> AsyncIterator[bytes]:
    """Everything that the query finds, some lines at a time."""
    count, checksum = 0, hashlib.sha256()
    async for rows in repository.everything(storage, query):
        chunk = b"".join(_line(_exported(row)) for row in rows)
        checksum.update(chunk)
        count += len(rows)
        yield chunk
    yield _line({"rows": count, "sha256": checksum.hexdigest()})


def _exported(row: Row) -> dict[str, Any]:
    return {
        "id": f"{row.chain}:{row.number}",
        "at": row.at.isoformat(),
        "body": row.body,  # the text itself, because the hash is over the text
        "key_id": row.key_id,
        "previous": row.previous.hex(),
        "hash": row.hash.hex(),
    }


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
