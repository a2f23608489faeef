"""What a model sees of the files in a conversation: the file itself, or the text that is in it.

A file in a message is a part of its content:
{"type": "file", "name", "media_type", "blob", "size", "width", "height", "pages", "text"}, where
`text` is what could be read in it. Only bytes that this office keeps are sent, never an address. A
file in whose text redaction found something is not shown: it is told by its redacted text.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from bailiwick.llm.chat import ChatMessage
from bailiwick.llm.config import Config
from bailiwick.llm.outgoing import RedactedRequest

FileKind = Literal["image", "document"]
# What a file was to the model: itself, its text, its text without what was redacted, or its name.
Saw = Literal["image", "document", "text", "redacted", "nothing"]
FilePart = Mapping[str, Any]
ReadBlob = Callable[[str], bytes]
IMAGES = ("image/png", "image/jpeg", "image/webp", "image/gif")
PDF = "application/pdf"
# The newest of a conversation; providers take about a hundred, and forget what they were.
MOST_SHOWN = 20
MOST_BYTES = 18_000_000  # of all in one request; in base64 they are a third more
_LARGEST_IMAGE = 3_700_000  # what each provider takes
_MOST_PAGES = 100

# By the names that providers give; what is not known does not see. A setting has the last word.
_SEES: dict[str, tuple[str, str]] = {
    "openai": (
        r"gpt-4o|gpt-4\.|gpt-4-turbo|gpt-[5-9]|o[134](?!-mini)|o4-mini|chatgpt",
        r"gpt-4o|gpt-4\.|gpt-[5-9]|o[134](?!-mini)|o4-mini",
    ),
    "anthropic": (r"claude-(?!2|instant)", ""),
    "google": (r"gemini|gemma-(?:3-(?!1b)|[4-9])", r"gemini"),
    "mistral": (r"pixtral|mistral-(?:small|medium|large)-(?:latest|25|26)|ministral-3", "-"),
    "bedrock": (
        r"anthropic\.claude-(?!2|instant)|amazon\.nova-(?!micro)|llama3-2-(?:11|90)b|llama4|pixtral",
        r"anthropic\.claude-(?!2|instant)|amazon\.nova-(?!micro)",
    ),
    "azure": (r"gpt-4o|gpt-4\.|gpt-[5-9]|o[134](?!-mini)|o4-mini", "-"),
    "ollama": (
        r"llava|moondream|minicpm-v|vl\b|vision|gemma3(?!.*(?:1b|270m))|gemma[4-9]|llama4|"
        r"mistral-small3\.|pixtral|ministral-3",
        "-",
    ),
    "compatible": (
        r"llava|moondream|minicpm-v|\bvl\b|[0-9]vl\b|vision|gemma-?3(?!.*(?:1b|270m))|gemma-?[4-9]|"
        r"llama-?4|pixtral|smolvlm|gpt-4o|gpt-4\.|gpt-[5-9]|claude-(?!2|instant)|gemini",
        "-",
    ),
}


@dataclass(frozen=True, slots=True)
class ModelSight:
    """Which files a model takes as they are."""

    images: bool
    documents: bool

    def takes(self, kind: FileKind) -> bool:
        """Whether it takes files of a kind."""
        return self.images if kind == "image" else self.documents


def sight_of(config: Config) -> ModelSight:
    """What a model sees: as its setting says, or as its name is known."""
    images, documents = _SEES.get(config.provider, ("-", "-"))
    return ModelSight(
        _known(images, config) if config.sees_images is None else config.sees_images,
        _known(documents or images, config)
        if config.sees_documents is None
        else config.sees_documents,
    )


def kind_of(part: FilePart) -> FileKind:
    """What a file is."""
    return "image" if part["media_type"] in IMAGES else "document"


def shown(ask: RedactedRequest, sight: ModelSight) -> RedactedRequest:
    """The request with each file as this model sees it; the newest are shown first."""
    if not any(isinstance(message.get("content"), list) for message in ask.messages):
        return ask
    room = _Room()
    made = [_message(message, sight, room) for message in reversed(ask.messages)]
    return replace(ask, messages=made[::-1])


def blobs_of(ask: RedactedRequest) -> set[str]:
    """The blobs of the files that are shown."""
    return {
        part["blob"]
        for message in ask.messages
        for part in parts_of(message)
        if part.get("type") == "file"
    }


def parts_of(message: ChatMessage) -> list[Any]:
    """The parts of a message that has some."""
    content = message.get("content")
    return content if isinstance(content, list) else []


def caption(part: FilePart) -> str:
    """A file in a few words."""
    if kind_of(part) == "image":
        size = f", {part['width']}x{part['height']}" if part.get("width") else ""
        return f"image {part['name']}{size}"
    pages = part.get("pages")
    return f"document {part['name']}" + (f", {pages} page{'s' * (pages != 1)}" if pages else "")


@dataclass(slots=True)
class _Room:
    """What may still be shown in one request."""

    files: int = MOST_SHOWN
    bytes: int = MOST_BYTES

    def take(self, part: FilePart) -> bool:
        if not self.files or part["size"] > self.bytes:
            return False
        self.files, self.bytes = self.files - 1, self.bytes - part["size"]
        return True


def _message(message: ChatMessage, sight: ModelSight, room: _Room) -> ChatMessage:
    if not (parts := parts_of(message)):
        return message
    made = [
        _part(part, sight, room) if part.get("type") == "file" else part for part in reversed(parts)
    ]
    return {**message, "content": made[::-1]}


def _part(part: FilePart, sight: ModelSight, room: _Room) -> dict[str, Any]:
    why = _why_not(part, sight, room)
    about = {name: value for name, value in part.items() if name not in ("text", "redacted")}
    if why is None:
        return {**about, "saw": kind_of(part)}
    text = (part.get("text") or "").strip()
    head = f"[{caption(part)}: {why}; " + ("its text follows]\n" if text else "no text was found]")
    if part["media_type"] not in (*IMAGES, PDF):
        head = f"[{caption(part)}]\n"
    saw: Saw = "nothing" if not text else "redacted" if part.get("redacted") else "text"
    return {"type": "text", "text": head + text, "saw": saw}


def _why_not(part: FilePart, sight: ModelSight, room: _Room) -> str | None:
    kind = kind_of(part)
    if part["media_type"] not in (*IMAGES, PDF):
        return ""
    if part.get("redacted"):
        return "something in it was redacted, so only its text is given"
    if not sight.takes(kind):
        return f"this model cannot see {kind}s"
    if kind == "image" and part["size"] > _LARGEST_IMAGE:
        return "it is too large to be shown"
    if (part.get("pages") or 0) > _MOST_PAGES:
        return f"it has more than {_MOST_PAGES} pages"
    return None if room.take(part) else "newer files took its place"


def _known(pattern: str, config: Config) -> bool:
    return pattern != "-" and bool(re.search(pattern, config.model, re.IGNORECASE))
