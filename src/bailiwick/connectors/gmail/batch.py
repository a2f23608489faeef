"""Many small requests in one, for Google's batch endpoint (multipart/mixed of HTTP)."""

import re
from collections.abc import Iterator, Sequence

import httpx2

from bailiwick.connectors.gmail.client import GmailResponse

PATH = "/batch/gmail/v1"
_BOUNDARY = "bailiwick_batch"
TYPE = f'multipart/mixed; boundary="{_BOUNDARY}"'
_GIVEN_BOUNDARY = re.compile(r'boundary="?([^";]+)"?', re.IGNORECASE)
_ITEM = re.compile(r"item-(\d+)>?\s*$")
_BLANK = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})")


def encoded(paths: Sequence[str]) -> bytes:
    """A batch of reads; each part carries its index in the list."""
    parts = (
        f"--{_BOUNDARY}\r\nContent-Type: application/http\r\nContent-ID: <item-{place}>\r\n\r\n"
        f"GET {path} HTTP/1.1\r\nAccept: application/json\r\n\r\n"
        for place, path in enumerate(paths)
    )
    return ("".join(parts) + f"--{_BOUNDARY}--\r\n").encode("ascii")


def decoded(answer: GmailResponse) -> dict[int, GmailResponse]:
    """The answers by index; unreadable ones are left out."""
    found = _GIVEN_BOUNDARY.search(answer.headers.get("Content-Type", ""))
    if not 200 <= answer.status < 300 or found is None:
        return {}
    parts = answer.content.split(b"--" + found.group(1).encode("latin-1"))
    return dict(one for part in parts for one in _part(part.lstrip(b"\r\n")))


def _part(part: bytes) -> Iterator[tuple[int, GmailResponse]]:
    outer, _, inner = _cut(part)
    headers = _headers(outer)
    item = _ITEM.search(headers.get("Content-ID", ""))
    status = _STATUS.match(inner)
    if item and status:
        head, _, content = _cut(inner)
        lines = head.partition(b"\n")[2]
        yield (
            int(item.group(1)),
            GmailResponse(int(status.group(1)), _headers(lines), content.strip()),
        )


def _cut(text: bytes) -> tuple[bytes, bytes, bytes]:
    found = _BLANK.search(text)
    if found is None:
        return text, b"", b""
    return text[: found.start()], b"", text[found.end() :].lstrip(b"\r\n")


def _headers(lines: bytes) -> httpx2.Headers:
    pairs = (line.partition(b":") for line in lines.splitlines())
    return httpx2.Headers(
        [(name.strip(), value.strip()) for name, colon, value in pairs if colon and name.strip()]
    )
