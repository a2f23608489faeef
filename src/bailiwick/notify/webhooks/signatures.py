"""Signatures as in Standard Webhooks: they prove the sender and the time.

For a day after a renewal the old secret signs beside the new one, so that receivers do not fail.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from pydantic import SecretStr

from bailiwick.kit import clock
from bailiwick.kit.vault import Vault
from bailiwick.notify.webhooks.models import Webhook

OVERLAP = timedelta(hours=24)
_PREFIX = "whsec_"
_TABLE = "webhooks"


def give_secret(webhook: Webhook, vault: Vault) -> SecretStr:
    """Give a webhook its first or a new secret; the one before stays valid for another day."""
    drawer = vault.drawer(_TABLE)
    secret = SecretStr(_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode())
    before: bytes | None = webhook.secret
    if before:
        old = drawer.open(before, column="secret", row=webhook.id)
        webhook.old_secret = drawer.seal(old, column="old_secret", row=webhook.id)
        webhook.old_secret_until = clock.now() + OVERLAP
    webhook.secret = drawer.seal(secret, column="secret", row=webhook.id)
    return secret


def secrets_of(webhook: Webhook, vault: Vault, *, at: datetime) -> list[SecretStr]:
    """The secrets that are valid at a time, the newest first."""
    drawer = vault.drawer(_TABLE)
    valid = [drawer.open(webhook.secret, column="secret", row=webhook.id)]
    if webhook.old_secret and webhook.old_secret_until and at < webhook.old_secret_until:
        valid.append(drawer.open(webhook.old_secret, column="old_secret", row=webhook.id))
    return valid


def headers(id: str, body: bytes, *, at: datetime, valid: Sequence[SecretStr]) -> dict[str, str]:
    """The signature headers of a body: its id, the time, and a signature by each secret."""
    timestamp = int(at.timestamp())
    content = f"{id}.{timestamp}.".encode() + body
    return {
        "webhook-id": id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(_signature(secret, content) for secret in valid),
    }


def _signature(secret: SecretStr, content: bytes) -> str:
    key = base64.b64decode(secret.get_secret_value().removeprefix(_PREFIX))
    digest = hmac.new(key, content, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()
