"""The sample mailbox: a Maildir in the account's own folder, made before the account is stored."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass

from bailiwick.accounts import connect, credentials, trial
from bailiwick.accounts.connector_use import ConnectorUse
from bailiwick.accounts.models import AccountCredential
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.store import Connected
from bailiwick.accounts.trial import TrialResult
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.local.maildir import INBOX, Maildir
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
class SampleMailbox:
    """A mailbox on the disk that works, and whose account is not stored yet."""

    id: str
    using: ConnectorUse
    found: TrialResult
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

    def credential(self, opener: AccountOpener) -> AccountCredential:
        """It needs no secret."""
        sealed = credentials.seal(opener.vault, self.id, {})
        return AccountCredential(account_id=self.id, secret=sealed, updated_at=clock.now())


async def prepare(opener: AccountOpener, who: Principal, id: str) -> SampleMailbox:
    """Write the mails to the disk, and look whether the connector can read them."""
    using = await connect.usable(opener, CONNECTOR)
    await asyncio.to_thread(_deliver, Maildir.kept(opener.folder(id), opener.seal(id)))
    permissions = connect.chosen(using.connector, None)
    opening = connect.opening_of(
        id, settings=_SETTINGS, secret={}, permissions=permissions, principal=who
    )
    try:
        found = await trial.tried(opener, using, opening)
    except ConnectorFailed as error:
        raise Unavailable(f"The sample mailbox cannot be read: {error.detail}") from None
    return SampleMailbox(id, using, found, permissions)


def _deliver(maildir: Maildir) -> None:
    """Put each mail into its folder, with the time at which it came."""
    maildir.make()
    for mail in letters.sample_mails(clock.now()):
        remote = INBOX if mail.place == "inbox" else maildir.folder(mail.place)
        id = maildir.deliver(remote, mail.raw, letters=mail.letters)
        for file in maildir.find(id):
            os.utime(file.path, (mail.at.timestamp(), mail.at.timestamp()))
