"""Where the owner wants the audit's checkpoints kept, beside the data folder."""

from pathlib import Path

from bailiwick.instance import audience
from bailiwick.kit import eventlog
from bailiwick.kit.ledger.anchor import Anchor, FileAnchor
from bailiwick.kit.ledger.checkpoints import Checkpoint
from bailiwick.kit.ledger.keyring import KeyringAnchor
from bailiwick.office import Office

SEALED = "audit.sealed"


def of(office: Office) -> list[Anchor]:
    """All of them; each looks up whether it is wanted."""

    async def file() -> Path | None:
        return (await office.changeable.current()).anchor_path

    async def keyring() -> str | None:
        return await keyring_entry(office)

    return [FileAnchor(file), KeyringAnchor(office.storage, keyring), EventAnchor(office)]


async def keyring_entry(office: Office) -> str | None:
    """The entry of the system's keyring, if the owner wants one."""
    wanted = (await office.changeable.current()).audit_anchor_keyring
    return f"audit {office.data}" if wanted else None


class EventAnchor(Anchor):
    """Tells webhooks: the receiver keeps what it was told."""

    def __init__(self, office: Office) -> None:
        super().__init__()
        self._office = office

    async def place(self) -> object | None:
        """The log of events, if the owner wants that."""
        return SEALED if (await self._office.changeable.current()).audit_anchor_events else None

    async def put(self, newest: Checkpoint, *, force: bool) -> None:
        """Record the event: a number and a digest, and nothing that was audited."""
        told = eventlog.Event(
            SEALED,
            audience=(audience.ADMINS,),
            data={"number": newest.number, "digest": newest.signature.hex()},
        )
        async with self._office.storage.app.write() as session:
            eventlog.record(session, told)
