"""Clients that keep their connections, for connectors and for the libraries of models.

Redirects are not followed: they could lead a token or a key elsewhere. There are no proxies,
cookies or .netrc.
"""

from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx2

from bailiwick.kit.net.transport import CheckedTransport


def client(transport: CheckedTransport, *, connect: float, read: float) -> httpx2.AsyncClient:
    """A client with these time limits; the caller closes it."""
    return httpx2.AsyncClient(
        transport=transport,
        timeout=httpx2.Timeout(read, connect=connect, pool=None),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        follow_redirects=False,
        trust_env=False,
    )
