"""Tables of the ledger: rows, checkpoints, and the sealed keys behind both."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, Integer, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import AuditBase, Instant, UtcDateTime
from bailiwick.kit.vault import sealed_column

COLUMN_LENGTH = 128
_COLUMN = String(COLUMN_LENGTH)


class Row(AuditBase):
    """One row of a chain; the columns after `hash` are copied from the body, for searches."""

    __tablename__ = "ledger"
    # Every index costs on each append, unordered ones most, so there are only these.
    __table_args__ = (Index(None, "workspace_id", "at"),)

    # Slot and number in one, so that the table has the order of the chain.
    id: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False
    )
    chain: Mapped[str] = mapped_column(String(32))
    number: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    key_id: Mapped[str] = mapped_column(String(32))
    body: Mapped[str] = mapped_column(Text)
    previous: Mapped[bytes] = mapped_column(LargeBinary)
    hash: Mapped[bytes] = mapped_column(LargeBinary)
    workspace_id: Mapped[str | None] = mapped_column(_COLUMN)
    owner_id: Mapped[str | None] = mapped_column(_COLUMN)
    caller_id: Mapped[str | None] = mapped_column(_COLUMN)
    tool: Mapped[str | None] = mapped_column(_COLUMN)
    decision: Mapped[str | None] = mapped_column(_COLUMN)
    status: Mapped[str | None] = mapped_column(_COLUMN)
    call_id: Mapped[str | None] = mapped_column(_COLUMN, index=True)


class CheckpointRow(AuditBase):
    """The heads of all chains at a moment, signed."""

    __tablename__ = "ledger_checkpoints"

    number: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[Instant]
    key_id: Mapped[str] = mapped_column(String(32))
    content: Mapped[str] = mapped_column(Text)  # as it was signed: heads, and what was forgotten
    previous: Mapped[bytes] = mapped_column(LargeBinary)
    signature: Mapped[bytes] = mapped_column(LargeBinary)


class KeyRow(AuditBase):
    """A key that hashes rows and signs checkpoints; the newest is in use."""

    __tablename__ = "ledger_keys"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    key: Mapped[bytes] = sealed_column()
    created_at: Mapped[Instant]
