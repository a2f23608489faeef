"""Files that others wrote, handed to a browser: it can do nothing there, and load nothing."""

import re
from urllib.parse import quote

from fastapi.responses import Response

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_UNSAFE_NAME = re.compile(r"[^A-Za-z0-9 ._()+-]")
_NOTHING = "default-src 'none'; frame-ancestors 'none'; sandbox"


def download(content: bytes, name: str, *, media_type: str, inline: bool = False) -> Response:
    """A file to be kept; what is `inline` is looked at in its place."""
    return Response(content, media_type=media_type, headers=headers(name, inline=inline))


def headers(name: str, *, inline: bool) -> dict[str, str]:
    """What goes with a file, so that it can do nothing in a browser."""
    plain = _UNSAFE_NAME.sub("_", name)[:150] or "file"
    whole = quote(name[:150], safe="", errors="replace")
    way = "inline" if inline else "attachment"
    return {
        "Content-Disposition": f"{way}; filename=\"{plain}\"; filename*=UTF-8''{whole}",
        "Content-Security-Policy": _NOTHING,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }


def to_look_at(content: bytes, name: str, kind: str) -> Response:
    """A file as a person can look at it: pictures and text in place, all else to be kept."""
    if kind.lower() in PICTURES:
        return download(content, name, media_type=kind.lower(), inline=True)
    try:
        is_text = "\x00" not in content.decode()
    except UnicodeDecodeError:
        is_text = False
    if is_text:
        return download(content, name, media_type="text/plain; charset=utf-8", inline=True)
    return download(content, name, media_type="application/octet-stream")
