"""The size of a JSON value, counted up to a limit."""

from typing import Any


def outweighs(value: Any, limit: int) -> bool:
    """Whether a value has more characters than the limit, or as many parts as would be as slow."""
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
