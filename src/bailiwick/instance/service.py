"""Opening an installation: its one row, its hash key, and a look at the clock."""

import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta

from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import ClockWrong
from bailiwick.instance import repository
from bailiwick.instance.models import Instance
from bailiwick.kit import clock, ids
from bailiwick.kit.db import Storage
from bailiwick.kit.vault import Vault

_TABLE = "instance"
_TOLERANCE = timedelta(minutes=10)
_RELEASED = datetime(2026, 11, 1, tzinfo=UTC)


class TokenHasher:
    """Keyed hashes of tokens: a stolen database holds nothing that can be presented."""

    def __init__(self, key: SecretStr) -> None:
        self._key = bytes.fromhex(key.get_secret_value())

    def __call__(self, token: str) -> str:
        """The form in which a token is stored and looked up."""
        return hmac.new(self._key, token.encode(), hashlib.sha256).hexdigest()


async def open_instance(
    storage: Storage, vault: Vault, *, accept_clock: bool
) -> tuple[str, TokenHasher]:
    """This installation's id and its hasher; made on the first start, then only opened."""
    async with storage.app.write() as session:
        await storage.app.alone(session)
        row = await repository.find(session) or _first_start(session, vault)
        if not accept_clock:
            _check_clock(row)
        row.last_seen_at = clock.now()
        key = vault.drawer(_TABLE).open(row.hash_key, column="hash_key", row=row.id)
        return row.id, TokenHasher(key)


async def touch(storage: Storage) -> None:
    """Remember that the server was alive now."""
    async with storage.app.write() as session:
        await repository.seen(session, clock.now())


def new_hash_key(vault: Vault, row: str) -> bytes:
    """A fresh hash key, sealed; every session and token of the old one ends."""
    return vault.drawer(_TABLE).seal(SecretStr(secrets.token_hex(32)), column="hash_key", row=row)


def _first_start(session: AsyncSession, vault: Vault) -> Instance:
    if vault.is_empty:
        vault.add_key()
    id = ids.new("ins")
    now = clock.now()
    row = Instance(id=id, hash_key=new_hash_key(vault, id), created_at=now, last_seen_at=now)
    session.add(row)
    return row


def _check_clock(row: Instance) -> None:
    now, last = clock.now(), max(row.last_seen_at, _RELEASED)
    if now < last - _TOLERANCE:
        raise ClockWrong(
            f"The clock says {now:%Y-%m-%d %H:%M} UTC, but this installation last ran (or "
            f"was made) at {last:%Y-%m-%d %H:%M} UTC. Expired sessions would come back to life. "
            f"Set the clock; if the clock is right and was wrong before, start once with "
            f"BAILIWICK_ACCEPT_CLOCK=1."
        )
