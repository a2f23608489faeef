"""How messages are called: by UID, UIDVALIDITY and folder, which together mean one for ever."""

from dataclasses import dataclass

from bailiwick.connectors.errors import ConnectorFailed

_PARTS = 3


@dataclass(frozen=True, slots=True)
class ImapPlace:
    """A folder whose UIDs mean something."""

    folder: str
    uidvalidity: int

    def id(self, uid: int) -> str:
        """The remote id of a message."""
        return f"{uid}.{self.uidvalidity}.{self.folder}"

    def uid(self, remote_id: str) -> int:
        """The number in a remote id of this place."""
        return int(remote_id.partition(".")[0])


def parsed(remote_id: str) -> tuple[ImapPlace, int]:
    """Which message is meant."""
    parts = remote_id.split(".", 2)
    if len(parts) != _PARTS or not all(each.isdecimal() and each.isascii() for each in parts[:2]):
        raise ConnectorFailed("other", "This is no message of this account.")
    return ImapPlace(parts[2], int(parts[1])), int(parts[0])
