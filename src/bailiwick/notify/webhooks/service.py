"""Verbs of webhooks.

A webhook sees what its owner sees. So other admins can disable or remove it, but not change its
address, which would show them the owner's events.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict, Forbidden, Invalid, RuleViolated
from bailiwick.identity.principal import Principal
from bailiwick.instance import changes
from bailiwick.kit import clock, eventlog, ids
from bailiwick.kit.net.outbound import AddressRefused, Outbound
from bailiwick.kit.vault import Vault
from bailiwick.notify.webhooks import activation, payloads, repository, signatures, types
from bailiwick.notify.webhooks.models import Delivery, Webhook
from bailiwick.workspaces.access import enter

MOST = 50
_RECORDED = ("name", "url", "types", "workspace_id", "format", "active")
_ANY_ADMINS = frozenset({"name", "active"})


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """The settings of a new webhook."""

    name: str
    url: str
    types: list[str]
    workspace_id: str | None
    format: payloads.PayloadFormat


async def create(
    session: AsyncSession,
    principal: Principal,
    new: NewWebhook,
    *,
    vault: Vault,
    outbound: Outbound,
) -> tuple[Webhook, SecretStr]:
    """Make a webhook; its secret is returned only here."""
    if await repository.count(session) >= MOST:
        raise RuleViolated(f"There are {MOST} webhooks already. Remove one first.")
    webhook = Webhook(
        id=ids.new("whk"),
        name=new.name,
        url=_checked_url(new.url, outbound),
        types=types.checked(new.types),
        format=new.format,
        owner_id=principal.user_id,
        workspace_id=await _checked_workspace(session, principal, new.workspace_id),
        active=True,
        failures=0,
        created_at=clock.now(),
    )
    secret = signatures.give_secret(webhook, vault)
    session.add(webhook)
    changes.record(
        session,
        principal.actor,
        action="webhook.created",
        subject=webhook.id,
        after=described(webhook),
    )
    return webhook, secret


async def change(
    session: AsyncSession,
    principal: Principal,
    id: str,
    *,
    values: Mapping[str, Any],
    outbound: Outbound,
) -> Webhook:
    """Change some of a webhook's settings, or switch it on or off."""
    webhook = await repository.get(session, id, lock=True)
    if not _ANY_ADMINS.issuperset(values):
        _only_owner(principal, webhook)
    before = described(webhook)
    for name, value in values.items():
        match name:
            case "url":
                webhook.url = _checked_url(value, outbound)
            case "types":
                webhook.types = types.checked(value)
            case "workspace_id":
                webhook.workspace_id = await _checked_workspace(session, principal, value)
            case "active":
                await (activation.on if value else activation.off)(session, webhook)
            case _:
                setattr(webhook, name, value)
    if (after := described(webhook)) != before:
        changes.record(
            session,
            principal.actor,
            action="webhook.changed",
            subject=webhook.id,
            before=before,
            after=after,
        )
    return webhook


async def delete(session: AsyncSession, principal: Principal, id: str) -> None:
    """Remove a webhook with its log; a delivery under way stops."""
    webhook = await repository.get(session, id, lock=True)
    before = described(webhook)
    await activation.off(session, webhook, for_good=True)
    await session.delete(webhook)
    changes.record(
        session, principal.actor, action="webhook.deleted", subject=webhook.id, before=before
    )


async def disable(session: AsyncSession, webhook: Webhook, *, reason: str) -> None:
    """Disable a webhook because it does not work; the caller holds its lock."""
    before = described(webhook)
    await activation.off(session, webhook)
    webhook.disabled_reason = reason
    after = {**described(webhook), "reason": reason}
    changes.record(
        session,
        changes.SYSTEM,
        action="webhook.disabled",
        subject=webhook.id,
        before=before,
        after=after,
    )


async def new_secret(
    session: AsyncSession, principal: Principal, id: str, *, vault: Vault
) -> SecretStr:
    """Make a new secret; the one before also signs for another day."""
    webhook = await repository.get(session, id, lock=True)
    _only_owner(principal, webhook)
    secret = signatures.give_secret(webhook, vault)
    changes.record(
        session,
        principal.actor,
        action="webhook.changed",
        subject=webhook.id,
        after={"new_secret": True},
    )
    return secret


async def send_test(
    session: AsyncSession, principal: Principal, id: str, *, origin: str
) -> Delivery:
    """Send a test event to this webhook alone."""
    webhook = await _switched_on(session, id)
    event = payloads.test_event(webhook_id=id, actor_id=principal.id)
    delivery = new_delivery(webhook, event, origin=origin)
    session.add(delivery)
    _request(session, delivery)
    return delivery


async def redeliver(session: AsyncSession, webhook_id: str, id: str) -> Delivery:
    """Send a delivery again now, with all retries."""
    await _switched_on(session, webhook_id)
    delivery = await repository.delivery(session, webhook_id, id, lock=True)
    delivery.status = "waiting"
    delivery.round_start = delivery.attempts
    delivery.next_attempt_at = delivery.finished_at = None
    _request(session, delivery)
    return delivery


def new_delivery(webhook: Webhook, event: eventlog.Recorded, *, origin: str) -> Delivery:
    """The new delivery of an event to a webhook."""
    return Delivery(
        id=ids.new("dlv"),
        webhook_id=webhook.id,
        event_id=event.id,
        event_type=event.type,
        payload=payloads.make(event, webhook_id=webhook.id, format=webhook.format, origin=origin),
        status="waiting",
        attempts=0,
        round_start=0,
        created_at=clock.now(),
    )


def is_owner(principal: Principal, webhook: Webhook) -> bool:
    """Whether the caller owns the webhook, or is the operator."""
    return principal.via == "operator" or principal.user_id == webhook.owner_id


def described(webhook: Webhook) -> dict[str, Any]:
    """The webhook in the change record, without its secret."""
    return {name: getattr(webhook, name) for name in _RECORDED}


async def _switched_on(session: AsyncSession, id: str) -> Webhook:
    webhook = await repository.get(session, id, lock=True)
    if not webhook.active:
        raise Conflict("This webhook is switched off. Switch it on first.")
    return webhook


def _request(session: AsyncSession, delivery: Delivery) -> None:
    # No audience: only our own job follows it.
    event = eventlog.Event(types.REQUESTED, audience=(), subject_id=delivery.id)
    eventlog.record(session, event)


def _only_owner(principal: Principal, webhook: Webhook) -> None:
    if not is_owner(principal, webhook):
        raise Forbidden(
            "This webhook sees what its owner sees, so only its owner can change what it is told "
            "and where it leads. You can switch it off or remove it, and make one of your own."
        )


async def _checked_workspace(
    session: AsyncSession, principal: Principal, id: str | None
) -> str | None:
    return (await enter(session, principal, id, need="read")).id if id else None


def _checked_url(url: str, outbound: Outbound) -> str:
    try:
        return outbound.check_url(url)
    except AddressRefused as error:
        raise Invalid.field("url", str(error)) from None
