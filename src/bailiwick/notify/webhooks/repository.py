"""All SQL of webhooks.

A transaction locks a webhook before its deliveries, so that no two wait for each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Row, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from bailiwick.errors import NotFound
from bailiwick.identity.models import User
from bailiwick.kit import clock
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.notify.webhooks.models import Delivery, DeliveryAttempt, Webhook

OPEN = ("waiting", "retrying")


@dataclass(frozen=True, slots=True)
class ListedWebhook:
    """A webhook with its owner's name and its last delivery."""

    webhook: Webhook
    owner_name: str | None
    last: Delivery | None


async def count(session: AsyncSession) -> int:
    """How many webhooks there are."""
    return await session.scalar(select(func.count(Webhook.id))) or 0


async def get(session: AsyncSession, id: str, *, lock: bool = False) -> Webhook:
    """A webhook, or `NotFound`."""
    webhook = await find(session, id, lock=lock)
    if webhook is None:
        raise NotFound("That webhook does not exist.")
    return webhook


async def find(session: AsyncSession, id: str, *, lock: bool = False) -> Webhook | None:
    """A webhook, if it still exists."""
    statement = select(Webhook).where(Webhook.id == id)
    if lock:
        statement = statement.with_for_update(key_share=True)
    return (await session.scalars(statement)).one_or_none()


async def listed(session: AsyncSession, id: str | None = None) -> list[ListedWebhook]:
    """All webhooks (or one), oldest first, each with its owner's name and its last delivery."""
    newest = aliased(Delivery)
    last = (
        select(newest.id)
        .where(newest.webhook_id == Webhook.id)
        .order_by(newest.created_at.desc(), newest.id.desc())
        .limit(1)
        .correlate(Webhook)
        .scalar_subquery()
    )
    statement = (
        select(Webhook, User.name, Delivery)
        .outerjoin(User, User.id == Webhook.owner_id)
        .outerjoin(Delivery, Delivery.id == last)
        .order_by(Webhook.created_at, Webhook.id)
    )
    if id:
        statement = statement.where(Webhook.id == id)
    return [ListedWebhook(*row) for row in (await session.execute(statement)).all()]


async def get_listed(session: AsyncSession, id: str) -> ListedWebhook:
    """One webhook with its owner's name and its last delivery, or `NotFound`."""
    await get(session, id)
    return (await listed(session, id))[0]


async def subscriptions(session: AsyncSession) -> Sequence[Row[list[str], str | None]]:
    """The event types of active webhooks, and the workspace of those limited to one."""
    statement = select(Webhook.types, Webhook.workspace_id).where(Webhook.active)
    return (await session.execute(statement)).all()


async def active(session: AsyncSession) -> list[Webhook]:
    """The active webhooks."""
    return list(await session.scalars(select(Webhook).where(Webhook.active)))


async def held(session: AsyncSession, ids: Iterable[str]) -> set[str]:
    """Those of the webhooks that still exist, locked until the transaction ends."""
    statement = select(Webhook.id).where(Webhook.id.in_(ids)).order_by(Webhook.id)
    return set(await session.scalars(statement.with_for_update(read=True, key_share=True)))


async def delivery(
    session: AsyncSession, webhook_id: str, id: str, *, lock: bool = False
) -> Delivery:
    """A delivery of this webhook, or `NotFound`."""
    found = await find_delivery(session, id, lock=lock)
    if found is None or found.webhook_id != webhook_id:
        raise NotFound("That delivery does not exist, or is no longer kept.")
    return found


async def find_delivery(session: AsyncSession, id: str, *, lock: bool = False) -> Delivery | None:
    """A delivery, if it still exists; with a lock, it is read again."""
    statement = select(Delivery).where(Delivery.id == id)
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    return (await session.scalars(statement)).one_or_none()


async def of_webhook(
    session: AsyncSession, webhook_id: str, page: PageRequest, *, status: str | None
) -> Rows[Delivery]:
    """Deliveries of a webhook, newest first."""
    statement = select(Delivery).where(Delivery.webhook_id == webhook_id)
    if status:
        statement = statement.where(Delivery.status == status)
    return await paginate(session, statement, page, by=(Delivery.created_at, Delivery.id))


async def of_event(session: AsyncSession, event_id: str) -> list[Delivery]:
    """The deliveries of an event."""
    return list(await session.scalars(select(Delivery).where(Delivery.event_id == event_id)))


async def attempts(session: AsyncSession, delivery_id: str) -> list[DeliveryAttempt]:
    """Every attempt of a delivery, in order."""
    statement = select(DeliveryAttempt).where(DeliveryAttempt.delivery_id == delivery_id)
    return list(await session.scalars(statement.order_by(DeliveryAttempt.number)))


async def cancel_open(session: AsyncSession, webhook_id: str) -> None:
    """Cancel the unfinished deliveries of a webhook."""
    # Other transactions lock deliveries only after the webhook, which the caller holds.
    await session.execute(
        update(Delivery)
        .where(Delivery.webhook_id == webhook_id, Delivery.status.in_(OPEN))
        .values(status="cancelled", next_attempt_at=None, finished_at=clock.now())
    )


async def forget_older_than(session: AsyncSession, days: int) -> None:
    """Remove deliveries that ended so many days ago, with their attempts."""
    await session.execute(
        delete(Delivery).where(
            Delivery.status.not_in(OPEN), Delivery.finished_at < clock.now() - timedelta(days=days)
        )
    )
