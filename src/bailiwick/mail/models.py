"""Tables of mail.

A message is stored once for each account, however many folders hold it; its fingerprint identifies
it. Its places at the provider are placements, so a move is a new placement of the same message,
with the same id, read and routed once.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, LargeBinary, String, Text
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime

Number = BigInteger().with_variant(Integer, "sqlite")


class MailSync(Base):
    """The progress of an account's fetch, and its state."""

    __tablename__ = "mail_syncs"

    account_id: Mapped[str] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True
    )
    cursor: Mapped[JsonValue | None]
    state: Mapped[str] = mapped_column(String(16))  # idle, fetching, failed
    left: Mapped[int | None]  # messages still to come
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # the last successful one
    failures: Mapped[int] = mapped_column(default=0)  # failures in a row
    next_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # the next try, after a failure
    fetched: Mapped[int] = mapped_column(default=0)  # new messages of the last fetch


class MailFolder(Base):
    """A folder or label of an account."""

    __tablename__ = "mail_folders"
    __table_args__ = (Index(None, "account_id", "remote", unique=True),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    remote: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(16))  # folder, label
    role: Mapped[str | None] = mapped_column(String(16))


class MailMessage(Base):
    """A mail. Its number grows with its date, workspace by workspace (see `numbers`)."""

    __tablename__ = "mail_messages"
    __table_args__ = (
        Index(None, "account_id", "fingerprint", unique=True),
        # Lists are counted from this index alone.
        Index("ix_mail_messages_listed", "workspace_id", "date_at", "places", "seen", "account_id"),
        Index(None, "account_id", "message_id"),
        # A folder's unread mails are counted from this index.
        Index(
            "ix_mail_messages_unread",
            "account_id",
            sqlite_where=sql("seen IS 0"),
            postgresql_where=sql("seen IS false"),
        ),
    )

    number: Mapped[int] = mapped_column(Number, primary_key=True, autoincrement=False)
    id: Mapped[str] = mapped_column(String(32), unique=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    thread_id: Mapped[str] = mapped_column(String(32), index=True)
    fingerprint: Mapped[str] = mapped_column(String(64))  # SHA-256 of the raw message
    places: Mapped[int]  # the roles of its folders as bits; 0: in none
    gone_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # since when it is in none
    seen: Mapped[bool]
    flagged: Mapped[bool]
    answered: Mapped[bool]
    draft: Mapped[bool]
    considered: Mapped[bool]  # whether the filters have seen it
    date_at: Mapped[Instant]  # when it was received, because a sender's clock may be wrong
    sent_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # its Date header
    size: Mapped[int]
    has_html: Mapped[bool]
    has_attachment: Mapped[bool]
    hidden: Mapped[bool]  # its text leaves out what was hidden from a reader
    automatic: Mapped[bool]  # a program wrote it
    label: Mapped[str] = mapped_column(String(16))  # contact or stranger; never owner
    dmarc: Mapped[str] = mapped_column(String(16))  # pass, fail, none, unknown
    raw_blob: Mapped[str | None] = mapped_column(String(64))  # a large one; else in mail_raw
    created_at: Mapped[Instant]
    remote_thread: Mapped[str | None] = mapped_column(Text)
    message_id: Mapped[str] = mapped_column(Text)  # the header, without angle brackets; may be ""
    in_reply_to: Mapped[str] = mapped_column(Text)
    sender_name: Mapped[str] = mapped_column(Text)
    sender_address: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    snippet: Mapped[str] = mapped_column(Text)
    label_why: Mapped[str] = mapped_column(Text)
    fault: Mapped[str | None] = mapped_column(Text)  # why it could not be parsed, if so
    references: Mapped[JsonValue]  # message ids, oldest first
    recipients: Mapped[JsonValue]  # {"to": [[name, address]], "cc": …, "bcc": …, "reply_to": …}
    # [{part, name, type, size, inline, content_id}]; the contents are in `mail_parts`, or raw.
    attachments: Mapped[JsonValue]
    # For reading and searching; bounded. Last, because SQLite reads through the columns before one.
    text: Mapped[str] = mapped_column(Text)


class RawMessage(Base):
    """A message in its original form, without its larger parts (see `raw`)."""

    __tablename__ = "mail_raw"

    number: Mapped[int] = mapped_column(
        Number, ForeignKey("mail_messages.number", ondelete="CASCADE"), primary_key=True
    )
    data: Mapped[bytes] = mapped_column(LargeBinary)


class MailPart(Base):
    """A part of a message that is stored apart from it (see `attachments`)."""

    __tablename__ = "mail_parts"

    number: Mapped[int] = mapped_column(
        Number, ForeignKey("mail_messages.number", ondelete="CASCADE"), primary_key=True
    )
    at: Mapped[int] = mapped_column(primary_key=True)  # its offset in the stored message
    part: Mapped[str] = mapped_column(Text)
    blob: Mapped[str] = mapped_column(String(64), index=True)
    width: Mapped[int]
    crlf: Mapped[bool]


class MailBlob(Base):
    """A blob of mail, kept until no message refers to it."""

    __tablename__ = "mail_blobs"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    kept_at: Mapped[Instant]


class Placement(Base):
    """A folder that holds a message at the provider."""

    __tablename__ = "mail_placements"
    __table_args__ = (Index(None, "folder_id", "number"), Index(None, "account_id", "remote_id"))

    folder_id: Mapped[str] = mapped_column(
        ForeignKey("mail_folders.id", ondelete="CASCADE"), primary_key=True
    )
    remote_id: Mapped[str] = mapped_column(Text, primary_key=True)
    account_id: Mapped[str] = mapped_column(String(32))
    number: Mapped[int] = mapped_column(
        Number, ForeignKey("mail_messages.number", ondelete="CASCADE"), index=True
    )


class Contact(Base):
    """Someone whom a person wrote to, or listed."""

    __tablename__ = "contacts"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    owner_id: Mapped[str] = mapped_column(String(32))  # who knows them: nobody else sees it
    address: Mapped[str] = mapped_column(String(320))  # lower case
    name: Mapped[str] = mapped_column(String(200))
    listed: Mapped[bool]  # listed by a person
    sent_count: Mapped[int]
    last_sent_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    sent_days: Mapped[JsonValue]  # on which days, as far as they are needed to know them
    created_at: Mapped[Instant]
    __table_args__ = (
        Index("ix_contacts_owner", "workspace_id", "owner_id", "address", unique=True),
    )


class Filter(Base):
    """A pattern on one field of a mail, and the director of matching mail."""

    __tablename__ = "mail_filters"
    __table_args__ = (Index("ix_mail_filters_owner", "workspace_id", "owner_id", "position"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    owner_id: Mapped[str] = mapped_column(String(32))  # whose mail it looks at, and nobody else's
    name: Mapped[str] = mapped_column(String(100))
    field: Mapped[str] = mapped_column(String(16))  # From To CC BCC Subject Body Date
    pattern: Mapped[str] = mapped_column(Text)
    director_id: Mapped[str] = mapped_column(String(32))  # an agent
    account_id: Mapped[str | None] = mapped_column(String(32))  # only mail of this account
    position: Mapped[int]
    enabled: Mapped[bool]
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]


class Routing(Base):
    """A message that a filter routed to a director, once for each director."""

    __tablename__ = "mail_routings"
    __table_args__ = (
        # Nearly all are opened.
        Index(
            "ix_mail_routings_unopened",
            "routed_at",
            sqlite_where=sql("opened_at IS NULL"),
            postgresql_where=sql("opened_at IS NULL"),
        ),
    )

    message_id: Mapped[str] = mapped_column(
        ForeignKey("mail_messages.id", ondelete="CASCADE"), primary_key=True
    )
    director_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    filter_id: Mapped[str] = mapped_column(String(32), index=True)
    workspace_id: Mapped[str] = mapped_column(String(32), index=True)
    cycle_id: Mapped[str] = mapped_column(String(32))  # the fetch that brought it
    routed_at: Mapped[Instant]
    opened_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # when it became a case


class Outgoing(Base):
    """A message on its way out: held, then handed over once."""

    __tablename__ = "mail_outbox"
    __table_args__ = (Index(None, "workspace_id", "created_at"), Index(None, "status", "due_at"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    key: Mapped[str] = mapped_column(String(200), unique=True)  # of the call that asked for it
    message_id: Mapped[str] = mapped_column(Text)  # made from the key: the same after every crash
    # held, sending, sent, failed, cancelled, unknown (a person says whether it went out)
    status: Mapped[str] = mapped_column(String(16))
    sender: Mapped[str] = mapped_column(Text)
    recipients: Mapped[JsonValue]  # {"to": [...], "cc": [...], "bcc": [...]} addresses
    subject: Mapped[str] = mapped_column(Text)
    snippet: Mapped[str] = mapped_column(Text)
    raw_blob: Mapped[str] = mapped_column(String(64))  # the finished message
    reply_to_id: Mapped[str | None] = mapped_column(String(32))  # the answered mail
    remote_thread: Mapped[str | None] = mapped_column(Text)
    label: Mapped[str] = mapped_column(String(16))  # its trust label
    created_by: Mapped[str] = mapped_column(String(64))
    created_by_name: Mapped[str] = mapped_column(String(200))
    attempts: Mapped[int]  # submissions begun; each has its number
    tries: Mapped[int]  # of these, the ones since a person last asked
    turn: Mapped[int]  # the number of the next job: older ones do nothing
    problem: Mapped[str | None] = mapped_column(Text)  # why it failed, or is unknown
    note: Mapped[str | None] = mapped_column(Text)  # sent, but without a copy in Sent
    due_at: Mapped[Instant]  # held until this time
    handed_over_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # when sending began
    sent_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
