"""Enabling and disabling: deliveries stop in the transaction that disables a webhook."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.engine import flags
from bailiwick.notify.webhooks import repository
from bailiwick.notify.webhooks.models import Webhook

# Longer than any delivery can take.
_KEPT = timedelta(days=1)


def flag(id: str) -> str:
    """The flag that stops deliveries to a webhook."""
    return f"webhook:{id}"


async def on(session: AsyncSession, webhook: Webhook) -> None:
    """Enable a webhook; the caller holds its lock."""
    if not webhook.active:
        webhook.active, webhook.failures, webhook.disabled_reason = True, 0, None
        await flags.lower(session, flag(webhook.id))


async def off(session: AsyncSession, webhook: Webhook, *, for_good: bool = False) -> None:
    """Disable a webhook and stop its deliveries; the caller holds its lock."""
    if webhook.active or for_good:
        webhook.active = False
        await repository.cancel_open(session, webhook.id)
        await flags.hoist(session, flag(webhook.id), keep=_KEPT if for_good else None)
