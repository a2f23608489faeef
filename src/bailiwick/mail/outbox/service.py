"""What is done with mail on its way out. Every change of status is made on a locked row.

held ──► sending ──► sent
 │ ▲        │ │
 │ └────────┘ └────► unknown (a person says whether it went out)
 ├──► cancelled
 └──► failed
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import EVERYONE
from bailiwick.errors import Conflict
from bailiwick.instance.changes import Actor
from bailiwick.kit import clock, ids
from bailiwick.mail.compose.addresses import usable
from bailiwick.mail.compose.message import Built
from bailiwick.mail.compose.replies import Recipients
from bailiwick.mail.models import MailBlob, MailMessage, Outgoing
from bailiwick.mail.outbox import events, repository
from bailiwick.tools.trust import Label

_SNIPPET = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A message that is ready to go, and who wants it to."""

    account: Account
    built: Built
    blob: str
    recipients: Recipients
    subject: str
    body: str
    answers: MailMessage | None
    label: Label
    by: Actor
    key: str


async def hold(session: AsyncSession, new: Finished, *, seconds: int) -> Outgoing:
    """Put a message into the outbox; asked twice under one key, it is there once."""
    key = digest(new.key)
    if known := await repository.by_key(session, key):
        return known
    now = clock.now()
    row = Outgoing(
        id=ids.new("out"),
        workspace_id=new.account.workspace_id,
        account_id=new.account.id,
        key=key,
        message_id=new.built.message_id,
        status="held",
        sender=usable(new.account.address) or new.account.address,
        recipients=new.recipients.stored(),
        subject=new.subject,
        snippet=" ".join(new.body.split())[:_SNIPPET],
        raw_blob=new.blob,
        reply_to_id=new.answers.id if new.answers else None,
        remote_thread=new.answers.remote_thread if new.answers else None,
        label=new.label,
        created_by=new.by.id[:64],
        created_by_name=new.by.name[:200],
        attempts=0,
        tries=0,
        turn=0,
        due_at=now + timedelta(seconds=seconds),
        created_at=now,
        updated_at=now,
    )
    session.add(row)
    await session.merge(MailBlob(name=new.blob, kept_at=now))
    events.queue(session, row)
    events.emit(session, row, events.HELD)
    return row


def digest(key: str) -> str:
    """A call's key as it is kept here: of one length, whatever it is."""
    return hashlib.sha256(key.encode()).hexdigest()


async def cancel(session: AsyncSession, id: str, *, by: Actor) -> Outgoing:
    """Take a message back before it goes; afterwards it says when it went."""
    row = await repository.get(session, EVERYONE, id, lock=True)
    if row.status == "cancelled":
        return row
    if row.status not in ("held", "failed"):
        raise Conflict(stands(row))
    _change(row, "cancelled")
    events.emit(session, row, events.CANCELLED, actor=by.id)
    return row


async def send_now(session: AsyncSession, id: str) -> Outgoing:
    """Let a message go without further delay, or once more after it failed."""
    row = await repository.get(session, EVERYONE, id, lock=True)
    if row.status not in ("held", "failed"):
        raise Conflict(stands(row))
    _go_again(session, row)
    return row


async def resolve(session: AsyncSession, id: str, *, by: Actor, sent: bool) -> Outgoing:
    """A person has looked, and says whether a message went out; one that did not goes now."""
    row = await repository.get(session, EVERYONE, id, lock=True)
    if row.status != "unknown":
        raise Conflict(stands(row))
    if sent:
        await mark_sent(session, row, at=row.handed_over_at or clock.now(), by=by.id)
    else:
        _go_again(session, row)
    return row


async def mark_sent(
    session: AsyncSession, row: Outgoing, *, at: datetime, note: str | None = None, by: str = ""
) -> None:
    """It is out: the fetcher finds it in Sent, and learns there whom the owner writes to."""
    _change(row, "sent")
    row.sent_at, row.note = at, note
    if row.reply_to_id:
        await repository.mark_answered(session, row.reply_to_id)
    events.emit(session, row, events.SENT, actor=by or None)


def wait(session: AsyncSession, row: Outgoing, *, until: datetime, problem: str | None) -> None:
    """Look at it again later, whatever its status."""
    row.due_at, row.problem, row.updated_at = until, problem, clock.now()
    events.queue(session, row)


def give_up(session: AsyncSession, row: Outgoing, *, problem: str) -> None:
    """It was not sent, and is not tried again by itself."""
    _change(row, "failed", problem=problem)
    events.emit(session, row, events.FAILED)


def leave_open(session: AsyncSession, row: Outgoing, *, problem: str) -> None:
    """Nobody can tell whether it was sent: a person decides."""
    _change(row, "unknown", problem=problem)
    events.emit(session, row, events.UNKNOWN)


def stands(row: Outgoing) -> str:
    """How a message stands, for someone who wanted something else of it."""
    match row.status:
        case "sent":
            assert row.sent_at
            return f"It was sent at {row.sent_at:%H:%M on %d %B %Y} UTC."
        case "sending":
            return "It is being handed over at this moment."
        case "unknown":
            return "Nobody knows whether it was sent. Look into the mailbox, and say so here."
        case "cancelled":
            return "It was taken back before it was sent."
        case "failed":
            return "It could not be sent."
        case _:
            return "It waits in the outbox."


def _go_again(session: AsyncSession, row: Outgoing) -> None:
    _change(row, "held")
    row.tries, row.due_at = 0, clock.now()
    events.queue(session, row)


def _change(row: Outgoing, status: str, *, problem: str | None = None) -> None:
    row.status, row.problem, row.updated_at = status, problem, clock.now()
