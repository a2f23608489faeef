"""Makes an OpenAPI document shorter without changing what it says.

The framework writes titles that repeat names, `null` as a schema of its own, and every parameter
again for each operation.
"""

import json
from collections import Counter
from typing import Any, cast

_Json = dict[str, Any]
# Keys with plain values, and maps of names: "title" has no special meaning in them.
_VALUES = ("const", "default", "enum", "example", "examples")
_MAPS = ("properties", "patternProperties", "$defs")


def compact(document: _Json) -> _Json:
    """Shorten the document in place, and return it."""
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    parameters = [one for operation in operations for one in operation.get("parameters", [])]
    for parameter in parameters:
        _drop_null(parameter["schema"])
    for part in (document["paths"], *document["components"]["schemas"].values()):
        _shorten(part)
    document["components"]["parameters"] = _shared(parameters)
    return document


def _drop_null(schema: _Json) -> None:
    """Drop `null` from a parameter, which is absent or has a value."""
    match schema.get("anyOf"):
        case [dict() as given, {"type": "null"}]:
            del schema["anyOf"]
            schema |= cast(_Json, given)
        case _:
            pass
    # The parameter has the description already.
    schema.pop("description", None)


def _shorten(node: object) -> None:
    if isinstance(node, list):
        for item in cast("list[object]", node):
            _shorten(item)
    elif isinstance(node, dict):
        schema = cast(_Json, node)
        schema.pop("title", None)
        for key, value in schema.items():
            if key in _MAPS:
                _shorten(list(value.values()))
            elif key not in _VALUES:
                _shorten(value)
        _merge_null(schema)


def _merge_null(schema: _Json) -> None:
    """Merge a `null` schema into the single schema beside it, as one more type."""
    match schema.get("anyOf"):
        case [{"type": str(kind), **rest}, {"type": "null"}] if not rest.keys() & {
            *schema,
            "const",
        }:
            del schema["anyOf"]
            schema |= {**rest, "type": [kind, "null"]}
            if "enum" in schema:
                schema["enum"] = [*schema["enum"], None]
        case _:
            pass


def _shared(parameters: list[_Json]) -> _Json:
    """Move parameters that several operations share into components, and refer to them."""
    forms = Counter(json.dumps(parameter, sort_keys=True) for parameter in parameters)
    shared: _Json = {}
    for form, uses in forms.most_common():
        parameter = json.loads(form)
        if uses > 1:
            shared.setdefault(parameter["name"], parameter)
    for parameter in parameters:
        if shared.get(name := parameter["name"]) == parameter:
            parameter.clear()
            parameter["$ref"] = f"#/components/parameters/{name}"
    return shared
