"""REST of webhooks, for admins."""

from typing import Annotated

from fastapi import APIRouter, Depends

from bailiwick.identity.access import Admin
from bailiwick.identity.principal import OPERATOR
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.kit.net.outbound import Outbound
from bailiwick.notify.webhooks import payloads, repository, service
from bailiwick.notify.webhooks.models import DeliveryAttempt
from bailiwick.notify.webhooks.repository import ListedWebhook
from bailiwick.notify.webhooks.schemas import (
    AttemptOut,
    DeliveryDetailOut,
    DeliveryId,
    DeliveryOut,
    DeliveryStatus,
    LastDelivery,
    NewWebhookOut,
    SecretOut,
    WebhookId,
    WebhookIn,
    WebhookOut,
    WebhookPatch,
)
from bailiwick.office import TheOffice

router = APIRouter(prefix="/webhooks", tags=["webhooks"], route_class=IdempotentRoute)


async def _outbound(office: TheOffice) -> Outbound:
    return Outbound(office.settings.allowed_networks)


TheOutbound = Annotated[Outbound, Depends(_outbound)]


@router.get("")
async def list_webhooks(_: Admin, session: ReadSession, page: PageQuery) -> Page[WebhookOut]:
    """All webhooks."""
    shown = [_out(row) for row in await repository.listed(session)]
    return page_of(shown, page, by=lambda webhook: webhook.id)


@router.post("", status_code=201)
async def create_webhook(
    body: WebhookIn,
    admin: Admin,
    session: WriteSession,
    office: TheOffice,
    outbound: TheOutbound,
) -> NewWebhookOut:
    """Make a webhook. It sees what its maker sees; its secret is shown once."""
    new = service.NewWebhook(**{name: getattr(body, name) for name in WebhookIn.model_fields})
    made, secret = await service.create(session, admin, new, vault=office.vault, outbound=outbound)
    shown = _out(await repository.get_listed(session, made.id))
    return NewWebhookOut(**dict(shown), secret=secret.get_secret_value())


@router.get("/{webhook_id}")
async def read_webhook(webhook_id: WebhookId, _: Admin, session: ReadSession) -> WebhookOut:
    """One webhook."""
    return _out(await repository.get_listed(session, webhook_id))


@router.patch("/{webhook_id}")
async def change_webhook(
    webhook_id: WebhookId,
    body: WebhookPatch,
    admin: Admin,
    session: WriteSession,
    outbound: TheOutbound,
) -> WebhookOut:
    """Change a webhook, or switch it on or off; what is left out stays as it is."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    await service.change(session, admin, webhook_id, values=values, outbound=outbound)
    return _out(await repository.get_listed(session, webhook_id))


@router.delete("/{webhook_id}", status_code=204)
async def delete_webhook(webhook_id: WebhookId, admin: Admin, session: WriteSession) -> None:
    """Remove a webhook with its log; what is being sent to it stops."""
    await service.delete(session, admin, webhook_id)


@router.post("/{webhook_id}/secret")
async def renew_webhook_secret(
    webhook_id: WebhookId, admin: Admin, session: WriteSession, office: TheOffice
) -> SecretOut:
    """Make a new secret; the one before is valid for another 24 hours."""
    secret = await service.new_secret(session, admin, webhook_id, vault=office.vault)
    return SecretOut(secret=secret.get_secret_value())


@router.post("/{webhook_id}/test", status_code=202)
async def send_test_delivery(
    webhook_id: WebhookId, admin: Admin, session: WriteSession, office: TheOffice
) -> DeliveryOut:
    """Send a `webhook.test` event, to this webhook alone."""
    sent = await service.send_test(session, admin, webhook_id, origin=office.settings.origin)
    return DeliveryOut.model_validate(sent)


@router.get("/{webhook_id}/deliveries")
async def list_deliveries(
    webhook_id: WebhookId,
    _: Admin,
    session: ReadSession,
    page: PageQuery,
    status: DeliveryStatus | None = None,
) -> Page[DeliveryOut]:
    """What was sent to a webhook, or is on its way; newest first."""
    await repository.get(session, webhook_id)
    rows = await repository.of_webhook(session, webhook_id, page, status=status)
    return rows.map(DeliveryOut.model_validate)


@router.get("/{webhook_id}/deliveries/{delivery_id}")
async def read_delivery(
    webhook_id: WebhookId, delivery_id: DeliveryId, admin: Admin, session: ReadSession
) -> DeliveryDetailOut:
    """One delivery with what is sent, and every attempt."""
    webhook = await repository.get(session, webhook_id)
    delivery = await repository.delivery(session, webhook_id, delivery_id)
    attempts = await repository.attempts(session, delivery_id)
    shown = service.is_owner(admin, webhook)
    return DeliveryDetailOut(
        **dict(DeliveryOut.model_validate(delivery)),
        payload=payloads.numbered(delivery.payload, max(delivery.attempts, 1)) if shown else None,
        log=[_attempt(row, shown=shown) for row in attempts],
    )


@router.post("/{webhook_id}/deliveries/{delivery_id}/redeliver", status_code=202)
async def repeat_delivery(
    webhook_id: WebhookId, delivery_id: DeliveryId, _: Admin, session: WriteSession
) -> DeliveryOut:
    """Send something once more, now."""
    return DeliveryOut.model_validate(await service.redeliver(session, webhook_id, delivery_id))


def _out(row: ListedWebhook) -> WebhookOut:
    webhook, last = row.webhook, row.last
    kept = {n: getattr(webhook, n) for n in WebhookOut.model_fields if hasattr(webhook, n)}
    return WebhookOut(
        **kept,
        owner_name=row.owner_name or OPERATOR.name,
        last_delivery=last
        and LastDelivery(
            status=last.status,  # pyright: ignore[reportArgumentType]
            at=last.finished_at or last.created_at,
        ),
    )


def _attempt(row: DeliveryAttempt, *, shown: bool) -> AttemptOut:
    made = AttemptOut.model_validate(row)
    # An answer may repeat what was sent.
    return made if shown else made.model_copy(update={"response": None})
