"""The last verification, and what people say about restored backups."""

import asyncio
from collections.abc import Sequence
from typing import cast, get_args

from bailiwick.errors import Unavailable
from bailiwick.gate.audit.schemas import said
from bailiwick.gate.trust import programs
from bailiwick.identity.principal import Principal
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger import Ledger, Report, verify
from bailiwick.kit.ledger.anchor import Where
from bailiwick.kit.ledger.models import Row
from bailiwick.kit.vault import Vault
from bailiwick.office import Office
from bailiwick.tools.trust import Label, Source


class Auditor:
    """Verifies one at a time, and remembers what it found."""

    def __init__(self, storage: Storage, vault: Vault, elsewhere: Where) -> None:
        self._storage = storage
        self._vault = vault
        self._elsewhere = elsewhere
        self._alone = asyncio.Lock()
        self.last: Report | None = None

    async def verify(self, copy: Sequence[str] = ()) -> Report:
        """Check everything now, also against the lines of a copy kept elsewhere."""
        async with self._alone:
            self.last = await verify(
                self._storage, self._vault, elsewhere=await self._elsewhere(), copy=copy
            )
            return self.last


async def accept_restore(ledger: Ledger | None, who: Principal) -> None:
    """Say in someone's name that a backup was restored."""
    if ledger is None:
        raise Unavailable("The audit is not open here. Start the server, then say so again.")
    await ledger.accept_restored(by=who.name)


async def heard(office: Office, who: Principal, rows: Sequence[Row]) -> None:
    """Remember whose words a program has got with these lines."""
    for row in rows:
        body = said(row)
        label, call = body.get("label"), f"the audit of {row.tool}"
        pairs = body.get("sources")
        given = [[label, call], *(pairs if isinstance(pairs, list) else [])]
        known = [
            Source(cast("Label", pair[0]), str(pair[1]))
            for pair in given
            if isinstance(pair, list) and len(pair) == 2 and pair[0] in get_args(Label)
        ]
        if row.workspace_id:
            await programs.heard(office, who, body, workspace_id=row.workspace_id, sources=known)
