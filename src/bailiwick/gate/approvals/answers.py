"""A person answers: whoever has the right, once, and in time."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader, reader_of
from bailiwick.errors import Conflict, Forbidden
from bailiwick.gate.approvals import repository, service
from bailiwick.gate.approvals.schemas import ApprovalOut
from bailiwick.gate.gate import Gate
from bailiwick.gate.models import Approval
from bailiwick.gate.rules.cache import RuleBookCache
from bailiwick.gate.trust import programs
from bailiwick.identity.principal import Principal
from bailiwick.office import Office
from bailiwick.tools.facts import AttachedFile
from bailiwick.tools.registry import Registry
from bailiwick.tools.tool import Arguments
from bailiwick.tools.trust import Source

_WORDS = ("arguments", "edited", "preview", "reason", "sources", "note", "error")


async def allow(
    office: Office,
    principal: Principal,
    id: str,
    *,
    arguments: Arguments | None,
    binding: str | None = None,
) -> Approval:
    """Let a call through; if what it is bound to has changed, it is asked anew instead."""
    store = office.storage.app
    # Before the transaction: what holds the writer must not wait for a reader.
    await office[RuleBookCache].current()
    async with store.read() as session:
        row = await _held(session, principal, id, lock=False)
    card = await office[Gate].card_now(row, arguments or row.arguments)
    try:
        async with store.write() as session:
            row = await _held(session, principal, id)
            if binding is not None and binding != row.binding and row.status == "pending":
                raise Conflict("This is asked anew since you looked. Look again, then answer.")
            return await service.allow(
                session, principal, row, office=office, arguments=arguments, card=card
            )
    except service.ApprovalStale as stale:
        async with store.write() as session:
            service.renew(await _held(session, principal, id), stale)
        raise


async def deny(office: Office, principal: Principal, id: str, *, note: str | None) -> Approval:
    """Refuse a call."""
    async with office.storage.app.write() as session:
        row = await _held(session, principal, id)
        return await service.deny(session, principal, row, note=note)


async def attached(office: Office, principal: Principal, id: str, *, number: int) -> AttachedFile:
    """A file on the card, for whoever may answer it."""
    async with office.storage.app.read() as session:
        row = await _held(session, principal, id, lock=False)
    return await office[Gate].file_of(row, number)


async def _held(
    session: AsyncSession, principal: Principal, id: str, *, lock: bool = True
) -> Approval:
    """An approval that someone may answer, locked."""
    reader = await reader_of(session, principal)
    row = await repository.get(session, reader, id, lock=lock)
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
    """An approval as someone sees it; for a program redacted, and remembered as read."""
    (seen,) = await programs.shown_to(
        office,
        who,
        [await as_it_is(session, office, who, row)],
        workspace_id=row.workspace_id,
        sources=sources_of(row),
        words=_WORDS,
    )
    return seen


async def as_it_is(
    session: AsyncSession, office: Office, who: Principal, row: Approval
) -> ApprovalOut:
    """An approval with all that it says."""
    tool = office[Registry].get(row.tool)
    try:
        check_right(who, await reader_of(session, who), row)
        can_answer = True
    except Forbidden:
        can_answer = False
    title = tool.title if tool else row.tool
    return ApprovalOut.of(
        row,
        title=f"Take back: {title}" if row.undoes else title,
        undoable=tool is not None and tool.undo is not None and row.undoes is None,
        can_answer=can_answer and row.status == "pending",
    )


def sources_of(row: Approval) -> list[Source]:
    """Whose words a card holds: what its caller had read, and whatever the preview quotes."""
    known = [Source(label, about) for label, about in row.sources]
    if row.preview is None:
        return known
    return [*known, Source("stranger", f"the card of {row.tool} by {row.caller_name}")]
