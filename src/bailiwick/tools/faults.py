"""What is wrong with arguments, by field, in plain words; a value is never repeated."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jsonschema_rs
from pydantic import ValidationError

Faults = dict[str, list[str]]
WHOLE = "arguments"  # the name of what is wrong with all of them
_MOST = 20
_LONGEST_NAME = 60
_MANY = 12
_WORDS = {
    "missing": "is missing",
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "model_type": "must be an object",
    "dict_type": "must be an object",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "is longer than {max_length} characters",
    "string_pattern_mismatch": "has another form than is asked for",
    "too_short": "needs at least {min_length} items",
    "too_long": "has more than {max_length} items",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "date_type": "must be a day, like 2026-03-31",
    "date_parsing": "there is no such day; write it like 2026-03-31",
    "date_from_datetime_parsing": "must be a day, like 2026-03-31",
    "datetime_type": "must be a time, like 2026-03-31T08:00:00Z",
    "datetime_parsing": "must be a time, like 2026-03-31T08:00:00Z",
    "datetime_from_date_parsing": "must be a time, like 2026-03-31T08:00:00Z",
    "value_error": "{error}",
}
_OTHER = "is not what is asked for"
# What models and people write for the same thing; the names of our own arguments among them.
_SAME = (
    ("path", "file", "filename", "filepath", "folder", "directory", "dir", "location", "notebook"),
    ("to", "destination", "target", "newpath", "recipient", "recipients", "email"),
    ("content", "text", "body", "message", "data", "value", "notes", "note", "description"),
    ("query", "q", "search", "term", "terms", "keyword", "keywords", "question", "words"),
    ("title", "name", "subject", "task", "heading"),
    ("due", "date", "deadline", "duedate", "when"),
    ("limit", "count", "max", "maxresults", "top", "n", "number"),
    ("email_id", "emailid", "mail", "mailid", "messageid", "message", "id"),
    ("task_id", "taskid", "task", "id"),
    ("account", "from", "mailbox", "sender"),
    ("input", "prompt", "task", "request", "instructions", "question", "query"),
    ("recursive", "deep", "all"),
)
# Where the field's own description helps, because the fault says too little.
_DESCRIBED = ("missing", "string_pattern_mismatch")


def message_of(found: Faults) -> str:
    """All of it in one line."""
    return "; ".join(f"{name}: {words[0]}" for name, words in found.items())


def of_model(error: ValidationError, given: Any, schema: Mapping[str, Any]) -> Faults:
    """What a model found wrong."""
    found: Faults = {}
    for each in error.errors(include_url=False, include_input=False):
        kind, context = each["type"], each.get("ctx", {})
        path = _path(each["loc"], given, missing=kind == "missing")
        if kind == "extra_forbidden":
            _add(found, path, _unknown(path, schema))
            continue
        if context.get("min_length") == 1 and kind in ("string_too_short", "too_short"):
            words = "must not be empty"
        else:
            words = _WORDS.get(kind, _OTHER).format_map(context)
        _add(found, path, _described(words, path, schema) if kind in _DESCRIBED else words)
        if len(found) >= _MOST:
            break
    return found


def of_schema(errors: Iterable[jsonschema_rs.ValidationError], schema: Mapping[str, Any]) -> Faults:
    """What a JSON Schema found wrong, of a validator that masks what it was given."""
    found: Faults = {}
    for error in errors:
        path, kind = [*error.instance_path], error.kind
        match kind:
            case jsonschema_rs.ValidationErrorKind.Required():
                path.append(str(kind.property).strip('"'))
                _add(found, path, _described("is missing", path, schema))
            case jsonschema_rs.ValidationErrorKind.AdditionalProperties():
                for name in kind.unexpected:
                    _add(found, [*path, name], _unknown([*path, name], schema))
            case _:
                _add(found, path, error.message[:300])
        if len(found) >= _MOST:
            break
    return found


def _path(place: Sequence[str | int], given: Any, *, missing: bool) -> list[str | int]:
    """The names that the caller wrote: a union has names of its own in between."""
    path: list[str | int] = []
    for number, part in enumerate(place):
        inner = _step(part, given)
        if inner is not None or (missing and number == len(place) - 1):
            path.append(part)
            given = inner[0] if inner else None
    return path


def _step(part: str | int, given: Any) -> tuple[Any] | None:
    match given:
        case dict():
            return (given[part],) if part in given else None
        case list():
            return (given[part],) if isinstance(part, int) and part < len(given) else None
        case _:
            return None


def _add(found: Faults, path: Sequence[str | int], words: str) -> None:
    name = ".".join(str(part)[:_LONGEST_NAME] for part in path) or WHOLE
    found.setdefault(name, []).append(words)


def _described(words: str, path: Sequence[str | int], schema: Mapping[str, Any]) -> str:
    about = _at(path, schema).get("description")
    return f"{words}. {about}" if about else words


def _unknown(path: Sequence[str | int], schema: Mapping[str, Any]) -> str:
    known = [*_at(path[:-1], schema).get("properties", {})]
    if path and (near := _meant(str(path[-1])[:_LONGEST_NAME], known)):
        return f"is not known here; did you mean {near!r}?"
    return f"is not known here; there is {', '.join(known[:_MANY]) or 'nothing to give'}"


def _meant(name: str, known: Sequence[str]) -> str | None:
    """The field that a name means: one that is written alike, or one that says the same."""
    alike = difflib.get_close_matches(name, known, n=1)
    plain = re.sub(r"[^a-z]", "", name.lower())
    same = (other for words in _SAME if plain in words for other in words if other in known)
    return alike[0] if alike else next(same, None)


def _at(path: Sequence[str | int], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of the schema that a field has."""
    here: Any = schema
    for part in path:
        if isinstance(here, Mapping):
            here = here.get("items") if isinstance(part, int) else here.get("properties")
        if isinstance(here, Mapping) and isinstance(part, str):
            here = here.get(part)
    return here if isinstance(here, Mapping) else {}
