"""Tries an account, before it is stored or on request."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import structlog

from bailiwick.accounts import signatures
from bailiwick.accounts.connector_use import ConnectorUse
from bailiwick.accounts.opener import AccountOpener, Opening
from bailiwick.connectors import forms
from bailiwick.connectors.connector import Connector
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.mail import Identity, Mailbox
from bailiwick.errors import Invalid

_SECONDS = 60.0
_LONGEST_ADDRESS, _LONGEST_NAME, _LONGEST_SERVER = 320, 200, 255
log = structlog.stdlib.get_logger("bailiwick.connectors")


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The account's owner and signature."""

    identity: Identity
    signature: str | None


async def tried(opener: AccountOpener, using: ConnectorUse, opening: Opening) -> TrialResult:
    """Sign in once; `ConnectorFailed` if that fails."""
    if using.connector.open_mail is None:
        return TrialResult(Identity(address=""), None)
    async with guarded(using.connector), opener.trial(using, opening) as mailbox:
        identity = _checked(await mailbox.probe())
        return TrialResult(identity, await provider_signature(mailbox))


async def provider_signature(mailbox: Mailbox) -> str | None:
    """The provider's signature; an account works without it."""
    try:
        return signatures.cleaned(await mailbox.signature())
    except Exception as error:  # noqa: BLE001  (a plugin's code)
        log.info("a provider's signature cannot be read", error=type(error).__name__)
        return None


@asynccontextmanager
async def guarded(connector: Connector) -> AsyncGenerator[None]:
    """Turn any error of a connector into a `ConnectorFailed`; its text may hold secrets."""
    try:
        async with asyncio.timeout(_SECONDS):
            yield
    except TimeoutError:
        raise ConnectorFailed("network", "The provider does not answer.") from None
    except ConnectorFailed:
        raise
    except Exception as error:  # noqa: BLE001  (a plugin's code)
        log.warning("a connector broke", connector=connector.name, error=type(error).__name__)
        raise ConnectorFailed("other", f"The connector {connector.name} broke.") from None


def in_fields(error: ConnectorFailed, connector: Connector, settings: Mapping[str, Any]) -> Invalid:
    """The failure as an error of the form, at its field if that is known."""
    if error.field in settings:
        return Invalid.field(f"settings.{error.field}", error.detail)
    hidden = sorted(forms.secrets_of(connector.settings))
    if error.problem == "invalid_grant" and hidden:
        return Invalid.field(f"settings.{hidden[0]}", error.detail)
    for name, value in settings.items():
        if error.problem == "network" and isinstance(value, str) and _names(error.detail, value):
            return Invalid.field(f"settings.{name}", error.detail)
    return Invalid(error.detail, errors={"settings": [error.detail]})


def _names(detail: str, value: str) -> bool:
    return bool(value) and value.casefold() in detail.casefold()


def _checked(identity: Identity) -> Identity:
    address = identity.address.strip()
    if len(address) > _LONGEST_ADDRESS or not address.isprintable():
        raise ConnectorFailed("other", "The provider's name for the account cannot be used.")
    name = "".join(letter for letter in identity.name if letter.isprintable())
    server = identity.authserv_id
    fits = server is not None and server.isprintable() and len(server) <= _LONGEST_SERVER
    return Identity(address, name[:_LONGEST_NAME].strip(), server if fits else None)
