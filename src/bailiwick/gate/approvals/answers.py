"""A person answers: whoever has the right, once, and in time."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader, reader_of
from bailiwick.errors import Forbidden
from bailiwick.gate.approvals import repository, service
from bailiwick.gate.approvals.schemas import ApprovalOut
from bailiwick.gate.models import Approval
from bailiwick.gate.rules.cache import RuleBookCache
from bailiwick.identity.principal import Principal
from bailiwick.office import Office
from bailiwick.tools.registry import Registry
from bailiwick.tools.tool import Arguments


async def allow(
    office: Office, principal: Principal, id: str, *, arguments: Arguments | None
) -> Approval:
    """Let a call through; if what it is bound to has changed, it is asked anew instead."""
    store = office.storage.app
    # Before the transaction: what holds the writer must not wait for a reader.
    await office[RuleBookCache].current()
    try:
        async with store.write() as session:
            row = await _held(session, principal, id)
            return await service.allow(session, principal, row, office=office, arguments=arguments)
    except service.ApprovalStale as stale:
        async with store.write() as session:
            service.renew(await _held(session, principal, id), stale)
        raise


async def deny(office: Office, principal: Principal, id: str, *, note: str | None) -> Approval:
    """Refuse a call."""
    async with office.storage.app.write() as session:
        row = await _held(session, principal, id)
        return await service.deny(session, principal, row, note=note)


async def _held(session: AsyncSession, principal: Principal, id: str) -> Approval:
    """An approval that someone may answer, locked."""
    reader = await reader_of(session, principal)
    row = await repository.get(session, reader, id, lock=True)
    check_right(principal, reader, row)
    return row


def check_right(principal: Principal, reader: Reader, row: Approval) -> None:
    """Only a person answers, and only the owner of what it touches."""
    if not principal.is_person_present:
        raise Forbidden("Only a person can answer this: sign in, or use the command line here.")
    if reader.workspaces.get(row.workspace_id, "read") == "read":
        raise Forbidden("Your role in the workspace is to read; you cannot let anything through.")
    if not reader.has(row.owner_id):
        raise Forbidden("Only the owner of the account answers this.")


async def shown(
    session: AsyncSession, office: Office, who: Principal, row: Approval
) -> ApprovalOut:
    """An approval as someone sees it."""
    tool = office[Registry].get(row.tool)
    try:
        check_right(who, await reader_of(session, who), row)
        can_answer = True
    except Forbidden:
        can_answer = False
    return ApprovalOut.of(
        row,
        title=tool.title if tool else row.tool,
        undoable=tool is not None and tool.undo is not None,
        can_answer=can_answer and row.status == "pending",
    )
