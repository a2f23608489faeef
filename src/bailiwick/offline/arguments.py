"""The arguments of a call, filled from what is known by the tool's own schema."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any

from bailiwick.llm.chat import OfferedTool

Slots = Mapping[str, Any]

# What a parameter is for, by its name: the first slot that has a value is taken.
_MEANINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"^(?:to|destination|dest|target|new_?path|to_?path|new_?name)$", ("to", "recipients")),
    (r"^(?:target_?folder|to_?folder)$", ("to_folder", "folder")),
    (r"^(?:recipients?|addressees?|to_?address(?:es)?|e-?mails?)$", ("recipients",)),
    (r"^(?:path|file|file_?path|file_?name|name_?of_?file|source|from_?path|uri)$", ("path", "id")),
    (r"^(?:folder|directory|dir|root|in)$", ("folder", "path")),
    (r"^(?:query|q|search|words?|term|terms|keywords?|pattern|phrase)$", ("query", "topic")),
    (
        r"^(?:content|text|body|data|message|input|markdown|value|prompt|entry)$",
        ("content", "title"),
    ),
    (r"^(?:title|name|label|subject|summary|headline|what)$", ("title", "topic")),
    (r"^(?:notes?|description|details?|comment|reason|explanation)$", ("notes",)),
    (r"^(?:due|due_?date|due_?on|deadline|date|day|when|on)$", ("due",)),
    (r"^(?:start|starts?_?at|begin|from|start_?time|start_?date|after|since)$", ("start", "due")),
    (r"^(?:end|ends?_?at|until|end_?time|end_?date|before)$", ("end", "start", "due")),
    (r"^(?:url|link|address)$", ("link",)),
    (r"^(?:limit|count|max_?results|amount|number|quantity|n|top)$", ("number",)),
    (r"^(?:recursive|deep)$", ("recursive",)),
    (r"^(?:status|state)$", ("status",)),
    (r"^(?:reach|scope)$", ("reach",)),
    (r"^(?:mime_?type|media_?type|content_?type)$", ("mime",)),
    (r"^(?:tags?|labels)$", ("tags",)),
    (r"(?:^|_)id$|Id$", ("id",)),
)
_COMPILED = tuple((re.compile(rule, re.IGNORECASE), slots) for rule, slots in _MEANINGS)
_OWN_WORDS = frozenset(("content", "title", "notes", "query"))
_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Filled:
    """Arguments, and the required ones for which nothing was found."""

    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    missing: Sequence[str] = ()


def fill(tool: OfferedTool, slots: Slots) -> Filled:
    """The arguments for a tool, as far as they are known."""
    return _object(tool.parameters, slots, depth=0)


def slots_of(name: str) -> tuple[str, ...]:
    """What a parameter of that name is for."""
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return next((slots for rule, slots in _COMPILED if rule.search(snake)), (name.lower(),))


def takes(tool: OfferedTool, slot: str) -> bool:
    """Whether a tool has a parameter for such a thing."""
    properties = tool.parameters.get("properties")
    names = properties if isinstance(properties, Mapping) else {}
    return any(slot in slots_of(str(name)) for name in names)


def _object(schema: Mapping[str, Any], slots: Slots, *, depth: int) -> Filled:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or depth > _DEEPEST:
        return Filled()
    required = schema.get("required")
    needed = [str(name) for name in required] if isinstance(required, Sequence) else []
    made: dict[str, Any] = {}
    used: set[str] = set()
    for name in sorted(map(str, properties), key=lambda each: each not in needed):
        shape = properties[name]
        if isinstance(shape, Mapping):
            value = _value(name, shape, {k: v for k, v in slots.items() if k not in used}, depth)
            if value is not None:
                made[name] = value[0]
                used |= value[1]
    return Filled(made, [name for name in needed if name not in made])


def _value(
    name: str, shape: Mapping[str, Any], slots: Slots, depth: int
) -> tuple[Any, set[str]] | None:
    if shape.get("type") == "object" and isinstance(shape.get("properties"), Mapping):
        inner = _object(shape, slots, depth=depth + 1)
        return (inner.arguments, set()) if inner.arguments and not inner.missing else None
    for slot in slots_of(name):
        if slots.get(slot) is not None:
            made = _shaped(slots[slot], shape)
            if made is not None:
                # The same words are not both the title and the text of a thing.
                return made, {slot} & _OWN_WORDS
    if "const" in shape:
        return shape["const"], set()
    return None


def _shaped(value: Any, shape: Mapping[str, Any]) -> Any:
    """A value in the form that the schema wants; None if it cannot have it."""
    if isinstance(options := shape.get("enum"), Sequence):
        return value if value in options else None
    kinds = shape.get("type", "string")
    kind = kinds if isinstance(kinds, str) else next((k for k in kinds if k != "null"), "string")
    if kind == "array":
        items = shape.get("items")
        each = value if isinstance(value, list) else [value]
        shaped = [_shaped(v, items if isinstance(items, Mapping) else {}) for v in each]
        return [v for v in shaped if v is not None] or None
    if isinstance(value, list):
        value = value[0] if value else None
    if kind in ("integer", "number"):
        return _number(value, shape, whole=kind == "integer")
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    return _text(value, shape) if kind == "string" else None


def _number(value: Any, shape: Mapping[str, Any], *, whole: bool) -> float | int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    made = int(value) if whole else value
    least, most = shape.get("minimum", made), shape.get("maximum", made)
    return made if least <= made <= most else None


def _text(value: Any, shape: Mapping[str, Any]) -> str | None:
    if isinstance(value, date):
        value = _moment(value, shape)
    if value is None or isinstance(value, bool):
        return None
    text = str(value)
    longest = shape.get("maxLength")
    if isinstance(longest, int) and len(text) > longest:
        text = text[:longest]
    return None if len(text) < int(shape.get("minLength") or 0) else text


def _moment(value: date, shape: Mapping[str, Any]) -> str:
    if shape.get("format") == "date-time" and not isinstance(value, datetime):
        value = datetime.combine(value, time(9))
    if shape.get("format") == "date" or "pattern" in shape:
        return value.strftime("%Y-%m-%d")
    return value.isoformat()
