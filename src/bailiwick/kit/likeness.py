"""Which of the known names somebody may have meant."""

import difflib
from collections.abc import Iterable

_LONGEST = 100


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The name that is nearly the same, whatever its case; None if none is."""
    folded = {each.casefold(): each for each in known}
    found = difflib.get_close_matches(name.strip()[:_LONGEST].casefold(), folded, n=1, cutoff=0.75)
    return folded[found[0]] if found else None
