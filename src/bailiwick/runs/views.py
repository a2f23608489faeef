"""Runs as they are shown."""

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import EVERYONE
from bailiwick.agents import callers
from bailiwick.agents.asking import asking
from bailiwick.agents.models import Agent
from bailiwick.gate.approvals import answers
from bailiwick.gate.approvals import repository as approvals
from bailiwick.gate.trust.reads import strangers
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock
from bailiwick.llm import parts
from bailiwick.llm.parts import ProviderParts
from bailiwick.office import Office
from bailiwick.runs import repository, sessions
from bailiwick.runs.files.store import KeptFile
from bailiwick.runs.models import ProviderEvent, Run, RunCall, RunMessage
from bailiwick.runs.schemas import (
    AgentSessionOut,
    LogOut,
    PendingActionOut,
    ProviderEventOut,
    RunCallOut,
    RunMessageOut,
    RunOut,
    SentMessageOut,
    SessionFileOut,
    ThoughtOut,
)
from bailiwick.runs.segment import MILLION
from bailiwick.runs.steps.arguments import arguments_of
from bailiwick.tools.registry import Registry

_SUMMARY = 300
_OWN = (
    "agent_name",
    "step_limit",
    "error_message",
    "api_calls_made",
    "tokens_used",
    "money",
    "session_status",
    "last_active_at",
    "ended_at",
    "saved",
)


async def of_runs(session: AsyncSession, runs: Sequence[Run]) -> dict[str, RunOut]:
    """Runs as a list shows them, by id."""
    agents = {id: await session.get(Agent, id) for id in {run.agent_id for run in runs}}
    return {run.id: RunOut(**_plain(run, agents[run.agent_id])) for run in runs}


async def of_session(
    session: AsyncSession, office: Office, who: Principal, run: Run
) -> AgentSessionOut:
    """A run with all that a person follows."""
    agent = await session.get(Agent, run.agent_id)
    calls = await repository.calls(session, run.id)
    children = await repository.children(session, run.id)
    titles = await _titles(session, office, agent)
    read = await strangers(session, [run.id])
    shown = await of_runs(session, children)
    return AgentSessionOut(
        **_plain(run, agent),
        session_id=run.id,
        messages=[message(row) for row in await repository.messages(session, run.id)],
        calls=[call(row, titles) for row in calls],
        pending_actions=[
            await _pending(session, office, who, row) for row in calls if _is_pending(row)
        ],
        children=[shown[child.id] for child in children],
        strangers=read.get(run.id, []),
        can_speak=run.user_id == who.user_id
        and run.kind != "delegate"
        and not run.dry
        and run.status != "cancelled",
    )


def message(row: RunMessage) -> RunMessageOut:
    """One message of the transcript."""
    names = RunMessageOut.model_fields.keys() - {"is_cut", "sent", "thought", "files"}
    return RunMessageOut(
        **{name: getattr(row, name) for name in names},
        files=[file_of(file) for file in row.files or ()],
        is_cut=row.blob is not None,
        sent=SentMessageOut(**row.sent) if row.sent else None,
        thought=_thought(row.parts) if row.parts else None,
    )


def file_of(file: KeptFile) -> SessionFileOut:
    """A file of a message."""
    return SessionFileOut.model_validate({n: file.get(n) for n in SessionFileOut.model_fields})


def _thought(kept: ProviderParts) -> ThoughtOut | None:
    text, ms = parts.thought(kept), kept.get("ms")
    return ThoughtOut(text=text, milliseconds=ms) if text or ms else None


def call(row: RunCall, titles: dict[str, str]) -> RunCallOut:
    """One tool call."""
    names = RunCallOut.model_fields.keys() - {"title", "verdict"}
    return RunCallOut(
        **{name: getattr(row, name) for name in names},
        title=titles.get(row.tool, row.tool),
        verdict=verdict(row),
    )


def verdict(row: RunCall) -> Literal["allowed", "asked", "blocked", "none"]:
    """What the gate said of a call, in a word."""
    if row.asked:
        return "asked"
    match row.status:
        case "done" | "failed" | "unknown" | "rehearsed":
            return "allowed"
        case "denied":
            return "blocked"
        case _:
            return "none"


def log(row: RunCall, said: dict[str, str]) -> LogOut:
    """One tool call as a line of the log."""
    return LogOut(
        action_type=row.tool,
        target_path=_path(row),
        input_summary=_short(row.arguments),
        output_summary=_short(said.get(row.id, "")),
        was_allowed=row.status not in ("denied", "skipped", "rehearsed") and row.code is None,
        execution_time_ms=row.latency_ms,
        reason=row.reason,
        created_at=row.started_at,
    )


def provider_event(row: ProviderEvent) -> ProviderEventOut:
    """What went to a model, or came from it."""
    names = ProviderEventOut.model_fields.keys() - {"money", "saved"}
    money = row.money / MILLION if row.money is not None else None
    plain = {name: getattr(row, name) for name in names}
    return ProviderEventOut(**plain, money=money, saved=row.saved / MILLION)


def _plain(run: Run, agent: Agent | None) -> dict[str, Any]:
    names = RunOut.model_fields.keys() - set(_OWN)
    return {
        **{name: getattr(run, name) for name in names},
        "agent_name": agent.name if agent else "",
        "step_limit": agent.step_limit if agent else 0,
        # What an agent asks of another is no branch of the conversation.
        "thread_id": None if run.parent_id else run.thread_id,
        "error_message": run.error,
        "api_calls_made": run.api_calls,
        "tokens_used": run.input_tokens + run.output_tokens,
        "money": run.money / MILLION,
        "session_status": sessions.status(run, clock.now()),
        "last_active_at": run.updated_at,
        "ended_at": run.ended_at if run.parent_id else run.completed_at,
        "saved": run.saved / MILLION,
    }


async def _titles(session: AsyncSession, office: Office, agent: Agent | None) -> dict[str, str]:
    titles = {tool.name: tool.title for tool in office[Registry]}
    if agent:
        known = asking(await callers.colleagues_of(session, agent))
        titles |= {tool.name: tool.title for tool in known}
    return titles


async def _pending(
    session: AsyncSession, office: Office, who: Principal, row: RunCall
) -> PendingActionOut:
    assert row.approval_id
    approval = await approvals.get(session, EVERYONE, row.approval_id)
    return PendingActionOut(
        id=row.approval_id,
        type=row.tool,
        path=_path(row),
        call_id=row.id,
        approval=await answers.as_it_is(session, office, who, approval),
    )


def _is_pending(row: RunCall) -> bool:
    return row.status == "waiting" and row.approval_id is not None


def _path(row: RunCall) -> str | None:
    arguments = arguments_of(row.arguments)
    if isinstance(arguments, str):
        return None
    for name in ("path", "file_path", "to", "folder", "destination"):
        if isinstance(value := arguments.get(name), str):
            return value
    return None


def _short(text: str) -> str:
    return text if len(text) <= _SUMMARY else text[:_SUMMARY] + "…"
