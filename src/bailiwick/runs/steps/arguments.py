"""The name and the arguments of a call: models write them, so they may be anything.

What can mean one thing only is put right before the gate sees it, so that the gate judges and the
audit shows one form: a prefix before the name, JSON inside a text, a number in quotes.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from bailiwick.kit import json_depth

_PREFIX = re.compile(r"^(?:functions?|tools?|default_api)[./:]", re.IGNORECASE)
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
# With a folder and an ending.
_PATH = re.compile(r"(?<![\w/])[\w.-]+(?:/[\w.-]+)+\.\w{1,8}\b")
_FLAGS = {"true": True, "false": False}


def tool_named(name: str, known: Iterable[str]) -> str:
    """The tool that a name means: itself, or the only one that is written in another way."""
    names = [*known]
    if name in names:
        return name
    bare = _letters(_PREFIX.sub("", name.strip()))
    found = [each for each in names if _letters(each) == bare]
    return found[0] if len(found) == 1 else name


def _letters(name: str) -> str:
    """`readFile`, `read-file` and `Read_File` are one."""
    return re.sub(r"[\s_-]", "", name).casefold()


def fitted(arguments: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with texts where the schema has something else read as that."""
    fields = schema.get("properties", {})
    return {name: _fitted(value, fields.get(name)) for name, value in arguments.items()}


def _fitted(value: Any, field: Any) -> Any:
    if not isinstance(value, str) or not isinstance(field, Mapping):
        return value
    text = value.strip()
    match field.get("type"):
        case "integer" if _WHOLE.fullmatch(text):
            return int(text)
        case "number" if _NUMBER.fullmatch(text):
            return float(text)
        case "boolean" if text.lower() in _FLAGS:
            return _FLAGS[text.lower()]
        case "array":
            return _inner(text, list, value)
        case "object":
            return _inner(text, dict, value)
        case _:
            return value


def _inner(text: str, kind: type, otherwise: Any) -> Any:
    if json_depth.deep_field(text.encode(errors="replace"), whole="arguments"):
        return otherwise
    try:
        found = json.loads(text, parse_constant=_no_number)
    except ValueError:
        return otherwise
    return found if isinstance(found, kind) else otherwise


def path_named(words: str) -> str | None:
    """The path of a file that somebody wrote amid their words, if it is the only one."""
    found = dict.fromkeys(_PATH.findall(words))
    return next(iter(found)) if len(found) == 1 else None


def file_name(path: str) -> str:
    """The last part of a path, whatever its case."""
    return path.rpartition("/")[2].strip().casefold()


def arguments_of(text: str) -> dict[str, Any] | str:
    """A call's arguments, or what is wrong with them."""
    if field := json_depth.deep_field(text.encode(errors="replace"), whole="arguments"):
        return f"{field}: {json_depth.message()}"
    try:
        found = json.loads(text or "{}", parse_constant=_no_number)
    except ValueError as error:
        return f"arguments: this is not JSON ({error}). Send one JSON object."
    if isinstance(found, str):
        found = _inner(found, dict, found)
    if not isinstance(found, dict):
        return "arguments: must be one JSON object, such as {}"
    return found


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
