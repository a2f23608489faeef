"""All SQL of log-ins through providers: those in progress, and linked users."""

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.identity.models import ExternalIdentity, LoginFlow, LoginProvider, User


async def take_flow(session: AsyncSession, id: str) -> LoginFlow | None:
    """Take a log-in in progress; it can be taken once."""
    statement = delete(LoginFlow).where(LoginFlow.id == id).returning(LoginFlow)
    return (await session.scalars(statement)).one_or_none()


async def forget_flows(session: AsyncSession, before: datetime) -> None:
    """Remove log-ins that expired."""
    await session.execute(delete(LoginFlow).where(LoginFlow.expires_at < before))


async def linked(session: AsyncSession, provider_id: str, subject: str) -> User | None:
    """The user linked to this id at a provider."""
    statement = (
        select(User)
        .join(ExternalIdentity, ExternalIdentity.user_id == User.id)
        .where(ExternalIdentity.provider_id == provider_id, ExternalIdentity.subject == subject)
    )
    return (await session.scalars(statement)).one_or_none()


async def identities(session: AsyncSession, user_id: str) -> list[tuple[ExternalIdentity, str]]:
    """A user's links with the names of their providers, oldest first."""
    statement = (
        select(ExternalIdentity, LoginProvider.name)
        .join(LoginProvider, LoginProvider.id == ExternalIdentity.provider_id)
        .where(ExternalIdentity.user_id == user_id)
        .order_by(ExternalIdentity.created_at, ExternalIdentity.id)
    )
    return [(row, name) for row, name in await session.execute(statement)]


async def unlink_all(session: AsyncSession, provider_id: str) -> None:
    """Remove the links of a provider; its users stay."""
    statement = delete(ExternalIdentity).where(ExternalIdentity.provider_id == provider_id)
    await session.execute(statement)
