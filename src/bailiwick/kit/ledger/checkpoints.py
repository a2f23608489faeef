"""Checkpoints: the heads of all chains, signed, each linked to the one before.

A checkpoint is written to a file outside the database first and then to the database, so that the
file is never behind: cutting the database back does not remove what the file says.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from bailiwick.kit.ledger.connections import LedgerConnection, batches
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.rows import GENESIS, Head, RowValues, chain_name, place, row_id, slot_of

Heads = Mapping[str, Head]
_FIELDS = "number, {at}, key_id, content, previous, signature"


@dataclass(frozen=True, slots=True)
class CheckpointContent:
    """The content of a checkpoint."""

    heads: Heads
    # Up to where old rows were removed, and the checkpoint that covers them.
    floor: Heads = field(default_factory=dict[str, Head])
    first: int = 1
    since: str | None = None
    # The file's last line when somebody declared that a backup was restored.
    accepts: str | None = None
    by: str | None = None  # and who declared it
    marked: bool = False  # whether the other stores know of it too
    records: bool = False  # whether the digests of all records are in the chains

    def text(self) -> str:
        """The text that is signed and stored."""
        said: dict[str, Any] = {
            "heads": {chain: [head.number, head.hash.hex()] for chain, head in self.heads.items()},
            "floor": {chain: [head.number, head.hash.hex()] for chain, head in self.floor.items()},
            "first": self.first,
            "since": self.since,
            "accepts": self.accepts,
            "by": self.by,
            "marked": self.marked,
            "records": self.records,
        }
        return json.dumps(said, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> "CheckpointContent":
        """The content of a signed text."""
        said = json.loads(text)
        return cls(
            heads=_heads(said["heads"]),
            floor=_heads(said["floor"]),
            first=said["first"],
            since=said["since"],
            accepts=said["accepts"],
            by=said["by"],
            # Those of old do not say it.
            marked=said.get("marked") is True,
            records=said.get("records") is True,
        )


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed line."""

    number: int
    at: str
    key_id: str
    text: str
    previous: bytes
    signature: bytes

    @property
    def content(self) -> CheckpointContent:
        """Its content; to be trusted only if it is authentic."""
        return CheckpointContent.read(self.text)

    @property
    def moment(self) -> datetime:
        """When it was made."""
        return datetime.fromisoformat(self.at).replace(tzinfo=UTC)

    def line(self) -> str:
        """Its line in the file."""
        said = {
            "number": self.number,
            "at": self.at,
            "key": self.key_id,
            "content": self.text,
            "previous": self.previous.hex(),
            "signature": self.signature.hex(),
        }
        return json.dumps(said, separators=(",", ":"))

    @property
    def mark(self) -> str:
        """Its number and its digest: enough to know it again."""
        return f"{self.number}:{self.signature.hex()}"

    @classmethod
    def parse(cls, line: str) -> "Checkpoint | None":
        """The checkpoint in a line of the file; None if it is none."""
        try:
            said = json.loads(line)
            return cls(
                number=int(said["number"]),
                at=str(said["at"]),
                key_id=str(said["key"]),
                text=str(said["content"]),
                previous=bytes.fromhex(said["previous"]),
                signature=bytes.fromhex(said["signature"]),
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            return None

    def values(self) -> RowValues:
        """Its columns in the database."""
        return (self.number, self.at, self.key_id, self.text, self.previous, self.signature)


def signed(
    ring: Ring, *, number: int, at: str, content: CheckpointContent, previous: bytes = GENESIS
) -> Checkpoint:
    """A new checkpoint."""
    text = content.text()
    signature = ring.digest(ring.active, _message(number, at, ring.active, text, previous))
    return Checkpoint(number, at, ring.active, text, previous, signature)


def is_authentic(ring: Ring, checkpoint: Checkpoint) -> bool:
    """Whether one of our keys signed exactly this."""
    *said, signature = checkpoint.values()
    try:
        expected = ring.digest(checkpoint.key_id, _message(*said))
    except (KeyError, TypeError, ValueError):
        return False
    return expected == signature


def later(one: Head, other: Head | None) -> Head:
    """The head with the greater number."""
    return other if other and other.number > one.number else one


def heads_of(connection: LedgerConnection) -> dict[str, Head]:
    """The last row of every chain."""
    found: dict[str, Head] = {}
    beyond = row_id(1, 0)
    while rows := connection.execute(
        "SELECT id FROM ledger WHERE id > ? ORDER BY id LIMIT 1", (beyond,)
    ):
        slot, _ = place(rows[0][0])
        found[chain_name(slot)] = head_of(connection, slot)
        beyond = row_id(slot + 1, 0)
    return found


def head_of(connection: LedgerConnection, slot: int) -> Head:
    """The last row of one chain."""
    rows = connection.execute(
        "SELECT id, hash FROM ledger WHERE id > ? AND id < ? ORDER BY id DESC LIMIT 1",
        (row_id(slot, 0), row_id(slot + 1, 0)),
    )
    return Head(place(rows[0][0])[1], bytes(rows[0][1])) if rows else Head()


def holds(connection: LedgerConnection, chain: str, head: Head) -> bool:
    """Whether the database has exactly this row."""
    return _hash(connection, chain, head) == head.hash


def differs(connection: LedgerConnection, chain: str, head: Head) -> bool:
    """Whether the database has a different row at this one's place."""
    return _hash(connection, chain, head) not in (None, head.hash)


def _hash(connection: LedgerConnection, chain: str, head: Head) -> bytes | None:
    id = row_id(slot_of(chain), head.number)
    rows = connection.execute("SELECT hash FROM ledger WHERE id = ?", (id,))
    return rows[0][0] if rows else None


def last(connection: LedgerConnection) -> Checkpoint | None:
    """The newest checkpoint of the database."""
    fields = _FIELDS.format(at=connection.moment)
    rows = connection.execute(
        f"SELECT {fields} FROM ledger_checkpoints ORDER BY number DESC LIMIT 1"  # noqa: S608
    )
    return _of(rows[0]) if rows else None


def stored(connection: LedgerConnection, *, after: int) -> Iterator[Checkpoint]:
    """The checkpoints of the database after a number, in order."""
    fields = _FIELDS.format(at=connection.moment)
    statement = f"SELECT {fields} FROM ledger_checkpoints WHERE number > ? ORDER BY number"  # noqa: S608
    return (_of(row) for row in batches(connection, statement, after))


def numbered(connection: LedgerConnection, number: int) -> Checkpoint | None:
    """One checkpoint of the database."""
    fields = _FIELDS.format(at=connection.moment)
    rows = connection.execute(
        f"SELECT {fields} FROM ledger_checkpoints WHERE number = ?",  # noqa: S608
        (number,),
    )
    return _of(rows[0]) if rows else None


def before(connection: LedgerConnection, moment: str) -> Checkpoint | None:
    """The newest checkpoint made at that time or earlier."""
    fields = _FIELDS.format(at=connection.moment)
    rows = connection.execute(
        f"SELECT {fields} FROM ledger_checkpoints WHERE at <= ? ORDER BY number DESC LIMIT 1",  # noqa: S608
        (moment,),
    )
    return _of(rows[0]) if rows else None


def insert(connection: LedgerConnection, checkpoint: Checkpoint) -> None:
    """Put a checkpoint into the database."""
    connection.execute(
        "INSERT INTO ledger_checkpoints (number, at, key_id, content, previous, signature) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        checkpoint.values(),
    )


def _of(row: RowValues) -> Checkpoint:
    number, at, key_id, text, previous, signature = row
    return Checkpoint(number, at, key_id, text, previous, signature)


def _message(number: int, at: str, key_id: str, text: str, previous: bytes) -> bytes:
    return b"checkpoint\0" + previous + f"{number}\0{at}\0{key_id}\0{text}".encode()


def _heads(said: Mapping[str, Any]) -> Heads:
    return {chain: Head(int(number), bytes.fromhex(hash)) for chain, (number, hash) in said.items()}
