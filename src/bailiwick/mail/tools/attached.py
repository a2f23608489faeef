"""What is attached to a letter, as the card of its approval shows it and its yes is bound to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.errors import Conflict
from bailiwick.mail.compose.message import Attachment
from bailiwick.tools.facts import AttachedFile, digest
from bailiwick.tools.tool import ToolContext

_MOST_SHOWN = 4_000
_MOST_BYTES = 4 * _MOST_SHOWN  # of UTF-8


def on_card(attachments: Sequence[Attachment]) -> list[Mapping[str, Any]]:
    """Each with its size, its type, its digest, and how it begins if it is a text."""
    return [
        {
            "name": each.name,
            "type": each.type,
            "size": len(each.content),
            "digest": digest(each.content),
            "text": _beginning(each.content),
        }
        for each in attachments
    ]


def as_files(attachments: Sequence[Attachment]) -> list[AttachedFile]:
    """The files themselves, for a person who looks at them."""
    return [AttachedFile(each.name, each.type, each.content) for each in attachments]


def require_as_allowed(context: ToolContext, attachments: Sequence[Attachment]) -> None:
    """Refuse what is not, byte for byte, what the person saw who allowed it."""
    if context.card is None:
        return
    seen = [(each["name"], each["digest"]) for each in context.card.get("attachments", ())]
    if seen != [(each.name, digest(each.content)) for each in attachments]:
        raise Conflict("What is attached changed at this very moment. Nothing was sent.")


def _beginning(content: bytes) -> str | None:
    if b"\x00" in content[:_MOST_BYTES]:
        return None
    try:
        # The last character may be cut in the middle.
        text = content[:_MOST_BYTES].decode("utf-8-sig", errors="strict")
    except UnicodeDecodeError as error:
        if len(content) <= _MOST_BYTES or error.start < _MOST_BYTES - 4:
            return None
        text = content[: error.start].decode("utf-8-sig")
    return text[:_MOST_SHOWN]
