"""Remote ids of messages: folder, UIDVALIDITY and UID, which together are never reused."""

from dataclasses import dataclass

from bailiwick.connectors.errors import ConnectorFailed

_PARTS = 3


@dataclass(frozen=True, slots=True)
class ImapPlace:
    """A folder with its UIDVALIDITY."""

    folder: str
    uidvalidity: int

    def id(self, uid: int) -> str:
        """The remote id of a message."""
        return f"{uid}.{self.uidvalidity}.{self.folder}"

    def uid(self, remote_id: str) -> int:
        """The UID in a remote id of this folder."""
        return int(remote_id.partition(".")[0])


def parsed(remote_id: str) -> tuple[ImapPlace, int]:
    """The folder and UID in a remote id."""
    parts = remote_id.split(".", 2)
    if len(parts) != _PARTS or not all(each.isdecimal() and each.isascii() for each in parts[:2]):
        raise ConnectorFailed("other", "This is no message of this account.")
    return ImapPlace(parts[2], int(parts[1])), int(parts[0])
