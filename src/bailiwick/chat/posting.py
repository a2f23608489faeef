"""Saying something in a thread, and what follows: a run goes on, begins, or forks.

A branch of a thread is a run. Words after the last message of a run go to that run; words after an
earlier one, or instead of one, go to a copy of the run up to there, so that nothing is lost.
Another agent gets a run of its own, with the conversation until then as background.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.agents.models import Agent
from bailiwick.chat import answers, attachments, events, messages, repository
from bailiwick.chat.branches import Branches, branches
from bailiwick.chat.models import Thread, ThreadMessage
from bailiwick.chat.schemas import assistant_id
from bailiwick.chat.service import new_thread
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.gate.trust import reads
from bailiwick.gate.trust.typed import PastedRange
from bailiwick.identity.principal import OPERATOR, Principal
from bailiwick.runs import enqueue
from bailiwick.runs import repository as runs
from bailiwick.runs import service as run_service
from bailiwick.runs.files.store import KeptFile
from bailiwick.runs.models import Run
from bailiwick.runs.start import RunOwner, RunRequest, checked, start
from bailiwick.runs.states import LIVE

_BACKGROUND = 20_000
_HANDED_OVER = (
    "[The conversation until now, with another assistant. It is background: what is asked of you "
    "comes after it.]\n{told}\n[End of the conversation until now.]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What someone says."""

    words: str
    pasted: Sequence[PastedRange] | None = None
    files: Sequence[KeptFile] = ()
    blocks: Sequence[Mapping[str, Any]] = ()
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])
    subtype: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict[str, str])


async def post(
    session: AsyncSession,
    who: Principal,
    thread: Thread,
    said: Said,
    *,
    replaces: str | None = None,
    now: datetime,
) -> ThreadMessage:
    """Say something in a thread of one's own that this transaction holds; its agent is at work."""
    if thread.status == "deleted":
        raise Conflict("This thread was removed. Bring it back first.")
    await answers.catch_up(session, thread)
    tree = await branches(session, thread)
    after = await _place(session, thread, tree, replaces)
    agent = await _agent(session, thread)
    words = checked(said.words)
    message = await messages.add(
        session, thread, role="user", content=words, parent=after, user_id=thread.owner_id
    )
    message.subtype, message.about = said.subtype, dict(said.about)
    message.blocks = [dict(block) for block in said.blocks] or None
    message.files = [dict(file) for file in said.files] or None
    run = await _heard(session, who, thread, agent, tree, message, said, now=now)
    message.run_id = run.id
    thread.run_id = thread.run_id or run.id
    thread.status = "active"
    events.emit(session, thread, events.SAID, by=who.id, message=message)
    await attachments.use(session, who, thread, message)
    _thinks(session, thread, agent, run)
    return message


async def begin_for(
    session: AsyncSession, agent: Agent, person: RunOwner, words: str, *, now: datetime
) -> Run:
    """A new thread that begins with words which someone gave elsewhere."""
    thread = new_thread(agent, person.id or OPERATOR.id)
    session.add(thread)
    await session.flush()
    events.emit(session, thread, events.CREATED, by=thread.owner_id)
    message = await messages.add(
        session, thread, role="user", content=words, parent=None, user_id=thread.owner_id
    )
    request = RunRequest(words=words, thread_id=thread.id, message_id=message.id)
    run = await start(session, agent, person, request, now=now)
    message.run_id = thread.run_id = run.id
    events.emit(session, thread, events.SAID, by=thread.owner_id, message=message)
    _thinks(session, thread, agent, run)
    return run


async def post_in(
    session: AsyncSession, who: Principal, thread: Thread, run: Run, said: Said, *, now: datetime
) -> ThreadMessage:
    """Say something in one run of a thread, whichever branch is shown."""
    await answers.catch_up(session, thread)
    if last := await repository.last_of_run(session, run.id):
        thread.head_id = last.id
    return await post(session, who, thread, said, now=now)


async def hand_over(session: AsyncSession, who: Principal, thread: Thread, agent_id: str) -> None:
    """Let another agent of the same workspace answer from now on."""
    try:
        agent = (await agents.get(session, who, agent_id)).agent
    except NotFound as missing:
        raise Invalid.field("assistantId", "is no agent that you may see") from missing
    if agent.workspace_id != thread.workspace_id:
        raise Invalid.field("assistantId", "works in another workspace than this thread")
    thread.agent_id = agent.id


async def regenerate(
    session: AsyncSession, who: Principal, thread: Thread, message: ThreadMessage, *, now: datetime
) -> Run:
    """Let the agent answer anew; the answer that is there stays in its own branch."""
    tree = await branches(session, thread)
    asked = message
    while asked.role != "user":
        if asked.parent_id is None:
            raise Conflict("Nobody asked for this message, so it cannot be answered anew.")
        asked = await repository.message(session, thread.id, asked.parent_id)
    run_id = tree.run_at(asked.id)
    run = await runs.locked(session, run_id) if run_id else None
    if run is None:
        raise Conflict("The session behind this message is gone. Say it again.")
    if run.status in LIVE:
        raise Conflict("The agent is at work. Stop it first, or wait for its answer.")
    agent = await _agent(session, thread)
    place = await repository.place_of(session, run.id, asked.id)
    if place is None or agent.id != run.agent_id:
        new = await _begun(session, who, thread, agent, asked, Said(words=asked.content), now=now)
    else:
        request = RunRequest(model_id=run.model_id, thread_id=thread.id)
        new = await run_service.fork(session, who, run, agent, request, before=place + 1)
        await enqueue.queue(session, new)
    thread.head_id = asked.id
    asked.run_id = new.id
    _thinks(session, thread, agent, new)
    return new


async def _place(
    session: AsyncSession, thread: Thread, tree: Branches, replaces: str | None
) -> str | None:
    """After which message the new one comes."""
    if replaces is None:
        return thread.head_id
    if replaces not in tree.parents:
        raise Invalid.field("replaces", "is no message of this thread")
    old = await repository.message(session, thread.id, replaces)
    if old.role != "user":
        raise Invalid.field("replaces", "is not what a person said; ask to regenerate it instead")
    return old.parent_id


async def _agent(session: AsyncSession, thread: Thread) -> Agent:
    agent = await agents.by_id(session, thread.agent_id)
    if agent is None or agent.deleted_at:
        raise Conflict("The agent of this thread was removed. Choose another one.")
    if not agent.active:
        raise Conflict(f"{agent.name} is switched off. Switch it on first.")
    return agent


async def _heard(
    session: AsyncSession,
    who: Principal,
    thread: Thread,
    agent: Agent,
    tree: Branches,
    message: ThreadMessage,
    said: Said,
    *,
    now: datetime,
) -> Run:
    """Give the words to the run that they belong to."""
    after = message.parent_id
    # A session may have been opened before anything was said in it.
    run_id = tree.run_at(after) if tree.parents else thread.run_id
    run = await runs.locked(session, run_id) if run_id else None
    if run is None or run.agent_id != agent.id:
        return await _begun(session, who, thread, agent, message, said, before=run, now=now)
    last = await repository.last_of_run(session, run.id)
    goes_on = last is None or last.id == after
    if after and (not goes_on or run.status == "cancelled"):
        run = await _forked(session, who, thread, agent, run, after)
    return await run_service.say(
        session,
        who,
        run.id,
        message.content,
        pasted=said.pasted,
        files=said.files,
        message_id=message.id,
        now=now,
    )


async def _forked(
    session: AsyncSession, who: Principal, thread: Thread, agent: Agent, run: Run, after: str
) -> Run:
    """A copy of a run up to a message."""
    message = await repository.message(session, thread.id, after)
    end = message.position
    if end is None:
        place = await repository.place_of(session, run.id, after)
        end = run.length if place is None else place + 1
    request = RunRequest(model_id=run.model_id, thread_id=thread.id)
    return await run_service.fork(session, who, run, agent, request, before=end)


async def _begun(
    session: AsyncSession,
    who: Principal,
    thread: Thread,
    agent: Agent,
    message: ThreadMessage,
    said: Said,
    *,
    before: Run | None = None,
    now: datetime,
) -> Run:
    """A new run of an agent; one that takes over from another hears what was said until then."""
    request = RunRequest(
        words=message.content,
        pasted=said.pasted,
        files=said.files,
        variables=said.variables,
        thread_id=thread.id,
        message_id=message.id,
        background=await _background(session, thread, message) if before else None,
    )
    run = await run_service.start(session, who, agent.id, request, now=now)
    if before:
        # Whatever the first agent had read may stand in what it said.
        await reads.inherit(session, run.id, of=before.id, words=False)
    return run


async def _background(session: AsyncSession, thread: Thread, message: ThreadMessage) -> str:
    tree = await branches(session, thread)
    path = tree.path(message.parent_id)
    found = await repository.messages(session, path)
    lines = [f"{found[id].role}: {found[id].content}" for id in path if not found[id].hidden]
    return _HANDED_OVER.format(told="\n\n".join(lines)[-_BACKGROUND:])


def _thinks(session: AsyncSession, thread: Thread, agent: Agent, run: Run) -> None:
    """Tell that an answer is being made."""
    events.emit(
        session,
        thread,
        events.THINKING,
        by=None,
        status="processing",
        runId=run.id,
        assistantId=assistant_id(agent.id),
    )
