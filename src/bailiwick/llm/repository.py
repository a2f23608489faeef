"""All SQL of models."""

from collections.abc import Sequence

from sqlalchemy import func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.llm.models import Model


async def listed(session: AsyncSession) -> Sequence[Model]:
    """All models, by name."""
    return (await session.scalars(select(Model).order_by(Model.name, Model.id))).all()


async def get(session: AsyncSession, id: str, *, lock: bool = False) -> Model:
    """A model, or `NotFound`."""
    statement = select(Model).where(Model.id == id)
    if lock:
        statement = statement.with_for_update()
    row = (await session.scalars(statement)).one_or_none()
    if row is None:
        raise NotFound("That model does not exist.")
    return row


async def of_provider(session: AsyncSession, provider: str) -> Sequence[Model]:
    """All models of a provider, for a change."""
    statement = select(Model).where(Model.provider == provider).order_by(Model.id)
    return (await session.scalars(statement.with_for_update())).all()


async def named(session: AsyncSession, provider: str | None, model: str | None) -> Model | None:
    """The model of this provider and name; of several, the one that was made first."""
    statement = select(Model)
    if provider:
        statement = statement.where(Model.provider == provider)
    if model:
        statement = statement.where(Model.model == model)
    return (await session.scalars(statement.order_by(Model.created_at).limit(1))).one_or_none()


async def lock_all(session: AsyncSession) -> None:
    """Let nobody else change which models there are and which is the default, until the end."""
    await session.execute(select(Model.id).order_by(Model.id).with_for_update())


async def default(session: AsyncSession) -> Model:
    """The model of whoever names none."""
    return (await session.scalars(select(Model).where(Model.is_default))).one()


async def has_default(session: AsyncSession) -> bool:
    """Whether a default was chosen."""
    return bool(await session.scalar(select(func.count(Model.id)).where(Model.is_default)))


async def builtin(session: AsyncSession, model: str) -> Model | None:
    """The built-in model of that name."""
    statement = select(Model).where(Model.origin == "builtin", Model.model == model)
    return (await session.scalars(statement)).one_or_none()


async def is_named(session: AsyncSession, name: str, *, besides: str = "") -> bool:
    """Whether another model has this name."""
    statement = select(func.count(Model.id)).where(Model.name == name, Model.id != besides)
    return bool(await session.scalar(statement))


async def relying_on(session: AsyncSession, id: str) -> Sequence[Model]:
    """The models whose fallback this is."""
    statement = select(Model).where(Model.fallback_id == id).order_by(Model.name)
    return (await session.scalars(statement)).all()


async def count(session: AsyncSession) -> int:
    """How many models there are."""
    return await session.scalar(select(func.count(Model.id))) or 0


async def no_default(session: AsyncSession) -> None:
    """Take the default away from whichever has it."""
    await session.execute(update(Model).where(Model.is_default).values(is_default=False))


async def called(session: AsyncSession, name: str) -> Model:
    """The model of this id, or that an admin calls this; or `NotFound`."""
    statement = select(Model).where(or_(Model.id == name, Model.name == name)).limit(1)
    row = (await session.scalars(statement)).one_or_none()
    if row is None:
        raise NotFound("That model does not exist.")
    return row
