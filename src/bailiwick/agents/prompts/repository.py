"""All SQL of prompts. What a list shows is read without the messages, which can be long."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents.models import Agent
from bailiwick.agents.prompts.models import Prompt, PromptKind
from bailiwick.errors import NotFound
from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal
from bailiwick.workspaces.models import Member


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list shows of a prompt."""

    id: str
    workspace_id: str
    name: str
    description: str
    owner_name: str | None
    revision: int
    created_at: datetime
    updated_at: datetime


async def get(
    session: AsyncSession,
    workspace_id: str,
    id: str,
    *,
    kind: PromptKind = "prompt",
    lock: bool = False,
) -> Prompt:
    """A prompt of this workspace, or `NotFound`."""
    row = await find(session, id, kind=kind, lock=lock)
    if row is None or row.workspace_id != workspace_id:
        raise missing(kind)
    return row


async def find(
    session: AsyncSession, id: str, *, kind: PromptKind, lock: bool = False
) -> Prompt | None:
    """A prompt of any workspace: whoever asks must prove next that they may enter it."""
    statement = select(Prompt).where(Prompt.id == id, Prompt.kind == kind)
    if lock:
        statement = statement.with_for_update()
    return (await session.scalars(statement)).one_or_none()


async def listed(
    session: AsyncSession,
    principal: Principal,
    *,
    kind: PromptKind,
    workspace_id: str | None = None,
) -> list[Summary]:
    """Prompts of the workspaces that someone is a member of, by name."""
    statement = (
        select(
            Prompt.id,
            Prompt.workspace_id,
            Prompt.name,
            Prompt.description,
            User.name,
            Prompt.revision,
            Prompt.created_at,
            Prompt.updated_at,
        )
        .outerjoin(User, User.id == Prompt.owner_id)
        .where(Prompt.kind == kind)
        .where(Prompt.workspace_id == workspace_id if workspace_id else true())
        .order_by(func.lower(Prompt.name), Prompt.id)
    )
    if principal.via != "operator":
        own = select(Member.workspace_id).where(Member.user_id == principal.user_id)
        statement = statement.where(Prompt.workspace_id.in_(own))
    return [Summary(*row) for row in await session.execute(statement)]


async def names(
    session: AsyncSession, workspace_id: str, *, kind: PromptKind
) -> Sequence[tuple[str, str]]:
    """The id and the name of every prompt of a workspace."""
    statement = select(Prompt.id, Prompt.name).where(
        Prompt.workspace_id == workspace_id, Prompt.kind == kind
    )
    return [(row[0], row[1]) for row in await session.execute(statement)]


async def owner_name(session: AsyncSession, row: Prompt) -> str | None:
    """Who made it."""
    return await session.scalar(select(User.name).where(User.id == row.owner_id))


async def users(session: AsyncSession, id: str) -> Sequence[Agent]:
    """The agents that use a prompt, by name."""
    statement = select(Agent).where(Agent.prompt_id == id, Agent.deleted_at.is_(None))
    return (await session.scalars(statement.order_by(Agent.name, Agent.id))).all()


def missing(kind: PromptKind) -> NotFound:
    """It does not exist, or the caller may not know that it does."""
    return NotFound(f"That {kind} does not exist, or is not yours to see.")
