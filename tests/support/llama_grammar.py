"""What llama.cpp can make a grammar of: the rules of its converter and of its grammar's reader.

Nothing is generated here: a schema is walked as the converter walks it, and whatever it or the
reader of the grammar stumbles over is raised.
"""

import re
from collections.abc import Mapping
from typing import Any

# The reader's bound; versions before it put one bracket inside the other, and ran out of stack.
MOST_REPETITIONS = 2_000
_PRIMITIVES = frozenset(("boolean", "number", "integer", "object", "array", "string", "null"))
_FORMATS = frozenset(("date", "time", "date-time"))
_UUID = re.compile("uuid[1-5]?")
# What a grammar may escape; an expression's other escapes are not known to all versions.
_ESCAPES = frozenset('trnxuU\\"[]-')
_QUANTIFIER = re.compile(r"\{(\d*)(,?)(\d*)\}")


class GrammarFailed(Exception):
    """The server answers 400 or 500, or dies."""


def convert(schema: Mapping[str, Any]) -> None:
    """Walk a schema as the converter does, or `GrammarFailed`."""
    _visit(schema, schema, frozenset())


def _visit(root: Mapping[str, Any], schema: Any, within: frozenset[str]) -> None:
    if not isinstance(schema, Mapping):
        raise GrammarFailed(f"not a schema: {schema!r}")
    kind = schema.get("type")
    if isinstance(name := schema.get("$ref"), str):
        if name not in within:
            _visit(root, _target(root, name), within | {name})
    elif union := schema.get("oneOf") or schema.get("anyOf"):
        _each(root, union, within)
    elif isinstance(kind, list):
        _each(root, [{"type": each} for each in kind], within)
    elif not {"const", "enum"} & {*schema}:
        _inner(root, schema, within)


def _inner(root: Mapping[str, Any], schema: Mapping[str, Any], within: frozenset[str]) -> None:
    kind = schema.get("type")
    object_, array, text = (kind in (None, name) for name in ("object", "array", "string"))
    more = schema.get("additionalProperties", True)
    if object_ and ("properties" in schema or more is not True):
        inner = [
            *schema.get("properties", {}).values(),
            *([more] if isinstance(more, dict) else []),
        ]
        _each(root, inner, within)
    elif object_ and "allOf" in schema:
        _each(root, schema["allOf"], within)
    elif array and (items := schema.get("items") or schema.get("prefixItems")) is not None:
        _each(root, items if isinstance(items, list) else [items], within)
        _repeat(schema, "minItems", "maxItems")
    elif text and {"pattern", "format", "minLength", "maxLength"} & {*schema}:
        _text(schema)
    elif schema and kind not in _PRIMITIVES:
        raise GrammarFailed(f"unrecognized schema: {schema}")


def _text(schema: Mapping[str, Any]) -> None:
    if "pattern" in schema:
        _pattern(schema["pattern"])
    elif not _is_format(str(schema.get("format"))):
        _repeat(schema, "minLength", "maxLength")


def _each(root: Mapping[str, Any], schemas: list[Any], within: frozenset[str]) -> None:
    for schema in schemas:
        _visit(root, schema, within)


def _target(root: Mapping[str, Any], name: str) -> Any:
    if not name.startswith("#/"):
        raise GrammarFailed(f"it would have to be fetched: {name}")
    here: Any = root
    for part in name[2:].split("/"):
        if not isinstance(here, Mapping) or part not in here:
            raise GrammarFailed(f"leads nowhere: {name}")
        here = here[part]
    return here


def _is_format(name: str) -> bool:
    return name in _FORMATS or _UUID.fullmatch(name) is not None


def _repeat(schema: Mapping[str, Any], least: str, most: str) -> None:
    if max(schema.get(least, 0), schema.get(most, 0)) > MOST_REPETITIONS:
        raise GrammarFailed("number of repetitions exceeds sane defaults")


def _pattern(pattern: str) -> None:
    if not (pattern.startswith("^") and pattern.endswith("$")):
        raise GrammarFailed('a pattern must start with "^" and end with "$"')
    if "(?" in pattern:
        raise GrammarFailed("unsupported pattern syntax")
    for escape in re.findall(r"\\(.)", pattern):
        if escape not in _ESCAPES:
            raise GrammarFailed(f"unknown escape: {escape}")
    for least, _, most in _QUANTIFIER.findall(pattern):
        if max(int(least or 0), int(most or 0)) > MOST_REPETITIONS:
            raise GrammarFailed("number of repetitions exceeds sane defaults")
