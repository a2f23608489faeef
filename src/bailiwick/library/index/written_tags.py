"""Properties and tags as people write them at the top of a text, made fit to be stored."""

import math
from typing import Any

from bailiwick.library import front_matter

_MOST_TAGS = 50
_LONGEST_TAG = 100


def written(text: str) -> tuple[dict[str, Any], list[str]]:
    """The properties that a text begins with, and the tags among them; none if it has none."""
    found, _ = front_matter.readable(text)
    properties = {_storable(name): _storable(value) for name, value in (found or {}).items()}
    return properties, tags(properties.get("tags", properties.get("tag")))


def tags(value: Any) -> list[str]:
    """Tags of a list, or of words with commas or spaces between them."""
    match value:
        case list():
            parts = [str(each) for each in value if isinstance(each, str | int | float)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case str():
            parts = value.split("," if "," in value else None)
        case _:
            return []
    clean = [part.strip().lstrip("#")[:_LONGEST_TAG].casefold() for part in parts]
    return list(dict.fromkeys(part for part in clean if part))[:_MOST_TAGS]


def _storable(value: Any) -> Any:
    """A value without what no database keeps: NUL, halves of characters, endless numbers."""
    match value:
        case str():
            return value.replace("\x00", " ").encode(errors="replace").decode()
        case float() if not math.isfinite(value):
            return str(value)
        case dict():
            return {_storable(key): _storable(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
        case list():
            return [_storable(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
        case _:
            return value
