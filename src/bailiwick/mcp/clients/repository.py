"""All SQL of outside clients."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal
from bailiwick.mcp.clients.models import Client
from bailiwick.workspaces.models import Member


@dataclass(frozen=True, slots=True)
class ListedClient:
    """A client with its owner's name."""

    client: Client
    owner_name: str


@dataclass(frozen=True, slots=True)
class ClientStatus:
    """A client, and its owner's present rights in its workspace."""

    client: Client
    user_role: str
    workspace_role: str


_LIVE = (
    select(Client, User.role, Member.role)
    .join(User, User.id == Client.user_id)
    .join(Member, (Member.user_id == Client.user_id) & (Member.workspace_id == Client.workspace_id))
    .where(Client.enabled, User.active)
)


def _seen_by(principal: Principal, statement: Select[Client, str]) -> Select[Client, str]:
    """The clients of a user and of workspaces that they administer; all for the operator."""
    if principal.via == "operator":
        return statement
    administered = select(Member.workspace_id).where(
        Member.user_id == principal.user_id, Member.role == "admin"
    )
    return statement.where(
        or_(Client.user_id == principal.user_id, Client.workspace_id.in_(administered))
    )


async def listed(
    session: AsyncSession, principal: Principal, *, workspace_id: str | None = None
) -> list[ListedClient]:
    """The clients that a user may see, oldest first."""
    statement = (
        select(Client, User.name)
        .join(User, User.id == Client.user_id)
        .where(Client.workspace_id == workspace_id if workspace_id else true())
        .order_by(Client.created_at, Client.id)
    )
    rows = (await session.execute(_seen_by(principal, statement))).all()
    return [ListedClient(row[0], row[1]) for row in rows]


async def get(
    session: AsyncSession, principal: Principal, id: str, *, lock: bool = False
) -> ListedClient:
    """A client that the user may see, or `NotFound`."""
    statement = select(Client, User.name).join(User, User.id == Client.user_id)
    statement = _seen_by(principal, statement.where(Client.id == id))
    if lock:
        statement = statement.with_for_update(of=Client)
    row = (await session.execute(statement)).one_or_none()
    if row is None:
        raise NotFound("That client does not exist, or is not yours to see.")
    return ListedClient(row[0], row[1])


async def count_of(session: AsyncSession, user_id: str) -> int:
    """How many clients a user has."""
    statement = select(func.count(Client.id)).where(Client.user_id == user_id)
    return await session.scalar(statement) or 0


async def first_admin(session: AsyncSession, workspace_id: str) -> str | None:
    """The longest-serving admin of a workspace."""
    statement = (
        select(Member.user_id)
        .join(User, User.id == Member.user_id)
        .where(Member.workspace_id == workspace_id, Member.role == "admin", User.active)
        .order_by(Member.created_at, Member.user_id)
    )
    return (await session.scalars(statement.limit(1))).first()


async def by_token(session: AsyncSession, token_hash: str) -> ClientStatus | None:
    """The client with this token, if it and its owner are admitted now."""
    return await _status(session, _LIVE.where(Client.token_hash == token_hash))


async def by_id(session: AsyncSession, id: str) -> ClientStatus | None:
    """The client with this id, if it and its owner are admitted now."""
    return await _status(session, _LIVE.where(Client.id == id))


async def _status(
    session: AsyncSession, statement: Select[Client, str, str]
) -> ClientStatus | None:
    row = (await session.execute(statement)).one_or_none()
    return ClientStatus(row[0], row[1], row[2]) if row else None


async def seen(
    session: AsyncSession,
    id: str,
    *,
    at: datetime,
    agent: tuple[str | None, str | None, str | None] | None = None,
) -> None:
    """Store the time of a client's last use, and what it reported about itself."""
    values: dict[str, object] = {"last_seen_at": at}
    if agent:
        values |= dict(zip(("agent_name", "agent_version", "protocol"), agent, strict=True))
    await session.execute(update(Client).where(Client.id == id).values(**values))
