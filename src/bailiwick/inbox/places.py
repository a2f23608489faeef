"""Which files are in an inbox, and which of them nobody touches."""

from collections.abc import Sequence

from bailiwick.library.labels import INBOX
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import matches


def is_inbox(names: Sequence[str]) -> bool:
    """Whether a folder, given by its names beneath a notebook, is the inbox or in it."""
    return bool(names) and names[0].casefold() == INBOX


def holds(path: VirtualPath) -> bool:
    """Whether a file is in the inbox of its notebook."""
    return is_inbox(path.inner[:-1])


def is_untouchable(inner: Sequence[str], patterns: Sequence[str]) -> bool:
    """Whether a pattern keeps a file out of all this, by its name or its path."""
    wanted = tuple(each.strip().strip("/").casefold() for each in patterns)
    path = "/".join(inner).casefold()
    return matches(wanted, path) or matches(wanted, path.rpartition("/")[2])
