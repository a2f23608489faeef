"""Passes: tokens for a few hours, which are not stored.

A pass names its client and its end, and is keyed with the hash of the client's lasting token: a new
token, or none, ends every pass at once. Nobody can make a pass from what is stored.
"""

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bailiwick.instance.service import TokenHasher
from bailiwick.kit import clock
from bailiwick.mcp.clients.models import Client

PREFIX = "bwc_pass_"
LASTS = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Pass:
    """The content of a pass, not yet verified."""

    client_id: str
    expires_at: datetime
    seal: str


def issue(client: Client, *, hasher: TokenHasher) -> tuple[str, datetime]:
    """A pass for this client, and its end."""
    end = int((clock.now() + LASTS).timestamp())
    seal = _seal(client.id, end, client.token_hash, hasher=hasher)
    return f"{PREFIX}{client.id}_{end}_{seal}", datetime.fromtimestamp(end, UTC)


def read(token: str) -> Pass | None:
    """The content of a token in the form of a pass; None for any other."""
    parts = token.removeprefix(PREFIX).split("_")
    if not token.startswith(PREFIX) or len(parts) != 3:
        return None
    id, end, seal = parts
    if not (end.isascii() and end.isdigit() and len(end) <= 11):
        return None
    return Pass(id, datetime.fromtimestamp(int(end), UTC), seal)


def fits(given: Pass, client: Client, *, hasher: TokenHasher) -> bool:
    """Whether the pass is authentic for this client and its present token."""
    end = int(given.expires_at.timestamp())
    seal = _seal(client.id, end, client.token_hash, hasher=hasher)
    return hmac.compare_digest(given.seal.encode(), seal.encode())


def _seal(id: str, end: int, token_hash: str, *, hasher: TokenHasher) -> str:
    return hasher(f"pass\x00{id}\x00{end}\x00{token_hash}")
