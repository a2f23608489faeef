"""Writing down what a call answered: right away, or when a person has said yes or no."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.models import Approval
from bailiwick.kit import clock
from bailiwick.runs import transcript
from bailiwick.runs.files.store import KeptFile
from bailiwick.runs.models import Run, RunCall
from bailiwick.runs.states import CallStatus
from bailiwick.tools.tool import Tool

_STATUS: dict[str, CallStatus] = {
    "done": "done",
    "denied": "denied",
    "expired": "denied",
    "unknown": "unknown",
}
_FAILED: tuple[CallStatus, ...] = ("denied", "failed", "unknown")
_MOST_FILES = 200


def settle(
    session: AsyncSession,
    run: Run,
    row: RunCall,
    text: str,
    *,
    blob: str | None = None,
    files: Sequence[KeptFile] = (),
) -> None:
    """Put the answer of a call into the transcript."""
    now = clock.now()
    if row.started_at:
        row.latency_ms = int((now - row.started_at).total_seconds() * 1000)
    row.finished_at = now
    failed = row.status in _FAILED
    said = transcript.add(session, run, "tool", text, call_id=row.id, blob=blob, failed=failed)
    transcript.attach(said, files)


def from_approval(
    session: AsyncSession, run: Run, row: RunCall, approval: Approval, *, tool: Tool | None
) -> None:
    """Put what a person said, and what came of it, into the transcript."""
    row.status = _STATUS.get(approval.status, "failed")
    row.action_id = approval.action_id
    if row.status != "done":
        row.reason = _why(approval)
    elif tool:
        remember_files(run, tool, approval.edited or approval.arguments)
    files: list[KeptFile] = approval.files or []
    settle(session, run, row, transcript.clipped(_answer_text(approval)), files=files)


def remember_files(run: Run, tool: Tool, arguments: dict[str, Any]) -> None:
    """Keep which files a run has changed."""
    if not tool.writes:
        return
    named = [arguments[name] for name in tool.paths if isinstance(arguments.get(name), str)]
    files = [*dict.fromkeys((*run.files_modified, *named))]
    run.files_modified = files[-_MOST_FILES:]


def _answer_text(approval: Approval) -> str:
    if approval.status == "done":
        changed = approval.edited is not None and approval.edited != approval.arguments
        data: Any = approval.result
        if changed:
            note = "A person changed the arguments."
            data = {"result": data, "note": note, "arguments": approval.edited}
        return json.dumps(data, ensure_ascii=False)
    return json.dumps({"error": _why(approval), "code": approval.status}, ensure_ascii=False)


def _why(approval: Approval) -> str:
    match approval.status:
        case "denied":
            note = f" They say: {approval.note}" if approval.note else ""
            return f"A person said no.{note} Do not try it again."
        case "expired":
            return "Nobody answered in time."
        case _:
            return approval.error or "It failed."
