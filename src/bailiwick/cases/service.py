"""Verbs of cases, for people: run again, stop, remove, bring back."""

from collections.abc import Collection, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.access import entered
from bailiwick.accounts.reader import EVERYONE, reader_of
from bailiwick.artifacts import repository as artifacts
from bailiwick.artifacts.feature import KEPT
from bailiwick.cases import events, repository
from bailiwick.cases.models import Case
from bailiwick.cases.opening import CaseOpening
from bailiwick.cases.repository import CaseQuery
from bailiwick.errors import Conflict, NotFound
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock, ids
from bailiwick.mail import repository as mails
from bailiwick.mail.models import MailMessage
from bailiwick.office import Office
from bailiwick.runs import repository as runs
from bailiwick.runs import service as run_service
from bailiwick.runs.states import LIVE

_NO_MAIL = "The mail of this case is gone, so nobody can work on it again."
_AT_WORK = "The director is at work on this case. Stop it first, or wait until it is done."
_BATCH = 100


async def run_again(office: Office, who: Principal, case_id: str) -> str:
    """Let the director work on a case anew; what is there stays."""
    async with office.storage.app.read() as session:
        case = await _own(session, who, case_id)
        message = await _mail(session, case)
        account = await accounts.find(session, case.account_id)
    if account is None:
        raise Conflict(_NO_MAIL)
    opening = CaseOpening(office, account)
    await opening.prepare([message])
    async with office.storage.app.write() as session:
        case = await _own(session, who, case_id, lock=True)
        if await repository.live_runs(session, [case.id]):
            raise Conflict(_AT_WORK)
        await opening.begin(session, case, await _mail(session, case))
        return case.id


async def stop(office: Office, who: Principal, case_id: str) -> None:
    """End the work on a case, and what its agents do for it."""
    async with office.storage.app.read() as session:
        case = await _own(session, who, case_id)
        live = await repository.live_runs(session, [case.id])
    if not live:
        raise Conflict("Nobody is at work on this case.")
    for run_id in live:
        await run_service.cancel(office.storage, who, run_id)


async def remove(session: AsyncSession, who: Principal, ids_given: Collection[str]) -> str:
    """Put cases out of sight, all together, and end the work on them; they can be brought back."""
    deletion = ids.new("del")
    reader = await reader_of(session, who)
    found = await repository.locked(session, ids_given)
    theirs = [case for case in found if reader.may(case.account_id, "read")]
    if len(theirs) != len(set(ids_given)):
        raise NotFound(repository.GONE)
    for case in theirs:
        await entered(session, who, case.account_id, need="own")
        if case.deleted_at is None:
            case.deleted_at, case.deletion = clock.now(), deletion
            events.emit(session, case, events.REMOVED, by=who.id)
    for run_id in await repository.live_runs(session, [case.id for case in theirs]):
        run = await runs.locked(session, run_id)
        if run and run.status in LIVE:
            await run_service.stop(session, run, f"Its case was removed by {who.name}.")
    return deletion


async def remove_all(session: AsyncSession, who: Principal, query: CaseQuery) -> tuple[str, int]:
    """Put every case out of sight that a list shows."""
    reader = await reader_of(session, who)
    found = await repository.matching(session, reader, query)
    return await remove(session, who, found), len(found)


async def bring_back(session: AsyncSession, who: Principal, deletion: str) -> Sequence[Case]:
    """Show cases again that were removed together."""
    reader = await reader_of(session, who)
    found = await repository.of_deletion(session, reader, deletion)
    if not found:
        raise NotFound("There is nothing to bring back: it is back already, or gone for good.")
    for case in found:
        await entered(session, who, case.account_id, need="own")
        case.deleted_at = case.deletion = None
        events.emit(session, case, events.RESTORED, by=who.id)
    return found


async def erase_of_account(office: Office, account_id: str) -> None:
    """What came of an account's mail goes with it, some at a time."""
    while await _fewer(office, account_id):
        pass


async def _fewer(office: Office, account_id: str) -> bool:
    async with office.storage.app.write() as session:
        found = await repository.of_account(session, account_id, limit=_BATCH)
        await _erase(session, found)
    return bool(found)


async def erase_removed(office: Office) -> None:
    """What was removed a month ago cannot be brought back any more."""
    while True:
        async with office.storage.app.write() as session:
            before = clock.now() - KEPT
            found = await repository.deleted_before(session, before, limit=_BATCH)
            await _erase(session, found)
        if not found:
            return


async def _erase(session: AsyncSession, case_ids: Sequence[str]) -> None:
    if case_ids:
        await artifacts.erase_of_cases(session, case_ids)
        await repository.erase(session, case_ids)


async def _own(session: AsyncSession, who: Principal, case_id: str, *, lock: bool = False) -> Case:
    case = await repository.get(session, await reader_of(session, who), case_id, lock=lock)
    await entered(session, who, case.account_id, need="own")
    return case


async def _mail(session: AsyncSession, case: Case) -> MailMessage:
    try:
        return await mails.get(session, EVERYONE, case.message_id)
    except NotFound:
        raise Conflict(_NO_MAIL) from None
