"""A local mailbox that the office keeps and seals; no other program can be on it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bailiwick.connectors.connector import seal_of
from bailiwick.connectors.local.maildir import INBOX, Maildir, files
from bailiwick.kit.keys import Key
from support.local_rig import LocalRig, local_rig

KEY = Key(b"k" * 32)


class SealedRig(LocalRig):
    @property
    def kept(self) -> Maildir:
        made = Maildir.kept(self.access.folder, self.access.seal)
        made.make()
        return made

    async def deliver(self, raw: bytes) -> None:
        self.kept.deliver(INBOX, raw)

    async def sent(self) -> Sequence[bytes]:
        made = self.kept
        folder = made.path(made.folder("sent"))
        found = (made.read(folder / part / name) for part, name in files(folder))
        return [content.raw for content in found if content]

    async def destroy(self, message_id: str) -> None:
        self._path(message_id).unlink()

    async def mark_seen(self, message_id: str) -> None:
        path = self._path(message_id)
        path.rename(path.parent.parent / "cur" / f"{path.name.partition(':')[0]}:2,S")

    def _path(self, message_id: str) -> Path:
        made = self.kept
        for part, name in files(made.root):
            content = made.read(made.root / part / name)
            if content and message_id.encode() in content.raw:
                return made.root / part / name
        raise LookupError(message_id)


def sealed_rig(folder: Path) -> SealedRig:
    """An account that nobody has used yet."""
    access = local_rig(folder).access
    return SealedRig(replace(access, seal=seal_of(folder.name, KEY)))
