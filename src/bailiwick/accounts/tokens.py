"""Access tokens that are valid for some minutes.

There is one refresh at a time for each account: a lock for the tasks of this process, a lease in
the table for other processes. Those that waited read the stored result. A token's lifetime counts
from its receipt, on our own clock; if that is wrong, the provider's refusal (`outdated`) causes one
refresh.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from bailiwick.accounts import credentials, leases, repository
from bailiwick.accounts.models import AccountCredential
from bailiwick.accounts.oauth import Granted
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.kit import clock, ids
from bailiwick.kit.db import Storage
from bailiwick.kit.vault import Vault

ACCESS = "access_token"
REFRESH = "refresh_token"
# After a lost key, or when the account is gone.
GONE = "What opens this account is no longer here. Give it, or authorise the account, again."
_LIFETIME = "seconds"
_AHEAD_SECONDS = 300.0
_LOOK_SECONDS = 0.1
# A refused grant is not requested again at every use of the account.
_REFUSED_SECONDS = 60.0
Refresh = Callable[[str], Awaitable[Granted]]


@dataclass(frozen=True, slots=True)
class _Refused:
    secret: bytes
    error: ConnectorFailed
    at: float


def stored(granted: Granted, *, before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The sealed form of a token answer; without a new refresh token the old one stays."""
    return {
        ACCESS: granted.access_token,
        REFRESH: granted.refresh_token or (before or {}).get(REFRESH),
        _LIFETIME: granted.seconds,
    }


def set_tokens(
    row: AccountCredential,
    granted: Granted,
    vault: Vault,
    *,
    before: Mapping[str, Any] | None = None,
) -> None:
    """Store new tokens in a row; a refresh of the old ones in progress loses its lease."""
    row.secret = credentials.seal(vault, row.account_id, stored(granted, before=before))
    row.expires_at = expiry(granted)
    row.lease_holder = row.lease_until = None
    row.updated_at = clock.now()


def expiry(granted: Granted) -> datetime | None:
    """The expiry of a token received now, if the provider gives one."""
    return None if granted.seconds is None else clock.now() + timedelta(seconds=granted.seconds)


class Tokens:
    """The tokens of all accounts, for this process."""

    def __init__(self, storage: Storage, vault: Vault) -> None:
        self._storage = storage
        self._vault = vault
        self._holder = ids.new("hld")
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._refused: dict[str, _Refused] = {}
        self._under_way: set[asyncio.Task[str]] = set()

    async def current(self, account_id: str, refresh: Refresh) -> str:
        """A token that is valid for a while, refreshed first if needed."""
        row = await self._read(account_id)
        if (token := self._good(row)) is not None:
            return token
        lock = self._locks.setdefault(account_id, asyncio.Lock())
        async with lock:
            return await self._in_turn(account_id, refresh)

    async def outdated(self, account_id: str, token: str) -> None:
        """Mark a token as refused, so that the next use refreshes it."""
        row = await self._read(account_id)
        if credentials.opened(self._vault, row).get(ACCESS) == token:
            async with self._storage.app.write() as session:
                await leases.outdate(session, account_id, secret=row.secret)

    async def _in_turn(self, account_id: str, refresh: Refresh) -> str:
        while True:
            async with self._storage.app.write() as session:
                row = await leases.take(session, account_id, holder=self._holder)
            if row is not None:
                # Shielded: a cancelled caller must not lose the provider's answer, because the old
                # refresh token may be invalid by then.
                work = asyncio.create_task(self._with_lease(row, refresh))
                self._under_way.add(work)
                work.add_done_callback(self._under_way.discard)
                return await asyncio.shield(work)
            # Another process is refreshing; its result is read afterwards.
            await asyncio.sleep(_LOOK_SECONDS)
            if (token := self._good(await self._read(account_id))) is not None:
                return token

    async def _with_lease(self, row: AccountCredential, refresh: Refresh) -> str:
        try:
            if (token := self._good(row)) is not None:
                return token
            return await self._refreshed(row, refresh)
        finally:
            # After a success the lease is released already.
            async with self._storage.app.write() as session:
                await leases.release(session, row.account_id, holder=self._holder)

    async def _refreshed(self, row: AccountCredential, refresh: Refresh) -> str:
        known = credentials.opened(self._vault, row)
        if not known.get(REFRESH):
            raise ConnectorFailed(
                "missing_refresh_token",
                "The provider gave no lasting authorisation. Authorise the account again.",
            )
        self._raise_known(row)
        try:
            granted = await refresh(known[REFRESH])
        except ConnectorFailed as error:
            if error.problem == "invalid_grant":
                self._refused[row.account_id] = _Refused(row.secret, error, time.monotonic())
            raise
        self._refused.pop(row.account_id, None)
        await self._keep(row, stored(granted, before=known), granted)
        return granted.access_token

    async def _keep(self, row: AccountCredential, values: dict[str, Any], granted: Granted) -> None:
        async with self._storage.app.write() as session:
            kept = await leases.keep(
                session,
                row.account_id,
                holder=self._holder,
                secret=credentials.seal(self._vault, row.account_id, values),
                expires_at=expiry(granted),
            )
        if not kept:
            raise ConnectorFailed(
                "other", "The account was authorised again, or disconnected, at the same moment."
            )

    def _raise_known(self, row: AccountCredential) -> None:
        known = self._refused.get(row.account_id)
        fresh = known and time.monotonic() - known.at < _REFUSED_SECONDS
        if known and fresh and known.secret == row.secret:
            raise ConnectorFailed(known.error.problem, known.error.detail)

    def _good(self, row: AccountCredential) -> str | None:
        """The token, unless it expires too soon."""
        known = credentials.opened(self._vault, row)
        if row.expires_at is None:
            return known[ACCESS]
        lifetime = known.get(_LIFETIME)
        ahead = min(_AHEAD_SECONDS, (lifetime or 2 * _AHEAD_SECONDS) / 2)
        if not known.get(REFRESH):
            ahead = 0.0
        return known[ACCESS] if row.expires_at > clock.now() + timedelta(seconds=ahead) else None

    async def _read(self, account_id: str) -> AccountCredential:
        async with self._storage.app.read() as session:
            row = await repository.credential(session, account_id)
        if row is None:
            raise ConnectorFailed("missing_refresh_token", GONE)
        return row
