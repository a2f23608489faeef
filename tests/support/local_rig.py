"""A local mailbox, and another program on it: Python's own, which knows nothing of ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from mailbox import Maildir
from pathlib import Path

from bailiwick.connectors.connector import AccountAccess, Connector
from bailiwick.connectors.local.feature import CONNECTOR
from bailiwick.connectors.network import Network


async def no_secret() -> Mapping[str, str]:
    return {}


@dataclass
class LocalRig:
    access: AccountAccess
    connector: Connector = CONNECTOR
    wrong_secret: Mapping[str, str] | None = None
    has_labels: bool = True

    @property
    def maildir(self) -> Maildir:
        return Maildir(self.access.folder / "Maildir", create=True)

    async def deliver(self, raw: bytes) -> None:
        self.maildir.add(raw)

    async def sent(self) -> Sequence[bytes]:
        made = self.maildir
        if "Sent" not in made.list_folders():
            return []
        return [
            made.get_folder("Sent").get_bytes(key) for key in made.get_folder("Sent").iterkeys()
        ]

    async def destroy(self, message_id: str) -> None:
        del self.maildir[self._key(message_id)]

    async def mark_seen(self, message_id: str) -> None:
        made, key = self.maildir, self._key(message_id)
        message = made[key]
        message.set_subdir("cur")
        message.set_flags("S")
        made[key] = message

    def _key(self, message_id: str) -> str:
        found = [key for key, one in self.maildir.items() if message_id in str(one["Message-ID"])]
        return found[0]


def local_rig(folder: Path, **settings: str) -> LocalRig:
    """An account that nobody has used yet."""
    access = AccountAccess(
        account_id="acc_local",
        address="me@example.org",
        settings={"address": "me@example.org", **settings},
        options={},
        permissions=frozenset(("read", "send", "organise", "drafts")),
        secret=no_secret,
        network=Network(()),
        folder=folder,
    )
    folder.mkdir()
    return LocalRig(access)
