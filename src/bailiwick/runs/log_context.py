"""What every log line of a run's work carries: whose it is and where it belongs, and no content."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from bailiwick.office import Office
from bailiwick.runs import repository
from bailiwick.runs.facts import KnowsCycle
from bailiwick.runs.models import Run, RunCall

log = structlog.stdlib.get_logger("bailiwick.runs")


@asynccontextmanager
async def logged(office: Office, run: Run) -> AsyncGenerator[None]:
    """Bind the ids of a run to all log lines within."""
    cycle: str | None = None
    async with office.storage.app.read() as session:
        root = (await repository.askers(session, run))[-1]
        for fact in office.facts(KnowsCycle):
            cycle = await fact.find(session, run) or cycle
    is_agent = root.id != run.id
    with structlog.contextvars.bound_contextvars(
        fetchCycleId=cycle or "",
        dirThreadId=root.id,
        agentThreadId=run.id if is_agent else "",
        director=root.agent_id,
        agent=run.agent_id if is_agent else "",
        phase="agent" if is_agent else "director",
    ):
        yield


def stepped(run: Run, action: str) -> None:
    """Log that a run began or went on, or how it stands now."""
    who = "agent" if run.parent_id else "director"
    log.info("a run works", run=run.id, action=f"{who}_{action}")


def called(run: Run, call: RunCall) -> None:
    """Log a tool call by its name and what became of it."""
    log.info(
        "a tool was called",
        run=run.id,
        phase="tool",
        action="tool_call",
        tool=call.tool,
        status=call.status,
        code=call.code,
        latencyMs=call.latency_ms,
    )
