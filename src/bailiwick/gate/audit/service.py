"""The last verification, and what people say about restored backups."""

import asyncio
from collections.abc import Sequence
from typing import cast, get_args

from bailiwick.errors import Unavailable
from bailiwick.gate.audit.anchors import keyring_entry
from bailiwick.gate.audit.schemas import said
from bailiwick.gate.trust import programs
from bailiwick.identity.principal import Principal
from bailiwick.identity.signins import SIGN_INS
from bailiwick.instance.changes import CHANGES
from bailiwick.kit.ledger import Elsewhere, Ledger, Records, Report, verify
from bailiwick.kit.ledger.anchor import parsed_mark
from bailiwick.kit.ledger.models import Row
from bailiwick.kit.ledger.records.recorder import Recorder
from bailiwick.office import Office
from bailiwick.tools.trust import Label, Source

RECORDS = (SIGN_INS, CHANGES)


class Auditor:
    """Verifies one at a time, and remembers what it found."""

    def __init__(self, office: Office, recorder: Recorder) -> None:
        self._office = office
        self._recorder = recorder
        self._alone = asyncio.Lock()
        self.last: Report | None = None

    async def verify(self, *, copy: Sequence[str] = (), mark: str = "") -> Report:
        """Check everything now, also against lines or a mark that someone kept elsewhere."""
        async with self._alone:
            await self._recorder.flush()
            self.last = await verified(self._office, copy=copy, mark=mark)
            return self.last


async def verified(office: Office, *, copy: Sequence[str] = (), mark: str = "") -> Report:
    """Check everything, as the stores have it."""
    settings = await office.changeable.current()
    elsewhere = Elsewhere(
        file=settings.anchor_path,
        entry=await keyring_entry(office),
        copy=copy,
        mark=parsed_mark(mark),
    )
    records = Records(RECORDS, office.hasher)
    return await verify(office.storage, office.vault, elsewhere=elsewhere, records=records)


def anchor_failure(ledger: Ledger | None) -> str | None:
    """Why the newest checkpoint is not everywhere that it is to be."""
    failures = [each.failure for each in ledger.anchors if each.failure] if ledger else []
    return "; ".join(failures) or None


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
