"""The transcript: OpenAI's messages in order. It is the record, and enough to resume or replay."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit import clock
from bailiwick.llm.chat import ChatMessage, ChatRole, ModelToolCall
from bailiwick.llm.parts import ProviderParts
from bailiwick.llm.sight import caption
from bailiwick.runs.models import Run, RunMessage

# A text in the transcript that is longer is cut there, and kept whole in a blob.
LONGEST = 40_000
# A note after an answer that ran into its limit; the next one goes on from there.
CUT_OFF = "[Cut off at the limit. Go on exactly where the answer ended, and repeat nothing.]"
# Of a file, for a model.
_FACTS = ("name", "media_type", "blob", "size", "width", "height", "pages", "text")


def add(
    session: AsyncSession,
    run: Run,
    role: ChatRole,
    content: str,
    *,
    kind: str = "message",
    calls: Sequence[ModelToolCall] = (),
    call_id: str | None = None,
    blob: str | None = None,
    parts: ProviderParts | None = None,
    failed: bool = False,
) -> RunMessage:
    """Append a message; the run must be held by this transaction."""
    row = RunMessage(
        run_id=run.id,
        position=run.length,
        role=role,
        content=storable(content),
        tool_calls=[_call(each) for each in calls] or None,
        tool_call_id=call_id,
        step=run.steps,
        kind=kind,
        blob=blob,
        parts=parts,
        failed=failed or None,
        created_at=clock.now(),
    )
    run.length += 1
    run.updated_at = row.created_at
    session.add(row)
    return row


def attach(row: RunMessage, files: Sequence[Mapping[str, Any]]) -> None:
    """Put files to a message."""
    row.files = [dict(file) for file in files] or None


def as_sent(rows: Iterable[RunMessage]) -> list[ChatMessage]:
    """The messages for a model: nothing folded, each result after the call it answers."""
    return [message for _, message in in_order(rows)]


def in_order(rows: Iterable[RunMessage]) -> list[tuple[RunMessage | None, ChatMessage]]:
    """The messages for a model, each with its row; a call that has no answer yet has none."""
    shown = sorted((row for row in rows if row.folded_into is None), key=_place)
    results = {row.tool_call_id: row for row in shown if row.tool_call_id}
    sent: list[tuple[RunMessage | None, ChatMessage]] = []
    for row in shown:
        if row.tool_call_id:
            continue
        sent.append((row, as_message(row)))
        for call in row.tool_calls or ():
            answer = results.get(call["id"])
            sent.append((answer, as_message(answer) if answer else _unanswered(call["id"])))
    return sent


def _place(row: RunMessage) -> tuple[bool, bool, int]:
    """A summary stands after the prompt and the first request, where what it tells of was."""
    return row.kind != "prompt", row.kind != "summary" and row.step > 0, row.position


def as_message(row: RunMessage) -> ChatMessage:
    """A message as OpenAI's chat API has it, and what is ours beside it (`llm/chat.py`)."""
    if row.role == "tool" and not row.tool_call_id:
        # An example in a prompt: there is no call that it answers.
        return {"role": "user", "content": f"A tool answered:\n{row.content}"}
    message: dict[str, Any] = {"role": row.role, "content": _content(row)}
    if row.tool_calls:
        message["tool_calls"] = row.tool_calls
    if row.tool_call_id:
        message["tool_call_id"] = row.tool_call_id
    if row.parts:
        message["parts"] = row.parts
    if row.failed:
        message["failed"] = True
    return message


def words_of(message: ChatMessage) -> str:
    """A message in words alone: its files by their names and texts."""
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(
        part["text"] if part["type"] == "text" else f"[{caption(part)}]\n{part['text']}".strip()
        for part in content
    )


def storable(text: str) -> str:
    """A text that every database takes: no NUL, no half of a character."""
    return text.replace("\x00", "\ufffd").encode(errors="replace").decode()


def clipped(text: str, most: int = LONGEST) -> str:
    """The beginning and the end of a long text, with a word about what is between."""
    if len(text) <= most:
        return text
    head, tail = most * 3 // 4, most // 8
    left_out = len(text) - head - tail
    note = f"\n[… {left_out:,} characters are left out here; the office keeps the whole …]\n"
    return text[:head] + note + text[-tail:]


def _content(row: RunMessage) -> str | list[dict[str, Any]]:
    if not row.files:
        return row.content
    facts = ({name: file[name] for name in _FACTS} for file in row.files)
    return [{"type": "text", "text": row.content}, *({"type": "file", **file} for file in facts)]


def _call(call: ModelToolCall) -> dict[str, Any]:
    function = {"name": storable(call.name)[:128], "arguments": storable(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _unanswered(id: str) -> ChatMessage:
    return {"role": "tool", "content": "There is no answer yet.", "tool_call_id": id}
