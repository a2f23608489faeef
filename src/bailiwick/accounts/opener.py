"""The opener: opens accounts for all features, and records whether each one works.

Invariant: a connector gets its own account's settings, secrets, hosts and folder, and nothing of
another's; a disabled account, or one of a disabled connector, is not opened.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import connector_use, credentials, oauth, repository
from bailiwick.accounts.connector_use import ConnectorUse
from bailiwick.accounts.models import Account
from bailiwick.accounts.oauth import Granted, TokenRefused
from bailiwick.accounts.tokens import ACCESS, GONE, Tokens
from bailiwick.connectors import forms
from bailiwick.connectors.connector import FOLDER, AccountAccess, Connector, OAuth, seal_of
from bailiwick.connectors.errors import ConnectorFailed, NotInUse
from bailiwick.connectors.mail import Mailbox
from bailiwick.connectors.network import Network
from bailiwick.connectors.registry import Connectors
from bailiwick.errors import NotFound
from bailiwick.instance import audience
from bailiwick.kit import clock, eventlog
from bailiwick.kit.db import Storage
from bailiwick.kit.keys import Key
from bailiwick.kit.net.addresses import IpNetwork
from bailiwick.kit.net.private import LOCAL
from bailiwick.kit.sealing import AtRest, FolderSeal, at_rest
from bailiwick.kit.vault import Vault

_LONGEST_DETAIL = 1000
log = structlog.stdlib.get_logger("bailiwick.connectors")


async def _as_before() -> None:
    """The renewal of a secret that was just given: there is no newer one."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The data that an account is opened with, stored or not."""

    account_id: str
    address: str
    settings: Mapping[str, Any]
    permissions: frozenset[str]
    by_admin: bool  # whether private networks may be named
    secret: Callable[[], Awaitable[Mapping[str, str]]] = field(repr=False)
    renew: Callable[[], Awaitable[None]] = field(default=_as_before, repr=False)


class AccountOpener:
    """Opens the accounts of this installation."""

    def __init__(
        self,
        storage: Storage,
        vault: Vault,
        connectors: Connectors,
        *,
        data: Path,
        data_key: Key | None = None,
        allowed: Sequence[IpNetwork] = (),
    ) -> None:
        self.storage = storage
        self.vault = vault
        self.connectors = connectors
        self.tokens = Tokens(storage, vault)
        self._data = data
        self._data_key = data_key
        self._allowed = tuple(allowed)

    @asynccontextmanager
    async def mailbox(self, account_id: str) -> AsyncGenerator[Mailbox]:
        """An account's mailbox; `ConnectorFailed` unless it and its connector are enabled."""
        account, using = await self.found(account_id)
        if reason := why_not(account, using):
            raise NotInUse(reason)
        async with self.trial(using, self._opening(account, using)) as mailbox:
            yield mailbox

    @asynccontextmanager
    async def trial(self, using: ConnectorUse, opening: Opening) -> AsyncGenerator[Mailbox]:
        """The mailbox of an account that need not be stored yet."""
        if using.connector.open_mail is None:
            raise ConnectorFailed("other", f"{using.connector.title} has no mail.")
        mailbox = using.connector.open_mail(self.access(using, opening))
        try:
            yield mailbox
        finally:
            await mailbox.close()

    def access(self, using: ConnectorUse, opening: Opening) -> AccountAccess:
        """What a connector is handed for one account."""
        settings = forms.with_defaults(using.connector.settings, opening.settings)
        return AccountAccess(
            account_id=opening.account_id,
            address=opening.address,
            settings=settings,
            options=using.options,
            permissions=opening.permissions,
            secret=opening.secret,
            network=self.network(using, settings, private=opening.by_admin),
            folder=self.folder(opening.account_id),
            seal=self.seal(opening.account_id),
            renew=opening.renew,
            by_admin=opening.by_admin,
        )

    def network(
        self, using: ConnectorUse, settings: Mapping[str, Any], *, private: bool
    ) -> Network:
        """The network for an account: its declared hosts, and private ones if permitted."""
        allowed = (*self._allowed, *(LOCAL if private else ()))
        return Network(using.hosts(settings), allowed=allowed)

    def folder(self, account_id: str) -> Path:
        """An account's own folder on disk."""
        return self._data / FOLDER / account_id

    def seal(self, account_id: str) -> FolderSeal | None:
        """The seal of an account's own folder; None without a data key."""
        return seal_of(account_id, self._data_key)

    def at_rest(self, account: Account, connector: Connector) -> AtRest | None:
        """How the folder of an account is on the disk; None if it has none."""
        named = connector.users_folder
        return at_rest(named(account.settings), self._data_key) if named else None

    async def use(self, name: str) -> ConnectorUse:
        """A connector's configuration, or `NotFound`."""
        async with self.storage.app.read() as session:
            return await self.use_in(session, name)

    async def use_in(self, session: AsyncSession, name: str) -> ConnectorUse:
        """A connector's configuration, read in a transaction."""
        connector = self.connectors.get(name)
        return connector_use.of(connector, await repository.setting(session, name), self.vault)

    async def found(self, account_id: str) -> tuple[Account, ConnectorUse]:
        """An account and its connector; `ConnectorFailed` if either is gone."""
        async with self.storage.app.read() as session:
            account = await repository.find(session, account_id)
            if account is None:
                raise NotInUse("This account is no longer connected.")
            try:
                return account, await self.use_in(session, account.connector)
            except NotFound:
                raise NotInUse(f"The connector {account.connector} is not installed.") from None

    async def secret_of(self, account: Account, using: ConnectorUse) -> Mapping[str, str]:
        """A password, or an access token that is valid for some minutes."""
        if using.connector.oauth is None:
            async with self.storage.app.read() as session:
                row = await repository.credential(session, account.id)
            if row is None:
                raise ConnectorFailed("invalid_grant", GONE)
            return credentials.opened(self.vault, row)
        try:
            token = await self.tokens.current(account.id, self._refresh(account, using))
        except ConnectorFailed as error:
            if error.problem in ("invalid_grant", "missing_refresh_token"):
                await self.failed(account.id, error)
            raise
        return {ACCESS: token}

    async def ask_for_token(
        self, oauth_: OAuth, network: Network, form: Mapping[str, str]
    ) -> Granted:
        """Send a token request; `ConnectorFailed` says why it failed."""
        full = {**form, "client_id": oauth_.client_id}
        if oauth_.client_secret:
            full["client_secret"] = oauth_.client_secret
        try:
            async with network.http() as client:
                return await oauth.request(client, oauth_.token_url, full)
        except TokenRefused as error:
            raise ConnectorFailed(
                error.problem, error.detail, retry_after=error.retry_after
            ) from None

    async def revoke(self, oauth_: OAuth, network: Network, token: str) -> bool:
        """Revoke a token; return whether the provider confirmed. Never fails."""
        if oauth_.revoke_url is None:
            return False
        try:
            async with network.http() as client:
                return await oauth.revoke(client, oauth_.revoke_url, {"token": token})
        except (TokenRefused, ConnectorFailed, httpx2.HTTPError):
            return False

    async def failed(self, account_id: str, error: ConnectorFailed) -> None:
        """Record why an account does not work; a new reason is an event."""
        detail = error.detail[:_LONGEST_DETAIL]
        async with self.storage.app.read() as session:
            account = await repository.find(session, account_id)
        known = account and (account.problem, account.problem_detail) == (error.problem, detail)
        if known or isinstance(error, NotInUse):
            return
        async with self.storage.app.write() as session:
            account = await repository.find(session, account_id, lock=True)
            if account is None:
                return
            is_new = account.problem != error.problem
            account.problem, account.problem_detail = error.problem, detail
            if is_new:
                account.problem_at = clock.now()
                _emit(session, account, "account.failed", problem=error.problem)
        if is_new:
            log.warning("an account failed", accountId=account_id, problem=error.problem)

    async def well(self, account_id: str) -> None:
        """Record that an account works; a recovery is an event."""
        async with self.storage.app.read() as session:
            account = await repository.find(session, account_id)
        if account is None or account.problem is None:
            return
        async with self.storage.app.write() as session:
            account = await repository.find(session, account_id, lock=True)
            if account is None or account.problem is None:
                return
            account.problem = account.problem_detail = account.problem_at = None
            _emit(session, account, "account.recovered")

    def _opening(self, account: Account, using: ConnectorUse) -> Opening:
        given: list[str] = []

        async def secret() -> Mapping[str, str]:
            found = await self.secret_of(account, using)
            given[:] = [found[ACCESS]] if using.connector.oauth else []
            return found

        async def renew() -> None:
            for token in given:
                await self.tokens.outdated(account.id, token)

        return Opening(
            account_id=account.id,
            address=account.address,
            settings=account.settings,
            permissions=frozenset(account.permissions),
            by_admin=account.private_network,
            secret=secret,
            renew=renew,
        )

    def _refresh(
        self, account: Account, using: ConnectorUse
    ) -> Callable[[str], Awaitable[Granted]]:
        async def refresh(token: str) -> Granted:
            if using.oauth is None:
                raise ConnectorFailed(
                    "other", f"{using.connector.title} has no client id any more; see its settings."
                )
            network = self.network(using, account.settings, private=account.private_network)
            form = {"grant_type": "refresh_token", "refresh_token": token}
            return await self.ask_for_token(using.oauth, network, form)

        return refresh


def why_not(account: Account, using: ConnectorUse | None) -> str | None:
    """The reason why an account is not in use, if there is one."""
    if using is None:
        return f"The connector {account.connector} is not installed."
    if not using.enabled:
        return f"The connector {using.connector.title} is switched off."
    return None if account.enabled else "This account is switched off."


def _emit(session: AsyncSession, account: Account, type: str, **data: str) -> None:
    event = eventlog.Event(
        type,
        audience=(audience.account(account.id),),
        workspace_id=account.workspace_id,
        subject_id=account.id,
        data=data,
    )
    eventlog.record(session, event)
