"""Log-in providers, for admins."""

from fastapi import APIRouter

from bailiwick.identity import providers
from bailiwick.identity.access import Admin
from bailiwick.identity.federation import CALLBACK_PATH
from bailiwick.identity.models import LoginProvider
from bailiwick.identity.providers import NewProvider
from bailiwick.identity.schemas import (
    ProviderId,
    ProviderIn,
    ProviderOut,
    ProviderPatch,
    ProvidersOut,
)
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import PageQuery, page_of
from bailiwick.office import Office, TheOffice, TheVault

router = APIRouter(prefix="/login-providers", tags=["auth"], route_class=IdempotentRoute)


@router.get("")
async def list_login_providers(
    _: Admin, office: TheOffice, session: ReadSession, page: PageQuery
) -> ProvidersOut:
    """All log-in providers."""
    rows = await providers.listed(session)
    shown = page_of([_out(row, office) for row in rows], page, by=lambda provider: provider.id)
    return ProvidersOut(**dict(shown), redirect_uri=_redirect_uri(office))


@router.post("", status_code=201)
async def create_login_provider(
    body: ProviderIn, admin: Admin, office: TheOffice, session: WriteSession, vault: TheVault
) -> ProviderOut:
    """Add a log-in provider. Its client must be another one than those of connected accounts."""
    new = NewProvider(**{name: getattr(body, name) for name in ProviderIn.model_fields})
    return _out(await providers.create(session, admin.actor, new, vault=vault), office)


@router.patch("/{provider_id}")
async def change_login_provider(
    provider_id: ProviderId,
    body: ProviderPatch,
    admin: Admin,
    office: TheOffice,
    session: WriteSession,
    vault: TheVault,
) -> ProviderOut:
    """Change a log-in provider; what is left out stays as it is."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    row = await providers.change(session, admin.actor, provider_id, values=values, vault=vault)
    return _out(row, office)


@router.delete("/{provider_id}", status_code=204)
async def delete_login_provider(
    provider_id: ProviderId, admin: Admin, session: WriteSession
) -> None:
    """Remove a log-in provider; its people keep their accounts."""
    await providers.delete(session, admin.actor, provider_id)


def _out(row: LoginProvider, office: Office) -> ProviderOut:
    kept = {name: getattr(row, name) for name in ProviderOut.model_fields if hasattr(row, name)}
    return ProviderOut(
        **kept,
        has_client_secret=row.client_secret is not None,
        redirect_uri=_redirect_uri(office),
    )


def _redirect_uri(office: Office) -> str:
    return office.settings.origin + CALLBACK_PATH
