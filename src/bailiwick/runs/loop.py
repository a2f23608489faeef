"""The loop: build messages, ask the model, take each call through the gate, and again.

One loop serves every kind of agent. A segment goes on from what the tables say, so a crash costs at
most the step that was under way: what was stored is not asked again, and what was done is not done
again, because the gate knows each call by its run and id. What waits for a person or another agent
ends the segment, and costs nothing.
"""

import time
from collections.abc import Sequence
from datetime import timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import callers
from bailiwick.agents import repository as agents
from bailiwick.agents import service as agent_service
from bailiwick.agents.models import Agent
from bailiwick.gate import people
from bailiwick.identity.principal import OPERATOR
from bailiwick.kit import clock, ids
from bailiwick.kit.db.away import is_away
from bailiwick.kit.engine.flags import Stopped
from bailiwick.kit.engine.jobs import patiently
from bailiwick.kit.eventlog import Recorded
from bailiwick.llm.adapter import Models
from bailiwick.llm.config import Config
from bailiwick.llm.errors import ModelFailed
from bailiwick.office import Office
from bailiwick.runs import end as run_end
from bailiwick.runs import events, held, log_context, repository, sessions, states
from bailiwick.runs.models import Run
from bailiwick.runs.segment import LeaseLost, RunAuthority, Segment
from bailiwick.runs.start import RunOwner
from bailiwick.runs.states import EndReason, RunStatus
from bailiwick.runs.steps import model, tools
from bailiwick.runs.steps.budget import OverBudget
from bailiwick.runs.steps.compaction import DoesNotFit

log = structlog.stdlib.get_logger("bailiwick.runs")
_AUTHORITY = ("agent.", "user.", "workspace.")
_LEFT = "The person for whom this ran has left the workspace, or was switched off."


class RunEnded(Exception):
    """The run has to end, and why."""

    def __init__(self, status: RunStatus, why: EndReason, message: str) -> None:
        super().__init__(message)
        self.status: RunStatus = status
        self.why: EndReason = why
        self.message = message


class Runner:
    """Runs segments."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._storage = office.storage
        # Counts what may change how far someone may go: until then it need not be read again.
        self._changes = 0

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Hear of agents, people and workspaces that were changed elsewhere."""
        if any(event.type.startswith(_AUTHORITY) for event in batch):
            self._changes += 1

    async def segment(self, run_id: str, number: int) -> str:
        """Go on with a run until it ends or waits; says how it stands then."""
        holder, since = ids.new("seg"), time.monotonic()
        run = await patiently(self._claim, run_id, number, holder)
        if run is None:
            return "nothing to do"
        async with log_context.logged(self._office, run):
            return await self._logged(run, holder, since)

    async def _logged(self, run: Run, holder: str, since: float) -> str:
        """The segment, each of whose log lines says where it belongs."""
        log_context.stepped(run, "start" if run.steps == 0 else "resume")
        try:
            ended = await patiently(self._go, run, holder, since)
        except LeaseLost:
            return "taken over, or ended by someone"
        except Exception as error:
            if is_away(error):
                raise
            log.exception("a run failed", run=run.id)
            await self._end(run, holder, RunEnded("failed", "error", _OURS))
            ended = "failed"
        log_context.stepped(run, "wait" if ended == "waiting" else "complete")
        return ended

    async def _claim(self, run_id: str, number: int, holder: str) -> Run | None:
        """Take hold of the run; whoever had it before finds that out at its next change."""
        async with self._storage.app.write() as session:
            run = await repository.locked(session, run_id)
            if run is None or run.segment != number or run.status not in ("pending", "running"):
                return None
            if await held.is_held(session, run):
                return None
            if run.status == "pending":
                await self._set_deadline(session, run)
            states.move(run, "running")
            run.holder = holder
            run.started_at = run.started_at or clock.now()
            events.emit(session, run, events.PROGRESSED)
            return run

    async def _set_deadline(self, session: AsyncSession, run: Run) -> None:
        """Count an agent's time from here, not from when its work was queued behind other work."""
        if agent := await session.get(Agent, run.agent_id):
            run.deadline_at = clock.now() + timedelta(seconds=agent.timeout_seconds)

    async def _go(self, run: Run, holder: str, since: float) -> str:
        try:
            authority = await self._authority(run)
            async with self._storage.app.read() as session:
                calls = list(await repository.calls(session, run.id))
            segment = Segment(
                storage=self._storage,
                holder=holder,
                run=run,
                authority=authority,
                calls=calls,
                since=since,
            )
            while True:
                await self._call_tools(segment)
                if await self._waits(segment):
                    return "waiting"
                if segment.wanted:
                    continue  # an agent has answered meanwhile, and can be asked again
                await self._renewed(segment)
                config = await self._ready(segment)
                if not await model.ask_model(self._office, segment, config):
                    return "completed"
        except RunEnded as end:
            return await self._end(run, holder, end)
        except Stopped:
            raise LeaseLost(run.id) from None
        except Exception as error:
            if (end := _understood(error)) is None:
                raise
            return await self._end(run, holder, end)

    async def _call_tools(self, segment: Segment) -> None:
        """Make the calls that are wanted; an agent at work is asked again once it has answered."""
        for call in segment.wanted:
            if not sessions.is_busy(call.tool, segment.calls):
                await self._renewed(segment)
                call.status = await tools.call_tool(self._office, segment, call)
                log_context.called(segment.run, call)

    async def _authority(self, run: Run) -> RunAuthority:
        """Who acts, for whom, and how far they may go; or why they may not."""
        changes = self._changes
        found = await people.find_user(self._office, run.user_id or OPERATOR.id, run.workspace_id)
        if found is None:
            raise RunEnded("cancelled", "person_gone", _LEFT)
        async with self._storage.app.read() as session:
            agent = await agents.by_id(session, run.agent_id)
            assert agent
            colleagues = await callers.colleagues_of(session, agent)
            director = await sessions.director(session, run)
            payer = await sessions.payer(session, run, agent)
            secrets = await agent_service.secrets_of(session, payer, self._office.vault)
        if not agent.active:
            gone = "was removed" if agent.deleted_at else "was switched off"
            raise RunEnded("cancelled", "agent_gone", f"The agent {agent.name} {gone}.")
        return RunAuthority(
            agent=agent,
            caller=callers.caller(
                agent, found, colleagues, only=run.only_tools, director_id=director
            ),
            person=RunOwner(run.user_id, run.user_name, found.scope, run.in_person),
            secrets=secrets,
            changes=changes,
        )

    async def _renewed(self, segment: Segment) -> None:
        """Look again who may do what, if that may have changed."""
        if segment.authority.changes != self._changes:
            segment.authority = await self._authority(segment.run)

    async def _waits(self, segment: Segment) -> bool:
        """Let go of the run if it waits for a person or another agent."""
        if not any(call.status == "waiting" for call in segment.calls):
            return False
        async with segment.changing() as session:
            segment.calls = list(await repository.calls(session, segment.run.id))
            waiting = [call for call in segment.calls if call.status == "waiting"]
            if waiting:
                states.move(segment.run, "waiting")
                segment.run.holder = None
                segment.run.updated_at = clock.now()
                events.emit(session, segment.run, events.WAITING)
        return bool(waiting)

    async def _ready(self, segment: Segment) -> Config:
        """Hear what is new, and look whether the run may take another step."""
        run, agent = segment.run, segment.agent
        if run.deadline_at and run.deadline_at <= clock.now():
            raise model.TimeOver
        if run.steps - run.steps_before >= agent.step_limit:
            raise RunEnded(
                "failed",
                "step_limit",
                f"It took {agent.step_limit} steps without coming to an end, which is its limit.",
            )
        known = segment.rows[-1].position if segment.rows else -1
        async with self._storage.app.read() as session:
            segment.rows += await repository.messages(session, run.id, after=known)
            is_parent_over = await repository.is_parent_over(session, run)
        if is_parent_over:
            raise RunEnded("cancelled", "parent_ended", "The run that asked for this has ended.")
        segment.length = segment.rows[-1].position + 1
        config = await self._office[Models].get(run.model_id or agent.model_id)
        return model.with_key(config, segment.authority.secrets)

    async def _end(self, run: Run, holder: str, end: RunEnded) -> str:
        async with self._storage.app.write() as session:
            held = await repository.locked(session, run.id)
            if held is None or held.holder != holder or held.status != "running":
                raise LeaseLost(run.id)
            await run_end.end(session, held, end.status, end.why, end.message)
        return end.status


_OURS = "Something went wrong on our side; the log has the details. Nothing that was done is lost."


def _understood(error: Exception) -> RunEnded | None:
    """How a run ends after an error that was foreseen."""
    match error:
        case model.Halted():
            return RunEnded("cancelled", "halted", "Everything was stopped, and this run with it.")
        case model.TimeOver():
            return RunEnded("expired", "timeout", "It worked longer than it may at a stretch.")
        case OverBudget():
            return RunEnded("failed", "budget", str(error))
        case DoesNotFit():
            return RunEnded(
                "failed",
                "model",
                "The conversation no longer fits the model's window, even when its oldest part is "
                "summed up. Start a new session, or use a model with a larger window.",
            )
        case ModelFailed():
            return RunEnded("failed", "model", error.detail)
        case _:
            return None
