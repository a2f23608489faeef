"""The events of a webhook: what it asks for, as far as its owner may see it at that time."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance import audience
from bailiwick.kit.eventlog import Recorded
from bailiwick.notify import viewers
from bailiwick.notify.webhooks import repository, types
from bailiwick.notify.webhooks.models import Webhook

_PRIVATE = (audience.user(""), audience.account(""), audience.thread(""))


def asks_for(event: Recorded, patterns: Sequence[str], workspace_id: str | None) -> bool:
    """Whether a webhook asks for an event."""
    here = workspace_id is None or workspace_id == event.workspace_id
    return here and types.matches(event.type, patterns)


async def who_may_see(session: AsyncSession, event: Recorded) -> list[Webhook]:
    """The webhooks that ask for an event and may see it."""
    if not types.is_sent(event.type, event.audience):
        return []
    return [
        webhook
        for webhook in await repository.active(session)
        if asks_for(event, webhook.types, webhook.workspace_id)
        # Events from before its creation are left out, however late they are dispatched.
        and event.at >= webhook.created_at
        and await _sees(session, webhook, event)
    ]


async def has_admin(session: AsyncSession, webhook: Webhook) -> bool:
    """Whether its owner is the operator, or an active admin."""
    return webhook.owner_id is None or audience.ADMINS in await viewers.keys_of_user(
        session, webhook.owner_id
    )


async def _sees(session: AsyncSession, webhook: Webhook, event: Recorded) -> bool:
    if webhook.owner_id is None:
        # The operator sees the office, but nobody's private matters.
        return any(not word.startswith(_PRIVATE) for word in event.audience)
    keys = await viewers.keys_of_user(session, webhook.owner_id)
    return audience.ADMINS in keys and not keys.isdisjoint(event.audience)
