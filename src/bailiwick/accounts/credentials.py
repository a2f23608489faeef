"""Seals and opens the credentials of accounts, each bound to its row."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import SecretStr

from bailiwick.accounts.models import AccountCredential, ConnectorSetting, OAuthFlow
from bailiwick.kit.vault import Vault

_SECRET = "secret"  # noqa: S105  (the column's name)


def seal(vault: Vault, account_id: str, values: Mapping[str, Any]) -> bytes:
    """An account's credentials, sealed."""
    return _seal(vault, AccountCredential.__tablename__, account_id, values)


def opened(vault: Vault, row: AccountCredential) -> dict[str, Any]:
    """An account's credentials, opened."""
    return _open(vault, AccountCredential.__tablename__, row.account_id, row.secret)


def seal_options(vault: Vault, connector: str, values: Mapping[str, Any]) -> bytes | None:
    """A connector's own secrets, sealed; None if it has none."""
    return _seal(vault, ConnectorSetting.__tablename__, connector, values) if values else None


def opened_options(vault: Vault, row: ConnectorSetting) -> dict[str, Any]:
    """A connector's own secrets, opened."""
    if row.secret is None:
        return {}
    return _open(vault, ConnectorSetting.__tablename__, row.name, row.secret)


def seal_verifier(vault: Vault, flow_id: str, verifier: str) -> bytes:
    """The PKCE verifier of a consent, sealed."""
    drawer = vault.drawer(OAuthFlow.__tablename__)
    return drawer.seal(SecretStr(verifier), column="verifier", row=flow_id)


def opened_verifier(vault: Vault, flow: OAuthFlow) -> str:
    """The PKCE verifier of a consent, opened."""
    drawer = vault.drawer(OAuthFlow.__tablename__)
    return drawer.open(flow.verifier, column="verifier", row=flow.id).get_secret_value()


def _seal(vault: Vault, table: str, row: str, values: Mapping[str, Any]) -> bytes:
    text = SecretStr(json.dumps(dict(values)))
    return vault.drawer(table).seal(text, column=_SECRET, row=row)


def _open(vault: Vault, table: str, row: str, sealed: bytes) -> dict[str, Any]:
    text = vault.drawer(table).open(sealed, column=_SECRET, row=row)
    return json.loads(text.get_secret_value())
