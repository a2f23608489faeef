"""REST of actions: what was done, by whom, and the way back."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends

from bailiwick.accounts.reader import TheReader
from bailiwick.gate.actions import repository
from bailiwick.gate.actions import undo as action_undo
from bailiwick.gate.actions.schemas import ActionId, ActionOut, ActionStatus, SettleIn
from bailiwick.gate.call import Denied, Pending
from bailiwick.gate.checks.redaction import redacted
from bailiwick.gate.models import Action
from bailiwick.gate.people import caller_of, context_of
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.responses import error_of
from bailiwick.gate.trust import programs
from bailiwick.identity.access import SignedIn
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.office import Office, TheOffice
from bailiwick.tools.registry import Registry
from bailiwick.tools.trust import Source
from bailiwick.workspaces.access import WorkspaceAccess, enter

router = APIRouter(prefix="/actions", tags=["actions"], route_class=IdempotentRoute)


@dataclass(frozen=True, slots=True)
class Governed:
    """An action in a workspace that the caller may write in."""

    action: Action
    access: WorkspaceAccess


async def _governed(
    action_id: ActionId, who: SignedIn, reader: TheReader, session: ReadSession
) -> Governed:
    action = await repository.get(session, reader, action_id)
    return Governed(action, await enter(session, who, action.workspace_id, need="write"))


TheAction = Annotated[Governed, Depends(_governed)]


@router.get("")
async def list_actions(
    who: SignedIn,
    reader: TheReader,
    office: TheOffice,
    session: ReadSession,
    page: PageQuery,
    status: ActionStatus | None = None,
    tool: str | None = None,
    caller_id: str | None = None,
) -> Page[ActionOut]:
    """What was changed, by whom; newest first."""
    rows = await repository.listed(
        session, reader, page, status=status, tool=tool, caller_id=caller_id
    )
    shown = {row.id: await _out(office, who, row) for row in rows.rows}
    return rows.map(lambda row: shown[row.id])


@router.get("/{action_id}")
async def read_action(
    action_id: ActionId, who: SignedIn, reader: TheReader, office: TheOffice, session: ReadSession
) -> ActionOut:
    """One of them."""
    return await _out(office, who, await repository.get(session, reader, action_id))


@router.post("/{action_id}/undo")
async def undo_action(
    found: TheAction, who: SignedIn, reader: TheReader, office: TheOffice
) -> ActionOut:
    """Take it back; if something changed since, that is said and nothing is lost."""
    outcome = await action_undo.undo(
        office, caller_of(who, found.access), found.action, context_id=context_of(who)
    )
    if isinstance(outcome, Denied):
        raise error_of(outcome)
    async with office.storage.app.read() as session:
        row = await repository.get(session, reader, found.action.id)
    waits = outcome.approval_id if isinstance(outcome, Pending) else None
    return (await _out(office, who, row)).model_copy(update={"undo_approval_id": waits})


@router.post("/{action_id}/settle")
async def settle_action(
    found: TheAction, body: SettleIn, who: SignedIn, office: TheOffice
) -> ActionOut:
    """Say whether an action happened whose outcome nobody knows."""
    row = await action_undo.settle(office, who, found.action.id, happened=body.happened)
    return await _out(office, who, row)


async def _out(office: Office, who: Principal, row: Action) -> ActionOut:
    tool = office[Registry].get(row.tool)
    arguments, _ = await redacted(office[RedactorCache], row.shown)
    out = ActionOut.of(row, title=tool.title if tool else row.tool, arguments=arguments)
    (seen,) = await programs.shown_to(
        office,
        who,
        [out],
        workspace_id=row.workspace_id,
        sources=[Source(row.label, f"what {row.caller_name} did: {out.title}")],
        words=("arguments", "summary", "error"),
    )
    return seen
