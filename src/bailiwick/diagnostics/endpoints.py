"""REST of diagnostics, for admins alone."""

from typing import Annotated

from fastapi import APIRouter, Query

from bailiwick.diagnostics import browse, runtime, service
from bailiwick.diagnostics.repository import TraceQuery
from bailiwick.diagnostics.schemas import (
    DiagnosticsDeletionIn,
    DiagnosticsDeletionOut,
    NodeDetailOut,
    NodeId,
    RuntimeOut,
    TraceNodeOut,
    UnifiedParams,
)
from bailiwick.errors import Invalid
from bailiwick.identity.access import Admin
from bailiwick.kit.http.database import WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.office import TheOffice

router = APIRouter(prefix="/diagnostics", tags=["diagnostics"], route_class=IdempotentRoute)


@router.get("/runtime")
async def read_runtime(_: Admin, office: TheOffice) -> RuntimeOut:
    """How the installation stands: encryption, data folder, versions, counts."""
    return await runtime.status(office)


@router.get("/unified")
async def list_diagnostics(
    admin: Admin, office: TheOffice, page: PageQuery, asked: Annotated[UnifiedParams, Query()]
) -> Page[TraceNodeOut]:
    """Fetch cycles, in them directors' runs, in these agents' sessions; or line by line.

    Of others' work the figures alone: what was asked and answered is for whose it is.
    """
    given = asked.model_dump(exclude={"view", "parent_id", "state", "cycle_id"})
    cycle_id = asked.parent_id or asked.cycle_id
    query = TraceQuery(**given, cycle_id=cycle_id, states=tuple(asked.state))
    if asked.view == "flat":
        return await browse.flat(office, admin, query, page)
    if asked.parent_id:
        return await browse.directors(office, admin, query, page)
    return await browse.cycles(office, admin, query, page)


@router.get("/unified/{node_id}")
async def read_diagnostics(node_id: NodeId, admin: Admin, office: TheOffice) -> NodeDetailOut:
    """A cycle, a run or a line: each tool call and model call, and the mail that it began with."""
    return await browse.node(office, admin, node_id)


@router.delete("/unified/{node_id}", status_code=204)
async def delete_diagnostics(node_id: NodeId, admin: Admin, session: WriteSession) -> None:
    """Delete a cycle's, a run's or a line's diagnostics; the case and its transcript stay."""
    await service.delete(session, admin.actor, [node_id])


@router.post("/deletions")
async def delete_many_diagnostics(
    body: DiagnosticsDeletionIn, admin: Admin, session: WriteSession
) -> DiagnosticsDeletionOut:
    """Delete the diagnostics of these nodes, of all, or of what was last touched before a time."""
    if sum((body.ids is not None, body.all, body.before is not None)) != 1:
        raise Invalid.field("ids", "say which, or `all`, or `before`; one of the three")
    if body.ids is not None:
        return await service.delete(session, admin.actor, body.ids)
    return await service.delete_all(session, admin.actor, body.before)
