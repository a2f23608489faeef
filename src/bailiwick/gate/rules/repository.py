"""All SQL of rules."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.gate.models import Policy, Rule
from bailiwick.identity.principal import Principal
from bailiwick.workspaces.models import Member

_THE_ONE = 1
_IN_ORDER = (Rule.priority.desc(), Rule.created_at, Rule.id)
# A rule that is asked before one of these could let through what it keeps back.
_RESTRICTING = ("BLOCK", "REDACT")


async def everything(session: AsyncSession) -> Sequence[Rule]:
    """All rules, in the order of evaluation."""
    return (await session.scalars(select(Rule).order_by(*_IN_ORDER))).all()


async def seen_by(session: AsyncSession, principal: Principal) -> Sequence[Rule]:
    """The rules that concern someone, in the order of evaluation; an admin sees all."""
    statement = select(Rule).order_by(*_IN_ORDER)
    if not principal.is_admin:
        statement = statement.where(_concerns(principal.user_id))
    return (await session.scalars(statement)).all()


async def get(session: AsyncSession, principal: Principal, id: str, *, lock: bool = False) -> Rule:
    """A rule that concerns the caller, or `NotFound`."""
    statement = select(Rule).where(Rule.id == id)
    if not principal.is_admin:
        statement = statement.where(_concerns(principal.user_id))
    if lock:
        statement = statement.with_for_update()
    rule = (await session.scalars(statement)).one_or_none()
    if rule is None:
        raise NotFound("That rule does not exist, or does not concern you.")
    return rule


async def count(session: AsyncSession) -> int:
    """How many rules there are."""
    return await session.scalar(select(func.count(Rule.id))) or 0


async def count_in(session: AsyncSession, workspace_id: str | None) -> int:
    """How many rules are bound to a workspace."""
    statement = select(func.count(Rule.id)).where(Rule.workspace_id == workspace_id)
    return await session.scalar(statement) or 0


async def lowest_that_holds_back(session: AsyncSession) -> Rule | None:
    """The last of the office's own rules that block or redact."""
    statement = select(Rule).where(
        Rule.workspace_id.is_(None), Rule.action.in_(_RESTRICTING), Rule.enabled
    )
    return (await session.scalars(statement.order_by(Rule.priority).limit(1))).one_or_none()


async def policy(session: AsyncSession) -> Policy:
    """The row with the version; whoever else changes rules waits until the transaction ends."""
    statement = select(Policy).where(Policy.id == _THE_ONE).with_for_update()
    statement = statement.execution_options(populate_existing=True)
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        found = Policy(id=_THE_ONE, version=0, seeded=False)
        session.add(found)
        await session.flush()
    return found


async def version(session: AsyncSession) -> int:
    """Which version of the rules is in force."""
    return await session.scalar(select(Policy.version).where(Policy.id == _THE_ONE)) or 0


def _concerns(user_id: str | None) -> ColumnElement[bool]:
    """The office's rules, those of one's workspaces, and those about oneself.

    What is bound to another user is shown to the admins of its workspace alone.
    """
    mine = select(Member.workspace_id).where(Member.user_id == user_id)
    governed = mine.where(Member.role == "admin")
    return or_(
        Rule.workspace_id.in_(governed),
        and_(
            or_(Rule.workspace_id.is_(None), Rule.workspace_id.in_(mine)),
            or_(Rule.user_id.is_(None), Rule.user_id == user_id),
        ),
    )
