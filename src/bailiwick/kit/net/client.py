"""Clients that keep their connections, for connectors and model libraries.

Redirects are not followed, because they could lead a token or a key elsewhere. There are no
proxies, cookies or .netrc.
"""

from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx2

from bailiwick.kit.net.transport import CheckedTransport


def client(transport: CheckedTransport, *, connect: float, read: float) -> httpx2.AsyncClient:
    """A client with this transport and these time limits; the caller closes it."""
    return httpx2.AsyncClient(
        transport=transport,
        timeout=httpx2.Timeout(read, connect=connect, pool=None),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        follow_redirects=False,
        trust_env=False,
    )
