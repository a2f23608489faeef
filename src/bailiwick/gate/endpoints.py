"""REST of the gate itself: tools under one's own name."""

from fastapi import APIRouter

from bailiwick.gate import own_name
from bailiwick.gate.call import Pending
from bailiwick.gate.gate import Gate
from bailiwick.gate.people import caller_of
from bailiwick.gate.schemas import (
    ToolCallIn,
    ToolNamePath,
    ToolOut,
    ToolResultOut,
)
from bailiwick.identity.access import SignedIn
from bailiwick.kit.db import Store
from bailiwick.kit.http.database import ReadSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.office import TheOffice
from bailiwick.workspaces.access import WorkspaceAccess, enter
from bailiwick.workspaces.schemas import WorkspaceId

router = APIRouter(tags=["gate"], route_class=IdempotentRoute)


@router.get("/workspaces/{workspace_id}/tools")
async def list_tools(
    workspace_id: WorkspaceId,
    who: SignedIn,
    office: TheOffice,
    session: ReadSession,
    page: PageQuery,
) -> Page[ToolOut]:
    """What the caller may do in a workspace."""
    access = await enter(session, who, workspace_id, need="read")
    tools = await office[Gate].tools(caller_of(who, access))
    return page_of([ToolOut.of(tool) for tool in tools], page, by=lambda tool: tool.name)


@router.post("/workspaces/{workspace_id}/tools/{tool}")
async def call_tool(
    workspace_id: WorkspaceId,
    tool: ToolNamePath,
    body: ToolCallIn,
    who: SignedIn,
    office: TheOffice,
) -> ToolResultOut:
    """Use a tool under one's own name, through the gate like everyone."""
    access = await _entered(office.storage.app, who, workspace_id)
    outcome = await own_name.act(office, who, access, tool, body.arguments)
    if isinstance(outcome, Pending):
        return ToolResultOut(
            status="pending", approval_id=outcome.approval_id, reason=outcome.reason
        )
    return ToolResultOut(
        status="done",
        result=outcome.data,
        redacted=list(outcome.redacted),
        action_id=outcome.action_id,
        undoable=outcome.undoable,
    )


async def _entered(store: Store, who: SignedIn, workspace_id: str) -> WorkspaceAccess:
    # Ended before the call: the gate must never run inside a transaction.
    async with store.read() as session:
        return await enter(session, who, workspace_id, need="read")
