"""Where a mail is at its provider, and what is known here once that has changed.

The fetcher tells the whole truth a little later; until then this is what people see.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict
from bailiwick.instance import audience
from bailiwick.kit import eventlog
from bailiwick.mail import folder_roles
from bailiwick.mail.intake import events
from bailiwick.mail.models import MailFolder, MailMessage, Placement


@dataclass(frozen=True, slots=True)
class MailPlace:
    """A folder or label that holds a mail, and the id that the mail has there."""

    folder: MailFolder
    remote_id: str


async def of(session: AsyncSession, message: MailMessage) -> list[MailPlace]:
    """All places of a mail: the inbox first, then folders, then labels."""
    statement = (
        select(MailFolder, Placement.remote_id)
        .join(Placement, Placement.folder_id == MailFolder.id)
        .where(Placement.number == message.number)
        .order_by(MailFolder.id)
    )
    found = [MailPlace(folder, remote) for folder, remote in await session.execute(statement)]
    return sorted(found, key=lambda at: (at.folder.role != "inbox", at.folder.kind == "label"))


async def folders(session: AsyncSession, account_id: str) -> list[MailFolder]:
    """The folders and labels of an account."""
    statement = (
        select(MailFolder).where(MailFolder.account_id == account_id).order_by(MailFolder.title)
    )
    return list(await session.scalars(statement))


def remote_id(known: Sequence[MailPlace]) -> str:
    """The id under which the provider knows a mail."""
    if not known:
        raise Conflict("The mail is in no folder any more.")
    return known[0].remote_id


def labels(known: Sequence[MailPlace]) -> list[str]:
    """The labels that a mail has."""
    return [place.folder.title for place in known if _is_label(place.folder)]


async def moved(
    session: AsyncSession, message: MailMessage, *, out_of: MailFolder, remote: str, to_role: str
) -> None:
    """The mail left a folder and is, under this id, in the one that has the role."""
    await session.execute(
        delete(Placement).where(
            Placement.folder_id == out_of.id, Placement.number == message.number
        )
    )
    statement = select(MailFolder).where(
        MailFolder.account_id == message.account_id, MailFolder.role == to_role
    )
    target = (await session.scalars(statement.limit(1))).first()
    if target and await session.get(Placement, (target.id, remote)) is None:
        session.add(
            Placement(
                folder_id=target.id,
                remote_id=remote,
                account_id=message.account_id,
                number=message.number,
            )
        )
    await session.flush()
    row = await session.get(MailMessage, message.number)
    if row:
        row.places = folder_roles.bits(place.folder.role for place in await of(session, message))
    tell(session, message)


def tell(session: AsyncSession, message: MailMessage) -> None:
    """The event of a mail that is marked or placed differently now."""
    eventlog.record(
        session,
        eventlog.Event(
            events.CHANGED,
            audience=(audience.workspace(message.workspace_id),),
            workspace_id=message.workspace_id,
            subject_id=message.account_id,
        ),
    )


def _is_label(folder: MailFolder) -> bool:
    return folder.kind == "label" and folder.role is None


async def find_draft(session: AsyncSession, account_id: str, message_id: str) -> str | None:
    """The id of a draft at the provider, if the fetcher has seen it."""
    statement = (
        select(Placement.remote_id)
        .join(MailMessage, MailMessage.number == Placement.number)
        .where(
            MailMessage.account_id == account_id,
            MailMessage.message_id == message_id,
            MailMessage.draft,
        )
    )
    return (await session.scalars(statement.limit(1))).first()
