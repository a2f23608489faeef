"""Splits many values over several statements, because a database limits parameters."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

_MOST = 500
T = TypeVar("T")


def chunks(items: Iterable[T]) -> Iterator[list[T]]:
    """Lists of at most as many values as one statement takes."""
    every = list(items)
    return (every[start : start + _MOST] for start in range(0, len(every), _MOST))
