"""Log-in providers: OpenID Connect issuers, configured at run time; with their SQL."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import SecretStr
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Invalid, NotFound
from bailiwick.identity import repository
from bailiwick.identity.models import LoginProvider
from bailiwick.instance import changes
from bailiwick.kit import clock, ids
from bailiwick.kit.vault import Drawer, Vault

ProviderPreset = Literal["google", "custom"]
GOOGLE_ISSUER = "https://accounts.google.com"
_TABLE = "login_providers"
_RECORDED = (
    "name",
    "issuer",
    "client_id",
    "allowed_domains",
    "create_users",
    "admin_claim",
    "admin_values",
    "bearer_audience",
    "enabled",
)
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class NewProvider:
    """The settings of a new issuer."""

    name: str
    preset: ProviderPreset
    issuer: str | None
    client_id: str
    client_secret: SecretStr | None
    allowed_domains: list[str]
    create_users: bool
    admin_claim: str | None
    admin_values: list[str]
    bearer_audience: str | None
    enabled: bool


async def create(
    session: AsyncSession, actor: changes.Actor, new: NewProvider, *, vault: Vault
) -> LoginProvider:
    """Add an issuer."""
    issuer = GOOGLE_ISSUER if new.preset == "google" else new.issuer
    id = ids.new("idp")
    secret = new.client_secret
    row = LoginProvider(
        id=id,
        name=new.name,
        preset=new.preset,
        issuer=_checked_issuer(issuer),
        client_id=new.client_id,
        client_secret=_drawer(vault).seal(secret, column="client_secret", row=id)
        if secret
        else None,
        allowed_domains=new.allowed_domains,
        create_users=new.create_users,
        admin_claim=new.admin_claim,
        admin_values=new.admin_values,
        bearer_audience=new.bearer_audience,
        enabled=new.enabled,
        created_at=clock.now(),
    )
    _check(row)
    session.add(row)
    changes.record(session, actor, action="provider.created", subject=id, after=_described(row))
    return row


async def change(
    session: AsyncSession,
    actor: changes.Actor,
    id: str,
    *,
    values: Mapping[str, Any],
    vault: Vault,
) -> LoginProvider:
    """Change some of an issuer's settings; a secret that is not given stays.

    A changed issuer is a different authority: it keeps neither the secret nor the linked users.
    """
    row = await get(session, id)
    before = _described(row)
    if "issuer" in values and _checked_issuer(values["issuer"]) != row.issuer:
        row.client_secret = None
        await repository.unlink_all(session, id)
    for name, value in values.items():
        if name == "client_secret":
            row.client_secret = value and _drawer(vault).seal(value, column=name, row=id)
        else:
            setattr(row, name, _checked_issuer(value) if name == "issuer" else value)
    _check(row)
    after = _described(row)
    if "client_secret" in values:
        after["new_secret"] = True
    if after != before:
        changes.record(
            session, actor, action="provider.changed", subject=id, before=before, after=after
        )
    return row


async def delete(session: AsyncSession, actor: changes.Actor, id: str) -> None:
    """Remove an issuer; its people keep their accounts."""
    row = await get(session, id)
    await session.delete(row)
    changes.record(session, actor, action="provider.deleted", subject=id, before=_described(row))


async def get(session: AsyncSession, id: str) -> LoginProvider:
    """An issuer, or `NotFound`."""
    if not (row := await session.get(LoginProvider, id)):
        raise NotFound("That log-in provider does not exist.")
    return row


async def listed(session: AsyncSession, *, enabled_only: bool = False) -> list[LoginProvider]:
    """All issuers, by name."""
    statement = select(LoginProvider).order_by(LoginProvider.name, LoginProvider.id)
    if enabled_only:
        statement = statement.where(LoginProvider.enabled)
    return list(await session.scalars(statement))


def secret_of(row: LoginProvider, vault: Vault) -> SecretStr | None:
    """The client secret, for the token request."""
    if row.client_secret is None:
        return None
    return _drawer(vault).open(row.client_secret, column="client_secret", row=row.id)


def _drawer(vault: Vault) -> Drawer:
    return vault.drawer(_TABLE)


def _described(row: LoginProvider) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _RECORDED}


def _checked_issuer(issuer: str | None) -> str:
    if not issuer:
        raise Invalid.field("issuer", "is needed, such as https://login.example.com")
    try:
        parts = urlsplit(issuer)
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError:
        raise Invalid.field("issuer", "is not an address") from None
    local = parts.scheme == "http" and parts.hostname in _LOOPBACK
    if not parts.hostname or not port_is_fine or not (parts.scheme == "https" or local):
        raise Invalid.field("issuer", "must start with https:// (http only on this machine)")
    if parts.query or parts.fragment or parts.username:
        raise Invalid.field("issuer", "must not have a query, a fragment or a user")
    return issuer.rstrip("/")


def _check(row: LoginProvider) -> None:
    if row.admin_claim and not row.admin_values:
        raise Invalid.field("adminValues", "name the values of the claim that make an admin")
    if row.preset == "google" and row.create_users and not row.allowed_domains:
        raise Invalid.field(
            "allowedDomains",
            "anyone has a Google account: name the domains whose people may come in",
        )
