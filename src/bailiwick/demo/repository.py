"""All SQL of the sample office."""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.agents.models import Agent
from bailiwick.demo.models import Demo
from bailiwick.gate.models import Action, Approval, ReadContext, Rule
from bailiwick.mail.models import Contact, Filter, MailMessage, MailSync, Routing
from bailiwick.runs.models import Run, RunCall


async def find(session: AsyncSession, workspace_id: str, *, lock: bool = False) -> Demo | None:
    """The sample office of a workspace."""
    statement = select(Demo).where(Demo.workspace_id == workspace_id)
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    return (await session.scalars(statement)).one_or_none()


async def of_accounts(session: AsyncSession, ids: Collection[str]) -> set[str]:
    """Those of the accounts whose sample office has not asked its assistant yet."""
    statement = select(Demo.account_id).where(
        Demo.account_id.in_(ids), Demo.run_id.is_(None), Demo.leaving.is_(False)
    )
    return set(await session.scalars(statement))


async def of_account(session: AsyncSession, account_id: str, *, lock: bool = False) -> Demo | None:
    """The sample office that an account belongs to."""
    statement = select(Demo).where(Demo.account_id == account_id)
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    return (await session.scalars(statement)).one_or_none()


async def sync(session: AsyncSession, account_id: str) -> MailSync | None:
    """How fetching its mail goes."""
    return await session.get(MailSync, account_id)


async def count_mails(session: AsyncSession, account_id: str) -> int:
    """How many of its mails have come in."""
    statement = (
        select(func.count()).select_from(MailMessage).where(MailMessage.account_id == account_id)
    )
    return await session.scalar(statement) or 0


async def routed(session: AsyncSession, account_id: str) -> dict[str, int]:
    """How many mails went to each director."""
    statement = (
        select(Routing.director_id, func.count())
        .join(MailMessage, MailMessage.id == Routing.message_id)
        .where(MailMessage.account_id == account_id)
        .group_by(Routing.director_id)
    )
    return {row[0]: row[1] for row in await session.execute(statement)}


async def asked_for(session: AsyncSession, run_id: str) -> Sequence[tuple[RunCall, Approval]]:
    """What the run wanted to do and a person was asked about, in its order."""
    statement = (
        select(RunCall, Approval)
        .join(Approval, Approval.id == RunCall.approval_id)
        .where(RunCall.run_id == run_id)
        .order_by(RunCall.number)
    )
    return [(call, approval) for call, approval in (await session.execute(statement)).all()]


async def filters(session: AsyncSession, ids: Collection[str]) -> list[str]:
    """Those of the filters that are still there."""
    return list(await session.scalars(select(Filter.id).where(Filter.id.in_(ids))))


async def rules(session: AsyncSession, ids: Collection[str]) -> list[str]:
    """Those of the rules that are still there."""
    return list(await session.scalars(select(Rule.id).where(Rule.id.in_(ids))))


async def agents(session: AsyncSession, ids: Collection[str]) -> list[Agent]:
    """Those of the agents that are still there."""
    statement = select(Agent).where(Agent.id.in_(ids), Agent.deleted_at.is_(None))
    return list(await session.scalars(statement))


async def forget_contacts(
    session: AsyncSession, reader: Reader, workspace_id: str, addresses: Collection[str]
) -> None:
    """Forget whom the sample brought into the address book."""
    await session.execute(
        delete(Contact).where(
            Contact.workspace_id == workspace_id,
            reader.owns(Contact.owner_id),
            Contact.address.in_(addresses),
        )
    )


async def forget_agents(session: AsyncSession, ids: Collection[str]) -> None:
    """Delete agents with their runs and what these asked for; the audit keeps its own record."""
    runs = list(await session.scalars(select(Run.id).where(Run.agent_id.in_(ids))))
    await session.execute(delete(ReadContext).where(ReadContext.id.in_(runs)))
    await session.execute(delete(Approval).where(Approval.caller_id.in_(ids)))
    await session.execute(delete(Action).where(Action.caller_id.in_(ids)))
    await session.execute(delete(Agent).where(Agent.id.in_(ids)))
