"""What the model got of each message, kept in the transcript where redaction made it another."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.llm.chat import ChatMessage
from bailiwick.runs import repository
from bailiwick.runs.models import RunMessage


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
        changed = _changed(message, got)
        # What a model has once seen whole stays seen, whatever is redacted later.
        if row.step == step if changed else row.sent:
            row.sent = changed
            await repository.keep_sent(session, row)


def _changed(message: ChatMessage, got: ChatMessage) -> Mapping[str, Any] | None:
    names = ("content", "tool_calls")
    return {name: got[name] for name in names if got.get(name) != message.get(name)} or None
