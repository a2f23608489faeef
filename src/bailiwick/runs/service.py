"""Verbs of runs, for people: start, speak, answer, cancel, take up, try again, replay."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.agents.models import Agent
from bailiwick.errors import Conflict, Forbidden, Invalid
from bailiwick.gate.people import caller_of
from bailiwick.gate.trust import reads
from bailiwick.gate.trust.typed import PastedRange
from bailiwick.identity.principal import Principal
from bailiwick.instance.changes import Actor
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.engine import flags
from bailiwick.kit.engine.schedules import local_zone
from bailiwick.office import Office
from bailiwick.runs import end, enqueue, readers, repository
from bailiwick.runs import start as run_start
from bailiwick.runs.files import store
from bailiwick.runs.files.store import KeptFile
from bailiwick.runs.models import Run, RunMessage
from bailiwick.runs.start import RunOwner, RunRequest
from bailiwick.runs.states import LIVE, OVER
from bailiwick.workspaces.access import enter


async def office_now(office: Office) -> datetime:
    """The time where the office is."""
    zone = (await office.changeable.current()).time_zone or local_zone()
    return clock.now().astimezone(ZoneInfo(zone))


async def person_of(session: AsyncSession, who: Principal, workspace_id: str) -> RunOwner:
    """For whom a run works that someone starts."""
    access = await enter(session, who, workspace_id, need="read")
    scope = caller_of(who, access).scope
    return RunOwner(who.user_id, who.name, scope, present=who.is_person_present)


async def start(
    session: AsyncSession,
    who: Principal,
    agent_id: str,
    request: RunRequest,
    *,
    now: datetime,
) -> Run:
    """A new session with an agent that someone may see."""
    agent = (await agents.get(session, who, agent_id)).agent
    person = await person_of(session, who, agent.workspace_id)
    run = await run_start.start(session, agent, person, request, now=now)
    await readers.share(session, who, run)
    return run


async def say(
    session: AsyncSession,
    who: Principal,
    run_id: str,
    words: str,
    *,
    pasted: Sequence[PastedRange] | None,
    files: Sequence[KeptFile] = (),
    message_id: str | None = None,
    now: datetime,
) -> Run:
    """Speak to an agent in a session of one's own."""
    run, agent = await own(session, who, run_id)
    if run.parent_id or run.dry:
        raise Conflict("Nobody can speak in this session: another run leads it, or it is a trial.")
    if not agent.active:
        raise Conflict(f"{agent.name} is switched off. Switch it on first.")
    person = await person_of(session, who, run.workspace_id)
    await run_start.say(
        session,
        run,
        agent,
        person,
        words,
        pasted=pasted,
        files=files,
        message_id=message_id,
        now=now,
    )
    await readers.share(session, who, run)
    return run


async def cancel(storage: Storage, who: Principal, run_id: str) -> None:
    """End a run, and those that it started; what is under way stops."""
    async with storage.app.write() as session:
        await repository.get(session, who, run_id)
        run = await repository.locked(session, run_id)
        assert run
        if run.status in OVER:
            raise Conflict(f"This session is over: it is {run.status}.")
        await stop(session, run, f"Cancelled by {who.name}.")
        children = [each.id for each in await repository.children(session, run_id)]
    for child in children:
        async with storage.app.write() as session:
            run = await repository.locked(session, child)
            if run and run.status in LIVE:
                await stop(session, run, f"Cancelled by {who.name}, with the run that asked.")


async def stop(session: AsyncSession, run: Run, message: str) -> None:
    """End a run that this transaction holds, and what it is doing."""
    await flags.hoist(session, enqueue.flag(run.id))
    await end.end(session, run, "cancelled", "cancelled", message)


async def agent_removed(session: AsyncSession, actor: Actor, agent_id: str) -> None:
    """End the runs of an agent that goes."""
    agent = await agents.by_id(session, agent_id)
    for id in await repository.live_of_agent(session, agent_id):
        run = await repository.locked(session, id)
        if agent and run and run.status in LIVE:
            await flags.hoist(session, enqueue.flag(run.id))
            message = f"The agent {agent.name} was removed by {actor.name}."
            await end.end(session, run, "cancelled", "agent_gone", message)


async def resume(session: AsyncSession, who: Principal, run_id: str) -> Run:
    """Go on with a run that failed or ran out of time, from its last finished step."""
    run, agent = await own(session, who, run_id)
    if run.status not in ("failed", "expired"):
        raise Conflict(f"Only what failed or expired can go on; this is {run.status}.")
    if not agent.active:
        raise Conflict(f"{agent.name} is switched off. Switch it on first.")
    run.steps_before = run.steps
    await enqueue.queue(session, run)
    return run


async def retry(session: AsyncSession, who: Principal, run_id: str, *, step: int) -> Run:
    """A new run that begins like another one and takes it from a step anew."""
    run, agent = await own(session, who, run_id)
    rows = await repository.messages(session, run_id)
    first = next((row for row in rows if row.role == "assistant" and row.step >= step), None)
    if step < 1 or first is None or first.step != step:
        raise Invalid.field("step", f"this run has the steps 1 to {run.steps}")
    request = RunRequest(kind="retry", model_id=run.model_id)
    new = await fork(session, who, run, agent, request, before=first.position)
    new.fork_step, new.dry = step, run.dry
    await enqueue.queue(session, new)
    return new


async def fork(
    session: AsyncSession,
    who: Principal,
    run: Run,
    agent: Agent,
    request: RunRequest,
    *,
    before: int,
) -> Run:
    """A new run whose transcript is that of another up to a position; it has yet to be queued."""
    person = await person_of(session, who, run.workspace_id)
    new = run_start.new(agent, person, request)
    new.title, new.prompt, new.variables = run.title, run.prompt, run.variables
    new.words, new.forked_from = run.words, run.id
    session.add(new)
    await session.flush()
    for row in await repository.messages(session, run.id):
        if row.position < before:
            session.add(_copied(row, new, before=before))
            new.steps = max(new.steps, row.step)
            await store.hold(session, new, row.files or ())
    new.steps_before = new.steps
    # What the first run had read may stand in what is copied.
    # The owner's words order nothing that the owner did not ask for in person.
    await reads.inherit(session, new.id, of=run.id, words=person.present)
    await readers.share(session, who, new)
    return new


async def replay(
    session: AsyncSession,
    who: Principal,
    run_id: str,
    *,
    model_id: str | None,
    prompt: list[dict[str, Any]] | None,
    now: datetime,
) -> Run:
    """The same request again, without any effect, against another prompt or model."""
    run, agent = await own(session, who, run_id)
    if run.words is None:
        raise Conflict("This session has not begun: there is nothing to replay.")
    person = await person_of(session, who, run.workspace_id)
    request = RunRequest(
        kind="replay",
        variables=run.variables,
        model_id=model_id or run.model_id,
        prompt=prompt if prompt is not None else run.prompt,
    )
    new = run_start.new(agent, person, request)
    new.forked_from = run.id
    session.add(new)
    await session.flush()
    rows = await repository.messages(session, run.id)
    files = next(
        (row.files for row in rows if row.role == "user" and row.files and not row.step), ()
    )
    await run_start.say(session, new, agent, person, run.words, files=files, now=now)
    # It is given the answers that the first run got, and may be taken up from there.
    await reads.inherit(session, new.id, of=run.id, words=person.present)
    await readers.share(session, who, new)
    return new


async def own(session: AsyncSession, who: Principal, run_id: str) -> tuple[Run, Agent]:
    """One's own run, held, and its agent; others' can be looked at and cancelled by admins."""
    seen = await repository.get(session, who, run_id)
    if seen.user_id != who.user_id:
        raise Forbidden("Only whoever started it can do this: it acts in their name.")
    run = await repository.locked(session, run_id)
    agent = await agents.by_id(session, seen.agent_id)
    assert run
    assert agent
    if agent.deleted_at:
        raise Conflict(f"The agent {agent.name} was removed. Bring it back first.")
    return run, agent


def _copied(row: RunMessage, run: Run, *, before: int) -> RunMessage:
    run.length = max(run.length, row.position + 1)
    names = [column.key for column in RunMessage.__table__.columns if column.key != "run_id"]
    values: dict[str, Any] = {name: getattr(row, name) for name in names}
    if row.folded_into is not None and row.folded_into >= before:
        values["folded_into"] = None  # what stands for it is not copied
    return RunMessage(run_id=run.id, **values)
