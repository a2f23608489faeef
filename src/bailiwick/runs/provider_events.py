"""What went to a model and came back: apart from the transcript, appended only, and redacted."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.checks.redaction import redacted
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock, ids
from bailiwick.llm.chat import ModelAttempt, TokenUsage
from bailiwick.runs import repository
from bailiwick.runs.models import ProviderEvent, Run


class AttemptLog:
    """Collects what an adapter reports during one step."""

    def __init__(self, redactors: RedactorCache, *, known: int = 0) -> None:
        self._redactors = redactors
        # How many messages an earlier step has kept already: the transcript has them all anyway.
        self._known = known
        self.rows: list[tuple[ModelAttempt, datetime]] = []

    async def take(self, attempt: ModelAttempt) -> None:
        """Keep a report, with what redaction takes out gone."""
        payload, _ = await redacted(self._redactors, self._shortened(attempt))
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

    def _shortened(self, attempt: ModelAttempt) -> dict[str, Any]:
        payload = dict(attempt.payload)
        if attempt.kind == "request" and isinstance(sent := payload.get("messages"), list):
            payload["earlier_messages"] = min(self._known, len(sent))
            payload["messages"] = sent[self._known :]
            payload["tools"] = [_name(tool) for tool in payload.get("tools") or ()]
        return payload

    def write(self, session: AsyncSession, run: Run) -> None:
        """Append what was reported, in the transaction of the step."""
        session.add_all(_rows(run, self.rows))


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
            input_tokens=(each.spent or TokenUsage()).input_tokens,
            output_tokens=(each.spent or TokenUsage()).output_tokens,
            money=(each.spent or TokenUsage()).money,
            at=at,
        )
        for each, at in rows
    ]


async def forget_old(session: AsyncSession, settings: RuntimeSettings) -> None:
    """Drop what is older than the office keeps."""
    before = clock.now() - timedelta(days=settings.diagnostics_days)
    await repository.forget_provider_events(session, before)
