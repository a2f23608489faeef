"""What an upload is by how it begins; its name only tells one kind of text from another."""

import codecs

from bailiwick.tools import content_kinds

HEAD = 64 * 1024
SVG = "image/svg+xml"
_LOCAL = b"PK\x03\x04"
_IN_ZIP = content_kinds.IN_ZIP
_TAKEN = (
    *("image/", "audio/", "video/", "text/"),
    *("application/pdf", "application/rtf", "application/epub+zip", "application/msword"),
    *("application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument."),
    *("application/vnd.ms-", "application/x-ole-storage", "message/rfc822"),
    *("application/json", "application/xml", "application/yaml"),
    *("application/zip", "application/x-tar", "application/gzip", "application/x-7z-compressed"),
    *("application/vnd.rar", "application/x-bzip2", "application/x-xz"),
    content_kinds.EMPTY,
)
# What is shown in its place: nothing of it can act.
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
PLAYED = (
    *("audio/mpeg", "audio/wav", "audio/ogg", "audio/mp4", "audio/flac"),
    *("video/mp4", "video/webm", "video/quicktime"),
)
_READ = (
    *("application/pdf", "application/rtf", "application/epub+zip", "application/msword"),
    *("application/vnd.", "text/", "message/rfc822", "application/json", "application/xml"),
    *("application/yaml", SVG),
)


def found(head: bytes, name: str) -> str:
    """The media type of a content that begins so."""
    suffix = name.rpartition(".")[2].lower()
    is_text = _is_text(head)
    if is_text and b"<svg" in head[:4_096].lower():
        return SVG
    if (moving := _moving(head)) is not None:
        return moving
    kind = content_kinds.found(head, suffix, is_text=is_text)
    return _in_zip(head) if kind == content_kinds.ZIP else kind


def is_taken(kind: str) -> bool:
    """Whether files of this kind are taken."""
    return kind.startswith(_TAKEN)


def has_preview(kind: str) -> bool:
    """Whether there is something to show of files of this kind."""
    return kind in PICTURES or kind.startswith(_READ)


def has_words(kind: str) -> bool:
    """Whether a file of this kind has words that another program has to read from it."""
    return kind != "application/pdf" and kind.startswith(_READ)


def _is_text(head: bytes) -> bool:
    if b"\x00" in head:
        return head[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return _is_older_text(head[:4_000])
    return True


def _is_older_text(head: bytes) -> bool:
    """Text of the time before Unicode: nearly all of it letters."""
    text = head.decode("cp1252", "replace")
    odd = sum(not (letter.isprintable() or letter in "\r\n\t\f") for letter in text)
    return not content_kinds.has_magic(head) and "\ufffd" not in text and odd <= len(text) // 50


def _moving(head: bytes) -> str | None:
    if head[:4] == b"RIFF" and head[8:12] == b"AVI ":
        return "video/x-msvideo"
    if head[4:10] == b"ftypqt" or head[4:8] in (b"moov", b"mdat", b"wide"):
        return "video/quicktime"
    return "audio/mpeg" if head[:2] in (b"\xff\xf3", b"\xff\xf2") else None


def _in_zip(head: bytes) -> str:
    """What an archive is by the names in it, which stand before each content."""
    at = 0
    while (at := head.find(_LOCAL, at)) >= 0:
        length = int.from_bytes(head[at + 26 : at + 28], "little")
        name = head[at + 30 : at + 30 + length]
        if name == b"mimetype":
            size = int.from_bytes(head[at + 18 : at + 22], "little")
            stated = head[at + 38 : at + 38 + min(size, 100)].decode("ascii", "replace")
            return stated if is_taken(stated) else content_kinds.ZIP
        for start, kind in _IN_ZIP.items():
            if name.startswith(start.encode()):
                return kind
        at += 4
    return content_kinds.ZIP
