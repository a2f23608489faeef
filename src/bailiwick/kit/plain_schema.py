"""A JSON Schema as models are shown it: so plain that every provider and local server takes it.

Local servers turn a schema into a grammar, and fail on patterns and on long limits. What is left
out here is told in words, or checked later by the schema itself. Schemas may come from strangers:
what is followed is bounded, and nothing is fetched.
"""

from collections.abc import Iterable, Mapping
from typing import Any

PlainSchema = dict[str, Any]
MOST_PARTS = 1_000
DEEPEST = 12
_MOST_FIELDS = 100
_MOST_VALUES = 200
_LONGEST_WORDS = 1_000
_LONGEST_EXAMPLE = 2_000
_FAR = 2**31
_LONGEST_VALUE = 500
# Beyond these nobody comes by accident, and the words would only cost.
_CHARACTERS = 200
_ITEMS = 500
_TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")
_NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
_TOLD = ("description", "default")
_FORMATS = frozenset(("date", "time", "date-time", "uuid", "email", "uri"))
# One type in each place: not every provider takes a list of them.
_NULL: PlainSchema = {"type": "null"}
_ANYTHING: PlainSchema = {
    "anyOf": [{"type": name} for name in ("string", "number", "boolean", "object")]
}


def plain(schema: Mapping[str, Any]) -> PlainSchema:
    """A schema of an object without what only a validator understands."""
    made = _Walk(schema).of(schema, depth=0, within=())
    if made.get("type") != "object":
        made = PlainSchema(type="object")
    made.setdefault("properties", {})
    examples = schema.get("examples")
    if isinstance(examples, list) and len(str(examples)) <= _LONGEST_EXAMPLE:
        made["examples"] = examples
    return made


class _Walk:
    """One way through a schema: what it refers to, and how much more may be looked at."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._left = MOST_PARTS

    def of(self, given: Any, *, depth: int, within: tuple[str, ...]) -> PlainSchema:
        self._left -= 1
        if not isinstance(given, Mapping) or self._left < 0 or depth > DEEPEST:
            return dict(_ANYTHING)
        given, within = self._followed(given, within)
        given = _merged(given, self, within)
        if one := self._alternative(given, depth, within):
            return one
        made = self._typed(given, depth, within)
        return {**made, **_words(given)}

    def _followed(
        self, given: Mapping[str, Any], within: tuple[str, ...]
    ) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """What a reference leads to; one that leads back to itself or elsewhere is anything."""
        while isinstance(name := given.get("$ref"), str):
            rest = {key: value for key, value in given.items() if key != "$ref"}
            target = None if name in within or len(within) > DEEPEST else self._at(name)
            if target is None:
                return rest, within
            given, within = {**target, **rest}, (*within, name)
        return given, within

    def _at(self, name: str) -> Mapping[str, Any] | None:
        if not name.startswith("#/"):
            return None
        here: Any = self._root
        for part in name[2:].split("/")[:DEEPEST]:
            key = part.replace("~1", "/").replace("~0", "~")
            here = here.get(key) if isinstance(here, Mapping) else None
        return here if isinstance(here, Mapping) else None

    def parts(self, given: Any, within: tuple[str, ...]) -> Iterable[Mapping[str, Any]]:
        """The members of a union or of an intersection, each where its reference leads."""
        for each in given[:_MOST_FIELDS] if isinstance(given, list) else ():
            self._left -= 1
            if isinstance(each, Mapping) and self._left > 0:
                yield self._followed(each, within)[0]

    def _alternative(
        self, given: Mapping[str, Any], depth: int, within: tuple[str, ...]
    ) -> PlainSchema | None:
        """A union: as one schema if it can be."""
        listed = given.get("anyOf") or given.get("oneOf")
        members = [*(listed if isinstance(listed, list) else ())][:_MOST_FIELDS]
        some = [each for each in members if not _is_null(each)]
        if not some:
            return None
        made = [self.of(each, depth=depth + 1, within=within) for each in some]
        if (values := _values_of(made)) is not None:
            made = [{"type": made[0]["type"], "enum": values}]
        return {**_united(made, null=len(some) < len(members)), **_words(given)}

    def _typed(self, given: Mapping[str, Any], depth: int, within: tuple[str, ...]) -> PlainSchema:
        kind = _kind(given)
        if (values := _values(given)) is not None:
            return _of_values(values)
        match kind:
            case "object":
                return self._object(given, depth, within)
            case "array":
                return {"type": kind, "items": self._items(given, depth, within)}
            case None:
                return dict(_ANYTHING)
            case list():
                bare = {key: value for key, value in given.items() if key not in _TOLD}
                some = [each for each in kind if each != "null"]
                made = [self._typed({**bare, "type": each}, depth, within) for each in some]
                return _united(made, null=len(some) < len(kind))
            case _:
                return {"type": kind, **_format(given), **_range(given, kind)}

    def _object(self, given: Mapping[str, Any], depth: int, within: tuple[str, ...]) -> PlainSchema:
        fields = given.get("properties")
        fields = fields if isinstance(fields, Mapping) else {}
        asked = given.get("required")
        needed = [name for name in (asked if isinstance(asked, list) else ()) if name in fields]
        # What must be given is kept, however many fields there are.
        kept = {*needed[:_MOST_FIELDS], *[*fields][: max(0, _MOST_FIELDS - len(needed))]}
        made: PlainSchema = {"type": "object"}
        if fields:
            made["properties"] = {
                str(name): self.of(each, depth=depth + 1, within=within)
                for name, each in fields.items()
                if name in kept
            }
        if needed:
            made["required"] = needed[:_MOST_FIELDS]
        more = given.get("additionalProperties")
        if isinstance(more, bool):
            made["additionalProperties"] = more
        elif isinstance(more, Mapping):
            made["additionalProperties"] = self.of(more, depth=depth + 1, within=within)
        return made

    def _items(self, given: Mapping[str, Any], depth: int, within: tuple[str, ...]) -> PlainSchema:
        """What a list holds; places with types of their own are taken for the first of them."""
        items = given.get("items")
        places = given.get("prefixItems") or (items if isinstance(items, list) else None)
        if isinstance(places, list) and places:
            return self.of({"anyOf": places}, depth=depth + 1, within=within)
        if isinstance(items, Mapping):
            return self.of(items, depth=depth + 1, within=within)
        return {"type": "string"} if items is None else dict(_ANYTHING)


def _merged(given: Mapping[str, Any], walk: _Walk, within: tuple[str, ...]) -> Mapping[str, Any]:
    """An intersection as one schema: all fields of all its members."""
    if not isinstance(given.get("allOf"), list):
        return given
    made: PlainSchema = {}
    for each in (*walk.parts(given["allOf"], within), given):
        rest = {key: value for key, value in each.items() if key != "allOf"}
        for key in ("properties", "required"):
            if key in made and key in rest and isinstance(made[key], type(rest[key])):
                joined = made[key], rest[key]
                rest[key] = (
                    {**joined[0], **joined[1]}
                    if isinstance(joined[0], dict)
                    else [*joined[0], *joined[1]]
                )
        made |= rest
    return made


def _is_null(given: Any) -> bool:
    return isinstance(given, Mapping) and given.get("type") == "null"


def _united(made: list[PlainSchema], *, null: bool) -> PlainSchema:
    """One of several schemas."""
    if null:
        made = [*made, dict(_NULL)]
    return made[0] if len(made) == 1 else {"anyOf": made}


def _values_of(made: list[PlainSchema]) -> list[Any] | None:
    """All values of a union of values."""
    if len({each.get("type") if "enum" in each else None for each in made} | {None}) != 2:
        return None
    return [value for each in made for value in each["enum"]][:_MOST_VALUES]


def _values(given: Mapping[str, Any]) -> list[Any] | None:
    listed = given.get("enum", [given["const"]] if "const" in given else None)
    if not isinstance(listed, list):
        return None
    scalars = [
        each
        for each in listed[:_MOST_VALUES]
        if each is None
        or (isinstance(each, str | int | float) and len(str(each)) <= _LONGEST_VALUE)
    ]
    return scalars or None


def _kind(given: Mapping[str, Any]) -> str | list[str] | None:
    said = given.get("type")
    if isinstance(said, list):
        kinds = [each for each in _TYPES if each in said]
        if len(kinds) > 1:
            return kinds
        said = kinds[0] if kinds else None
    if said in _TYPES:
        return said
    if "properties" in given or "additionalProperties" in given:
        return "object"
    return "array" if "items" in given or "prefixItems" in given else None


def _of_values(values: list[Any]) -> PlainSchema:
    """A closed set of values, those of each type by themselves."""
    kinds: dict[str, list[Any]] = {}
    for each in values:
        kinds.setdefault(_NAMES[type(each)], []).append(each)
    null = kinds.pop("null", None) is not None
    return _united([{"type": kind, "enum": some} for kind, some in kinds.items()], null=null)


def _format(given: Mapping[str, Any]) -> PlainSchema:
    return {"format": given["format"]} if given.get("format") in _FORMATS else {}


def _range(given: Mapping[str, Any], kind: str) -> PlainSchema:
    """Bounds of a whole number: a grammar can hold them while they are near."""
    if kind != "integer":
        return {}
    found = {name: given.get(name) for name in ("minimum", "maximum")}
    return {
        name: bound
        for name, bound in found.items()
        if isinstance(bound, int) and not isinstance(bound, bool) and abs(bound) < _FAR
    }


def _words(given: Mapping[str, Any]) -> PlainSchema:
    """The description, with the limits that are left out, and the default."""
    about = given.get("description")
    about = about[:_LONGEST_WORDS] if isinstance(about, str) else ""
    said = [*filter(None, (about.strip(), _limits(given)))]
    made: PlainSchema = {"description": " ".join(said)} if said else {}
    default = given.get("default")
    if isinstance(default, bool | int | float) or (
        isinstance(default, str) and len(default) <= _LONGEST_VALUE
    ):
        made["default"] = default
    return made


def _limits(given: Mapping[str, Any]) -> str:
    said: list[str] = []
    for name, words, least, most in (
        ("minLength", "at least {} characters", 5, _CHARACTERS),
        ("maxLength", "at most {} characters", 1, _CHARACTERS),
        ("minItems", "at least {} items", 1, _ITEMS),
        ("maxItems", "at most {} items", 1, _ITEMS),
    ):
        bound = given.get(name)
        if isinstance(bound, int) and least <= bound <= most:
            said.append(words.format(bound).replace(" 1 items", " one item"))
    pattern = given.get("pattern")
    if isinstance(pattern, str) and len(pattern) <= 100:
        said.append(f"of the form {pattern}")
    text = ", ".join(said)
    return f"{text[0].upper()}{text[1:]}." if text else ""
