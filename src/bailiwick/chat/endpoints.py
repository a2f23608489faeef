"""REST of threads."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Header, Query, Response
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_of
from bailiwick.chat import export, repository, service, views
from bailiwick.chat.branches import branches
from bailiwick.chat.models import Thread
from bailiwick.chat.repository import ThreadSearch
from bailiwick.chat.schemas import (
    NAMED,
    AssistantId,
    ShareIn,
    ThreadChangeIn,
    ThreadId,
    ThreadIn,
    ThreadOut,
    ThreadQuery,
    agent_id,
)
from bailiwick.errors import Conflict, NotFound
from bailiwick.identity.access import SignedIn, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.http import downloads
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.office import TheOffice

router = APIRouter(prefix="/threads", tags=["threads"], route_class=IdempotentRoute)
InPerson = Annotated[Principal, in_person("a token cannot show a thread to others")]


async def _assistant(
    given: Annotated[str, Header(alias="X-Assistant-Id", pattern=NAMED)] = "",
) -> str | None:
    """The agent that a request names; it need not name one."""
    return agent_id(given) if given else None


Assistant = Annotated[str | None, Depends(_assistant)]


async def seen_thread(
    thread_id: ThreadId, who: SignedIn, session: ReadSession, assistant: Assistant
) -> Thread:
    """A thread that the caller may read."""
    thread = await repository.get(session, await reader_of(session, who), thread_id)
    if assistant and assistant != thread.agent_id:
        raise NotFound(f"{repository.GONE} Its assistant is not the one of X-Assistant-Id.")
    return thread


_SEEN = [Depends(seen_thread)]


@router.post("", status_code=201)
async def create_thread(
    body: ThreadIn,
    who: SignedIn,
    session: WriteSession,
    office: TheOffice,
    assistant: Annotated[AssistantId, Header(alias="X-Assistant-Id")],
) -> ThreadOut:
    """Open a thread with an assistant; it begins with the first message."""
    thread = await service.create(
        session, who, assistant, title=body.title or "", about=body.metadata
    )
    return await _shown(session, office, who, thread)


@router.get("")
async def list_threads(
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    page: PageQuery,
    query: Annotated[ThreadQuery, Query()],
) -> Page[ThreadOut]:
    """Threads that one may read, the liveliest first."""
    reader = await reader_of(session, who)
    wanted = ThreadSearch(
        status="deleted" if query.status == "trashed" else query.status,
        agent_id=query.assistant_id,
        workspace_id=query.workspace_id,
        tag=query.tag,
        is_pinned=query.pinned,
        words=query.q,
    )
    rows = await repository.listed(session, reader, wanted, page)
    seen = await views.threads(session, office, who, rows.rows)
    shown = {thread.id: thread for thread in seen}
    return rows.map(lambda row: shown[row.id])


@router.get("/{thread_id}", dependencies=_SEEN)
async def read_thread(
    thread: Annotated[Thread, Depends(seen_thread)],
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
) -> ThreadOut:
    """A thread, and how it stands."""
    return await _shown(session, office, who, thread)


@router.patch("/{thread_id}", dependencies=_SEEN)
async def change_thread(
    thread_id: ThreadId,
    body: ThreadChangeIn,
    who: SignedIn,
    session: WriteSession,
    office: TheOffice,
) -> ThreadOut:
    """Name, tag, pin, archive or bring back a thread of one's own, or show another branch of it."""
    thread = await service.change(session, who, thread_id, body)
    return await _shown(session, office, who, thread)


@router.delete("/{thread_id}", status_code=204, dependencies=_SEEN)
async def delete_thread(thread_id: ThreadId, who: SignedIn, session: WriteSession) -> None:
    """Remove a thread of one's own and end its work; for a month it can be brought back."""
    thread = await repository.locked(session, await reader_of(session, who), thread_id)
    await service.remove(session, who, thread)


@router.post("/{thread_id}/stop", dependencies=_SEEN)
async def stop_thread(
    thread_id: ThreadId, who: SignedIn, session: WriteSession, office: TheOffice
) -> ThreadOut:
    """End the work that is under way; what was said stays, and the thread can go on."""
    thread = await repository.locked(session, await reader_of(session, who), thread_id)
    if not await service.stop(session, who, thread, "Stopped by"):
        raise Conflict("Nothing is under way in this thread.")
    return await _shown(session, office, who, thread)


@router.post("/{thread_id}/shares", status_code=201, dependencies=_SEEN, openapi_extra=IN_PERSON)
async def share_thread(
    thread_id: ThreadId, body: ShareIn, who: InPerson, session: WriteSession, office: TheOffice
) -> ThreadOut:
    """Let another member of the workspace read a thread, and react to it; nobody else speaks."""
    thread = await service.share(session, who, thread_id, body.user_id)
    return await _shown(session, office, who, thread)


@router.delete("/{thread_id}/shares/{user_id}", dependencies=_SEEN)
async def unshare_thread(
    thread_id: ThreadId, user_id: str, who: SignedIn, session: WriteSession, office: TheOffice
) -> ThreadOut:
    """Share a thread with someone no longer."""
    thread = await service.unshare(session, who, thread_id, user_id)
    return await _shown(session, office, who, thread)


@router.get("/{thread_id}/export", response_class=Response)
async def export_thread(
    thread: Annotated[Thread, Depends(seen_thread)],
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    format: Annotated[Literal["markdown", "json"], Query()] = "markdown",
) -> Response:
    """The branch that is shown, as a file."""
    head = await _shown(session, office, who, thread)
    path = (await branches(session, thread)).path(thread.head_id)
    rows = await repository.messages(session, path)
    shown = await views.messages(session, office, who, thread, [rows[id] for id in path])
    told, kind, ending = export.exported(head, shown, format)
    return downloads.download(told.encode(), f"{head.title[:80]}.{ending}", media_type=kind)


async def _shown(
    session: AsyncSession, office: TheOffice, who: Principal, thread: Thread
) -> ThreadOut:
    (out,) = await views.threads(session, office, who, [thread])
    return out
