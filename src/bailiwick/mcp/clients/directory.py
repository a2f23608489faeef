"""Finds the client of a token, without a query for each call.

Entries are dropped when a transaction of this process records an event about clients or their
owners, when the tail reads one of another process, and after a minute in any case.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import inf

from bailiwick.errors import Unauthenticated
from bailiwick.gate.call import Caller
from bailiwick.instance.service import TokenHasher
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog.log import Recorded
from bailiwick.mcp.clients import passes, repository
from bailiwick.mcp.clients.repository import ClientStatus
from bailiwick.mcp.clients.service import PREFIX
from bailiwick.office import Office
from bailiwick.tools.effects import CAPABILITIES
from bailiwick.tools.scope import Limits, Scope

_OLDEST_SECONDS = 60.0
_MOST = 10_000
_SEEN_EVERY = timedelta(minutes=1)
_KINDS = ("client.", "user.", "workspace.")
# Name, version and protocol, as the program reports them.
ClientProgram = tuple[str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class KnownClient:
    """A client with a valid token."""

    caller: Caller
    agent: ClientProgram
    expires_at: datetime | None
    read_at: float


class ClientDirectory:
    """The recent clients, by the keyed hash of their tokens."""

    def __init__(self, storage: Storage, hasher: TokenHasher) -> None:
        self._storage = storage
        self._hasher = hasher
        self._known: dict[str, KnownClient] = {}
        self._introduced: dict[str, float] = {}
        self._changes = 0

    async def recognise(self, token: str) -> KnownClient:
        """The client with this token, or `Unauthenticated`."""
        if not token.startswith(PREFIX):
            raise _refusal()
        key = self._hasher(token)
        known = self._known.get(key)
        if known is None or time.monotonic() - known.read_at > _OLDEST_SECONDS:
            known = await self._read(key, token)
        if known.expires_at and known.expires_at <= clock.now():
            raise _refusal()
        return known

    async def introduced(self, known: KnownClient, agent: ClientProgram) -> None:
        """Store a program's report about itself; at most once a minute, as it may alternate."""
        now, id = time.monotonic(), known.caller.id
        if agent == known.agent or now - self._introduced.get(id, -inf) < _OLDEST_SECONDS:
            return
        self._introduced[id] = now
        for key, kept in list(self._known.items()):
            if kept.caller.id == id:
                caller = replace(kept.caller, version=agent[1] or "")
                self._known[key] = replace(kept, agent=agent, caller=caller)
        async with self._storage.app.write() as session:
            await repository.seen(session, id, at=clock.now(), agent=agent)

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Drop all entries when something about clients or their owners changed."""
        if any(event.type.startswith(_KINDS) for event in batch):
            self.forget()

    def forget(self) -> None:
        """Drop all entries."""
        self._changes += 1
        self._known.clear()

    async def _read(self, key: str, token: str) -> KnownClient:
        before = self._changes
        status, expires_at = await self._look_up(key, token)
        client = status.client
        known = KnownClient(
            _caller(status),
            (client.agent_name, client.agent_version, client.protocol),
            expires_at,
            time.monotonic(),
        )
        if client.last_seen_at is None or client.last_seen_at < clock.now() - _SEEN_EVERY:
            async with self._storage.app.write() as session:
                await repository.seen(session, client.id, at=clock.now())
        # An entry read before a change must not be kept after it.
        if self._changes == before:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[key] = known
        return known

    async def _look_up(self, key: str, token: str) -> tuple[ClientStatus, datetime | None]:
        shown = passes.read(token)
        async with self._storage.app.read() as session:
            if shown is None:
                status = await repository.by_token(session, key)
            else:
                status = await repository.by_id(session, shown.client_id)
        if status is None or _is_over(status.client.expires_at):
            raise _refusal()
        expires_at = status.client.expires_at
        if shown is None:
            return status, expires_at
        if not passes.fits(shown, status.client, hasher=self._hasher):
            raise _refusal()
        return status, min(shown.expires_at, expires_at or shown.expires_at)


def _caller(status: ClientStatus) -> Caller:
    client = status.client
    return Caller(
        kind="client",
        id=client.id,
        name=client.name,
        workspace_id=client.workspace_id,
        user_id=client.user_id,
        version=client.agent_version or "",
        roles=(status.user_role, f"workspace:{status.workspace_role}"),
        scope=_scope(status),
        limits=Limits.model_validate(client.limits),
        ask_writes=client.ask_writes,
        ask_tools=tuple(client.ask_tools),
    )


def _scope(status: ClientStatus) -> Scope:
    """The client's scope, reduced to reading if its owner may only read."""
    scope = Scope.model_validate(status.client.scope)
    if status.workspace_role != "read":
        return scope
    return scope.model_copy(update={flag: False for flag in CAPABILITIES if flag != "read"})


def _is_over(expires_at: datetime | None) -> bool:
    return expires_at is not None and expires_at <= clock.now()


async def find_client(
    office: Office, id: str, workspace_id: str, _: str | None = None
) -> Caller | None:
    """The client as it is now; None if it is no longer admitted."""
    async with office.storage.app.read() as session:
        status = await repository.by_id(session, id)
    if status is None or _is_over(status.client.expires_at):
        return None
    return _caller(status) if status.client.workspace_id == workspace_id else None


def _refusal() -> Unauthenticated:
    return Unauthenticated(
        "Show the token of a client: 'Authorization: Bearer bwc_…'. This one is missing, not "
        "valid, or no longer; make a client in the office's settings."
    )
