"""REST of the audit. It is only ever read: no route changes an entry or removes one."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse

from bailiwick.accounts.reader import TheReader
from bailiwick.gate.audit import export, repository, service
from bailiwick.gate.audit.repository import AuditQuery
from bailiwick.gate.audit.schemas import (
    AuditFilter,
    AuditStatusOut,
    EntryDetailOut,
    EntryId,
    EntryOut,
    ReportOut,
    VerifyIn,
)
from bailiwick.gate.audit.service import Auditor
from bailiwick.gate.trust import programs
from bailiwick.identity.access import Admin, SignedIn
from bailiwick.kit.http.database import Stores
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.kit.http.wire import AwareMoment
from bailiwick.kit.ledger import Ledger
from bailiwick.kit.ledger.status import ledger_status
from bailiwick.office import TheOffice
from bailiwick.tools.trust import Source

router = APIRouter(prefix="/audit", tags=["audit"], route_class=IdempotentRoute)
_LINES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
}


async def _auditor(office: TheOffice) -> Auditor:
    return office[Auditor]


async def _ledger(office: TheOffice) -> Ledger:
    return office[Ledger]


async def _since(
    moment: Annotated[AwareMoment | None, Query(alias="from")] = None,
) -> datetime | None:
    return repository.in_utc("from", moment)


async def _until(
    moment: Annotated[AwareMoment | None, Query(alias="to")] = None,
) -> datetime | None:
    return repository.in_utc("to", moment)


TheAuditor = Annotated[Auditor, Depends(_auditor)]
TheLedger = Annotated[Ledger | None, Depends(_ledger)]
From = Annotated[datetime | None, Depends(_since)]
AuditUntil = Annotated[datetime | None, Depends(_until)]


async def _query(
    reader: TheReader,
    since: From,
    until: AuditUntil,
    workspace_id: Annotated[AuditFilter | None, Query(alias="workspaceId")] = None,
    caller_id: Annotated[AuditFilter | None, Query(alias="callerId")] = None,
    tool: Annotated[AuditFilter | None, Query()] = None,
    decision: Annotated[AuditFilter | None, Query()] = None,
    status: Annotated[AuditFilter | None, Query()] = None,
    q: Annotated[AuditFilter | None, Query(description="Text that the entry contains.")] = None,
) -> AuditQuery:
    return AuditQuery(reader, workspace_id, caller_id, tool, decision, status, since, until, q)


@router.get("")
async def list_audit_entries(
    query: Annotated[AuditQuery, Depends(_query)],
    who: SignedIn,
    office: TheOffice,
    storage: Stores,
    page: PageQuery,
) -> Page[EntryOut]:
    """What passed the gate, newest first: one's own, and what changed things that all share."""
    async with storage.audit.read() as session:
        rows = await repository.listed(session, page, query)
    await service.heard(office, who, rows.rows)
    return rows.map(EntryOut.of)


@router.get("/status")
async def read_audit_status(
    _: Admin, storage: Stores, auditor: TheAuditor, ledger: TheLedger
) -> AuditStatusOut:
    """How long the audit is, how much of it is sealed, and what the last verification found."""
    now, last = await ledger_status(storage), auditor.last
    return AuditStatusOut(
        rows=now.rows,
        chains=now.chains,
        checkpoints=now.checkpoints,
        unsealed=now.unsealed,
        sealed_at=now.sealed_at,
        mark=now.mark,
        anchor_failure=service.anchor_failure(ledger),
        last_verification=ReportOut.model_validate(last) if last else None,
    )


@router.post("/verify")
async def verify_audit(
    admin: Admin, auditor: TheAuditor, ledger: TheLedger, body: VerifyIn | None = None
) -> ReportOut:
    """Check every entry and every checkpoint; what is wrong is named with its place."""
    if body and body.accept_restore:
        await service.accept_restore(ledger, admin)
    copy, mark = (body.anchor.splitlines(), body.against) if body else ((), "")
    return ReportOut.model_validate(await auditor.verify(copy=copy, mark=mark))


@router.get("/export", response_class=StreamingResponse, responses=_LINES)
async def export_audit(
    admin: Admin,
    reader: TheReader,
    office: TheOffice,
    storage: Stores,
    since: From,
    until: AuditUntil,
) -> StreamingResponse:
    """All entries that one may see as JSON lines; the last has their number and checksum."""
    for workspace_id in [*reader.workspaces][:1]:
        source = Source("stranger", "the export of the audit")
        await programs.heard(office, admin, "", workspace_id=workspace_id, sources=[source])
    found = export.lines(storage, AuditQuery(reader, since=since, until=until))
    headers = {"Content-Disposition": 'attachment; filename="audit.jsonl"'}
    return StreamingResponse(found, media_type="application/x-ndjson", headers=headers)


@router.get("/{entry_id}")
async def read_audit_entry(
    entry_id: EntryId, who: SignedIn, reader: TheReader, office: TheOffice, storage: Stores
) -> EntryDetailOut:
    """One entry with all it says, and the other entries of the same call."""
    async with storage.audit.read() as session:
        row, related = await repository.get(session, entry_id, AuditQuery(reader))
    await service.heard(office, who, [row, *related])
    return EntryDetailOut.detailed(row, related)
