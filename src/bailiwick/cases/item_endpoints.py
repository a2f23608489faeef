"""REST of a case's items: what changes them goes through the gate's tools."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response

from bailiwick.artifacts import repository as artifacts
from bailiwick.artifacts import service
from bailiwick.artifacts.content import ArtifactContent
from bailiwick.cases import browse, display
from bailiwick.cases.endpoints import TheCase
from bailiwick.cases.schemas import (
    ItemChangeOut,
    ItemId,
    ItemIn,
    ItemOut,
    ItemParams,
    ItemPut,
    ItemVersionOut,
)
from bailiwick.identity.access import SignedIn, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import Stores
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.office import TheOffice

router = APIRouter(prefix="/cases/{case_id}/items", tags=["cases"], route_class=IdempotentRoute)
_BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}}
}
# A file cannot be redacted, so programs get the text of an item and no more.
Onlooker = Annotated[Principal, in_person("a token reads an item's text, and no files")]


async def _content(seen: TheCase, item_id: ItemId, _: Onlooker, stores: Stores) -> ArtifactContent:
    async with stores.app.read() as session:
        item = await artifacts.get(session, seen.id, item_id, deleted=True)
        return await service.content_of(session, item)


@router.get("")
async def list_items(
    seen: TheCase,
    who: SignedIn,
    office: TheOffice,
    page: PageQuery,
    asked: Annotated[ItemParams, Query()],
) -> Page[ItemOut]:
    """The items of a case, oldest first; long ones without their data."""
    shown = await browse.items(office, who, seen, asked)
    return page_of(shown, page, by=lambda item: item.id)


@router.post("")
async def add_item(seen: TheCase, body: ItemIn, who: SignedIn, office: TheOffice) -> ItemChangeOut:
    """Add an item to a case."""
    given = body.model_dump(by_alias=True, exclude_none=True)
    return await browse.change(office, who, seen, "workspace_add_item", given)


@router.get("/{item_id}")
async def read_item(seen: TheCase, item_id: ItemId, who: SignedIn, office: TheOffice) -> ItemOut:
    """One item with its data."""
    return await browse.item(office, who, seen, item_id)


@router.put("/{item_id}")
async def change_item(
    seen: TheCase, item_id: ItemId, body: ItemPut, who: SignedIn, office: TheOffice
) -> ItemChangeOut:
    """Change an item: what is left out stays, and the earlier version is kept."""
    given = body.model_dump(by_alias=True, include=body.model_fields_set)
    expected = given.pop("expectedRevision", None)
    arguments: dict[str, Any] = {"patch": given}
    if expected is not None:
        arguments["expectedRevision"] = expected
    return await browse.change(
        office, who, seen, "workspace_update_item", arguments, item_id=item_id
    )


@router.delete("/{item_id}")
async def remove_item(
    seen: TheCase,
    item_id: ItemId,
    who: SignedIn,
    office: TheOffice,
    hard: Annotated[bool, Query(description="For good, not to be brought back")] = False,
) -> ItemChangeOut:
    """Remove an item; undoing the action brings it back, unless it was removed for good."""
    return await browse.change(
        office, who, seen, "workspace_remove_item", {"hardDelete": hard}, item_id=item_id
    )


@router.get("/{item_id}/versions")
async def list_item_versions(
    seen: TheCase, item_id: ItemId, who: SignedIn, office: TheOffice, page: PageQuery
) -> Page[ItemVersionOut]:
    """All versions of an item, newest first."""
    shown = await browse.versions(office, who, seen, item_id)
    return page_of(shown, page, by=lambda version: str(version.revision))


@router.get("/{item_id}/content", responses=_BYTES, openapi_extra=IN_PERSON)
async def show_item_content(
    content: Annotated[ArtifactContent, Depends(_content)],
    download: Annotated[bool, Query(description="To be kept, not looked at")] = False,
) -> Response:
    """What an item holds, as a browser may show it: it can run nothing and load nothing there."""
    return display.page(content, to_keep=download)
