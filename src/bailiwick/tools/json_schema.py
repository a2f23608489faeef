"""From a model of arguments or of data to its JSON Schema: short, because every model reads it."""

import functools
from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

Schema = dict[str, Any]


class _ShortSchema(GenerateJsonSchema):
    """No titles made of names, no defaults that say nothing, no words that are for programmers."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        made = super().model_schema(schema)
        return {name: value for name, value in made.items() if name not in ("title", "description")}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        if made.get("default", ...) in (None, [], ""):
            made.pop("default")
        return made

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        made = super().literal_schema(schema)
        return {"enum": [made.pop("const")], **made} if "const" in made else made

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        inner = self.generate_inner(schema["schema"])
        if isinstance(kind := inner.get("type"), str) and "enum" not in inner:
            return {**inner, "type": [kind, "null"]}
        return super().nullable_schema(schema)


@functools.cache
def schema_of(model: type[BaseModel]) -> Mapping[str, Any]:
    """The schema of a model, in one piece, with one example made of those of its fields."""
    made = cast("Schema", _inlined(model.model_json_schema(schema_generator=_ShortSchema)))
    properties = cast("dict[str, Schema]", made.setdefault("properties", {}))
    given = {name: field.pop("examples", None) for name, field in properties.items()}
    if example := {name: some[0] for name, some in given.items() if some}:
        made["examples"] = [example]
    order = ("type", "properties", "required", "additionalProperties", "examples")
    return {name: made[name] for name in (*order, *made) if name in made}


def _inlined(schema: Schema) -> Any:
    """Definitions where they are used; as it was, if one of them is part of itself."""
    definitions = cast("dict[str, Schema]", schema.get("$defs", {}))

    def walk(value: Any, within: tuple[str, ...]) -> Any:
        match value:
            case {"$ref": str(name), **rest}:
                key = name.removeprefix("#/$defs/")
                if key in within:
                    raise RecursionError
                return {**walk(definitions[key], (*within, key)), **walk(rest, within)}
            case dict():
                return {key: walk(each, within) for key, each in value.items() if key != "$defs"}
            case list():
                return [walk(each, within) for each in value]
            case _:
                return value

    try:
        return walk(schema, ())
    except RecursionError:
        return schema
