"""REST of the outbox: what is on its way out, and the way back."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from bailiwick.accounts.access import entered
from bailiwick.accounts.reader import TheReader, reader_of
from bailiwick.accounts.schemas import OfAccount
from bailiwick.errors import NotFound
from bailiwick.gate import own_name
from bailiwick.identity.access import SignedIn, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.http.database import ReadSession, Stores
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.mail import raw
from bailiwick.mail.outbox import repository
from bailiwick.mail.outbox.acts import OutboxActs
from bailiwick.mail.outbox.schemas import (
    OutgoingDetail,
    OutgoingId,
    OutgoingOut,
    OutgoingStatus,
    ResolveIn,
)
from bailiwick.mail.parsing import parse
from bailiwick.office import Office, TheOffice
from bailiwick.tools.tool import Arguments, Tool
from bailiwick.workspaces.access import WorkspaceAccess, enter
from bailiwick.workspaces.schemas import OfWorkspace

router = APIRouter(prefix="/outbox", tags=["outbox"], route_class=IdempotentRoute)


@dataclass(frozen=True, slots=True)
class SendableOutgoing:
    """A mail on its way out that someone may send."""

    id: str
    access: WorkspaceAccess


async def _sendable(outgoing_id: OutgoingId, who: SignedIn, stores: Stores) -> SendableOutgoing:
    # Its own short transaction: the gate must never run inside one.
    async with stores.app.read() as session:
        row = await repository.get(session, await reader_of(session, who), outgoing_id)
        await entered(session, who, row.account_id, need="send")
        access = await enter(session, who, row.workspace_id, need="write")
    return SendableOutgoing(row.id, access)


OutgoingToSend = Annotated[SendableOutgoing, Depends(_sendable)]
OutboxInPerson = Annotated[
    Principal, in_person("a program cannot shorten the time to take mail back")
]


@router.get("")
async def list_outgoing(
    reader: TheReader,
    session: ReadSession,
    page: PageQuery,
    status: OutgoingStatus | None = None,
    workspace_id: Annotated[OfWorkspace | None, Query(alias="workspaceId")] = None,
    account_id: Annotated[OfAccount | None, Query(alias="accountId")] = None,
) -> Page[OutgoingOut]:
    """What is in the outbox, newest first."""
    rows = await repository.listed(
        session, reader, page, workspace_id=workspace_id, status=status, account_id=account_id
    )
    return rows.map(OutgoingOut.of)


@router.get("/{outgoing_id}")
async def read_outgoing(
    outgoing_id: OutgoingId, reader: TheReader, session: ReadSession, office: TheOffice
) -> OutgoingDetail:
    """One of them, with its text."""
    row = await repository.get(session, reader, outgoing_id)
    text, names = await asyncio.to_thread(_content, raw.own(office.blobs), row.raw_blob)
    return OutgoingDetail.with_content(row, text=text, attachments=names)


@router.post("/{outgoing_id}/cancel")
async def cancel_outgoing(who: SignedIn, found: OutgoingToSend, office: TheOffice) -> OutgoingOut:
    """Take it back before it goes; also while everything is stopped."""
    act = OutboxActs(office.storage.app).cancel
    return await _acted(office, who, found, act, {}, holds_back=True)


@router.post("/{outgoing_id}/send-now", openapi_extra=IN_PERSON)
async def send_outgoing_now(
    who: OutboxInPerson, found: OutgoingToSend, office: TheOffice
) -> OutgoingOut:
    """Let it go without further delay; or once more, after it failed."""
    return await _acted(office, who, found, OutboxActs(office.storage.app).send_now, {})


@router.post("/{outgoing_id}/resolve", openapi_extra=IN_PERSON)
async def resolve_outgoing(
    who: OutboxInPerson, found: OutgoingToSend, body: ResolveIn, office: TheOffice
) -> OutgoingOut:
    """Say whether it went out, when nobody can tell but who looks into the mailbox."""
    act = OutboxActs(office.storage.app).resolve
    return await _acted(office, who, found, act, {"sent": body.sent})


async def _acted(
    office: Office,
    who: Principal,
    found: SendableOutgoing,
    act: Tool,
    more: Arguments,
    *,
    holds_back: bool = False,
) -> OutgoingOut:
    arguments = {"outbox_id": found.id, **more}
    await own_name.act(
        office, who, found.access, act.name, arguments, own=(act,), holds_back=holds_back
    )
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        return OutgoingOut.of(await repository.get(session, reader, found.id))


def _content(blobs: BlobFolder, name: str) -> tuple[str, list[str]]:
    try:
        parsed = parse(blobs.read(name))
    except NotFound:
        return "", []
    return parsed.text, [part.name for part in parsed.attachments]
