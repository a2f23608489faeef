"""REST of messages in a thread."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Response
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_of
from bailiwick.chat import messages, posting, repository, views
from bailiwick.chat.attachments import AttachedFiles
from bailiwick.chat.branches import branches
from bailiwick.chat.endpoints import seen_thread
from bailiwick.chat.models import Thread, ThreadMessage
from bailiwick.chat.posting import Said
from bailiwick.chat.schemas import (
    EmojiName,
    MessageChangeIn,
    MessageId,
    MessageIn,
    MessageOut,
    ReactionIn,
    ReactionsOut,
    ThreadId,
)
from bailiwick.errors import Invalid, Unavailable
from bailiwick.feature import Fact
from bailiwick.identity.access import SignedIn
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import UNAVAILABLE
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.office import Office, TheOffice
from bailiwick.runs import service
from bailiwick.runs.files import store
from bailiwick.runs.schemas import pasted_ranges

router = APIRouter(
    prefix="/threads/{thread_id}/messages",
    tags=["threads"],
    route_class=IdempotentRoute,
    dependencies=[Depends(seen_thread)],
)
TheThread = Annotated[Thread, Depends(seen_thread)]
_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What happens in the thread, each event with its position as id",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@dataclass(frozen=True, slots=True)
class StreamsThread(Fact):
    """Opens the stream of what happens in a thread, after a position or from now on."""

    open: Callable[[Office, Principal, str, int | None], Awaitable[Response]]


@router.post("", status_code=201)
async def post_message(
    thread_id: ThreadId,
    body: MessageIn,
    who: SignedIn,
    attached: AttachedFiles,
    session: WriteSession,
    office: TheOffice,
) -> MessageOut:
    """Say something in a thread of one's own; its assistant sets to work."""
    if body.role != "user":
        raise Invalid.field("role", "what you say is `user`; assistants answer by themselves")
    thread = await repository.locked(session, await reader_of(session, who), thread_id)
    now = await service.office_now(office)
    if body.assistant_id:
        await posting.hand_over(session, who, thread, body.assistant_id)
    said = Said(
        words=body.content,
        pasted=pasted_ranges(body.pasted),
        files=[*await store.taken(session, who.user_id, body.files), *attached],
        blocks=body.blocks,
        about=body.metadata,
        subtype=body.subtype,
    )
    message = await posting.post(session, who, thread, said, replaces=body.replaces, now=now)
    return await _one(session, office, who, thread, message)


@router.get("")
async def list_messages(
    thread: TheThread,
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    page: PageQuery,
    hidden: Annotated[bool, Query(description="Records of what was deleted too")] = False,
) -> Page[MessageOut]:
    """The messages of the branch that is shown, newest first."""
    tree = await branches(session, thread)
    path = tree.path(thread.head_id)[::-1]
    found = await repository.tree(session, thread.id)
    out_of_sight = set[str]() if hidden else {row[0] for row in found if row[4]}
    ids = page_of([id for id in path if id not in out_of_sight], page, by=str)
    rows = await repository.messages(session, ids.items)
    shown = await views.messages(session, office, who, thread, [rows[id] for id in ids.items])
    return Page[MessageOut].model_validate({**ids.model_dump(), "items": shown})


@router.get(
    "/stream", response_class=Response, responses=_STREAM, openapi_extra={"responses": UNAVAILABLE}
)
async def stream_messages(
    thread: TheThread,
    who: SignedIn,
    office: TheOffice,
    after: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    last_event_id: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=2**53)] = None,
) -> Response:
    """What happens in the thread, from a position (or `Last-Event-ID`) on, without a gap."""
    for fact in office.facts(StreamsThread):
        start = after if last_event_id is None else last_event_id
        return await fact.open(office, who, thread.id, start)
    raise Unavailable("Events are streamed by a running server only.")


@router.get("/{message_id}")
async def read_message(
    thread: TheThread, message_id: MessageId, who: SignedIn, session: ReadSession, office: TheOffice
) -> MessageOut:
    """One message, of any branch."""
    message = await repository.message(session, thread.id, message_id)
    return await _one(session, office, who, thread, message)


@router.patch("/{message_id}")
async def change_message(
    thread_id: ThreadId,
    message_id: MessageId,
    body: MessageChangeIn,
    who: SignedIn,
    session: WriteSession,
    office: TheOffice,
) -> MessageOut:
    """Correct what one has said; to have it answered anew, post it with `replaces`."""
    thread = await repository.locked(session, await reader_of(session, who), thread_id)
    message = await repository.message(session, thread_id, message_id)
    seen = body.edited_at if "edited_at" in body.model_fields_set else message.edited_at
    await messages.change(session, who, thread, message, body.content, seen=seen)
    return await _one(session, office, who, thread, message)


@router.delete("/{message_id}", status_code=204)
async def delete_message(
    thread_id: ThreadId, message_id: MessageId, who: SignedIn, session: WriteSession
) -> None:
    """Take the words out of a message; that there was one is kept."""
    thread = await repository.locked(session, await reader_of(session, who), thread_id)
    message = await repository.message(session, thread_id, message_id)
    await messages.remove(session, who, thread, message)


@router.post("/{message_id}/regenerate", status_code=202)
async def regenerate_message(
    thread_id: ThreadId,
    message_id: MessageId,
    who: SignedIn,
    session: WriteSession,
    office: TheOffice,
) -> MessageOut:
    """Let the assistant answer anew; the answer that is there is kept in its own branch."""
    thread = await repository.locked(session, await reader_of(session, who), thread_id)
    message = await repository.message(session, thread_id, message_id)
    now = await service.office_now(office)
    await posting.regenerate(session, who, thread, message, now=now)
    return await _one(session, office, who, thread, message)


@router.put("/{message_id}/star", status_code=204)
async def star_message(
    thread: TheThread, message_id: MessageId, who: SignedIn, session: WriteSession
) -> None:
    """Keep a message in mind."""
    message = await repository.message(session, thread.id, message_id)
    await messages.star(session, await reader_of(session, who), message, on=True)


@router.delete("/{message_id}/star", status_code=204)
async def unstar_message(
    thread: TheThread, message_id: MessageId, who: SignedIn, session: WriteSession
) -> None:
    """Keep a message in mind no longer."""
    message = await repository.message(session, thread.id, message_id)
    await messages.star(session, await reader_of(session, who), message, on=False)


@router.get("/{message_id}/reactions")
async def list_reactions(
    thread: TheThread, message_id: MessageId, who: SignedIn, session: ReadSession
) -> ReactionsOut:
    """Who put which emoji to a message."""
    message = await repository.message(session, thread.id, message_id)
    return await views.of_reactions(session, await reader_of(session, who), message)


@router.post("/{message_id}/reactions")
async def add_reaction(
    thread: TheThread,
    message_id: MessageId,
    body: ReactionIn,
    who: SignedIn,
    session: WriteSession,
) -> ReactionsOut:
    """Put an emoji to a message, or take one's own back."""
    message = await repository.message(session, thread.id, message_id)
    reader = await reader_of(session, who)
    change = messages.react if body.action == "add" else messages.take_back
    await change(session, reader, thread, message, body.emoji)
    return await views.of_reactions(session, reader, message)


@router.delete("/{message_id}/reactions/{emoji}", status_code=204)
async def remove_reaction(
    thread: TheThread,
    message_id: MessageId,
    emoji: EmojiName,
    who: SignedIn,
    session: WriteSession,
) -> None:
    """Take one's emoji from a message."""
    message = await repository.message(session, thread.id, message_id)
    await messages.take_back(session, await reader_of(session, who), thread, message, emoji)


async def _one(
    session: AsyncSession, office: Office, who: Principal, thread: Thread, message: ThreadMessage
) -> MessageOut:
    (out,) = await views.messages(session, office, who, thread, [message])
    return out
