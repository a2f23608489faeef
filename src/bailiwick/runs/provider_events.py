"""What went to a model and came back: apart from the transcript, appended only, and redacted."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock, ids
from bailiwick.llm.chat import ChatMessage, ModelAttempt, ModelRequest, TokenUsage
from bailiwick.llm.outgoing import OutgoingRedaction
from bailiwick.runs import repository, sent
from bailiwick.runs.models import ProviderEvent, Run, RunMessage

# May refuse another try, after what those before it used.
BeforeRetry = Callable[[TokenUsage], Awaitable[None]]


class AttemptLog:
    """Collects what an adapter reports during one step."""

    def __init__(
        self,
        outgoing: OutgoingRedaction,
        messages: Sequence[tuple[RunMessage | None, ChatMessage]] = (),
        *,
        known: int = 0,
        before_retry: BeforeRetry | None = None,
    ) -> None:
        self._outgoing = outgoing
        self._before_retry = before_retry
        # What of the transcript is asked about, before redaction.
        self._messages = messages
        # How many messages an earlier step has kept already: the transcript has them all anyway.
        self._known = known
        self.rows: list[tuple[ModelAttempt, datetime]] = []
        # The messages of the last request, as they left.
        self._sent: list[ChatMessage] = []

    async def take(self, attempt: ModelAttempt) -> None:
        """Keep a report: a request as it left, and what came back redacted like it."""
        if attempt.kind == "request":
            if self._before_retry and self.calls:
                await self._before_retry(self.spent)
            self._sent = attempt.payload["messages"]
            payload = self._shortened(attempt)
        else:
            payload = await self._came_back(attempt)
        kept = ModelAttempt(
            kind=attempt.kind,
            number=attempt.number,
            model_id=attempt.model_id,
            provider=attempt.provider,
            model=attempt.model,
            payload=payload,
            latency_ms=attempt.latency_ms,
            spent=attempt.spent,
            status=attempt.status,
        )
        self.rows.append((kept, clock.now()))

    @property
    def spent(self) -> TokenUsage:
        """What all tries used together; what has no known price counts as nothing."""
        found = [each.spent for each, _ in self.rows if each.spent]
        money = sum(each.money or 0 for each in found)
        return replace(sum(found, TokenUsage()), money=money)

    @property
    def calls(self) -> int:
        """How many tries used something."""
        return sum(each.spent is not None for each, _ in self.rows)

    async def _came_back(self, attempt: ModelAttempt) -> dict[str, Any]:
        """An answer or an error, redacted as it would be if it were sent."""
        payload = dict(attempt.payload)
        name = "error" if attempt.kind == "error" else "content"
        calls = [
            {"function": {"arguments": each["arguments"]}} for each in payload.get("calls", ())
        ]
        asked = ModelRequest(
            [
                {"content": payload[name], "tool_calls": calls},
                {"content": payload.get("thought", "")},
            ]
        )
        said, thought = (await self._outgoing.redacted(asked)).messages
        payload[name] = said["content"]
        if "thought" in payload:
            payload["thought"] = thought["content"]
        if calls:
            payload["calls"] = [
                {**each, **call["function"]}
                for each, call in zip(payload["calls"], said["tool_calls"], strict=True)
            ]
        return payload

    def _shortened(self, attempt: ModelAttempt) -> dict[str, Any]:
        payload = dict(attempt.payload)
        payload["earlier_messages"] = min(self._known, len(self._sent))
        payload["messages"] = self._sent[self._known :]
        payload["tools"] = [_name(tool) for tool in payload.get("tools") or ()]
        return payload

    async def write(self, session: AsyncSession, run: Run) -> None:
        """Append what was reported, in the transaction of the step."""
        session.add_all(_rows(run, self.rows))
        await sent.note(session, self._messages, self._sent, step=run.steps)


def _name(tool: Any) -> str:
    if isinstance(tool, dict):
        return str(tool.get("name") or tool.get("function", {}).get("name"))
    return str(getattr(tool, "name", tool))


def _rows(run: Run, rows: Iterable[tuple[ModelAttempt, datetime]]) -> list[ProviderEvent]:
    return [
        ProviderEvent(
            id=ids.new("pev"),
            run_id=run.id,
            workspace_id=run.workspace_id,
            agent_id=run.agent_id,
            user_id=run.user_id,
            step=run.steps,
            attempt=each.number,
            kind=each.kind,
            model_id=each.model_id,
            provider=each.provider,
            model=each.model[:200],
            payload=each.payload,
            status=each.status,
            latency_ms=each.latency_ms,
            **asdict(each.spent or TokenUsage()),
            at=at,
        )
        for each, at in rows
    ]


async def forget_old(session: AsyncSession, settings: RuntimeSettings) -> None:
    """Drop what is older than the office keeps."""
    before = clock.now() - timedelta(days=settings.diagnostics_days)
    await repository.forget_provider_events(session, before)
