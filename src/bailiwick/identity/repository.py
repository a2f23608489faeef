"""All SQL of log-ins through providers: those under way, and who is who at which provider."""

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.identity.models import ExternalIdentity, LoginFlow, User


async def take_flow(session: AsyncSession, id: str) -> LoginFlow | None:
    """A log-in that is under way; it can be taken once."""
    statement = delete(LoginFlow).where(LoginFlow.id == id).returning(LoginFlow)
    return (await session.scalars(statement)).one_or_none()


async def forget_flows(session: AsyncSession, before: datetime) -> None:
    """Drop the log-ins that nobody ended in time."""
    await session.execute(delete(LoginFlow).where(LoginFlow.expires_at < before))


async def linked(session: AsyncSession, provider_id: str, subject: str) -> User | None:
    """The user that a provider knows by this id."""
    statement = (
        select(User)
        .join(ExternalIdentity, ExternalIdentity.user_id == User.id)
        .where(ExternalIdentity.provider_id == provider_id, ExternalIdentity.subject == subject)
    )
    return (await session.scalars(statement)).one_or_none()


async def unlink_all(session: AsyncSession, provider_id: str) -> None:
    """Forget whom a provider knows; they keep their accounts."""
    statement = delete(ExternalIdentity).where(ExternalIdentity.provider_id == provider_id)
    await session.execute(statement)
