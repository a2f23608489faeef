"""REST of contacts."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool

from bailiwick.accounts.reader import TheReader
from bailiwick.identity.access import in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.mail.contacts import repository, service, vcards
from bailiwick.mail.contacts.schemas import (
    ContactId,
    ContactIn,
    ContactOut,
    ContactPatch,
    ContactSearch,
    ContactsImportedOut,
)
from bailiwick.workspaces.access import WorkspaceAccess, enter
from bailiwick.workspaces.dependencies import AsReader
from bailiwick.workspaces.schemas import WorkspaceId

router = APIRouter(
    prefix="/workspaces/{workspace_id}/contacts", tags=["contacts"], route_class=IdempotentRoute
)


ContactsInPerson = Annotated[Principal, in_person("a token cannot say whom you know")]


async def _writer(
    workspace_id: WorkspaceId, who: ContactsInPerson, session: WriteSession
) -> WorkspaceAccess:
    return await enter(session, who, workspace_id, need="write")


async def _importer(
    workspace_id: WorkspaceId, who: ContactsInPerson, stores: Stores
) -> WorkspaceAccess:
    # Its own short transaction: the file is read before anything is written.
    async with stores.app.read() as session:
        return await enter(session, who, workspace_id, need="write")


AsWriter = Annotated[WorkspaceAccess, Depends(_writer)]
AsImporter = Annotated[WorkspaceAccess, Depends(_importer)]
_VCARD = {
    "requestBody": {
        "required": True,
        "description": "A vCard file, 3.0 or 4.0, of 5 MB at most",
        "content": {"text/vcard": {"schema": {"type": "string"}}},
    }
}


@router.get("")
async def list_contacts(
    access: AsReader,
    reader: TheReader,
    session: ReadSession,
    page: PageQuery,
    q: ContactSearch = "",
) -> Page[ContactOut]:
    """Whom one knows; `q` is looked for in names and addresses."""
    rows = await repository.page(session, reader, access.id, page, q=q)
    return rows.map(ContactOut.model_validate)


@router.post("", status_code=201, openapi_extra=IN_PERSON)
async def add_contact(
    body: ContactIn, access: AsWriter, who: ContactsInPerson, session: WriteSession
) -> ContactOut:
    """List someone: mail that is proven to be theirs is no longer a stranger's."""
    made = await service.add(session, who, access.id, address=body.address, name=body.name)
    return ContactOut.model_validate(made)


@router.post("/import", openapi_extra=IN_PERSON | _VCARD)
async def import_contacts(
    request: Request, access: AsImporter, who: ContactsInPerson, stores: Stores
) -> ContactsImportedOut:
    """List everyone in a vCard file; with a mistake in it, which is named by line, nobody."""
    cards = await run_in_threadpool(vcards.read, await vcards.receive(request))
    async with stores.app.write() as session:
        done = await service.take_in(session, who, access.id, cards=cards)
    return ContactsImportedOut.model_validate(done)


@router.patch("/{contact_id}", openapi_extra=IN_PERSON)
async def rename_contact(
    contact_id: ContactId,
    body: ContactPatch,
    access: AsWriter,
    who: ContactsInPerson,
    session: WriteSession,
) -> ContactOut:
    """Give a contact another name."""
    changed = await service.rename(session, who, access.id, contact_id, name=body.name)
    return ContactOut.model_validate(changed)


@router.delete("/{contact_id}", status_code=204, openapi_extra=IN_PERSON)
async def remove_contact(
    contact_id: ContactId, access: AsWriter, who: ContactsInPerson, session: WriteSession
) -> None:
    """Take a contact out: what they write from now on is a stranger's."""
    await service.remove(session, who, access.id, contact_id)
