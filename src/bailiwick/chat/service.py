"""Verbs of threads, for people: open, change, share, remove."""

import json
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_of
from bailiwick.agents import repository as agents
from bailiwick.agents.models import Agent
from bailiwick.artifacts import repository as artifacts
from bailiwick.artifacts.feature import KEPT
from bailiwick.chat import events, repository
from bailiwick.chat.branches import branches
from bailiwick.chat.models import Thread, ThreadShare
from bailiwick.chat.schemas import ThreadAboutIn, ThreadChangeIn
from bailiwick.errors import Conflict, Invalid
from bailiwick.files import service as files
from bailiwick.gate.trust import reads
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock, ids
from bailiwick.kit.db import Storage
from bailiwick.office import Office
from bailiwick.runs import repository as runs
from bailiwick.runs import service as run_service
from bailiwick.runs.states import LIVE
from bailiwick.workspaces import repository as workspaces
from bailiwick.workspaces.access import enter

# Counted here; nobody can say otherwise.
COUNTED = (
    "totalTokensUsed",
    "messageCount",
    "primaryModel",
    "averageProcessingTime",
    "lastActivity",
    "artifacts",
)
_MOST_ABOUT = 16_000
_MOST_SHARES = 50
_BATCH = 50


async def create(
    session: AsyncSession,
    who: Principal,
    agent_id: str,
    *,
    title: str = "",
    about: ThreadAboutIn | None = None,
) -> Thread:
    """A new thread with an agent that someone may see."""
    agent = (await agents.get(session, who, agent_id)).agent
    reader = await reader_of(session, who)
    thread = new_thread(agent, reader.id, title=title)
    if about:
        describe(thread, about)
    session.add(thread)
    await session.flush()
    events.emit(session, thread, events.CREATED, by=who.id)
    return thread


def new_thread(agent: Agent, owner_id: str, *, title: str = "") -> Thread:
    """The row of a thread in which nothing was said yet."""
    now = clock.now()
    return Thread(
        id=ids.new("thr"),
        workspace_id=agent.workspace_id,
        owner_id=owner_id,
        agent_id=agent.id,
        status="active",
        title=title,
        is_pinned=False,
        about={},
        tags="",
        length=0,
        tokens=0,
        created_at=now,
        last_activity_at=now,
    )


def describe(thread: Thread, about: ThreadAboutIn) -> None:
    """Take in what someone says of a thread; null takes a name away."""
    given = about.model_dump(exclude_unset=True)
    if counted := next((name for name in COUNTED if name in given), None):
        raise Invalid.field(f"metadata.{counted}", "is counted here and cannot be set")
    if "title" in given:
        thread.title = given.pop("title") or ""
    if "tags" in given:
        tags = list(dict.fromkeys(given["tags"] or ()))
        given["tags"] = tags or None
        thread.tags = "".join(f"\n{tag}\n" for tag in tags)
    merged = {**thread.about, **given}
    kept = {name: value for name, value in merged.items() if value is not None}
    if len(json.dumps(kept)) > _MOST_ABOUT:
        raise Invalid.field("metadata", f"at most {_MOST_ABOUT:,} characters in all")
    thread.about = kept


async def change(
    session: AsyncSession, who: Principal, thread_id: str, wanted: ThreadChangeIn
) -> Thread:
    """Change what is said of a thread of one's own, where it is kept, or which branch is shown."""
    thread = await repository.locked(session, await reader_of(session, who), thread_id)
    if wanted.title is not None:
        thread.title = wanted.title
    if wanted.pinned is not None:
        thread.is_pinned = wanted.pinned
    if wanted.metadata is not None:
        describe(thread, wanted.metadata)
    if wanted.head is not None:
        tree = await branches(session, thread)
        if wanted.head not in tree.parents:
            raise Invalid.field("head", "is no message of this thread")
        thread.head_id = tree.newest_below(wanted.head)
    type = events.CHANGED
    if wanted.status is not None and wanted.status != thread.status:
        if wanted.status == "deleted":
            return await remove(session, who, thread)
        type = events.ARCHIVED if wanted.status == "archived" else events.CHANGED
        thread.status, thread.deleted_at = wanted.status, None
    events.emit(session, thread, type, by=who.id)
    return thread


async def remove(session: AsyncSession, who: Principal, thread: Thread) -> Thread:
    """Put a thread of one's own out of sight and end its work; it can be brought back."""
    if thread.status != "deleted":
        thread.status, thread.deleted_at = "deleted", clock.now()
        await stop(session, who, thread, "The thread was removed by")
        events.emit(session, thread, events.DELETED, by=who.id)
    return thread


async def stop(session: AsyncSession, who: Principal, thread: Thread, why: str) -> int:
    """End what is under way in a thread; says how much that was."""
    ended = 0
    for run in await repository.runs_of(session, [thread.id]):
        held = await runs.locked(session, run.id)
        if held and held.status in LIVE:
            await run_service.stop(session, held, f"{why} {who.name}.")
            ended += 1
    return ended


async def share(session: AsyncSession, who: Principal, thread_id: str, user_id: str) -> Thread:
    """Let another member of the workspace read a thread of one's own."""
    thread = await repository.locked(session, await reader_of(session, who), thread_id)
    if user_id == thread.owner_id:
        raise Invalid.field("userId", "is the owner of this thread")
    access = await enter(session, who, thread.workspace_id, need="read")
    if await workspaces.member(session, access.id, user_id) is None:
        raise Invalid.field("userId", "is nobody in the workspace of this thread")
    if len(await repository.shared_with(session, thread.id)) >= _MOST_SHARES:
        raise Conflict(f"A thread is shared with at most {_MOST_SHARES} people.")
    if await session.get(ThreadShare, (thread.id, user_id)) is None:
        session.add(ThreadShare(thread_id=thread.id, user_id=user_id, created_at=clock.now()))
        await session.flush()
        events.emit(session, thread, events.SHARED, by=who.id, userId=user_id)
    return thread


async def unshare(session: AsyncSession, who: Principal, thread_id: str, user_id: str) -> Thread:
    """Share a thread with someone no longer."""
    thread = await repository.locked(session, await reader_of(session, who), thread_id)
    if row := await session.get(ThreadShare, (thread.id, user_id)):
        await session.delete(row)
        await session.flush()
        events.emit(session, thread, events.UNSHARED, by=who.id, userId=user_id)
    return thread


async def erase_removed(office: Office) -> None:
    """What was removed a month ago cannot be brought back any more."""
    while await _fewer(office.storage, clock.now() - KEPT):
        pass


async def _fewer(storage: Storage, before: datetime) -> bool:
    async with storage.app.write() as session:
        found = await repository.deleted_before(session, before, limit=_BATCH)
        gone = [run.id for run in await repository.runs_of(session, found)]
        await reads.forget(session, gone)
        for run_id in gone:
            if run := await runs.locked(session, run_id):
                await session.delete(run)
        await artifacts.erase_of_threads(session, found)
        await files.leave_threads(session, found)
        await repository.erase(session, found)
    return bool(found)
