"""Many values for one statement, some at a time: a database takes only so many at once."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

_MOST = 500
T = TypeVar("T")


def chunks(items: Iterable[T]) -> Iterator[list[T]]:
    """As many as one statement takes, until there are no more."""
    every = list(items)
    return (every[start : start + _MOST] for start in range(0, len(every), _MOST))
