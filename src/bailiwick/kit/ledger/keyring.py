"""The newest checkpoint in the operating system's keyring, outside the data folder.

Like the marks in the other stores it moves on only from a checkpoint that the audit still has, so
that an audit that was cut back does not take the proof with it.
"""

import asyncio
from collections.abc import Awaitable, Callable

from bailiwick.kit import keys
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger import marks
from bailiwick.kit.ledger.anchor import Anchor
from bailiwick.kit.ledger.checkpoints import Checkpoint

KeyringEntry = Callable[[], Awaitable[str | None]]


class KeyringAnchor(Anchor):
    """Replaces one entry of the keyring."""

    def __init__(self, storage: Storage, entry: KeyringEntry) -> None:
        super().__init__()
        self._storage = storage
        self._entry = entry

    async def place(self) -> object | None:
        """The entry, if the owner wants one."""
        return await self._entry()

    async def put(self, newest: Checkpoint, *, force: bool) -> None:
        """Replace an older checkpoint."""
        if not (entry := await self._entry()):
            return
        known = await read(entry)
        if known and not force:
            if not await marks.has(self._storage, known):
                raise ValueError("the system keyring has a checkpoint that the audit lacks")
            if known.number >= newest.number:
                return
        await asyncio.to_thread(keys.keep_text, entry, newest.line())


async def read(entry: str) -> Checkpoint | None:
    """The checkpoint in the keyring; None if there is none, `BadConfiguration` if no keyring."""
    text = await asyncio.to_thread(keys.kept_text, entry)
    return Checkpoint.parse(text) if text else None
