"""Contents of files as text, and what tools say when they have changed one."""

from typing import Any

from bailiwick.errors import Conflict, Invalid
from bailiwick.library.arguments import LARGEST_TEXT
from bailiwick.library.resolver import ResolvedPath
from bailiwick.library.versions import etag_of
from bailiwick.tools.tool import Receipt, Ref, ToolOutput


def as_text(content: bytes) -> str | None:
    """The text that a file holds; None if it holds something else."""
    if b"\x00" in content:
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def encoded(text: str) -> bytes:
    """Text as it is written to disk."""
    try:
        content = text.encode()
    except UnicodeEncodeError:
        raise Invalid.field("content", "contains half of a character; send it again") from None
    if b"\x00" in content:
        raise Invalid.field("content", "contains a NUL character, which no text file has")
    if len(content) > LARGEST_TEXT:
        raise Invalid.field("content", f"is larger than {LARGEST_TEXT // 1_000_000} MB")
    return content


def require_same(now: str, then: str, place: ResolvedPath, what: str) -> None:
    """Refuse to undo what someone went on working with."""
    if now != then:
        raise Conflict(
            f"{place.path} was changed after it was {what}, so nothing was undone and nothing is "
            f"lost. Change it by hand if you still want to."
        )


def done(
    place: ResolvedPath,
    what: str,
    receipt: Receipt | None = None,
    *,
    gone: bool = False,
    digest: str | None = None,
) -> ToolOutput:
    """What a tool says when it has changed a file."""
    data: dict[str, Any] = {"path": str(place.path), "status": what}
    if not gone:
        data["id"] = Ref("file", str(place.path))
    if digest:
        data["etag"] = etag_of(digest)
    return ToolOutput(data, summary=f"file {what}", receipt=receipt)
