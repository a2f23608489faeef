"""The delivery jobs: an event fans out to webhooks, and each delivery is retried until it ends.

A job is one attempt. The attempt's number is part of the job's id, so that it begins once however
often it is requested; therefore every attempt counts, even one that was not sent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance.settings import SettingsStore
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.engine import Engine, Queue
from bailiwick.kit.engine.flags import Flags
from bailiwick.kit.engine.jobs import step
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.net.outbound import Outbound
from bailiwick.kit.vault import Vault
from bailiwick.notify.webhooks import (
    outcomes,
    repository,
    service,
    types,
    visibility,
)
from bailiwick.notify.webhooks import (
    request as webhook_request,
)

QUEUE = Queue("webhooks", per_partition=4, per_process=32)
FAN_OUT, REQUEST, ATTEMPT = "webhooks.fan-out", "webhooks.request", "webhooks.attempt"
_LOCK = 0x62616970
log = structlog.stdlib.get_logger("bailiwick.webhooks")


@dataclass(frozen=True, slots=True)
class Deliveries:
    """The bodies of the jobs, and their dependencies."""

    storage: Storage
    vault: Vault
    engine: Engine
    flags: Flags
    outbound: Outbound
    settings: SettingsStore
    origin: str

    async def fan_out(self, position: int) -> None:
        """Begin a delivery to each webhook that may see the event at a position."""
        for delivery_id, webhook_id in await step("match", self.match, position):
            await self._begin(delivery_id, 1, webhook_id=webhook_id)

    async def request(self, position: int) -> None:
        """Make the next attempt of a delivery now, on request."""
        if found := await step("find", self.find, position):
            delivery_id, webhook_id, number = found
            id = await self._begin(delivery_id, number, webhook_id=webhook_id)
            # It may be queued already, with a delay.
            await self.engine.hasten(id)

    async def attempt(self, delivery_id: str, number: int) -> None:
        """Make one attempt, and begin the next one if it failed."""
        outcome = await step("send", self.send, delivery_id, number)
        if outcome is None:
            return
        if following := await step("record", self.record, delivery_id, number, outcome):
            webhook_id, at = following
            delay = max(datetime.fromisoformat(at) - clock.now(), timedelta()) if at else None
            await self._begin(delivery_id, number + 1, webhook_id=webhook_id, delay=delay)

    async def match(self, position: int) -> list[list[str]]:
        """Store the deliveries of an event; return their ids and their webhooks'."""
        async with self.storage.app.write() as session:
            # One process at a time: the second finds the deliveries of the first.
            await self.storage.app.alone(session, lock=_LOCK)
            event = await _event_at(session, position)
            if event is None:
                return []
            known = await repository.of_event(session, event.id)
            begun = {delivery.webhook_id for delivery in known}
            seeing = {
                webhook.id: webhook for webhook in await visibility.who_may_see(session, event)
            }
            made = [
                service.new_delivery(seeing[id], event, origin=self.origin)
                for id in sorted(await repository.held(session, seeing.keys() - begun))
            ]
            session.add_all(made)
            return [[delivery.id, delivery.webhook_id] for delivery in (*known, *made)]

    async def find(self, position: int) -> list[Any] | None:
        """The requested delivery: its id, its webhook's, and the number of the next attempt."""
        async with self.storage.app.read() as session:
            event = await _event_at(session, position)
            if event is None or event.subject_id is None:
                return None
            delivery = await repository.find_delivery(session, event.subject_id)
            return delivery and [delivery.id, delivery.webhook_id, delivery.attempts + 1]

    async def send(self, delivery_id: str, number: int) -> outcomes.AttemptOutcome | None:
        """Send it and return the outcome; None if it is no longer to be sent."""
        async with self.storage.app.read() as session:
            delivery = await repository.find_delivery(session, delivery_id)
            webhook = delivery and await repository.find(session, delivery.webhook_id)
            if not delivery or not webhook:
                return None
            if reason := await outcomes.obstacle(session, webhook, delivery):
                return outcomes.unsent(reason)
        request = webhook_request.DeliveryRequest.of(
            webhook, delivery, number=number, vault=self.vault
        )
        timeout = (await self.settings.current()).webhook_timeout_seconds
        outcome = await webhook_request.send(
            request, outbound=self.outbound, flags=self.flags, timeout=timeout
        )
        log.info("sent", delivery=delivery_id, number=number, status=outcome["status"])
        return outcome

    async def record(
        self, delivery_id: str, number: int, outcome: outcomes.AttemptOutcome
    ) -> list[Any] | None:
        """Store an outcome; return the webhook's id and the next attempt's time, if any."""
        waits = (await self.settings.current()).webhook_retry_seconds
        async with self.storage.app.write() as session:
            delivery = await repository.find_delivery(session, delivery_id)
            webhook = delivery and await repository.find(session, delivery.webhook_id, lock=True)
            delivery = webhook and await repository.find_delivery(session, delivery_id, lock=True)
            if not delivery or not webhook:
                return None
            if delivery.attempts < number:
                attempt = outcomes.SettledDelivery(
                    session, webhook, delivery, number=number, waits=waits
                )
                await attempt.settle(outcome)
            if delivery.status not in repository.OPEN or delivery.attempts != number:
                return None
            return [webhook.id, delivery.next_attempt_at and delivery.next_attempt_at.isoformat()]

    async def _begin(
        self, id: str, number: int, *, webhook_id: str, delay: timedelta | None = None
    ) -> str:
        job_id = f"{id}:{number}"
        await self.engine.begin(ATTEMPT, id, number, id=job_id, partition=webhook_id, delay=delay)
        return job_id


async def _event_at(session: AsyncSession, position: int) -> Recorded | None:
    found = await eventlog.after(session, position - 1, limit=1, until=position)
    return found[0] if found else None


async def _wanted(session: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    """The events that any webhook asks for; who may see them is decided later."""
    sent = [event for event in events if types.is_sent(event.type, event.audience)]
    subscriptions = await repository.subscriptions(session) if sent else []
    return {
        event.position
        for event in sent
        for patterns, workspace_id in subscriptions
        if visibility.asks_for(event, patterns, workspace_id)
    }


async def _requested(_: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    return {event.position for event in events if event.type == types.REQUESTED}


WAKES = [Wake(FAN_OUT, _wanted), Wake(REQUEST, _requested)]
