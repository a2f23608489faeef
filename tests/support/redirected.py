"""What the page that a browser was sent to is told."""

from http.cookies import SimpleCookie
from urllib.parse import unquote

import httpx


def said(answer: httpx.Response) -> str | None:
    """The words that the server gave the browser on its way."""
    cookies = [SimpleCookie(line) for line in answer.headers.get_list("set-cookie")]
    found = [each for cookie in cookies for name, each in cookie.items() if name.endswith("_said")]
    return unquote(found[0].value) if found else None
