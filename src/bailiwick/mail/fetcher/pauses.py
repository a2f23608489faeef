"""How long an account is left alone after something went wrong with it."""

import random
from datetime import timedelta

FIRST, LONGEST = timedelta(seconds=30), timedelta(hours=1)
# A provider may ask for more patience, but not for ever.
_LONGEST_ASKED = timedelta(days=1)


def after(failures: int, *, retry_after: float | None = None) -> timedelta:
    """The pause after so many failures in a row: twice as long each time, never quite the same.

    What the provider asks for counts instead, and is only stretched: many who were turned away at
    once must not all come back at once.
    """
    if retry_after is not None:
        asked = timedelta(seconds=min(max(retry_after, 1.0), _LONGEST_ASKED.total_seconds()))
        return asked * random.uniform(1.0, 1.1)  # noqa: S311
    doubled = FIRST * 2 ** min(max(failures, 1) - 1, 10)
    return min(doubled * random.uniform(1.0, 1.5), LONGEST)  # noqa: S311
