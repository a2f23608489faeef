"""What operations asks of other features."""

from collections.abc import Callable
from dataclasses import dataclass

from bailiwick.feature import Fact
from bailiwick.office import Office


@dataclass(frozen=True, slots=True)
class CountsStreams(Fact):
    """Knows how many event streams are open in this process."""

    count: Callable[[Office], int]
