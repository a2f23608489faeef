"""Verbs of messages, for people: change, remove, react, keep in mind."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.chat import events, repository
from bailiwick.chat.models import MessageReaction, MessageStar, Thread, ThreadMessage
from bailiwick.errors import Conflict, Forbidden
from bailiwick.files import repository as files
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock, ids

_MOST_EMOJI = 50
_DELETED = "[This message was deleted.]"


async def add(
    session: AsyncSession,
    thread: Thread,
    *,
    role: str,
    content: str,
    parent: str | None,
    user_id: str | None = None,
    agent_id: str | None = None,
) -> ThreadMessage:
    """A new message after another one; it is the last of what is shown."""
    message = ThreadMessage(
        id=ids.new("msg"),
        thread_id=thread.id,
        number=thread.length,
        parent_id=parent,
        role=role,
        content=content,
        user_id=user_id,
        agent_id=agent_id,
        about={},
        hidden=False,
        tokens=0,
        created_at=clock.now(),
    )
    thread.length += 1
    thread.head_id = message.id
    thread.last_activity_at = message.created_at
    session.add(message)
    await session.flush()
    return message


async def change(
    session: AsyncSession,
    who: Principal,
    thread: Thread,
    message: ThreadMessage,
    content: str,
    *,
    seen: datetime | None,
) -> None:
    """Correct what one has said; agents that heard it have heard it as it was."""
    _own(message)
    if seen != message.edited_at:
        raise Conflict(
            "This message was changed meanwhile. Look at it again, and change it then.",
            errors={"content": [message.content[:2_000]]},
        )
    if content == message.content:
        return
    message.content, message.edited_at = content, clock.now()
    events.emit(session, thread, events.UPDATED, by=who.id, message=message)


async def remove(
    session: AsyncSession, who: Principal, thread: Thread, message: ThreadMessage
) -> None:
    """Take the words out of a message, and out of what agents are told; a record of it stays."""
    if message.deleted_at:
        return
    if message.role == "user":
        for row in await repository.spoken_rows(session, message.id):
            row.content = row.content.replace(message.content, _DELETED)
            row.sent, row.files = None, None
    message.content, message.blocks, message.files = "", None, None
    await files.release(session, message_id=message.id, since=clock.now())
    message.subtype, message.hidden = "message_deleted", True
    message.deleted_at = clock.now()
    events.emit(session, thread, events.UPDATED, by=who.id, message=message)


def _own(message: ThreadMessage) -> None:
    if message.role != "user":
        raise Forbidden("Only what a person said can be changed; ask for another answer instead.")
    if message.deleted_at:
        raise Conflict("This message was deleted.")


async def react(
    session: AsyncSession, reader: Reader, thread: Thread, message: ThreadMessage, emoji: str
) -> None:
    """Put an emoji to a message, once."""
    if await session.get(MessageReaction, (message.id, emoji, reader.id)):
        return
    known = {row.emoji for row in await repository.reactions(session, [message.id])}
    if emoji not in known and len(known) >= _MOST_EMOJI:
        raise Conflict(f"A message has at most {_MOST_EMOJI} different reactions.")
    session.add(
        MessageReaction(
            message_id=message.id, emoji=emoji, user_id=reader.id, created_at=clock.now()
        )
    )
    await session.flush()
    events.emit(session, thread, events.REACTED, by=reader.id, message=message, emoji=emoji)


async def take_back(
    session: AsyncSession, reader: Reader, thread: Thread, message: ThreadMessage, emoji: str
) -> None:
    """Take one's emoji from a message."""
    if row := await session.get(MessageReaction, (message.id, emoji, reader.id)):
        await session.delete(row)
        await session.flush()
        events.emit(session, thread, events.UNREACTED, by=reader.id, message=message, emoji=emoji)


async def star(session: AsyncSession, reader: Reader, message: ThreadMessage, *, on: bool) -> None:
    """Keep a message in mind, or no longer."""
    row = await session.get(MessageStar, (message.id, reader.id))
    if on and row is None:
        session.add(MessageStar(message_id=message.id, user_id=reader.id))
    elif row and not on:
        await session.delete(row)
    await session.flush()
