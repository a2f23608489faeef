"""The roles of a message's folders as bits, so that a list needs no join."""

from collections.abc import Iterable
from typing import get_args

from bailiwick.connectors.mail import FolderRole

ROLES: tuple[FolderRole, ...] = get_args(FolderRole)
_BITS: dict[str | None, int] = {role: 1 << place for place, role in enumerate(ROLES)}
_OTHER = 1 << len(ROLES)  # a folder of the user's own
INBOX, SENT, DRAFTS = _BITS["inbox"], _BITS["sent"], _BITS["drafts"]
# Roles that searches leave out unless they are named.
DISCARDED = _BITS["trash"] | _BITS["junk"]


def bit(role: str | None) -> int:
    """The bit of a folder with this role."""
    return _BITS.get(role, _OTHER)


def bits(roles: Iterable[str | None]) -> int:
    """The bits of several folders together."""
    made = 0
    for role in roles:
        made |= bit(role)
    return made


def roles(places: int) -> list[FolderRole]:
    """The roles that the bits stand for."""
    return [role for role in ROLES if places & _BITS[role]]
