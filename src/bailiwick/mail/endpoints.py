"""REST of mail: reading and searching. What changes mail goes through the gate's tools."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse, Response

from bailiwick.accounts.reader import TheReader, reader_of
from bailiwick.errors import Forbidden
from bailiwick.identity.access import SignedIn
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.http.database import Stores
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.mail import display, repository, service
from bailiwick.mail.models import MailMessage
from bailiwick.mail.repository import MailListQuery
from bailiwick.mail.schemas import (
    MailFolderOut,
    MailFoldersParams,
    MailHitsOut,
    MailId,
    MailLineOut,
    MailListParams,
    MailOut,
    MailSearched,
    MailThreadId,
    MailThreadOut,
    PartNumber,
)
from bailiwick.office import TheOffice
from bailiwick.workspaces.access import enter

router = APIRouter(prefix="/mail", tags=["mail"], route_class=IdempotentRoute)
_PAGE: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {}}}}
_BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}}
}


async def _blobs(office: TheOffice) -> BlobFolder:
    return office.blobs


# Each ends its own short transaction: the gate must never run inside one.
async def _seen(mail_id: MailId, stores: Stores, reader: TheReader) -> MailMessage:
    async with stores.app.read() as session:
        return await repository.get(session, reader, mail_id)


async def _in_person(message: Annotated[MailMessage, Depends(_seen)], who: SignedIn) -> MailMessage:
    # An original cannot be redacted, so programs do not get it.
    if not who.is_person_present:
        raise Forbidden("Sign in to do this: a token reads the text of a mail, and no files.")
    return message


Blobs = Annotated[BlobFolder, Depends(_blobs)]
SeenMail = Annotated[MailMessage, Depends(_seen)]
SeenInPerson = Annotated[MailMessage, Depends(_in_person)]


@router.get("")
async def list_mail(
    who: SignedIn,
    stores: Stores,
    office: TheOffice,
    page: PageQuery,
    query: Annotated[MailListParams, Query()],
) -> Page[MailLineOut]:
    """Mails of a workspace, newest first."""
    async with stores.app.read() as session:
        access = await enter(session, who, query.workspace_id, need="read")
    chosen = MailListQuery(**query.model_dump(exclude={"workspace_id"}))
    rows = await service.listed(office, who, access.id, query=chosen, page=page)
    return rows.map(lambda shown: shown)


@router.get("/search")
async def search_mail(
    who: SignedIn,
    stores: Stores,
    office: TheOffice,
    page: PageQuery,
    query: Annotated[MailSearched, Query()],
) -> MailHitsOut:
    """Mails of a workspace that a query finds, the best or the newest first."""
    async with stores.app.read() as session:
        access = await enter(session, who, query.workspace_id, need="read")
    return await service.found(office, who, access.id, query=query, page=page)


@router.get("/folders")
async def list_mail_folders(
    who: SignedIn, stores: Stores, page: PageQuery, query: Annotated[MailFoldersParams, Query()]
) -> Page[MailFolderOut]:
    """The folders and labels of a workspace's accounts."""
    async with stores.app.read() as session:
        access = await enter(session, who, query.workspace_id, need="read")
        reader = await reader_of(session, who)
        ids = await service.account_ids(session, reader, access.id, query.account_id)
        found = await repository.folders(session, ids)
    shown = [MailFolderOut.of(counted) for counted in found]
    return page_of(shown, page, by=lambda folder: folder.id)


@router.get("/threads/{mail_thread_id}")
async def read_mail_thread(
    mail_thread_id: MailThreadId, who: SignedIn, office: TheOffice
) -> MailThreadOut:
    """The mails that answer one another, oldest first."""
    mails = await service.thread(office, who, mail_thread_id)
    return MailThreadOut(id=mail_thread_id, items=list(mails))


@router.get("/{mail_id}")
async def read_mail(message: SeenMail, who: SignedIn, office: TheOffice) -> MailOut:
    """One mail, with its text."""
    return await service.one(office, who, message)


@router.get(
    "/{mail_id}/html", response_class=HTMLResponse, responses=_PAGE, openapi_extra=IN_PERSON
)
async def show_mail(
    message: SeenInPerson,
    office: TheOffice,
    images: Annotated[bool, Query(description="Load pictures from elsewhere")] = False,
) -> HTMLResponse:
    """One mail as a page for a frame: made harmless, and without pictures from elsewhere."""
    return await display.page(office, message, images=images)


@router.get("/{mail_id}/raw", response_class=Response, responses=_BYTES, openapi_extra=IN_PERSON)
async def download_mail(message: SeenInPerson, stores: Stores, blobs: Blobs) -> Response:
    """One mail as it came."""
    async with stores.app.read() as session:
        return await display.original(session, blobs, message)


@router.get(
    "/{mail_id}/attachments/{part}",
    response_class=Response,
    responses=_BYTES,
    openapi_extra=IN_PERSON,
)
async def download_attachment(
    message: SeenInPerson,
    part: PartNumber,
    stores: Stores,
    blobs: Blobs,
    inline: Annotated[bool, Query(description="Show a picture in its place")] = False,
) -> Response:
    """Something that is attached to a mail."""
    async with stores.app.read() as session:
        return await display.attachment(session, blobs, message, number=part, inline=inline)
