"""The HTTP client of all models: `kit.net`'s, with the private networks that an admin may name.

Imported only when a model is used.
"""

import httpx2

from bailiwick.kit.net.client import client as checked_client
from bailiwick.kit.net.transport import CheckedTransport
from bailiwick.llm.addresses import LOCAL

_CONNECT = 10.0
# Only against connections that died: how long a model may be silent is told at each call.
_READ = 3600.0
_KEPT = 20


def client() -> httpx2.AsyncClient:
    """A client for models; the caller closes it. How many ask at once is each model's setting."""
    transport = CheckedTransport(LOCAL, at_once=None, kept=_KEPT)
    return checked_client(transport, connect=_CONNECT, read=_READ)
