"""Sessions of the older protocols: a signed id that is not stored.

It binds a session to its client, in any process and after any restart, and it tells apart the
requests of two windows of one client when one of them is cancelled.
"""

import hmac
import secrets

from bailiwick.instance.service import TokenHasher

HEADER = "mcp-session-id"


def new(client_id: str, *, hasher: TokenHasher) -> str:
    """A new session id for this client."""
    nonce = secrets.token_hex(16)
    return f"{nonce}-{_seal(client_id, nonce, hasher)}"


def belongs(session: str, client_id: str, *, hasher: TokenHasher) -> bool:
    """Whether this id was issued to this client."""
    nonce, _, seal = session.partition("-")
    return hmac.compare_digest(seal.encode(), _seal(client_id, nonce, hasher).encode())


def _seal(client_id: str, nonce: str, hasher: TokenHasher) -> str:
    return hasher(f"mcp session\x00{client_id}\x00{nonce}")[:32]
