"""What the extraction process makes of files: a picture, the number of pages, and the text.

The process imports this module, so it imports nothing that opens an office.
"""

import base64
import io
import re
import warnings
from typing import Any

PREVIEW, TEXT = f"{__name__}:preview", f"{__name__}:text"
_MOST_PIXELS = 50_000_000
_SIDE = 480
_EXCERPT = 600
_MOST_TEXT = 40_000
_SCALE = 1.0
_PICTURES = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}
_DOCUMENTS = ("application/vnd.", "application/msword", "application/rtf", "application/epub")
_MARKED_UP = ("text/html", "message/rfc822")
_SVG = "image/svg+xml"


def preview(thing: bytes) -> dict[str, Any]:
    """What is shown of a file; the thing is its kind, a NUL and its content."""
    kind, content = _parts(thing)
    if kind in _PICTURES:
        return {"thumbnail": _thumbnail(_opened(content, kind))}
    if kind == "application/pdf":
        return _document(content)
    words, count = _words(content, kind)
    return {"pages": count, "excerpt": _excerpt(words)}


def text(thing: bytes) -> str:
    """The words of a file; the thing is its kind, a NUL and its content."""
    kind, content = _parts(thing)
    words, _ = _words(content, kind)
    return _clean(words)[:_MOST_TEXT]


def _parts(thing: bytes) -> tuple[str, bytes]:
    kind, _, content = thing.partition(b"\x00")
    return kind.decode(), content


def _opened(content: bytes, kind: str) -> Any:
    from PIL import Image

    # A small file may hold a picture that fills the memory.
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    Image.MAX_IMAGE_PIXELS = _MOST_PIXELS
    return Image.open(io.BytesIO(content), formats=[_PICTURES[kind]])


def _thumbnail(picture: Any) -> str:
    from PIL import Image, ImageOps

    turned = ImageOps.exif_transpose(picture)
    turned.thumbnail((_SIDE, _SIDE), Image.Resampling.LANCZOS)
    clear = "A" in turned.getbands() or "transparency" in turned.info
    made = io.BytesIO()
    # Made anew: where and by which camera it was taken stays behind.
    turned.convert("RGBA" if clear else "RGB").save(made, "WEBP", quality=80)
    return base64.b64encode(made.getvalue()).decode()


def _document(content: bytes) -> dict[str, Any]:
    import pypdfium2

    with pypdfium2.PdfDocument(content) as document:
        page = document[0]
        width, height = page.get_size()
        # A page may say that it is as large as a field.
        scale = min(_SCALE, 2 * _SIDE / max(width, height, 1))
        picture = page.render(scale=scale).to_pil()  # pyright: ignore[reportArgumentType]
        found = page.get_textpage().get_text_range()
        return {
            "thumbnail": _thumbnail(picture),
            "pages": len(document),
            "excerpt": _excerpt(found),
        }


def _words(content: bytes, kind: str) -> tuple[str, int | None]:
    if kind.startswith(_DOCUMENTS) or kind in _MARKED_UP:
        from kreuzberg import ExtractionConfig, extract_bytes_sync

        # Its cache would be a copy in plain text, outside of the office.
        found = extract_bytes_sync(content, kind, ExtractionConfig(use_cache=False))
        return found.content, _count(found.metadata)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace"), None
    try:
        words = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        words = content.decode("cp1252", "replace")
    return (re.sub(r"<[^>]*>", " ", words) if kind == _SVG else words), None


def _count(facts: Any) -> int | None:
    """Pages, slides or sheets, as far as a document tells."""
    for name in ("page_count", "slide_count", "sheet_count"):
        if isinstance(count := facts.get(name), int):
            return count
    return None


def _excerpt(words: str) -> str:
    return " ".join(_clean(words[: 10 * _EXCERPT]).split())[:_EXCERPT]


def _clean(words: str) -> str:
    return words.replace("\x00", " ").encode(errors="replace").decode()
