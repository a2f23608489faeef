"""How a run begins, and how a person speaks to it.

The first words make the transcript: what the agent is told of itself, its prompt, and the words.
Only words that a person gave count as theirs for the gate, and only before anything untrusted was
read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import callers, statement
from bailiwick.agents.asking import asking
from bailiwick.agents.models import Agent
from bailiwick.agents.prompts import render
from bailiwick.agents.prompts import repository as prompts
from bailiwick.agents.prompts.render import PromptMessage
from bailiwick.errors import Conflict, Invalid
from bailiwick.gate.trust import grounding, reads
from bailiwick.gate.trust.typed import PastedRange
from bailiwick.kit import clock, ids
from bailiwick.runs import enqueue, events, transcript
from bailiwick.runs.files import store
from bailiwick.runs.files.store import KeptFile
from bailiwick.runs.models import Run
from bailiwick.runs.states import DRY, RESUMABLE, RunKind
from bailiwick.tools.scope import Scope
from bailiwick.tools.trust import Source
from bailiwick.workspaces.models import Workspace

MOST_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class RunOwner:
    """For whom a run works."""

    id: str | None
    name: str
    scope: Scope
    present: bool  # and not a program with their token


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a run is for."""

    words: str | None = None
    pasted: Sequence[PastedRange] | None = None
    files: Sequence[KeptFile] = ()
    kind: RunKind = "session"
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    model_id: str | None = None
    prompt: list[dict[str, Any]] | None = None
    task_id: str | None = None
    schedule_id: str | None = None
    case_id: str | None = None
    account_id: str | None = None  # whose mail it is about
    thread_id: str | None = None
    message_id: str | None = None  # of the thread: the words
    background: str | None = None  # what was said before, to another agent
    title: str = ""
    parent: Run | None = None
    parent_call: str | None = None
    only_tools: list[str] | None = None


@dataclass(frozen=True, slots=True)
class _Spoken:
    """The first words of a run, and what goes with them."""

    words: str
    files: Sequence[KeptFile]
    message_id: str | None
    background: str | None


async def start(
    session: AsyncSession, agent: Agent, person: RunOwner, request: RunRequest, *, now: datetime
) -> Run:
    """A new run; it is set going if there are words. `now` is in the office's time zone."""
    if not agent.active:
        raise Conflict(f"{agent.name} is switched off. Switch it on first.")
    run = new(agent, person, request)
    session.add(run)
    await session.flush()
    if request.parent:
        await reads.inherit(session, run.id, of=request.parent.id, words=True)
    if request.words is not None:
        await say(
            session,
            run,
            agent,
            person,
            request.words,
            pasted=request.pasted,
            files=request.files,
            message_id=request.message_id,
            background=request.background,
            now=now,
        )
    else:
        events.emit(session, run, events.PROGRESSED)
    return run


def new(agent: Agent, person: RunOwner, request: RunRequest) -> Run:
    """The row of a run that has not begun."""
    at, parent = clock.now(), request.parent
    return Run(
        id=ids.new("run"),
        workspace_id=agent.workspace_id,
        agent_id=agent.id,
        user_id=person.id,
        user_name=person.name,
        in_person=person.present,
        kind=request.kind,
        title=request.title[:200],
        status="pending",
        model_id=request.model_id,
        prompt=request.prompt,
        variables=dict(request.variables),
        parent_id=parent.id if parent else None,
        parent_call=request.parent_call,
        depth=parent.depth + 1 if parent else 0,
        task_id=request.task_id,
        schedule_id=request.schedule_id,
        case_id=parent.case_id if parent else request.case_id,
        account_id=parent.account_id if parent else request.account_id,
        thread_id=request.thread_id,
        segment=0,
        length=0,
        steps=0,
        steps_before=0,
        api_calls=0,
        input_tokens=0,
        output_tokens=0,
        money=0,
        cache_read_tokens=0,
        cache_write_tokens=0,
        saved=0,
        files_modified=[],
        only_tools=request.only_tools,
        finalized=False,
        dry=parent.dry if parent else request.kind in DRY,
        created_at=at,
        updated_at=at,
    )


async def say(
    session: AsyncSession,
    run: Run,
    agent: Agent,
    person: RunOwner,
    words: str,
    *,
    pasted: Sequence[PastedRange] | None = None,
    files: Sequence[KeptFile] = (),
    message_id: str | None = None,
    background: str | None = None,
    now: datetime,
) -> None:
    """Give a run words; it is set going unless it is under way. The run must be held."""
    words = checked(words)
    if run.status == "cancelled":
        raise Conflict("This session was cancelled. Start a new one.")
    if not run.length:
        await _compose(
            session,
            run,
            agent,
            person,
            _Spoken(words, files, message_id, background),
            now=now,
        )
    else:
        row = transcript.add(session, run, "user", words)
        row.message_id = message_id
        transcript.attach(row, files)
    await store.hold(session, run, files)
    await _hear_programs(session, run, person, words)
    if person.present and run.parent_id is None:
        await reads.begin(
            session, run.id, workspace_id=run.workspace_id, words=words, pasted=pasted
        )
    run.title = run.title or title_of(words)
    run.words = words if run.words is None else run.words
    run.steps_before = run.steps
    if run.status in RESUMABLE or run.segment == 0:
        await enqueue.queue(session, run)
    else:
        events.emit(session, run, events.PROGRESSED)


async def _hear_programs(session: AsyncSession, run: Run, person: RunOwner, words: str) -> None:
    """Where a person and a program speak in one session, the program's words count as read.

    Whoever holds a token may be anyone. A session of programs alone has no words of its owner.
    """
    if person.present == run.in_person or (person.present and run.task_id):
        return
    said = run.words if person.present else words
    await reads.heard(
        session,
        run.id,
        workspace_id=run.workspace_id,
        source=Source("stranger", "what a program wrote in this session"),
        mentions=grounding.mentions(said or ""),
    )


def checked(words: str) -> str:
    """Words that can be used, or what is wrong with them."""
    words = transcript.storable(words)
    if not words.strip():
        raise Invalid.field("content", "say what the agent shall do")
    if len(words) > MOST_CHARACTERS:
        raise Invalid.field("content", f"at most {MOST_CHARACTERS:,} characters at a time")
    return words


async def _compose(
    session: AsyncSession,
    run: Run,
    agent: Agent,
    person: RunOwner,
    spoken: _Spoken,
    *,
    now: datetime,
) -> None:
    scope = callers.within(callers.scope_of(agent), person.scope)
    tools = asking(await callers.colleagues_of(session, agent))
    transcript.add(session, run, "system", statement.of(agent, scope, tools), kind="prompt")
    blocks, imprint = await prompt_of(session, run, agent)
    workspace = await session.get(Workspace, run.workspace_id)
    values = {
        **run.variables,
        **render.built_in(
            now=now,
            user=person.name,
            agent=agent.name,
            workspace=workspace.name if workspace else "",
            input=spoken.words,
        ),
    }
    asks = "input" in render.variables(blocks)
    for block in render.render(blocks, values):
        row = transcript.add(session, run, block.role, block.content, kind="prompt")
        row.message_id = spoken.message_id if asks else None
    for block in render.render(imprint, values, field="imprint"):
        transcript.add(session, run, block.role, block.content, kind="prompt")
    if spoken.background:
        transcript.add(session, run, "user", spoken.background, kind="note")
    if not asks:
        row = transcript.add(session, run, "user", spoken.words)
        row.message_id = spoken.message_id
        transcript.attach(row, spoken.files)
    elif spoken.files:
        row = transcript.add(session, run, "user", "[What is attached to the request]")
        transcript.attach(row, spoken.files)


async def prompt_of(
    session: AsyncSession, run: Run, agent: Agent
) -> tuple[list[PromptMessage], list[PromptMessage]]:
    """The prompt that a run uses, and its example conversation."""
    if run.prompt is not None:
        return render.read(run.prompt), []
    return await own_prompt(session, agent)


async def own_prompt(
    session: AsyncSession, agent: Agent
) -> tuple[list[PromptMessage], list[PromptMessage]]:
    """An agent's own prompt, or the shared one that it uses, and the example conversation."""
    if agent.prompt_id:
        row = await prompts.get(session, agent.workspace_id, agent.prompt_id)
        return render.read(row.messages), render.read(row.imprint or [])
    return render.read(agent.prompt), render.read(agent.imprint)


def title_of(words: str) -> str:
    """The title of a run whose request begins so."""
    return " ".join(words.split())[:200]
