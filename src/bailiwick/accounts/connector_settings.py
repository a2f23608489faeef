"""Verbs of connectors: enabling, options, and the active one of a category."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import connector_use, credentials, repository, switches
from bailiwick.accounts.models import ActiveConnector, ConnectorSetting
from bailiwick.accounts.opener import AccountOpener
from bailiwick.connectors import forms
from bailiwick.connectors.connector import Connector, ConnectorCategory
from bailiwick.errors import Conflict, Invalid
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience, changes
from bailiwick.instance.changes import Values
from bailiwick.kit import clock


async def change(
    session: AsyncSession,
    opener: AccountOpener,
    principal: Principal,
    *,
    name: str,
    enabled: bool | None,
    options: Values | None,
) -> None:
    """Enable, disable or configure a connector; null removes an option, what is left out stays."""
    connector = opener.connectors.get(name)
    row = await repository.setting(session, name)
    before = _described(connector, row)
    row = row or ConnectorSetting(name=name, enabled=True, options={}, updated_at=clock.now())
    session.add(row)
    if enabled is not None:
        row.enabled = enabled
    if options is not None:
        _set_options(opener, connector, row, options)
    after = _described(connector, row)
    if options and forms.secrets_of(connector.options) & options.keys():
        after["new_secrets"] = True
    if after != before:
        row.updated_at = clock.now()
        _record(session, principal, name, before=before, after=after)
    await switches.emit(session, opener.connectors)


async def activate(
    session: AsyncSession,
    opener: AccountOpener,
    principal: Principal,
    *,
    category: ConnectorCategory,
    name: str | None,
) -> None:
    """Make a connector the active one of a category, or none."""
    row = await session.get(ActiveConnector, category)
    before = row.connector if row else None
    if name is not None:
        connector = opener.connectors.find(name)
        if connector is None or category not in connector.categories:
            raise Invalid.field("connector", f"there is no connector {name!r} for {category}")
        if not (await opener.use_in(session, name)).enabled:
            raise Conflict(f"The connector {connector.title} is switched off.")
    if name == before:
        return
    if name is None:
        await session.delete(row)
    elif row is None:
        session.add(ActiveConnector(category=category, connector=name, updated_at=clock.now()))
    else:
        row.connector, row.updated_at = name, clock.now()
    was, now = {f"active_{category}": before}, {f"active_{category}": name}
    _record(session, principal, name or before or "", before=was, after=now)
    await switches.emit(session, opener.connectors)


def _set_options(
    opener: AccountOpener, connector: Connector, row: ConnectorSetting, given: Values
) -> None:
    secret = credentials.opened_options(opener.vault, row)
    kept = forms.with_defaults(connector.options, {**row.options, **secret})
    was = connector_use.of(connector, row, opener.vault)
    merged = {name: value for name, value in {**kept, **given}.items() if value is not None}
    values = forms.checked(connector.options, merged, prefix="options")
    plain, hidden = forms.split(connector.options, values)
    stale = {name for name in hidden if name not in given}
    row.options, row.secret = plain, credentials.seal_options(opener.vault, connector.name, hidden)
    moved = _places(was) != _places(connector_use.of(connector, row, opener.vault))
    if moved and stale:
        raise Invalid.field(
            f"options.{sorted(stale)[0]}",
            "belongs to the address before: give it again, or null for none",
        )


def _places(using: connector_use.ConnectorUse) -> tuple[object, ...]:
    """The columns of its secrets."""
    facts = using.oauth
    urls = (facts.token_url, facts.revoke_url) if facts else ()
    return (*sorted(using.hosts(forms.with_defaults(using.connector.settings, {}))), *urls)


def _described(connector: Connector, row: ConnectorSetting | None) -> dict[str, Any]:
    """The connector in the change record, without secrets."""
    options = row.options if row else forms.with_defaults(connector.options, {})
    return {"enabled": row.enabled if row else True, "options": dict(options)}


def _record(
    session: AsyncSession, principal: Principal, name: str, *, before: Values, after: Values
) -> None:
    changes.record(
        session,
        principal.actor,
        action="connector.changed",
        subject=name,
        before=before,
        after=after,
        to=(audience.EVERYONE,),
    )
