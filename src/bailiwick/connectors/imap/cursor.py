"""The progress of a sync, folder by folder, as self-contained JSON.

`known` holds exactly the UIDs that were given to the caller and are not known to be gone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from bailiwick.connectors.imap.uids import Uids
from bailiwick.connectors.mail import Cursor

_VERSION = 1


@dataclass(frozen=True, slots=True)
class FolderCursor:
    """The progress within one folder."""

    uidvalidity: int
    uidnext: int = 1  # the first UID of new messages, once the folder is complete
    modseq: int | None = None  # MODSEQ up to which changes were given; None: no MODSEQ
    known: Uids = field(default_factory=Uids)
    complete: bool = False  # everything below `uidnext` was given
    # UIDs by flag, to compare with where the server has no modification sequences.
    flags: Mapping[str, Uids] | None = None

    def dumped(self) -> dict[str, Any]:
        """As JSON."""
        made: dict[str, Any] = {
            "uidvalidity": self.uidvalidity,
            "uidnext": self.uidnext,
            "modseq": self.modseq,
            "known": str(self.known),
            "complete": self.complete,
        }
        if self.flags is not None:
            made["flags"] = {name: str(uids) for name, uids in self.flags.items()}
        return made


def _loaded(given: Mapping[str, Any]) -> FolderCursor:
    flags = given.get("flags")
    return FolderCursor(
        uidvalidity=int(given["uidvalidity"]),
        uidnext=int(given["uidnext"]),
        modseq=None if given["modseq"] is None else int(given["modseq"]),
        known=Uids.parse(given["known"]),
        complete=bool(given["complete"]),
        flags=None if flags is None else {name: Uids.parse(text) for name, text in flags.items()},
    )


class Progress:
    """The cursors of all folders, and the labels seen so far."""

    def __init__(self, cursor: Cursor | None) -> None:
        self.states: dict[str, FolderCursor] = {}
        self.labels: dict[str, str] = {}  # keyword in lower case: its spelling
        if cursor and cursor.get("version") == _VERSION:
            given = cast("dict[str, dict[str, Any]]", cursor["folders"])
            self.states = {name: _loaded(each) for name, each in given.items()}
            self.labels = {word.lower(): word for word in cursor["labels"]}
        self._dumped = {name: state.dumped() for name, state in self.states.items()}
        self._is_new = cursor is None

    def __setitem__(self, name: str, state: FolderCursor) -> None:
        if self.states.get(name) != state:
            self.states[name] = state
            self._dumped[name] = state.dumped()
            self._is_new = True

    def forget(self, name: str) -> None:
        """Drop a folder that no longer exists."""
        del self.states[name], self._dumped[name]
        self._is_new = True

    @property
    def is_new(self) -> bool:
        """Whether it differs from the last cursor that was given out."""
        return self._is_new

    def cursor(self) -> Cursor:
        """The present cursor."""
        self._is_new = False
        return {
            "version": _VERSION,
            "folders": dict(self._dumped),
            "labels": sorted(self.labels.values()),
        }
