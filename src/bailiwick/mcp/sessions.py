"""Sessions of the older protocols: an id that we sign and do not store.

It ties a session to its client, whichever process answers and however often that is restarted; and
it tells the requests of two windows of one client apart when one of them is cancelled.
"""

import hmac
import secrets

from bailiwick.instance.service import TokenHasher

HEADER = "mcp-session-id"


def new(client_id: str, *, hasher: TokenHasher) -> str:
    """A session of this client."""
    nonce = secrets.token_hex(16)
    return f"{nonce}-{_seal(client_id, nonce, hasher)}"


def belongs(session: str, client_id: str, *, hasher: TokenHasher) -> bool:
    """Whether we gave this id to this client."""
    nonce, _, seal = session.partition("-")
    return hmac.compare_digest(seal.encode(), _seal(client_id, nonce, hasher).encode())


def _seal(client_id: str, nonce: str, hasher: TokenHasher) -> str:
    return hasher(f"mcp session\x00{client_id}\x00{nonce}")[:32]
