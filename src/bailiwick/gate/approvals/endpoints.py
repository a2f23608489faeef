"""REST of approvals."""

from fastapi import APIRouter

from bailiwick.accounts.reader import TheReader
from bailiwick.gate.approvals import answers, repository
from bailiwick.gate.approvals.schemas import (
    AllowIn,
    ApprovalId,
    ApprovalOut,
    ApprovalStatus,
    DenyIn,
)
from bailiwick.gate.models import Approval
from bailiwick.identity.access import SignedIn
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.office import Office, TheOffice

router = APIRouter(prefix="/approvals", tags=["approvals"], route_class=IdempotentRoute)


@router.get("")
async def list_approvals(
    who: SignedIn,
    reader: TheReader,
    office: TheOffice,
    session: ReadSession,
    page: PageQuery,
    status: ApprovalStatus | None = None,
    caller_id: str | None = None,
) -> Page[ApprovalOut]:
    """Calls that wait for a person, or did; newest first."""
    rows = await repository.listed(session, reader, page, status=status, caller_id=caller_id)
    shown = {row.id: await answers.shown(session, office, who, row) for row in rows.rows}
    return rows.map(lambda row: shown[row.id])


@router.get("/{approval_id}")
async def read_approval(
    approval_id: ApprovalId,
    who: SignedIn,
    reader: TheReader,
    office: TheOffice,
    session: ReadSession,
) -> ApprovalOut:
    """One of them."""
    return await answers.shown(
        session, office, who, await repository.get(session, reader, approval_id)
    )


@router.post("/{approval_id}/allow")
async def allow_approval(
    approval_id: ApprovalId, body: AllowIn, who: SignedIn, office: TheOffice
) -> ApprovalOut:
    """Let a call through, once; with other arguments if they are given."""
    row = await answers.allow(office, who, approval_id, arguments=body.arguments)
    return await _answered(office, who, row)


@router.post("/{approval_id}/deny")
async def deny_approval(
    approval_id: ApprovalId, body: DenyIn, who: SignedIn, office: TheOffice
) -> ApprovalOut:
    """Refuse a call for good."""
    row = await answers.deny(office, who, approval_id, note=body.note)
    return await _answered(office, who, row)


async def _answered(office: Office, who: Principal, row: Approval) -> ApprovalOut:
    async with office.storage.app.read() as session:
        return await answers.shown(session, office, who, row)
