"""How large a JSON value is, counted no further than one cares."""

from typing import Any


def outweighs(value: Any, limit: int) -> bool:
    """Whether a value holds more characters than this, or so many parts that it is as slow."""
    weight = 0
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        match item:
            case str():
                weight += len(item)
            case dict():
                weight += 2
                waiting.extend(item.keys())
                waiting.extend(item.values())
            case list():
                weight += 2
                waiting.extend(item)
            case _:
                weight += 8
        if weight > limit:
            return True
    return False
