"""REST of the gate itself: tools under one's own name, and the panic stop."""

from fastapi import APIRouter

from bailiwick.gate.call import Call, Denied, Pending, Result
from bailiwick.gate.halts import service
from bailiwick.gate.models import Halt
from bailiwick.gate.people import TheGate, caller_of, context_of
from bailiwick.gate.responses import error_of
from bailiwick.gate.schemas import (
    HaltIn,
    HaltOut,
    ToolCallIn,
    ToolName,
    ToolOut,
    ToolResultOut,
)
from bailiwick.identity.access import Admin, SignedIn
from bailiwick.kit.db import Store
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.workspaces.access import WorkspaceAccess, enter
from bailiwick.workspaces.schemas import WorkspaceId

router = APIRouter(tags=["gate"], route_class=IdempotentRoute)


@router.get("/workspaces/{workspace_id}/tools")
async def list_tools(
    workspace_id: WorkspaceId, who: SignedIn, gate: TheGate, session: ReadSession, page: PageQuery
) -> Page[ToolOut]:
    """What the caller may do in a workspace."""
    access = await enter(session, who, workspace_id, need="read")
    tools = await gate.tools(caller_of(who, access))
    return page_of([ToolOut.of(tool) for tool in tools], page, by=lambda tool: tool.name)


@router.post("/workspaces/{workspace_id}/tools/{tool}")
async def call_tool(
    workspace_id: WorkspaceId,
    tool: ToolName,
    body: ToolCallIn,
    who: SignedIn,
    gate: TheGate,
) -> ToolResultOut:
    """Use a tool under one's own name, through the gate like everyone."""
    access = await _entered(gate.services.storage.app, who, workspace_id)
    call = Call(
        caller_of(who, access),
        tool,
        body.arguments,
        context_id=context_of(who),
    )
    match await gate.call(call):
        case Result() as done:
            return ToolResultOut(
                status="done",
                result=done.data,
                redacted=list(done.redacted),
                action_id=done.action_id,
                undoable=done.undoable,
            )
        case Pending() as waiting:
            return ToolResultOut(
                status="pending", approval_id=waiting.approval_id, reason=waiting.reason
            )
        case Denied() as refusal:
            raise error_of(refusal)
        case other:
            raise AssertionError(other)


@router.get("/halt")
async def read_halt(_: SignedIn, session: ReadSession) -> HaltOut:
    """Whether everything is stopped."""
    return _out(await service.find(session))


@router.post("/halt")
async def stop_everything(body: HaltIn, who: SignedIn, session: WriteSession) -> HaltOut:
    """Refuse every tool call, and stop what is under way, until an admin releases it."""
    return _out(await service.stop(session, who, reason=body.reason))


@router.delete("/halt")
async def release_halt(admin: Admin, session: WriteSession) -> HaltOut:
    """Let calls through again."""
    await service.release(session, admin)
    return HaltOut(stopped=False)


async def _entered(store: Store, who: SignedIn, workspace_id: str) -> WorkspaceAccess:
    # Ended before the call: the gate must never run inside a transaction.
    async with store.read() as session:
        return await enter(session, who, workspace_id, need="read")


def _out(row: Halt | None) -> HaltOut:
    if row is None:
        return HaltOut(stopped=False)
    return HaltOut(stopped=True, at=row.at, by=row.by, reason=row.reason)
