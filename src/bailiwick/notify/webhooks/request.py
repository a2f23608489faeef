"""The HTTP request of one attempt."""

import time
from dataclasses import dataclass

from bailiwick import __version__
from bailiwick.kit import clock, correlation
from bailiwick.kit.engine.flags import Flags, Stopped
from bailiwick.kit.net.outbound import Outbound, OutboundFailed
from bailiwick.kit.vault import Vault
from bailiwick.notify.webhooks import activation, outcomes, payloads, signatures
from bailiwick.notify.webhooks.models import Delivery, Webhook

_AGENT = f"Bailiwick/{__version__}"
# Enough bytes for the stored part of an answer, in any encoding.
_LONGEST_ANSWER = 4 * outcomes.KEPT


@dataclass(frozen=True, slots=True)
class DeliveryRequest:
    """A request, signed at the time of sending."""

    webhook_id: str
    url: str
    body: bytes
    headers: dict[str, str]

    @classmethod
    def of(
        cls, webhook: Webhook, delivery: Delivery, *, number: int, vault: Vault
    ) -> "DeliveryRequest":
        """The request of this attempt."""
        body, media_type = payloads.encoded(payloads.numbered(delivery.payload, number))
        now = clock.now()
        signed = signatures.headers(
            delivery.event_id, body, at=now, valid=signatures.secrets_of(webhook, vault, at=now)
        )
        headers = {
            "Content-Type": media_type,
            "User-Agent": _AGENT,
            correlation.HEADER: correlation.current_trace_id(),
            **signed,
        }
        return cls(webhook.id, webhook.url, body, headers)


async def send(
    request: DeliveryRequest,
    *,
    outbound: Outbound,
    flags: Flags,
    timeout: float,  # noqa: ASYNC109  (of the whole exchange, kept by `outbound`)
) -> outcomes.AttemptOutcome:
    """Send it; disabling the webhook stops it."""
    at, started = clock.now(), time.monotonic()

    def taken() -> int:
        return round((time.monotonic() - started) * 1000)

    try:
        async with flags.watched(activation.flag(request.webhook_id)):
            answer = await outbound.post(
                request.url,
                content=request.body,
                headers=request.headers,
                timeout=timeout,
                longest=_LONGEST_ANSWER,
            )
    except Stopped:
        return outcomes.failed(outcomes.SWITCHED_OFF, at=at, milliseconds=taken())
    except OutboundFailed as error:
        return outcomes.failed(str(error), at=at, milliseconds=taken())
    return outcomes.answered(answer.status, answer.body, at=at, milliseconds=taken())
