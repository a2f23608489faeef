"""REST of actions: what was done, by whom, and the way back."""

from fastapi import APIRouter

from bailiwick.gate.actions import repository, undoing
from bailiwick.gate.actions.schemas import ActionId, ActionOut, ActionStatus, SettleIn
from bailiwick.gate.answers import error_of
from bailiwick.gate.call import Denied
from bailiwick.gate.gate import Gate
from bailiwick.gate.models import Action
from bailiwick.gate.people import TheGate, Visible, caller_of
from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.database import ReadSession
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.workspaces.access import enter

router = APIRouter(prefix="/actions", tags=["actions"])


@router.get("")
async def list_actions(
    seen: Visible,
    gate: TheGate,
    session: ReadSession,
    page: PageQuery,
    status: ActionStatus | None = None,
    tool: str | None = None,
    caller_id: str | None = None,
) -> Page[ActionOut]:
    """What was changed, by whom; newest first."""
    rows = await repository.listed(
        session, page, workspaces=seen, status=status, tool=tool, caller_id=caller_id
    )
    shown = {row.id: await _out(gate, row) for row in rows.rows}
    return rows.map(lambda row: shown[row.id])


@router.get("/{action_id}")
async def read_action(
    action_id: ActionId, seen: Visible, gate: TheGate, session: ReadSession
) -> ActionOut:
    """One of them."""
    return await _out(gate, await repository.get(session, action_id, workspaces=seen))


@router.post("/{action_id}/undo")
async def undo(action_id: ActionId, who: SignedIn, seen: Visible, gate: TheGate) -> ActionOut:
    """Take it back; if something changed since, that is said and nothing is lost."""
    async with gate.services.storage.app.read() as session:
        action = await repository.get(session, action_id, workspaces=seen)
        access = await enter(session, who, action.workspace_id, need="write")
    outcome = await undoing.undo(gate, caller_of(who, access), action)
    if isinstance(outcome, Denied):
        raise error_of(outcome)
    return await _read(gate, action_id, seen)


@router.post("/{action_id}/settle")
async def settle(
    action_id: ActionId, body: SettleIn, who: SignedIn, seen: Visible, gate: TheGate
) -> ActionOut:
    """Say whether an action happened whose outcome nobody knows."""
    async with gate.services.storage.app.read() as session:
        action = await repository.get(session, action_id, workspaces=seen)
        await enter(session, who, action.workspace_id, need="write")
    row = await undoing.settle(gate, who.actor, action_id, workspaces=seen, happened=body.happened)
    return await _out(gate, row)


async def _read(gate: Gate, id: str, seen: Visible) -> ActionOut:
    async with gate.services.storage.app.read() as session:
        return await _out(gate, await repository.get(session, id, workspaces=seen))


async def _out(gate: Gate, row: Action) -> ActionOut:
    tool = gate.services.registry.get(row.tool)
    redactor = await gate.services.redactors.current()
    arguments, _ = redactor.value(row.shown)
    return ActionOut.of(row, title=tool.title if tool else row.tool, arguments=arguments)
