"""An account on a real Dovecot, as the contract of connectors wants it, and for our own tests."""

import imaplib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_network
from itertools import count
from pathlib import Path
from typing import Any

from bailiwick.connectors.connector import AccountAccess, Connector
from bailiwick.connectors.imap.feature import feature
from bailiwick.connectors.imap.mailbox import ImapMailbox
from bailiwick.connectors.network import Network
from support.dovecot import PASSWORD, Dovecot
from support.smtp import SmtpServer

IMAP, IMAP_OAUTH = feature.connectors
LOOPBACK = [ip_network("127.0.0.0/8")]
_numbers = count(1)


def access_of(
    settings: Mapping[str, Any],
    *,
    password: str = PASSWORD,
    connector: Connector = IMAP,
    secret: Mapping[str, str] | None = None,
) -> AccountAccess:
    """What the connector is handed for an account."""

    async def given() -> Mapping[str, str]:
        return secret or {"password": password}

    return AccountAccess(
        account_id="acc_imap",
        address=str(settings["address"]),
        settings=settings,
        options={},
        permissions=frozenset(("read", "send", "organise", "drafts")),
        secret=given,
        network=Network(connector.hosts({}, settings), allowed=LOOPBACK),
        folder=Path("/nonexistent"),
    )


def opened(settings: Mapping[str, Any], **given: Any) -> ImapMailbox:
    """A mailbox; the test closes it."""
    assert IMAP.open_mail
    mailbox = IMAP.open_mail(access_of(settings, **given))
    assert isinstance(mailbox, ImapMailbox)
    return mailbox


@dataclass
class ImapRig:
    """Another program at the same mailbox: Python's own."""

    dovecot: Dovecot
    smtp: SmtpServer
    security: str = "none"
    user: str = field(default_factory=lambda: f"user{next(_numbers)}@example.org")
    connector: Connector = IMAP
    wrong_secret: Mapping[str, str] | None = field(
        default_factory=lambda: {"password": "surely-not-this-one"}
    )
    has_labels: bool = True

    @property
    def settings(self) -> dict[str, Any]:
        return self.dovecot.settings(self.user, security=self.security, smtp_port=self.smtp.port)

    @property
    def access(self) -> AccountAccess:
        return access_of(self.settings)

    async def deliver(self, raw: bytes) -> None:
        self.dovecot.deliver(self.user, raw)

    async def sent(self) -> Sequence[bytes]:
        return [each.raw for each in self.smtp.received if each.sender == self.user]

    async def destroy(self, message_id: str) -> None:
        with self.at(message_id) as (other, number):
            other.store(number, "+FLAGS", "\\Deleted")
            other.expunge()

    async def mark_seen(self, message_id: str) -> None:
        with self.at(message_id) as (other, number):
            other.store(number, "+FLAGS", "\\Seen")

    @contextmanager
    def at(self, message_id: str, folder: str = "INBOX") -> Iterator[tuple[imaplib.IMAP4, str]]:
        with self.dovecot.signed_in(self.user) as other:
            other.select(folder)
            _, found = other.search(None, "HEADER", "Message-ID", f'"<{message_id}>"')
            yield other, found[0].decode().split()[0]
