"""What the model got of each message, kept in the transcript where it was another.

Redaction changes texts, and a file is what the model saw of it: itself, its text, or its name.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.llm.chat import ChatMessage
from bailiwick.llm.sight import parts_of
from bailiwick.runs import repository
from bailiwick.runs.models import RunMessage

_ITSELF = ("image", "document")


async def note(
    session: AsyncSession,
    messages: Iterable[tuple[RunMessage | None, ChatMessage]],
    sent: Iterable[ChatMessage],
    *,
    step: int,
) -> None:
    """Keep what was sent in place of the messages of the transcript, in this step."""
    for (row, message), got in zip(messages, sent, strict=False):
        if row is None:
            continue
        changed, files = _changed(message, got), _seen(row, got)
        # What a model has once seen whole stays seen, whatever is redacted later.
        is_new = row.step == step if changed else bool(row.sent)
        if is_new or files != row.files:
            row.sent = changed if is_new else row.sent
            row.files = files
            await repository.keep_sent(session, row)


def _changed(message: ChatMessage, got: ChatMessage) -> Mapping[str, Any] | None:
    names = ("content", "tool_calls")
    return {name: _value(got, name) for name in names if _differs(message, got, name)} or None


def _differs(message: ChatMessage, got: ChatMessage, name: str) -> bool:
    return _value(got, name) != _value(message, name)


def _value(message: ChatMessage, name: str) -> Any:
    """Of a message with files, its own text alone."""
    parts = parts_of(message) if name == "content" else []
    return parts[0]["text"] if parts else message.get(name)


def _seen(row: RunMessage, got: ChatMessage) -> list[dict[str, Any]] | None:
    if not row.files:
        return row.files
    parts = [part for part in parts_of(got)[1:] if "saw" in part]
    made = [dict(file) for file in row.files]
    for file, part in zip(made, parts, strict=False):
        if file.get("saw") not in _ITSELF:
            file["saw"] = part["saw"]
    return made
