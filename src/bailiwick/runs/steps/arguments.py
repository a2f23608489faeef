"""The arguments of a call: models write them, so they may be anything."""

import json
from typing import Any

from bailiwick.kit import json_depth


def arguments_of(text: str) -> dict[str, Any] | str:
    """A call's arguments, or what is wrong with them."""
    if field := json_depth.deep_field(text.encode(errors="replace"), whole="arguments"):
        return f"{field}: {json_depth.message()}"
    try:
        found = json.loads(text or "{}", parse_constant=_no_number)
    except ValueError as error:
        return f"arguments: this is not JSON ({error}). Send one JSON object."
    if not isinstance(found, dict):
        return "arguments: must be one JSON object, such as {}"
    return found


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
