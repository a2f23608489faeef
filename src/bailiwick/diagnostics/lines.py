"""The lines of a director's work, made from what its runs keep: nothing is stored twice.

A line's id is its run's, and what it was made from: `.a` beginning, `.c3` a tool call, `.m7` a
final message, `.pev-…` a call of a model, `.r` the result, `.z` the end. Lines are in the order
of time, and of their ids where that is the same: `repository.moments` has the same ids.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bailiwick.artifacts.models import Artifact
from bailiwick.cases.models import Case
from bailiwick.diagnostics.schemas import TraceDetailOut, TraceLineOut, TracePhase
from bailiwick.kit import json_depth
from bailiwick.runs import views
from bailiwick.runs.models import ProviderEvent, Run, RunCall, RunMessage
from bailiwick.runs.segment import MILLION
from bailiwick.runs.steps.arguments import arguments_of

_NOT_DONE = ("failed", "denied", "unknown", "skipped")


@dataclass(frozen=True, slots=True)
class RunTrace:
    """A director's run on a case, the sessions of agents that it led to, and what they keep."""

    case: Case
    root: Run
    runs: Sequence[Run]
    names: Mapping[str, str]
    calls: Mapping[str, Sequence[RunCall]]
    # Final messages, and the answers of tools.
    said: Mapping[str, Sequence[RunMessage]]
    events: Mapping[str, Sequence[ProviderEvent]]
    items: Sequence[Artifact]
    # Up to when lines of a run were deleted, and single ones.
    deleted: Mapping[str, datetime] = field(default_factory=dict[str, datetime])

    def name(self, agent_id: str) -> str:
        """What an agent is called."""
        return self.names.get(agent_id, "an agent that is gone")

    def has(self, line_id: str) -> bool:
        """Whether there is such a line."""
        return any(line.id == line_id for line in lines_of(self, email=""))


def lines_of(trace: RunTrace, *, email: str) -> list[TraceLineOut]:
    """All lines of a director's run and of the agents that it asked, in the order of time."""
    made = [
        line for run in trace.runs for line in _RunLines(trace, run, email) if _is_kept(trace, line)
    ]
    return sorted(made, key=lambda line: (line.timestamp, line.id))


def summary(case: Case) -> str:
    """A mail in one line."""
    sender = f"{case.sender_name} <{case.sender_address}>" if case.sender_name else None
    return f"{case.subject or '(no subject)'} · {sender or case.sender_address or 'nobody'}"


def called_at(call: RunCall, run: Run) -> datetime:
    """When a call was made, or given up."""
    return call.started_at or call.finished_at or run.updated_at


def _is_kept(trace: RunTrace, line: TraceLineOut) -> bool:
    run_id = line.agent_thread_id or line.dir_thread_id
    until = trace.deleted.get(run_id)
    return line.id not in trace.deleted and (until is None or line.timestamp > until)


class _RunLines:
    """The lines of one run."""

    def __init__(self, trace: RunTrace, run: Run, email: str) -> None:
        self._trace = trace
        self._run = run
        self._email = email
        self._who: TracePhase = "director" if run.id == trace.root.id else "agent"

    def __iter__(self) -> Iterator[TraceLineOut]:
        run = self._run
        begun = TraceDetailOut(action=f"{self._who}_start", request=run.words, status=run.status)
        yield self._line(".a", run.started_at or run.created_at, self._who, begun)
        yield from map(self._call, self._trace.calls.get(run.id, ()))
        yield from map(self._event, self._trace.events.get(run.id, ()))
        for message in self._trace.said.get(run.id, ()):
            if message.role == "assistant":
                output = TraceDetailOut(action=f"{self._who}_output")
                yield self._line(
                    f".m{message.position}",
                    message.created_at,
                    self._who,
                    output,
                    result=_plain(_shown(message)),
                )
        yield from self._end()

    def _end(self) -> Iterator[TraceLineOut]:
        run = self._run
        if run.completed_at is None:
            return
        ended = TraceDetailOut(action=f"{self._who}_complete", status=run.status, code=run.why)
        error = run.error if run.status != "completed" else None
        yield self._line(".z", run.completed_at, self._who, ended, error=error)
        if self._who == "director" and run.status == "completed":
            # What came of it, not the items themselves: those are on the page of results.
            items = [
                {
                    "id": item.id,
                    "label": item.title,
                    "mimeType": item.mime_type,
                    "revision": item.revision,
                }
                for item in self._trace.items
            ]
            came = TraceDetailOut(action="workspace_result", status=run.status)
            yield self._line(".r", run.completed_at, "result", came, result={"items": items})

    def _call(self, call: RunCall) -> TraceLineOut:
        asked = arguments_of(call.arguments)
        detail = TraceDetailOut(
            action="tool_call",
            tool=call.tool,
            request=call.arguments if isinstance(asked, str) else asked,
            session_id=call.child_id,
            status=call.status,
            verdict=views.verdict(call),
            code=call.code,
            rule=call.rule_name,
            latency_ms=call.latency_ms,
        )
        answer = self._answers.get(call.id)
        failed = call.status in _NOT_DONE
        return self._line(
            f".c{call.number}",
            called_at(call, self._run),
            "tool",
            detail,
            result=_plain(_shown(answer)) if answer else None,
            error=(call.reason or f"The call is {call.status}.") if failed else None,
        )

    @property
    def _answers(self) -> dict[str, RunMessage]:
        said = self._trace.said.get(self._run.id, ())
        return {each.tool_call_id: each for each in said if each.tool_call_id}

    def _event(self, event: ProviderEvent) -> TraceLineOut:
        detail = TraceDetailOut(
            action=f"model_{event.kind}",
            request=event.payload if event.kind == "request" else None,
            provider=event.provider,
            model=event.model,
            attempt=event.attempt,
            status=str(event.status) if event.status else None,
            latency_ms=event.latency_ms,
            input_tokens=event.input_tokens,
            output_tokens=event.output_tokens,
            money=event.money / MILLION if event.money is not None else None,
        )
        failed = event.kind == "error"
        return self._line(
            f".{event.id}",
            event.at,
            self._who,
            detail,
            result=event.payload if event.kind == "response" else None,
            error=str(event.payload.get("error") or "The model failed.") if failed else None,
        )

    def _line(
        self,
        mark: str,
        at: datetime,
        phase: TracePhase,
        detail: TraceDetailOut,
        *,
        result: Any = None,
        error: str | None = None,
    ) -> TraceLineOut:
        trace, run = self._trace, self._run
        is_agent = self._who == "agent"
        return TraceLineOut(
            id=run.id + mark,
            timestamp=at,
            director=trace.root.agent_id,
            director_name=trace.name(trace.root.agent_id),
            agent=run.agent_id if is_agent else "",
            agent_name=trace.name(run.agent_id) if is_agent else "",
            email_summary=self._email,
            phase=phase,
            fetch_cycle_id=trace.case.cycle_id,
            dir_thread_id=trace.root.id,
            agent_thread_id=run.id if is_agent else "",
            detail=detail,
            result=result,
            error=error,
            content_hidden=False,
            is_cut=False,
        )


def hidden(line: TraceLineOut) -> TraceLineOut:
    """A line without what was asked and answered: whose it is alone may read that."""
    detail = line.detail.model_copy(update={"request": None})
    if detail.code == "unknown_tool":
        detail.tool = "(a tool that does not exist)"  # the model may have said anything
    return line.model_copy(
        update={
            "detail": detail,
            "result": None,
            "error": line.error and (detail.code or detail.status or "failed"),
            "content_hidden": True,
        }
    )


def shortened(line: TraceLineOut, most: int) -> TraceLineOut:
    """A line with no more than the beginning of what is long."""
    request, cut = _beginning(line.detail.request, most)
    result, also_cut = _beginning(line.result, most)
    if not (cut or also_cut):
        return line
    detail = line.detail.model_copy(update={"request": request})
    return line.model_copy(update={"detail": detail, "result": result, "is_cut": True})


def _beginning(value: Any, most: int) -> tuple[Any, bool]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return (value, False) if len(text) <= most else (text[:most] + "…", True)


def _shown(message: RunMessage) -> str:
    """A text as the model got it, where redaction changed it."""
    return str((message.sent or {}).get("content") or message.content)


def _plain(text: str) -> Any:
    """What a text says as JSON; most answers of tools are."""
    if json_depth.deep_field(text.encode(errors="replace"), whole="result"):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
