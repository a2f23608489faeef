"""Wire forms of accounts and connectors, from rows and declarations; never a secret."""

from collections.abc import Sequence
from typing import cast
from urllib.parse import urlencode

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import connector_use, repository, service, shares, signatures
from bailiwick.accounts.connector_use import ConnectorUse
from bailiwick.accounts.models import Account, AccountShare
from bailiwick.accounts.opener import AccountOpener, why_not
from bailiwick.accounts.reader import AccountRight, Reader
from bailiwick.accounts.schemas import (
    AccountOut,
    AccountShareOut,
    AccountTestOut,
    ConnectorDetailOut,
    ConnectorOut,
    GuideStepOut,
    PermissionOut,
    SignatureOut,
    SuggestedSettingsOut,
)
from bailiwick.connectors import forms
from bailiwick.connectors.connector import (
    Connector,
    ConnectorCategory,
    OAuth,
)
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.forms import FormFields
from bailiwick.identity import users

START_PATH = "/oauth/accounts/start"
_PLAIN = frozenset(AccountOut.model_fields) - {
    *("connector_title", "unused_because", "signature", "authorize_url", "settings"),
    *("owner_name", "right", "problem_detail", "at_rest"),
}


async def accounts(
    session: AsyncSession,
    opener: AccountOpener,
    reader: Reader,
    rows: Sequence[Account],
    *,
    origin: str,
) -> list[AccountOut]:
    """Accounts with the facts of their connectors."""
    known = {row.connector for row in rows if opener.connectors.find(row.connector)}
    uses = {name: await opener.use_in(session, name) for name in known}
    names = await users.names(session, {row.owner_id for row in rows})
    shown = [
        _account(opener, row, uses.get(row.connector), names.get(row.owner_id, ""), origin=origin)
        for row in rows
    ]
    return [
        one if reader.has(one.owner_id) else _shared(one, reader.accounts[one.id]) for one in shown
    ]


def _shared(account: AccountOut, right: AccountRight) -> AccountOut:
    """An account for whom it is shared with: how it is opened is its owner's business."""
    hidden = {"settings": {}, "authorize_url": None, "problem_detail": None, "right": right}
    return account.model_copy(update=hidden)


def share(row: AccountShare, name: str | None) -> AccountShareOut:
    """With whom an account is shared."""
    everyone = row.member_id == shares.ALL_MEMBERS
    return AccountShareOut(
        member_id=row.member_id,
        name="Everyone here" if everyone else name or row.member_id,
        right=cast("shares.ShareRight", row.right),
        created_at=row.created_at,
    )


def _account(
    opener: AccountOpener,
    row: Account,
    using: ConnectorUse | None,
    owner_name: str,
    *,
    origin: str,
) -> AccountOut:
    connector = using.connector if using else None
    hidden = forms.secrets_of(connector.settings) if connector else frozenset[str]()
    return AccountOut(
        **{name: getattr(row, name) for name in _PLAIN},
        owner_name=owner_name,
        right="own",
        problem_detail=row.problem_detail,
        connector_title=connector.title if connector else row.connector,
        unused_because=why_not(row, using),
        settings={name: value for name, value in row.settings.items() if name not in hidden},
        signature=SignatureOut(
            source=cast("signatures.SignatureSource", row.signature_source),
            text=signatures.preview(row.signature, row.signature_source),
            html=row.signature if row.signature_source == "provider" else None,
        ),
        authorize_url=authorize_url(row.id, connector, origin=origin),
        at_rest=opener.at_rest(row, connector) if connector else None,
    )


def authorize_url(account_id: str, connector: Connector | None, *, origin: str) -> str | None:
    """Our own page that leads to the provider's, for users who may authorise the account again."""
    if connector is None or connector.oauth is None:
        return None
    return f"{origin}{START_PATH}?{urlencode({'account': account_id})}"


def tested(probe: service.Probe, *, url: str | None) -> AccountTestOut:
    """The result of trying an account."""
    error, identity = probe.error, probe.identity
    return AccountTestOut(
        ok=error is None,
        error=error.problem if error else None,
        detail=error.detail if error else None,
        authorize_url=url if error else None,
        address=identity.address if identity else None,
        name=identity.name if identity else None,
    )


async def connectors(session: AsyncSession, opener: AccountOpener) -> list[ConnectorOut]:
    """All connectors with their configuration."""
    rows, active = await repository.settings(session), await repository.active(session)
    return [
        _connector(connector_use.of(each, rows.get(each.name), opener.vault), active)
        for each in opener.connectors
    ]


async def connector(
    session: AsyncSession, opener: AccountOpener, name: str, *, redirect_uri: str, to_admin: bool
) -> ConnectorDetailOut:
    """One connector, with what its settings page shows."""
    using = await opener.use_in(session, name)
    plain, hidden = forms.split(using.connector.options, using.options)
    facts, declared = using.oauth or _planned(using), using.connector
    names = [permission.name for permission in declared.permissions]
    every = dict.fromkeys((*(facts.base_scopes if facts else ()), *declared.scopes(names)))
    texts = {"redirect_uri": redirect_uri, "scopes": "\n".join(every), None: None}
    return ConnectorDetailOut(
        **dict(_connector(using, await repository.active(session))),
        options=plain if to_admin else None,
        secrets_set=sorted(hidden) if to_admin else [],
        guide=[
            GuideStepOut(title=step.title, text=step.text, url=step.url, copy_text=texts[step.copy])
            for step in declared.guide
        ],
        redirect_uri=redirect_uri if declared.oauth else None,
        scopes=list(every),
    )


def _planned(using: ConnectorUse) -> OAuth | None:
    """The scopes that will be requested once there is a client id, for the guide."""
    declared = using.connector.oauth
    try:
        return declared({**using.options, "client_id": "to-come"}) if declared else None
    except Exception:  # noqa: BLE001  (a plugin's code; the guide does without)
        return None


def suggestions(opener: AccountOpener, address: str) -> list[SuggestedSettingsOut]:
    """The connectors' suggestions for an address."""
    found: list[SuggestedSettingsOut] = []
    for each in opener.connectors:
        try:
            settings = each.suggest(address) if each.suggest else None
        except Exception:  # noqa: BLE001, S112  (a plugin's guess; nobody needs it)
            continue
        if settings is not None:
            found.append(_suggestion(each, settings))
    return found


def _suggestion(connector: Connector, found: FormFields) -> SuggestedSettingsOut:
    hidden, known = forms.secrets_of(connector.settings), connector.settings["properties"]
    return SuggestedSettingsOut(
        connector=connector.name,
        title=connector.title,
        settings={
            name: value for name, value in found.items() if name in known and name not in hidden
        },
        is_known=bool(found.get("known", True)),
        note=found.get("note"),
        help=found.get("help"),
    )


def _connector(using: ConnectorUse, active: dict[str, str]) -> ConnectorOut:
    declared = using.connector
    return ConnectorOut(
        name=declared.name,
        title=declared.title,
        summary=declared.summary,
        version=declared.version,
        categories=list(declared.categories),
        enabled=using.enabled,
        active=[each for each in declared.categories if active.get(each) == declared.name],
        hosts=_hosts(using),
        permissions=[
            PermissionOut(
                name=each.name,
                title=each.title,
                description=each.description,
                required=each.required,
                scopes=list(each.scopes),
            )
            for each in declared.permissions
        ],
        settings_form=dict(declared.settings),
        options_form=dict(declared.options),
        uses_oauth=declared.oauth is not None,
        is_configured=using.is_configured,
        keeps_folder=declared.keeps_folder,
    )


def _hosts(using: ConnectorUse) -> list[str]:
    try:
        return using.hosts(forms.with_defaults(using.connector.settings, {}))
    except ConnectorFailed:
        return []


def by_category(
    active: dict[str, str], categories: Sequence[ConnectorCategory]
) -> dict[str, str | None]:
    """The active connector of each category."""
    return {category: active.get(category) for category in categories}
