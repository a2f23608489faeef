"""What the extraction process does for files: the type, the text and the front matter of each.

The process imports this module, so it imports nothing that opens an office. Archives are listed
and never unpacked. What a reader finds at fault is said in words that a person understands.
"""

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from typing import Any

from bailiwick.library.index.written_tags import written
from bailiwick.tools import content_kinds as kinds

READ = f"{__name__}:read"
EMBED = f"{__name__}:embed"
MOST_KEPT = 1_000_000  # characters of a text
_MOST_LISTED = 2_000  # names in an archive
_MOST_UNPACKED = 300_000_000  # bytes of a document that is an archive
_PRINTABLE = 0.9
_ARCHIVES = (kinds.ZIP, "application/x-tar")
_CLOSED = (
    "application/gzip",
    "application/x-7z-compressed",
    "application/vnd.rar",
    "application/x-bzip2",
    "application/x-xz",
)
_PICTURES = ("image/",)
_SOUND = ("audio/", "video/")
_DOCUMENTS = (
    "application/pdf",
    "application/rtf",
    "application/epub+zip",
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.",
    *("application/msword", "application/vnd.ms-"),
)
_MARKED_UP = ("text/html", "message/rfc822")


class Unreadable(Exception):
    """There is no text to be had, for a reason that is said."""


def read(thing: bytes) -> dict[str, Any]:
    """What a file holds; the thing is its name, a NUL and its content."""
    name, _, content = thing.partition(b"\x00")
    suffix = name.decode(errors="replace").rpartition(".")[2].lower()
    text = decoded(content)
    kind = kinds.found(content, suffix, is_text=text is not None)
    said: dict[str, Any] = {
        "digest": hashlib.sha256(content).hexdigest(),
        "type": kind,
        "properties": {},
        "tags": [],
        "texts": {},
    }
    try:
        extractor, found = _text(content, kind, text)
    except Unreadable as error:
        return said | {"state": "skipped", "problem": str(error)}
    except Exception as error:  # noqa: BLE001  (whatever a parser trips over, it is told in words)
        return said | {"state": "failed", "problem": _words(error)}
    if extractor == "plain":
        said["properties"], said["tags"] = written(found)
    clean = found.replace("\x00", " ").encode(errors="replace").decode()
    said["texts"] = {extractor: [clean[:MOST_KEPT], len(clean)]}
    return said | {"state": "ready", "problem": None}


def embed(thing: bytes) -> list[str]:
    """The embeddings of a JSON list of texts, each as it is stored, in base64."""
    import numpy as np

    from bailiwick.llm import vectors

    made = vectors.embed(json.loads(thing)).astype(np.float16)
    return [base64.b64encode(row.tobytes()).decode() for row in made]


def decoded(content: bytes) -> str | None:
    """A content as text; None if it is none."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    if b"\x00" in content[:65_536]:
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _older(content)


def _older(content: bytes) -> str | None:
    """Text of the time before Unicode, if most of it is letters."""
    text = content.decode("cp1252", "replace")
    head = text[:4_000]
    good = sum(letter.isprintable() or letter in "\r\n\t\f" for letter in head)
    return text if good >= _PRINTABLE * len(head) and "\ufffd" not in head else None


def _text(content: bytes, kind: str, text: str | None) -> tuple[str, str]:
    if kind == kinds.EMPTY:
        return "plain", ""
    if kind in _ARCHIVES:
        return "listing", _listing(content, kind)
    if kind in _CLOSED:
        raise Unreadable("Archives of this kind are not opened; only its name is found.")
    if kind.startswith(_SOUND):
        raise Unreadable(SOUND)
    if kind.startswith(_PICTURES) and kind != "image/svg+xml":
        return "ocr", _kreuzberg(content, kind)
    if kind.startswith(_DOCUMENTS) or kind in _MARKED_UP:
        return "kreuzberg", _kreuzberg(content, kind)
    if text is not None:
        return "plain", text
    raise Unreadable("There is no text in a file of this kind; only its name is found.")


SOUND = "Sound and film are not transcribed: no speech model is configured."


def _kreuzberg(content: bytes, kind: str) -> str:
    if content.startswith(b"PK"):
        _weigh(content)
    from kreuzberg import ExtractionConfig, extract_bytes_sync

    # Its cache would be a copy in plain text, outside of the office.
    found = extract_bytes_sync(content, kind, ExtractionConfig(use_cache=False))
    return found.content


def _weigh(content: bytes) -> None:
    """Refuse a document that would unpack to a mountain, before anything in it is."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > _MOST_UNPACKED:
        most = _MOST_UNPACKED // 1_000_000
        raise Unreadable(f"It unpacks to more than {most} MB, so it is not opened.")


def _listing(content: bytes, kind: str) -> str:
    """The names in an archive; nothing in it is unpacked."""
    if kind == kinds.ZIP:
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                names = [entry.filename for entry in archive.infolist()]
        except (zipfile.BadZipFile, ValueError) as error:
            raise Unreadable("The archive is damaged: the list of what is in it is cut.") from error
    else:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            names = archive.getnames()
    more = len(names) - _MOST_LISTED
    return "\n".join([*names[:_MOST_LISTED], *([f"and {more} more"] if more > 0 else [])])


def _words(error: Exception) -> str:
    said = str(error).lower()
    kind = type(error).__name__
    if "password" in said or "encrypted" in said:
        return "It is encrypted: without its password there is no text to be had."
    if kind in ("OCRError", "MissingDependencyError") or "tesseract" in said or "ocr" in said:
        return "Text in pictures is read where Tesseract is installed, and it is not, or it failed."
    if kind == "MemoryError":
        return "Reading it takes more memory than there is for one file."
    return "It is damaged, or not what its kind says: no text could be read from it."
