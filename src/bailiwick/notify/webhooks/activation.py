"""On and off: what is on its way to a webhook stops in the transaction that switches it off."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.engine import flags
from bailiwick.notify.webhooks import repository
from bailiwick.notify.webhooks.models import Webhook

# Longer than anything can be under way to a webhook that is gone.
_KEPT = timedelta(days=1)


def flag(id: str) -> str:
    """The flag that stops what is being sent to a webhook."""
    return f"webhook:{id}"


async def on(session: AsyncSession, webhook: Webhook) -> None:
    """Begin afresh; the caller holds the webhook's lock."""
    if not webhook.active:
        webhook.active, webhook.failures, webhook.disabled_reason = True, 0, None
        await flags.lower(session, flag(webhook.id))


async def off(session: AsyncSession, webhook: Webhook, *, for_good: bool = False) -> None:
    """Send nothing more, and stop what is being sent; the caller holds the webhook's lock."""
    if webhook.active or for_good:
        webhook.active = False
        await repository.cancel_open(session, webhook.id)
        await flags.hoist(session, flag(webhook.id), keep=_KEPT if for_good else None)
