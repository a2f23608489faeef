"""What an artifact holds, in the form in which it is given: text, or bytes written as text."""

import base64
import binascii
import json
import re
from dataclasses import dataclass, field
from typing import Any

from bailiwick.artifacts.models import Encoding
from bailiwick.errors import Invalid

LARGEST = 8_000_000  # characters, as it is given
PREVIEW = 300
_MIME = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
# What programs write instead, and mean the same.
_SAME = {"text/x-markdown": "text/markdown", "application/x-json": "application/json"}


@dataclass(frozen=True, slots=True)
class ArtifactContent:
    """Everything about an artifact that can be changed."""

    title: str = ""
    description: str = ""
    mime_type: str | None = None
    encoding: Encoding = "utf8"
    data: str = field(default="", repr=False)
    tags: tuple[str, ...] = ()

    @property
    def content(self) -> bytes:
        """The bytes themselves, or `Invalid` where they are written wrongly."""
        return decoded(self.data, self.encoding)

    def check_form(self) -> None:
        """Refuse what its MIME type says is JSON, and is none; a model writes it anew then."""
        mime = self.mime_type or ""
        if mime == "application/json" or mime.endswith("+json"):
            try:
                json.loads(self.content)
            except (ValueError, RecursionError) as error:
                words = f"this is not JSON, which `mimeType` says it is: {error}"
                raise Invalid.field("data", words) from None

    @property
    def preview(self) -> str:
        """The beginning of a text; nothing of what is no text."""
        return self.data[:PREVIEW] if self.encoding == "utf8" else ""

    def columns(self) -> dict[str, Any]:
        """The values of a row, but for the content itself."""
        return {
            "title": self.title,
            "description": self.description,
            "mime_type": self.mime_type,
            "encoding": self.encoding,
            "tags": list(self.tags),
        }


def decoded(data: str, encoding: Encoding) -> bytes:
    """The bytes that a text stands for."""
    if len(data) > LARGEST:
        raise Invalid.field("data", f"at most {LARGEST // 1_000_000} MB as it is sent")
    try:
        match encoding:
            case "base64":
                return base64.b64decode("".join(data.split()), validate=True)
            case "binary":
                return data.encode("latin-1")
            case "utf8":
                return data.encode()
    except binascii.Error:
        raise Invalid.field("data", "this is not base64, which `encoding` says it is") from None
    except UnicodeEncodeError:
        words = "holds characters that this encoding has not; send text as utf8"
        raise Invalid.field("data", words) from None


def checked_mime(given: str | None) -> str | None:
    """A MIME type without its parameters, in lower case; `Invalid` if it is none."""
    if given is None:
        return None
    plain = given.partition(";")[0].strip().lower()
    if not _MIME.fullmatch(plain):
        raise Invalid.field("mimeType", "is no MIME type such as text/markdown")
    return _SAME.get(plain, plain)
