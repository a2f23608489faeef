"""A person answers: whoever has the right, once, and in time."""

from collections.abc import Collection

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Forbidden
from bailiwick.gate.approvals import repository, service
from bailiwick.gate.approvals.schemas import ApprovalOut
from bailiwick.gate.models import Approval
from bailiwick.gate.rules.cache import RuleBookCache
from bailiwick.identity.principal import Principal
from bailiwick.office import Office
from bailiwick.tools.registry import Registry
from bailiwick.tools.tool import Arguments
from bailiwick.workspaces.models import Member


async def allow(
    office: Office,
    principal: Principal,
    id: str,
    *,
    workspaces: Collection[str],
    arguments: Arguments | None,
) -> Approval:
    """Let a call through; if what it is bound to has changed, it is asked anew instead."""
    store = office.storage.app
    # Before the transaction: what holds the writer must not wait for a reader.
    await office[RuleBookCache].current()
    try:
        async with store.write() as session:
            row = await repository.get(session, id, workspaces=workspaces, lock=True)
            await check_right(session, principal, row)
            return await service.allow(session, principal, row, office=office, arguments=arguments)
    except service.ApprovalStale as stale:
        async with store.write() as session:
            row = await repository.get(session, id, workspaces=workspaces, lock=True)
            service.renew(row, stale)
        raise


async def deny(
    office: Office, principal: Principal, id: str, *, workspaces: Collection[str], note: str | None
) -> Approval:
    """Refuse a call."""
    async with office.storage.app.write() as session:
        row = await repository.get(session, id, workspaces=workspaces, lock=True)
        await check_right(session, principal, row)
        return await service.deny(session, principal, row, note=note)


async def check_right(session: AsyncSession, principal: Principal, row: Approval) -> None:
    """Only a person answers: the one in whose name it is, or an admin of the workspace."""
    if not principal.is_person_present:
        raise Forbidden("Only a person can answer this: sign in, or use the command line here.")
    if principal.via == "operator":
        return
    member = await session.get(Member, (row.workspace_id, principal.user_id))
    if member is None or member.role == "read":
        raise Forbidden("Your role in the workspace is to read; someone who may write answers.")
    if principal.user_id != row.user_id and member.role != "admin":
        raise Forbidden("Only the one in whose name it is, or an admin of the workspace, answers.")


async def shown(
    session: AsyncSession, office: Office, who: Principal, row: Approval
) -> ApprovalOut:
    """An approval as someone sees it."""
    tool = office[Registry].get(row.tool)
    try:
        await check_right(session, who, row)
        can_answer = True
    except Forbidden:
        can_answer = False
    return ApprovalOut.of(
        row,
        title=tool.title if tool else row.tool,
        undoable=tool is not None and tool.undo is not None,
        can_answer=can_answer and row.status == "pending",
    )
