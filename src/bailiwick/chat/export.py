"""A thread as a file: markdown for people, JSON for programs."""

import json
from collections.abc import Sequence
from typing import Literal

from bailiwick.chat.schemas import MessageOut, ThreadOut

ExportFormat = Literal["markdown", "json"]


def exported(
    thread: ThreadOut, messages: Sequence[MessageOut], format: ExportFormat
) -> tuple[str, str, str]:
    """The file's text, its media type and its ending."""
    if format == "json":
        whole = {
            "thread": thread.model_dump(mode="json", by_alias=True),
            "messages": [each.model_dump(mode="json", by_alias=True) for each in messages],
        }
        return json.dumps(whole, ensure_ascii=False, indent=2), "application/json", "json"
    shown = [_told(message) for message in messages if not message.hidden]
    return "\n\n".join([f"# {thread.title}", *shown]) + "\n", "text/markdown", "md"


def _told(message: MessageOut) -> str:
    who = message.username or message.role
    at = message.created_at.strftime("%Y-%m-%d %H:%M")
    names = "".join(f"\n\n*Attached: {file.name}*" for file in message.attachments)
    return f"## {who}, {at} UTC\n\n{message.content}{names}"
