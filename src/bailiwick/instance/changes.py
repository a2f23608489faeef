"""The change record: every change to rules, roles, settings, agents and tokens leaves a line.

The event that tells of it goes out with it, without the values: those are for admins to look up.
The record's SQL is here.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance import audience
from bailiwick.instance.models import Change
from bailiwick.kit import clock, eventlog, ids
from bailiwick.kit.correlation import current_trace_id
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.kit.ledger.records import table as records

Values = Mapping[str, Any]
CHANGES = records.RecordTable(Change, "app", "change")


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it: a user, or the operator at the command line."""

    id: str
    name: str


SYSTEM = Actor("system", "Bailiwick itself")


class WorkspaceRow(Protocol):
    """Something that a workspace has."""

    id: Any
    workspace_id: Any


def record(
    session: AsyncSession,
    actor: Actor,
    *,
    action: str,
    subject: str,
    before: Values | None = None,
    after: Values | None = None,
    to: Sequence[str] = (),
    workspace: str | None = None,
    about: Mapping[str, str] | None = None,
    owner: str | None = None,
) -> None:
    """Write a line, and its event, in the transaction of the change.

    Never pass a secret: it would be kept. Admins see the line and the event, and those whom `to`
    names see the event; with an owner, nobody but them and `to`. `about` holds the ids of what else
    it touches.
    """
    records.add(
        session,
        Change(
            id=ids.new("chg"),
            at=clock.now(),
            actor_id=actor.id,
            actor_name=actor.name,
            action=action,
            subject_id=subject,
            before=before,
            after=after,
            trace_id=current_trace_id(),
            owner_id=owner,
        ),
    )
    eventlog.record(
        session,
        eventlog.Event(
            action,
            audience=(audience.user(owner) if owner else audience.ADMINS, *to),
            workspace_id=workspace,
            actor_id=actor.id,
            subject_id=subject,
            data=about or {},
        ),
    )


def record_in_workspace(
    session: AsyncSession,
    actor: Actor,
    action: str,
    row: WorkspaceRow,
    *,
    before: Values | None = None,
    after: Values | None = None,
    about: Mapping[str, str] | None = None,
) -> None:
    """Write a line about something that a workspace has; its members see the event too."""
    record(
        session,
        actor,
        action=action,
        subject=row.id,
        before=before,
        after=after,
        to=(audience.workspace(row.workspace_id),),
        workspace=row.workspace_id,
        about=about,
    )


async def listed(
    session: AsyncSession,
    page: PageRequest,
    *,
    owners: Collection[str],
    action: str | None,
    subject: str | None,
) -> Rows[Change]:
    """Changes, newest first: the office's, and the private ones of these owners."""
    statement = select(Change).where(or_(Change.owner_id.is_(None), Change.owner_id.in_(owners)))
    if action:
        statement = statement.where(Change.action == action)
    if subject:
        statement = statement.where(Change.subject_id == subject)
    return await paginate(session, statement, page, by=(Change.at, Change.id))
