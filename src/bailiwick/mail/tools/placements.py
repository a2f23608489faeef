"""The places of a mail at its provider, updated here as soon as a tool changes them.

The fetcher confirms the change a little later.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict
from bailiwick.instance import audience
from bailiwick.kit import eventlog
from bailiwick.mail import folder_roles
from bailiwick.mail.intake import events
from bailiwick.mail.models import MailFolder, MailMessage, Placement
from bailiwick.mail.tools import queries


@dataclass(frozen=True, slots=True)
class MailPlace:
    """A folder or label of a mail, and the mail's id there."""

    folder: MailFolder
    remote_id: str


async def of(session: AsyncSession, message: MailMessage) -> list[MailPlace]:
    """All places of a mail: the inbox first, then folders, then labels."""
    rows = await queries.places(session, message)
    found = [MailPlace(folder, remote) for folder, remote in rows]
    return sorted(found, key=lambda at: (at.folder.role != "inbox", at.folder.kind == "label"))


def remote_id(known: Sequence[MailPlace]) -> str:
    """The provider's id of a mail."""
    if not known:
        raise Conflict("The mail is in no folder any more.")
    return known[0].remote_id


def labels(known: Sequence[MailPlace]) -> list[str]:
    """The labels that a mail has."""
    return [place.folder.title for place in known if _is_label(place.folder)]


async def moved(
    session: AsyncSession, message: MailMessage, *, out_of: MailFolder, remote: str, to_role: str
) -> None:
    """Record that the mail moved from a folder to the one with the role, under this id."""
    await queries.take_out(session, message, out_of)
    target = await queries.folder_of_role(session, message.account_id, to_role)
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
    emit(session, message)


def emit(session: AsyncSession, message: MailMessage) -> None:
    """Record the event of a mail with changed marks or places."""
    eventlog.record(
        session,
        eventlog.Event(
            events.CHANGED,
            audience=(audience.account(message.account_id),),
            workspace_id=message.workspace_id,
            subject_id=message.account_id,
        ),
    )


def _is_label(folder: MailFolder) -> bool:
    return folder.kind == "label" and folder.role is None
