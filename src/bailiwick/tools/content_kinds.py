"""What a file is by what is in it. Its name only tells one kind of text from another."""

import io
import zipfile

from bailiwick.tools.file_kinds import seen_kind

TEXT = "text/plain"
ZIP = "application/zip"
_OFFICE = "application/vnd.openxmlformats-officedocument"
_MAGIC = {
    b"{\\rtf": "application/rtf",
    b"\x1f\x8b": "application/gzip",
    b"7z\xbc\xaf\x27\x1c": "application/x-7z-compressed",
    b"Rar!\x1a\x07": "application/vnd.rar",
    b"BZh": "application/x-bzip2",
    b"\xfd7zXZ\x00": "application/x-xz",
    b"II*\x00": "image/tiff",
    b"MM\x00*": "image/tiff",
    b"BM": "image/bmp",
    b"ID3": "audio/mpeg",
    b"\xff\xfb": "audio/mpeg",
    b"fLaC": "audio/flac",
    b"OggS": "audio/ogg",
    b"\x1aE\xdf\xa3": "video/webm",
    b"\x7fELF": "application/x-executable",
    b"MZ": "application/x-executable",
    b"SQLite format 3\x00": "application/vnd.sqlite3",
}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD_OFFICE = {
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
    "msg": "application/vnd.ms-outlook",
}
IN_ZIP = {
    "word/": f"{_OFFICE}.wordprocessingml.document",
    "xl/": f"{_OFFICE}.spreadsheetml.sheet",
    "ppt/": f"{_OFFICE}.presentationml.presentation",
}
_TEXTS = {
    "md": "text/markdown",
    "markdown": "text/markdown",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
    "xml": "application/xml",
    "html": "text/html",
    "htm": "text/html",
    "xhtml": "text/html",
    "eml": "message/rfc822",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "ics": "text/calendar",
    "vcf": "text/vcard",
    "svg": "image/svg+xml",
}
EMPTY = "application/x-empty"
UNKNOWN = "application/octet-stream"


def found(content: bytes, suffix: str, *, is_text: bool) -> str:
    """The media type of a content; the suffix has no dot and is in lower case."""
    if not content:
        return EMPTY
    if kind := seen_kind(content) or _container(content, suffix):
        return kind
    if is_text:
        return _text(content, suffix)
    return next((kind for magic, kind in _MAGIC.items() if content.startswith(magic)), UNKNOWN)


def has_magic(content: bytes) -> bool:
    """Whether a content begins as no text does."""
    return content.startswith((*_MAGIC, _OLE))


def _container(content: bytes, suffix: str) -> str | None:
    if content[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _zipped(content)
    if content.startswith(_OLE):
        return _OLD_OFFICE.get(suffix, "application/x-ole-storage")
    if content[:4] == b"RIFF" and content[8:12] == b"WAVE":
        return "audio/wav"
    if content[4:8] == b"ftyp":
        return "audio/mp4" if content[8:11] == b"M4A" else "video/mp4"
    return "application/x-tar" if content[257:262] == b"ustar" else None


def _zipped(content: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = [entry.filename for entry in archive.infolist()[:2_000]]
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                return archive.read("mimetype").decode("ascii", "replace").strip()[:128] or ZIP
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, ValueError):
        return ZIP
    if "[Content_Types].xml" not in names:
        return ZIP
    starts = ((kind, start) for start, kind in IN_ZIP.items())
    return next((kind for kind, start in starts if any(n.startswith(start) for n in names)), ZIP)


def _text(content: bytes, suffix: str) -> str:
    begins = content[:400].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if begins.startswith((b"<!doctype html", b"<html")):
        return "text/html"
    return _TEXTS.get(suffix, TEXT)
