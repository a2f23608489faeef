"""A Gmail account of the scripted server, for the contract and for Gmail's own tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from ipaddress import ip_network
from pathlib import Path

from bailiwick.connectors.connector import AccountAccess, Connector
from bailiwick.connectors.gmail.client import Patience
from bailiwick.connectors.gmail.feature import CONNECTOR
from bailiwick.connectors.gmail.mailbox import GmailMailbox
from bailiwick.connectors.network import Network
from support.gmail_server import GmailServer

# As in the product, but it asks again at once, and as often on a slow machine.
QUICK = replace(
    CONNECTOR, open_mail=partial(GmailMailbox, patience=Patience(first=0.01, total=100, tries=4))
)


@dataclass
class GmailRig:
    server: GmailServer
    folder: Path
    connector: Connector = QUICK
    has_labels: bool = True
    wrong_secret: Mapping[str, str] | None = field(
        default_factory=lambda: {"access_token": "ya29.not-a-token"}
    )
    token: str = ""
    renewed: int = 0

    def __post_init__(self) -> None:
        self.token = self.server.token()

    @property
    def access(self) -> AccountAccess:
        options = self.server.options
        return AccountAccess(
            account_id="acc_gmail",
            address=self.server.account.address,
            settings={},
            options=options,
            permissions=frozenset(one.name for one in CONNECTOR.permissions),
            secret=self._secret,
            network=Network(CONNECTOR.hosts(options, {}), allowed=[ip_network("127.0.0.0/8")]),
            folder=self.folder,
            renew=self._renew,
        )

    async def deliver(self, raw: bytes) -> None:
        self.server.account.add(raw, {"INBOX", "UNREAD"})

    async def sent(self) -> Sequence[bytes]:
        return [raw for raw, _ in self.server.account.outbox]

    async def destroy(self, message_id: str) -> None:
        self.server.account.remove(self.server.account.of(message_id).id)

    async def mark_seen(self, message_id: str) -> None:
        self.server.account.relabel(self.server.account.of(message_id).id, [], ["UNREAD"])

    async def _secret(self) -> Mapping[str, str]:
        return {"access_token": self.token}

    async def _renew(self) -> None:
        self.renewed += 1
        self.token = self.server.token()
