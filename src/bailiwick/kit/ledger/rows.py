"""The content of a row, and what its hash covers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic_core import to_json

from bailiwick.errors import Unavailable
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.models import COLUMN_LENGTH

GENESIS = bytes(32)
_SLOT_BITS = 40
LAST_NUMBER = (1 << _SLOT_BITS) - 1
# The searchable columns, by their place in the body.
COLUMNS: dict[str, tuple[str, ...]] = {
    "workspace_id": ("workspace_id",),
    "owner_id": ("owner_id",),
    "caller_id": ("caller", "id"),
    "tool": ("tool",),
    "decision": ("decision",),
    "status": ("status",),
    "call_id": ("call_id",),
}
_LONG = 4_000  # in shorter bodies every value survives the round trip
FIELDS = ("id", "chain", "number", "at", "key_id", "body", "previous", "hash", *COLUMNS)
RowValues = tuple[Any, ...]


class LedgerUnwritable(Unavailable):
    """The row is not in the ledger, so the action that it records must not happen."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last link of a chain."""

    number: int = 0
    hash: bytes = GENESIS


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A body on its way into the ledger."""

    body: str
    columns: tuple[str | None, ...]


def entry(body: Mapping[str, Any]) -> LedgerEntry:
    """The stored form of a body; one that JSON cannot express is refused."""
    try:
        text = to_json(body, inf_nan_mode="strings").decode()
        if len(text) < _LONG:
            return LedgerEntry(text, columns_of(body))
    except ValueError:
        text = None  # invalid Unicode or deep nesting: the slower encoder handles both
    try:
        text = text or json.dumps(body, separators=(",", ":"))
        return LedgerEntry(text, columns_of(parsed(text)))
    except (TypeError, ValueError, RecursionError) as error:
        raise LedgerUnwritable(f"The audit cannot keep this call: {error}.") from error


def parsed(text: str) -> dict[str, Any]:
    """A body from its stored form."""
    return json.loads(text)


def columns_of(body: Mapping[str, Any]) -> tuple[str | None, ...]:
    """The searchable columns, as far as the body has them."""
    if "owner_id" not in body:
        # Rows of old do not name one: they are of whoever the caller acted for.
        body = {**body, "owner_id": body.get("user_id")}
    found: list[str | None] = []
    for path in COLUMNS.values():
        value: Any = body
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, str):
            text = str.__str__(value)
            # Callers choose some values: a database must be able to store whatever they send.
            value = (text if text.isprintable() else ascii(text))[:COLUMN_LENGTH]
        found.append(value if isinstance(value, str) else None)
    return tuple(found)


def row_id(slot: int, number: int) -> int:
    """The primary key of a row."""
    return (slot << _SLOT_BITS) | number


def place(id: int) -> tuple[int, int]:
    """The slot and the number of a row."""
    return id >> _SLOT_BITS, id & LAST_NUMBER


def chain_name(slot: int) -> str:
    """The name of a slot's chain."""
    return f"slot-{slot}"


def slot_of(chain: str) -> int:
    """The slot of a chain's name."""
    return int(chain.removeprefix("slot-"))


def moment(at: datetime) -> str:
    """A time in the one form that both databases store and hashes cover."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def row_hash(ring: Ring, values: RowValues) -> bytes:
    """The hash of a row: over the previous hash, its place, its time, its key and its body."""
    _id, chain, number, at, key_id, body, previous, *_ = values
    text = f"{chain}\0{number}\0{at}\0{key_id}\0{body}"
    return ring.digest(key_id, b"row\0" + previous + text.encode())


def linked(ring: Ring, slot: int, head: Head, at: str, entry: LedgerEntry) -> RowValues:
    """The row after the head."""
    number = head.number + 1
    if number > LAST_NUMBER:
        raise LedgerUnwritable(f"The audit chain {chain_name(slot)} has no number left.")
    values = (
        row_id(slot, number),
        chain_name(slot),
        number,
        at,
        ring.active,
        entry.body,
        head.hash,
    )
    return (*values, row_hash(ring, values), *entry.columns)
