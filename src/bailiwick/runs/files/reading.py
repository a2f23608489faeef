"""What the extraction process does for files of sessions: what one is, and the text in it.

What a file is, is told by its content; its name is only a name. The process imports this module,
so it imports nothing that opens an office.
"""

import base64
import io
import warnings
from typing import Any

READ = f"{__name__}:read"
MOST_PIXELS = 50_000_000
_LONGEST_SIDE = 2_048  # what providers make larger pictures to
_LARGEST = 3_500_000  # bytes of a picture that every provider takes
_MOST_TEXT = 40_000  # characters
_MOST_PAGES = 300
_FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}
_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")


def read(content: bytes) -> dict[str, Any]:
    """What a file is; `refused` says why it is not taken."""
    if content.startswith(_MAGIC) or (content[:4] == b"RIFF" and content[8:12] == b"WEBP"):
        return _picture(content)
    if b"%PDF-" in content[:1024]:
        return _document(content)
    return _text(content)


def _picture(content: bytes) -> dict[str, Any]:
    from PIL import Image

    # A small file may hold a picture that fills the memory.
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        with Image.open(io.BytesIO(content), formats=[*_FORMATS]) as picture:
            media_type = _FORMATS[picture.format or ""]
            picture.load()
            if max(picture.size) <= _LONGEST_SIDE and len(content) <= _LARGEST:
                return _facts(media_type, size=picture.size)
            return _smaller(picture)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return {"refused": f"has more than {MOST_PIXELS // 1_000_000} million pixels"}
    except Exception:  # noqa: BLE001  (whatever a stranger made, it is no picture)
        return {"refused": "is a picture that cannot be read"}


def _smaller(picture: Any) -> dict[str, Any]:
    from PIL import Image, ImageOps

    # What says which side is up is lost with the rest that is no picture.
    turned = ImageOps.exif_transpose(picture)
    turned.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), Image.Resampling.LANCZOS)
    clear = "A" in turned.getbands() or "transparency" in turned.info
    media_type = "image/webp" if clear else "image/jpeg"
    made = io.BytesIO()
    turned.convert("RGBA" if clear else "RGB").save(made, _name(media_type), quality=85)
    encoded = base64.b64encode(made.getvalue()).decode()
    return {**_facts(media_type, size=turned.size), "content": encoded}


def _name(media_type: str) -> str:
    return next(name for name, known in _FORMATS.items() if known == media_type)


def _document(content: bytes) -> dict[str, Any]:
    import logging

    import pypdf

    logging.disable()  # it quotes what it reads
    try:
        document = pypdf.PdfReader(io.BytesIO(content))
        if document.is_encrypted and not document.decrypt(""):
            return {"refused": "is a PDF document with a password"}
        pages = len(document.pages)
    except Exception:  # noqa: BLE001  (whatever a stranger made, it is no document)
        return {"refused": "is a PDF document that cannot be read"}
    return {**_facts("application/pdf", text=_words(document)), "pages": pages}


def _words(document: Any) -> str:
    found, length = list[str](), 0
    for page in document.pages[:_MOST_PAGES]:
        try:
            text: str = page.extract_text()
        except Exception:  # noqa: BLE001, S112  (the next page may be better)
            continue
        found.append(text)
        length += len(text)
        if length > _MOST_TEXT:
            break
    return "\n\n".join(found).strip()


def _text(content: bytes) -> dict[str, Any]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\x00"
    if "\x00" in text:
        return {"refused": "is neither a picture (PNG, JPEG, WebP, GIF) nor a PDF nor a text"}
    return _facts("text/plain", text=text)


def _facts(
    media_type: str, *, size: tuple[int, int] | tuple[None, None] = (None, None), text: str = ""
) -> dict[str, Any]:
    clean = text[:_MOST_TEXT].replace("\x00", "\ufffd").encode(errors="replace").decode()
    width, height = size
    return {
        "media_type": media_type,
        "width": width,
        "height": height,
        "pages": None,
        "text": clean,
    }
