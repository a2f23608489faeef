"""An OpenAPI document that says the same in fewer words.

The framework writes titles that repeat names, `null` as a schema of its own and every parameter
anew for each operation.
"""

import json
from collections import Counter
from typing import Any, cast

_Json = dict[str, Any]
# Values, in which "title" is a word like any other, and maps, in which it is a name.
_VALUES = ("const", "default", "enum", "example", "examples")
_MAPS = ("properties", "patternProperties", "$defs")


def compact(document: _Json) -> _Json:
    """The document, changed in place."""
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    parameters = [one for operation in operations for one in operation.get("parameters", [])]
    for parameter in parameters:
        _drop_null(parameter["schema"])
    for part in (document["paths"], *document["components"]["schemas"].values()):
        _shorten(part)
    document["components"]["parameters"] = _shared(parameters)
    return document


def _drop_null(schema: _Json) -> None:
    """A parameter is left out or has a value: an address knows no null."""
    match schema.get("anyOf"):
        case [dict() as given, {"type": "null"}]:
            del schema["anyOf"]
            schema |= cast(_Json, given)
        case _:
            pass
    # It stands beside the schema already.
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
    """`null` as one more type of the one schema beside it."""
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
    """What several operations take in one form; each of them refers to it from here on."""
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
