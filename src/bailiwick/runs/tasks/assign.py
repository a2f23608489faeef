"""Giving a task to an agent, which sets to work at once; for people, never for agents.

The task's words count as those of whoever gives it only if nobody else's are among them. Otherwise
the run begins as one that has read them.
"""

from dataclasses import replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.agents.models import Agent
from bailiwick.errors import BailiwickError, Conflict, Invalid, NotFound
from bailiwick.gate.trust import grounding, reads
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock
from bailiwick.planner import queue
from bailiwick.planner import service as planner
from bailiwick.planner.models import Task
from bailiwick.runs import service, start
from bailiwick.runs.models import Run
from bailiwick.runs.start import RunOwner, RunRequest
from bailiwick.runs.states import LIVE
from bailiwick.runs.tasks import repository
from bailiwick.tools.trust import Source


async def worker(session: AsyncSession, who: Principal, id: str, *, workspace_id: str) -> Agent:
    """An agent that someone may give a task of this workspace to, or what is in the way."""
    try:
        agent = (await agents.get(session, who, id)).agent
    except NotFound as error:
        raise Invalid.field("assignedTo", error.detail) from None
    if agent.workspace_id != workspace_id:
        raise Invalid.field("assignedTo", f"{agent.name} works in another workspace")
    if not agent.active:
        raise Invalid.field("assignedTo", f"{agent.name} is switched off; switch it on first")
    return agent


async def assign(
    session: AsyncSession, who: Principal, id: str, *, agent_id: str | None, now: datetime
) -> None:
    """Give a task to an agent, or take it back; what another one is doing for it ends."""
    task, run = await _held(session, id)
    agent = agent_id and await worker(session, who, agent_id, workspace_id=task.workspace_id)
    if run and run.status in LIVE:
        await service.stop(session, run, f"{who.name} took the task back.")
        task.run_id = task.report = task.report_label = None
        task.state = "open"
    task.assigned_to = None
    if agent:
        await _begin(session, who, task, agent, now=now)
    _touch(session, task)


async def run(session: AsyncSession, who: Principal, id: str, *, now: datetime) -> None:
    """Let the agent of a task set to work on it, again if need be."""
    task, latest = await _held(session, id)
    if task.assigned_to is None:
        raise Conflict("Give the task to an agent first.")
    if latest and latest.status in LIVE:
        raise Conflict("Its agent is at it already.")
    agent = await worker(session, who, task.assigned_to, workspace_id=task.workspace_id)
    await _begin(session, who, task, agent, now=now)
    _touch(session, task)


async def _held(session: AsyncSession, id: str) -> tuple[Task, Run | None]:
    held = await repository.held(session, id)
    if held is None:
        raise NotFound("There is no such task. List the tasks to see what there is.")
    return held


async def _begin(
    session: AsyncSession, who: Principal, task: Task, agent: Agent, *, now: datetime
) -> None:
    person = await service.person_of(session, who, task.workspace_id)
    task.assigned_to, task.completed_at = agent.id, None
    try:
        async with session.begin_nested():
            run = await _start(session, task, agent, person, now=now)
    except BailiwickError as error:
        # Such as a variable of its prompt that nobody gives a value to.
        task.state, task.run_id = "failed", None
        task.report, task.report_label = starting_failed(error), "owner"
    else:
        task.state, task.run_id = "queued", run.id
        task.report = task.report_label = None


def starting_failed(error: BailiwickError) -> str:
    """Why a run could not begin, without the names of fields that nobody filled in here."""
    messages = [text for texts in (error.errors or {}).values() for text in texts]
    return f"It could not begin: {messages[0] if messages else error.detail}"


async def _start(
    session: AsyncSession, task: Task, agent: Agent, person: RunOwner, *, now: datetime
) -> Run:
    words = "\n\n".join(filter(None, (task.title, task.notes.strip())))
    label = planner.label_for(task, person.id)
    own = label == "owner"
    person = replace(person, present=person.present and own)
    request = RunRequest(words=words, kind="task", task_id=task.id)
    run = await start.start(session, agent, person, request, now=now)
    if not own:
        await reads.heard(
            session,
            run.id,
            workspace_id=task.workspace_id,
            source=Source(label, f'the task "{task.title[:60]}"'),
            mentions=grounding.mentions([task.title, task.notes]),
        )
    return run


def _touch(session: AsyncSession, task: Task) -> None:
    task.revision += 1
    task.updated_at = clock.now()
    queue.emit(session, task)
