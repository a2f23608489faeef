"""File names of attachments: safe on every disk, with their true extension visible."""

import re

from bailiwick.mail.parsing import storable

_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f]')
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_ENDINGS = {
    "application/pdf": ".pdf",
    "application/zip": ".zip",
    "application/ms-tnef": ".dat",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
    "message/delivery-status": ".txt",
    "message/rfc822": ".eml",
    "text/calendar": ".ics",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/plain": ".txt",
    "text/vcard": ".vcf",
    "text/x-vcard": ".vcf",
}
MOST = 150


def safe(name: str, *, type: str, number: str) -> str:
    """A file name without folders; a part without a name gets one."""
    name = storable.line(name).replace("\\", "/").rpartition("/")[2]
    name = _UNSAFE.sub("_", name).strip(" .")
    if not name:
        return f"part-{number}{_ENDINGS.get(type, '.bin')}"
    if type == "message/rfc822" and not name.lower().endswith(".eml"):
        name += ".eml"
    if _RESERVED.fullmatch(name):
        name = f"_{name}"
    return _short(name)


def _short(name: str) -> str:
    if len(name.encode()) <= MOST:
        return name
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending) > 10:
        stem, ending = name, ""
    ending = dot + ending if ending else ""
    room = MOST - len(ending.encode())
    return stem.encode()[:room].decode("utf-8", "ignore").rstrip(" .") + ending
