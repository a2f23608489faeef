"""Events that carry their object, read when they are delivered, with the receiver's rights."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_of
from bailiwick.chat import repository as chat
from bailiwick.chat import views as chat_views
from bailiwick.errors import NotFound
from bailiwick.identity.principal import Principal
from bailiwick.kit.eventlog import Recorded
from bailiwick.office import Office
from bailiwick.runs import readers
from bailiwick.runs import repository as runs
from bailiwick.runs import views as run_views

Expanded = tuple[str, dict[str, Any]]
_Expansion = Callable[[AsyncSession, Office, Principal, Recorded], Awaitable[Expanded | None]]


async def expanded(
    office: Office, who: Principal, events: Sequence[Recorded]
) -> list[tuple[Recorded, dict[str, Any]]]:
    """Each event with what it is about, by name; with nothing where that is gone or not theirs."""
    found = list[tuple[Recorded, dict[str, Any]]]()
    async with office.storage.app.read() as session:
        for event in events:
            found.append((event, await object_of(session, office, who, event)))
    return found


async def object_of(
    session: AsyncSession, office: Office, who: Principal, event: Recorded
) -> dict[str, Any]:
    """What an event is about, under its name."""
    expansion = _EXPANSIONS.get(event.type.partition(".")[0])
    try:
        carried = await expansion(session, office, who, event) if expansion else None
    except NotFound:
        carried = None
    return dict([carried]) if carried else {}


async def _message(
    session: AsyncSession, office: Office, who: Principal, event: Recorded
) -> Expanded | None:
    id = event.data.get("messageId")
    if id is None:
        return None
    thread = await chat.get(session, await reader_of(session, who), event.data["threadId"])
    message = await chat.message(session, thread.id, id)
    (shown,) = await chat_views.messages(session, office, who, thread, [message])
    return "message", shown.model_dump(mode="json", by_alias=True)


async def _thread(
    session: AsyncSession, office: Office, who: Principal, event: Recorded
) -> Expanded | None:
    thread = await chat.get(session, await reader_of(session, who), event.data["threadId"])
    (shown,) = await chat_views.threads(session, office, who, [thread])
    return "thread", shown.model_dump(mode="json", by_alias=True)


async def _run(
    session: AsyncSession, office: Office, who: Principal, event: Recorded
) -> Expanded | None:
    run = await runs.get(session, who, event.subject_id or "")
    found = await run_views.of_runs(session, [run])
    words = ("title", "error_message", "files_modified")
    (shown,) = await readers.shown(session, office, who, [run], [found[run.id]], words=words)
    return "run", shown.model_dump(mode="json", by_alias=True)


_EXPANSIONS: dict[str, _Expansion] = {
    "message": _message,
    "reaction": _message,
    "assistant": _message,
    "thread": _thread,
    "run": _run,
}
