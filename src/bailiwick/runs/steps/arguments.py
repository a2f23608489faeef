"""The arguments of a call: models write them, so they may be anything."""

import json
from typing import Any


def arguments_of(text: str) -> dict[str, Any] | str:
    """A call's arguments, or what is wrong with them."""
    try:
        found = json.loads(text or "{}", parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        return f"arguments: this is not JSON ({error}). Send one JSON object."
    if not isinstance(found, dict):
        return "arguments: must be one JSON object, such as {}"
    return found


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
