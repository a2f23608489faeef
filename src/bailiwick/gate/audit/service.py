"""The last verification, and what people say about restored backups."""

import asyncio

from bailiwick.errors import Unavailable
from bailiwick.identity.principal import Principal
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger import Ledger, Report, verify
from bailiwick.kit.vault import Vault


class Auditor:
    """Verifies one at a time, and remembers what it found."""

    def __init__(self, storage: Storage, vault: Vault) -> None:
        self._storage = storage
        self._vault = vault
        self._alone = asyncio.Lock()
        self.last: Report | None = None

    async def verify(self) -> Report:
        """Check everything now."""
        async with self._alone:
            self.last = await verify(self._storage, self._vault)
            return self.last


async def accept_restore(ledger: Ledger | None, who: Principal) -> None:
    """Say in someone's name that a backup was restored."""
    if ledger is None:
        raise Unavailable("The audit is not open here. Start the server, then say so again.")
    await ledger.accept_restored(by=who.name)
