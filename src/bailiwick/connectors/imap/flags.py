"""UIDs by flag, kept for folders without modification sequences."""

from collections.abc import Mapping

from bailiwick.connectors.imap import boxes, names
from bailiwick.connectors.imap.cursor import FolderCursor
from bailiwick.connectors.imap.uids import Uids


def different(
    state: FolderCursor, flags: Mapping[int, frozenset[str]]
) -> Mapping[int, frozenset[str]]:
    """The UIDs that have other flags than before; all of them if the earlier flags are unknown."""
    if state.flags is None:
        return flags
    present = Uids.of(flags) & state.known
    now = added({}, flags, only=present)
    return {
        uid: flags[uid]
        for name in now.keys() | state.flags.keys()
        for uid in _either(now.get(name, Uids()), state.flags.get(name, Uids()) & present)
    }


def _either(one: Uids, two: Uids) -> Uids:
    return (one - two) | (two - one)


def added(
    kept: Mapping[str, Uids], flags: Mapping[int, frozenset[str]], *, only: Uids | None = None
) -> dict[str, Uids]:
    """UIDs by flag, with these messages added."""
    having: dict[str, list[int]] = {}
    for uid, words in flags.items():
        if only is None or uid in only:
            for word in words:
                if word.lower() in boxes.FLAGS or names.is_label(word):
                    having.setdefault(word.lower(), []).append(uid)
    made = {name: uids if only is None else uids & only for name, uids in kept.items()}
    for name, uids in having.items():
        made[name] = made.get(name, Uids()) | Uids.of(uids)
    return {name: uids for name, uids in made.items() if uids}


def without(kept: Mapping[str, Uids], taken: Uids) -> dict[str, Uids]:
    """UIDs by flag, without these messages."""
    return {name: uids - taken for name, uids in kept.items()}
