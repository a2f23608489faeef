"""The sample mailbox: a Maildir in the account's own folder, made before the account is stored."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass

from bailiwick.accounts import credentials
from bailiwick.accounts.models import Credential
from bailiwick.connectors import connecting, trying
from bailiwick.connectors.desk import Desk
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.local.maildir import INBOX, Maildir
from bailiwick.connectors.storing import Connected
from bailiwick.connectors.trying import Tried
from bailiwick.connectors.use import Use
from bailiwick.demo import letters
from bailiwick.errors import Unavailable
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock
from bailiwick.workspaces.access import AccessibleWorkspaceID

CONNECTOR = "local"
_SETTINGS: Mapping[str, str] = {
    "address": letters.ADDRESS,
    "name": letters.NAME,
    "path": "",
    "authserv_id": letters.SERVER,
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A mailbox on the disk that works, and whose account is not stored yet."""

    id: str
    using: Use
    found: Tried
    permissions: frozenset[str]

    def connected(self, workspace_id: AccessibleWorkspaceID, label: str) -> Connected:
        """The account in a workspace; its filters are asked about all of its mail."""
        return Connected(
            id=self.id,
            workspace_id=workspace_id,
            using=self.using,
            label=label,
            found=self.found,
            permissions=self.permissions,
            settings=_SETTINGS,
            route_from=None,
        )

    def credential(self, desk: Desk) -> Credential:
        """It needs no secret."""
        sealed = credentials.seal(desk.vault, self.id, {})
        return Credential(account_id=self.id, secret=sealed, updated_at=clock.now())


async def prepare(desk: Desk, who: Principal, id: str) -> Prepared:
    """Write the mails to the disk, and look whether the connector can read them."""
    using = await connecting.usable(desk, CONNECTOR)
    await asyncio.to_thread(_deliver, Maildir(desk.folder(id) / "Maildir"))
    permissions = connecting.chosen(using.connector, None)
    opening = connecting.opening_of(
        id, settings=_SETTINGS, secret={}, permissions=permissions, principal=who
    )
    try:
        found = await trying.tried(desk, using, opening)
    except ConnectorFailed as error:
        raise Unavailable(f"The sample mailbox cannot be read: {error.detail}") from None
    return Prepared(id, using, found, permissions)


def _deliver(maildir: Maildir) -> None:
    """Put each mail into its folder, with the time at which it came."""
    maildir.make()
    for mail in letters.sample_mails(clock.now()):
        remote = INBOX if mail.place == "inbox" else maildir.folder(mail.place)
        id = maildir.deliver(remote, mail.raw, letters=mail.letters)
        for file in maildir.find(id):
            os.utime(file.path, (mail.at.timestamp(), mail.at.timestamp()))
