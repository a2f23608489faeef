"""All SQL of the intake, but for `placements`: rows in bulk, because many come at once."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Table, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository as accounts
from bailiwick.connectors.mail import Cursor
from bailiwick.kit.db.chunks import chunks
from bailiwick.mail import folder_roles, trust
from bailiwick.mail.models import (
    MailBlob,
    MailFolder,
    MailMessage,
    MailPart,
    MailSync,
    Outgoing,
    Placement,
    RawMessage,
    Routing,
)

_MESSAGES: Table = MailMessage.__table__  # pyright: ignore[reportAssignmentType]
_RAW: Table = RawMessage.__table__  # pyright: ignore[reportAssignmentType]
_PARTS: Table = MailPart.__table__  # pyright: ignore[reportAssignmentType]
_BLOBS: Table = MailBlob.__table__  # pyright: ignore[reportAssignmentType]
_ROUTINGS: Table = Routing.__table__  # pyright: ignore[reportAssignmentType]
IntakeRows = Sequence[Mapping[str, Any]]


async def keep_cursor(session: AsyncSession, account_id: str, cursor: Cursor) -> bool:
    """How far an account was fetched, held until the end; whether there is such an account."""
    statement = update(MailSync).where(MailSync.account_id == account_id).values(cursor=cursor)
    done = await session.execute(statement.returning(MailSync.account_id))
    if done.first() is not None:
        return True
    if await accounts.find(session, account_id) is None:
        return False
    session.add(MailSync(account_id=account_id, cursor=cursor, state="idle", failures=0, fetched=0))
    await session.flush()
    return True


async def forget_cursor(session: AsyncSession, account_id: str) -> None:
    """Let an account be fetched from the beginning."""
    await session.execute(
        update(MailSync).where(MailSync.account_id == account_id).values(cursor=None)
    )


async def folders(session: AsyncSession, account_id: str) -> dict[str, MailFolder]:
    """The folders of an account, by their remote names."""
    found = await session.scalars(select(MailFolder).where(MailFolder.account_id == account_id))
    return {row.remote: row for row in found}


async def held_by(session: AsyncSession, folder_ids: Collection[str]) -> set[int]:
    """The messages that are in these folders."""
    held = select(Placement.number).where(Placement.folder_id.in_(folder_ids))
    return set(await session.scalars(held))


async def empty_folders(session: AsyncSession, folder_ids: Collection[str]) -> None:
    """Let nothing be in these folders."""
    await session.execute(delete(Placement).where(Placement.folder_id.in_(folder_ids)))


async def delete_some(session: AsyncSession, account_id: str, most: int) -> int:
    """Delete some of an account's messages; how many."""
    own = select(MailMessage.number).where(MailMessage.account_id == account_id).limit(most)
    numbers = list(await session.scalars(own))
    await session.execute(delete(MailMessage).where(MailMessage.number.in_(numbers)))
    return len(numbers)


async def numbers(session: AsyncSession, account_id: str, marks: Collection[str]) -> dict[str, int]:
    """The messages of an account that are known, by their fingerprints."""
    found: dict[str, int] = {}
    for some in chunks(marks):
        statement = select(MailMessage.fingerprint, MailMessage.number).where(
            MailMessage.account_id == account_id, MailMessage.fingerprint.in_(some)
        )
        found.update((mark, number) for mark, number in await session.execute(statement))
    return found


async def add_messages(session: AsyncSession, rows: IntakeRows) -> None:
    """New messages."""
    await session.execute(insert(_MESSAGES), rows)


async def add_raw(session: AsyncSession, rows: IntakeRows) -> None:
    """What came of them, where that is small."""
    if rows:
        await session.execute(insert(_RAW), rows)


async def add_parts(session: AsyncSession, rows: IntakeRows) -> None:
    """What of them is kept apart."""
    if rows:
        await session.execute(insert(_PARTS), rows)


async def keep_blobs(session: AsyncSession, names: Collection[str], *, now: datetime) -> None:
    """Note that mail put these, for whoever removes what nobody needs."""
    for some in chunks(set(names)):
        await session.execute(delete(MailBlob).where(MailBlob.name.in_(some)))
        await session.execute(insert(_BLOBS), [{"name": name, "kept_at": now} for name in some])


async def add_routings(session: AsyncSession, rows: IntakeRows) -> None:
    """Which messages were given to whom."""
    if rows:
        await session.execute(insert(_ROUTINGS), rows)


async def unconsidered(
    session: AsyncSession, moved_in: Collection[int]
) -> Sequence[Mapping[str, Any]]:
    """Those of some messages that no filter has seen yet, with all that filters look at."""
    if not moved_in:
        return []
    statement = select(*_MESSAGES.c).where(
        _MESSAGES.c.number.in_(moved_in), _MESSAGES.c.considered.is_(False)
    )
    found = (await session.execute(statement)).mappings().all()
    return [dict(row) for row in found]


async def consider(session: AsyncSession, numbers: Collection[int]) -> None:
    """Note that the filters have seen these."""
    if numbers:
        await session.execute(
            update(_MESSAGES).where(_MESSAGES.c.number.in_(numbers)).values(considered=True)
        )


async def written(session: AsyncSession, numbers: Collection[int], *, by: str) -> IntakeRows:
    """Of some messages those that an address wrote: whom they went to, and when."""
    if not numbers:
        return []
    columns = (
        _MESSAGES.c.recipients,
        _MESSAGES.c.date_at,
        _MESSAGES.c.message_id,
        _MESSAGES.c.automatic,
    )
    statement = select(*columns).where(
        _MESSAGES.c.number.in_(numbers), func.lower(_MESSAGES.c.sender_address) == by.lower()
    )
    return [dict(row) for row in (await session.execute(statement)).mappings()]


async def labels_of_threads(
    session: AsyncSession, account_id: str, threads: Collection[str]
) -> list[tuple[str, str]]:
    """The labels that are found in each of some threads."""
    found: list[tuple[str, str]] = []
    for some in chunks(sorted(threads)):
        statement = select(MailMessage.thread_id, MailMessage.label).where(
            MailMessage.account_id == account_id, MailMessage.thread_id.in_(some)
        )
        found += [(row[0], row[1]) for row in await session.execute(statement.distinct())]
    return found


async def sent_in_threads(
    session: AsyncSession, account_id: str, threads: Collection[str]
) -> list[tuple[str, Any]]:
    """Whom the mails in Sent of some threads went to."""
    found: list[tuple[str, Any]] = []
    for some in chunks(sorted(threads)):
        statement = select(MailMessage.thread_id, MailMessage.recipients).where(
            MailMessage.account_id == account_id,
            MailMessage.thread_id.in_(some),
            MailMessage.label_why.in_((trust.SENT.why, trust.QUOTING.why)),
            MailMessage.places.op("&")(folder_roles.SENT) != 0,
        )
        found += [(row[0], row[1]) for row in await session.execute(statement)]
    return found


async def lower_sent(session: AsyncSession, account_id: str, threads: Collection[str]) -> None:
    """What was sent in these threads is trusted no more than what others wrote there."""
    for some in chunks(sorted(threads)):
        await session.execute(
            update(MailMessage)
            .where(
                MailMessage.account_id == account_id,
                MailMessage.thread_id.in_(some),
                MailMessage.label_why == trust.SENT.why,
            )
            .values(label=trust.QUOTING.label, label_why=trust.QUOTING.why)
        )


async def not_the_owners(
    session: AsyncSession, account_id: str, message_ids: Collection[str]
) -> set[str]:
    """Which of these an agent wrote here after it had read the words of strangers."""
    statement = select(Outgoing.message_id).where(
        Outgoing.account_id == account_id,
        Outgoing.message_id.in_(message_ids),
        Outgoing.label.in_(("stranger", "web")),
    )
    return set(await session.scalars(statement))
