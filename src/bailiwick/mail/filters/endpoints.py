"""REST of filters."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import TheReader, reader_of
from bailiwick.identity.access import SignedIn, Widening
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.mail.filters import preview, repository, service
from bailiwick.mail.filters.compiled import FilterEntry
from bailiwick.mail.filters.schemas import (
    FilterId,
    FilterIn,
    FilterMatchOut,
    FilterOrderIn,
    FilterOut,
    FilterPatch,
    FilterPreviewIn,
    FilterPreviewOut,
    FiltersOut,
    FiltersQuery,
)
from bailiwick.mail.filters.service import KnowsDirectors
from bailiwick.mail.models import Filter
from bailiwick.office import TheOffice
from bailiwick.workspaces.access import enter

router = APIRouter(prefix="/filters", tags=["filters"], route_class=IdempotentRoute)


async def _directors(office: TheOffice) -> KnowsDirectors:
    (known,) = office.facts(KnowsDirectors)
    return known


async def _seen(filter_id: FilterId, reader: TheReader, stores: Stores) -> str:
    async with stores.app.read() as session:
        return (await repository.get(session, reader, filter_id)).id


async def _writable(filter_id: FilterId, who: Widening, reader: TheReader, stores: Stores) -> str:
    async with stores.app.read() as session:
        row = await repository.get(session, reader, filter_id)
        await enter(session, who, row.workspace_id, need="write")
        return row.id


TheDirectors = Annotated[KnowsDirectors, Depends(_directors)]
SeenFilter = Annotated[str, Depends(_seen)]
WritableFilter = Annotated[str, Depends(_writable)]


@router.get("")
async def list_filters(
    who: SignedIn,
    reader: TheReader,
    session: ReadSession,
    directors: TheDirectors,
    page: PageQuery,
    query: Annotated[FiltersQuery, Query()],
) -> Page[FilterOut]:
    """One's filters, in the order in which they are asked; they look at one's own mail alone."""
    if query.workspace_id:
        await enter(session, who, query.workspace_id, need="read")
    rows = await repository.seen_by(session, reader, workspace_id=query.workspace_id)
    return page_of(await _shown(session, list(rows), directors), page, by=lambda one: one.id)


@router.post("", status_code=201)
async def add_filter(
    body: FilterIn, who: Widening, session: WriteSession, directors: TheDirectors
) -> FilterOut:
    """Add a filter; the next mail that comes in is asked about."""
    values = body.model_dump(exclude={"workspace_id", "regex"})
    values |= {"pattern": body.regex, "name": body.name or f"{body.field}: {body.regex}"[:100]}
    row = await service.create(session, who, body.workspace_id, values=values, directors=directors)
    return (await _shown(session, [row], directors))[0]


@router.put("/order")
async def order_filters(
    body: FilterOrderIn, who: Widening, session: WriteSession, directors: TheDirectors
) -> FiltersOut:
    """Say in which order one's filters in a workspace are asked; name all of them."""
    await service.reorder(session, who, body.workspace_id, order=body.ids)
    reader = await reader_of(session, who)
    rows = await repository.seen_by(session, reader, workspace_id=body.workspace_id)
    return FiltersOut(items=await _shown(session, list(rows), directors))


@router.post("/preview")
async def preview_filter(body: FilterPreviewIn, who: SignedIn, stores: Stores) -> FilterPreviewOut:
    """Which recent mails a pattern matches; nothing is kept."""
    async with stores.app.read() as session:
        access = await enter(session, who, body.workspace_id, need="read")
        reader = await reader_of(session, who)
        await service.check_account(session, access.id, reader.id, body.account_id)
        other = FilterEntry.of(await repository.get(session, reader, body.id)) if body.id else None
    compiled = service.compiled(body.regex)
    trial = FilterEntry(body.field, body.regex, account_id=body.account_id)
    seen = await preview.preview(stores, reader, access.id, trial, pattern=compiled, other=other)
    return _previewed(seen, compared=other is not None)


@router.get("/{filter_id}")
async def read_filter(
    id: SeenFilter, reader: TheReader, session: ReadSession, directors: TheDirectors
) -> FilterOut:
    """One filter."""
    return (await _shown(session, [await repository.get(session, reader, id)], directors))[0]


@router.patch("/{filter_id}")
async def change_filter(
    body: FilterPatch,
    id: WritableFilter,
    who: SignedIn,
    session: WriteSession,
    directors: TheDirectors,
) -> FilterOut:
    """Change a filter, or switch it on or off; what is left out stays as it is."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    if "regex" in values:
        values["pattern"] = values.pop("regex")
    row = await service.change(session, who, id, values=values, directors=directors)
    return (await _shown(session, [row], directors))[0]


@router.delete("/{filter_id}", status_code=204)
async def remove_filter(id: WritableFilter, who: SignedIn, session: WriteSession) -> None:
    """Take a filter away; what it routed stays routed."""
    await service.remove(session, who, id)


async def _shown(
    session: AsyncSession, rows: list[Filter], directors: KnowsDirectors
) -> list[FilterOut]:
    names: dict[str, str] = {}
    for workspace_id in {row.workspace_id for row in rows}:
        here = {row.director_id for row in rows if row.workspace_id == workspace_id}
        names |= await directors.names(session, workspace_id, here)
    return [FilterOut.of(row, names) for row in rows]


def _previewed(seen: preview.Seen, *, compared: bool) -> FilterPreviewOut:
    return FilterPreviewOut(
        looked=seen.looked,
        matched=seen.matched,
        items=[
            FilterMatchOut(
                id=shown.message.id,
                account_id=shown.message.account_id,
                subject=shown.message.subject,
                sender=shown.sender,
                date=shown.message.date_at,
                excerpt=shown.excerpt.text,
                start=shown.excerpt.start,
                end=shown.excerpt.end,
            )
            for shown in seen.shown
        ],
        added=seen.added if compared else None,
        dropped=seen.dropped if compared else None,
    )
