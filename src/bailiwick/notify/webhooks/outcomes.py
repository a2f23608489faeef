"""The outcome of an attempt, and its consequences."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypedDict

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance import audience
from bailiwick.kit import clock, eventlog
from bailiwick.notify.webhooks import repository, service, visibility
from bailiwick.notify.webhooks.models import Delivery, DeliveryAttempt, Webhook

KEPT = 1000
SWITCHED_OFF = "Stopped: the webhook was switched off"
_MOST_FAILURES = 10
_GONE = 410


class AttemptOutcome(TypedDict):
    """The outcome of an attempt, as plain JSON, because the engine stores it between steps."""

    at: str
    milliseconds: int
    status: int | None
    error: str | None
    response: str | None


def answered(status: int, body: bytes, *, at: datetime, milliseconds: int) -> AttemptOutcome:
    """The outcome of an attempt that got an answer."""
    return AttemptOutcome(
        at=at.isoformat(),
        milliseconds=milliseconds,
        status=status,
        error=None if _is_fine(status) else f"The receiver answered {status}",
        response=_printable(body),
    )


def failed(error: str, *, at: datetime, milliseconds: int) -> AttemptOutcome:
    """The outcome of an attempt without a valid answer."""
    return AttemptOutcome(
        at=at.isoformat(), milliseconds=milliseconds, status=None, error=error, response=None
    )


def unsent(reason: str) -> AttemptOutcome:
    """The outcome of an attempt that was not sent."""
    return failed(f"Not sent: {reason}", at=clock.now(), milliseconds=0)


async def obstacle(session: AsyncSession, webhook: Webhook, delivery: Delivery) -> str | None:
    """The reason why a delivery must not be sent now, if there is one."""
    if delivery.status not in repository.OPEN:
        return f"it is {delivery.status} already"
    if not webhook.active:
        return "the webhook is switched off"
    if not await visibility.has_admin(session, webhook):
        return "the webhook's owner is no longer an admin"
    return None


@dataclass(frozen=True, slots=True)
class SettledDelivery:
    """A finished attempt, in the transaction that stores it; both rows are locked."""

    session: AsyncSession
    webhook: Webhook
    delivery: Delivery
    number: int
    waits: Sequence[int]

    async def settle(self, outcome: AttemptOutcome) -> None:
        """Store the attempt, and update the delivery's state."""
        delivery = self.delivery
        self._log(outcome)
        if outcome["status"] is not None and _is_fine(outcome["status"]):
            self.webhook.failures = 0
            self._become("delivered")
        elif delivery.status not in repository.OPEN:
            pass  # it was cancelled during the attempt, and stays so
        elif await obstacle(self.session, self.webhook, delivery):
            self._become("cancelled")
        elif outcome["status"] == _GONE:
            self._become("failed")
            await self._disable("The receiver answered 410: it is gone and wants no more")
        else:
            await self._again_or_give_up()

    async def _again_or_give_up(self) -> None:
        done = self.number - self.delivery.round_start
        if done <= len(self.waits):
            at = clock.now() + timedelta(seconds=self.waits[done - 1])
            self._become("retrying", next_attempt_at=at)
            return
        self._become("failed")
        self.webhook.failures += 1
        if self.webhook.failures >= _MOST_FAILURES:
            await self._disable(
                f"{self.webhook.failures} deliveries in a row failed, each after every attempt; "
                f"the last: {self.delivery.last_error}"
            )

    async def _disable(self, reason: str) -> None:
        # Flushed before others are cancelled, so that this delivery's state is kept.
        await self.session.flush()
        await service.disable(self.session, self.webhook, reason=reason)

    def _log(self, outcome: AttemptOutcome) -> None:
        self.session.add(
            DeliveryAttempt(
                delivery_id=self.delivery.id,
                number=self.number,
                at=datetime.fromisoformat(outcome["at"]),
                milliseconds=outcome["milliseconds"],
                status=outcome["status"],
                error=outcome["error"],
                response=outcome["response"],
            )
        )
        self.delivery.attempts = self.number
        self.delivery.last_status = outcome["status"]
        self.delivery.last_error = outcome["error"]

    def _become(self, status: str, *, next_attempt_at: datetime | None = None) -> None:
        delivery, before = self.delivery, self.delivery.status
        delivery.status = status
        delivery.next_attempt_at = next_attempt_at
        delivery.finished_at = None if status in repository.OPEN else clock.now()
        if status not in (before, "cancelled"):
            self._emit("webhook.delivered" if status == "delivered" else "webhook.failed")

    def _emit(self, type: str) -> None:
        eventlog.record(
            self.session,
            eventlog.Event(
                type,
                audience=(audience.ADMINS,),
                subject_id=self.delivery.id,
                data={"webhookId": self.webhook.id, "status": self.delivery.status},
            ),
        )


def _is_fine(status: int) -> bool:
    return 200 <= status < 300


def _printable(body: bytes) -> str:
    text = " ".join(body.decode(errors="replace").split())
    return "".join(char for char in text if char.isprintable())[:KEPT]
