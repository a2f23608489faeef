"""REST of approvals."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from bailiwick.accounts.reader import TheReader
from bailiwick.gate.approvals import answers, repository
from bailiwick.gate.approvals.schemas import (
    AllowIn,
    ApprovalId,
    ApprovalOut,
    ApprovalStatus,
    AttachmentNumber,
    DenyIn,
)
from bailiwick.gate.models import Approval
from bailiwick.identity.access import SignedIn
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession
from bailiwick.kit.http.downloads import to_look_at
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.office import Office, TheOffice

router = APIRouter(prefix="/approvals", tags=["approvals"], route_class=IdempotentRoute)
_BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}}
}


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
    row = await answers.allow(
        office, who, approval_id, arguments=body.arguments, binding=body.binding
    )
    return await _answered(office, who, row)


@router.post("/{approval_id}/deny")
async def deny_approval(
    approval_id: ApprovalId, body: DenyIn, who: SignedIn, office: TheOffice
) -> ApprovalOut:
    """Refuse a call for good."""
    row = await answers.deny(office, who, approval_id, note=body.note)
    return await _answered(office, who, row)


@router.get(
    "/{approval_id}/attachments/{number}",
    response_class=Response,
    responses=_BYTES,
    openapi_extra=IN_PERSON,
)
async def read_approval_attachment(
    approval_id: ApprovalId, number: AttachmentNumber, who: SignedIn, office: TheOffice
) -> Response:
    """A file that goes with a call, byte for byte as the card shows it; for whoever may answer."""
    file = await answers.attached(office, who, approval_id, number=number)
    return to_look_at(file.content, file.name, file.type)


async def _answered(office: Office, who: Principal, row: Approval) -> ApprovalOut:
    async with office.storage.app.read() as session:
        return await answers.shown(session, office, who, row)
