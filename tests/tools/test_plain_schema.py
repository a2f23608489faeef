"""The schemas that models are shown: plain enough for every server, whoever wrote them."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer
from pydantic_ai.providers.anthropic import AnthropicJsonSchemaTransformer

from bailiwick.agents.asking import AskAgent
from bailiwick.config import Settings
from bailiwick.kit.plain_schema import plain
from library.toolbox import opened_toolbox
from support.llama_grammar import GrammarFailed, convert

NULL = {"type": "null"}
ANYTHING = {"anyOf": [{"type": name} for name in ("string", "number", "boolean", "object")]}


def within(field: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"field": field}, **more}


def field_of(field: Any, **more: Any) -> Any:
    made = plain(within(field, **more))
    convert(made)
    return made["properties"]["field"]


@pytest.mark.req("MODEL-06")
async def test_a_local_server_can_make_a_grammar_of_every_tool(
    sqlite_settings: Settings, tmp_path: Path
):
    async with opened_toolbox(sqlite_settings, tmp_path / "papers") as tools:
        real = {tool.name: tool.parameters for tool in tools.registry}
        shown = {tool.name: tool.plain_parameters for tool in tools.registry}
    real["ask_agent"], shown["ask_agent"] = AskAgent.as_schema(), plain(AskAgent.as_schema())
    failed: list[str] = []
    for name, schema in real.items():
        try:
            convert(schema)
        except GrammarFailed:
            failed.append(name)
    assert failed  # the schemas that the gate checks are not for them
    for name, schema in shown.items():
        convert(schema)
        assert schema["properties"].keys() == real[name]["properties"].keys()
        assert schema.get("required") == real[name].get("required")
        for example in real[name].get("examples", ()):
            jsonschema_rs.validate(dict(schema), example)
        for transformer in (
            AnthropicJsonSchemaTransformer(dict(schema), strict=True),
            AnthropicJsonSchemaTransformer(dict(schema), strict=False),
            GoogleJsonSchemaTransformer(dict(schema)),
            OpenAIJsonSchemaTransformer(dict(schema), strict=True),
        ):
            assert transformer.walk()["properties"].keys() == schema["properties"].keys()


@pytest.mark.req("MODEL-06")
@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (
            {"type": "string", "pattern": r"^\s+$", "description": "Blanks."},
            {"type": "string", "description": r"Blanks. Of the form ^\s+$."},
        ),
        (
            {"type": "string", "maxLength": 200, "minLength": 1},
            {"type": "string", "description": "At most 200 characters."},
        ),
        ({"type": "string", "maxLength": 500_000}, {"type": "string"}),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 20},
            {
                "type": "array",
                "items": {"type": "string"},
                "description": "At least one item, at most 20 items.",
            },
        ),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date"}),
        ({"type": "string", "format": "idn-hostname"}, {"type": "string"}),
        ({"const": "yes"}, {"type": "string", "enum": ["yes"]}),
        (
            {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
            {"anyOf": [{"type": "string", "format": "date"}, NULL]},
        ),
        (
            {"type": ["string", "null"], "format": "date", "description": "The day."},
            {"anyOf": [{"type": "string", "format": "date"}, NULL], "description": "The day."},
        ),
        (
            {"oneOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]},
            {"anyOf": [{"type": "string", "enum": ["a", "b"]}, NULL]},
        ),
        (
            {"enum": ["a", 1, None]},
            {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}, NULL]},
        ),
        (
            {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "array", "items": {}}]},
            {
                "anyOf": [
                    {"type": "integer", "minimum": 1},
                    {"type": "array", "items": ANYTHING},
                ]
            },
        ),
        (
            {
                "allOf": [
                    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                    {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
                ]
            },
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
                "required": ["a", "b"],
            },
        ),
        (
            {"description": "Whatever."},
            {**ANYTHING, "description": "Whatever."},
        ),
        (
            {"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": False},
            {"type": "object", "additionalProperties": False},
        ),
    ],
)
def test_what_only_a_validator_understands_is_left_out_or_told(field: Any, shown: Any):
    assert field_of(field) == shown


def test_definitions_stand_where_they_are_used():
    name = {"type": "string", "description": "A name."}
    referring = {"$ref": "#/$defs/a~1name", "description": "Whose."}
    assert field_of(referring, **{"$defs": {"a/name": name}}) == {
        "type": "string",
        "description": "Whose.",
    }


@pytest.mark.parametrize("name", ["https://evil.example/schema.json", "file:///etc/passwd", "#/no"])
def test_nothing_is_fetched_for_a_schema(name: str):
    assert field_of({"$ref": name}) == ANYTHING


def test_a_schema_that_is_part_of_itself_ends():
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    made = field_of({"$ref": "#/$defs/node"}, **{"$defs": {"node": node}})
    assert made == {"type": "object", "properties": {"next": ANYTHING}}
    loop = {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}
    assert field_of({"$ref": "#/$defs/a"}, **{"$defs": loop}) == ANYTHING


def _deep() -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(20_000):
        schema = within(schema)
    return schema


def _doubling() -> dict[str, Any]:
    """Each definition has the next one twice: a few lines that would grow without end."""
    definitions: dict[str, Any] = {
        f"d{n}": within({"$ref": f"#/$defs/d{n + 1}"}, other={"$ref": f"#/$defs/d{n + 1}"})
        | {
            "properties": {
                "a": {"$ref": f"#/$defs/d{n + 1}"},
                "b": {"$ref": f"#/$defs/d{n + 1}"},
            }
        }
        for n in range(60)
    }
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions}


def _wide() -> dict[str, Any]:
    fields = {f"field{n}": {"type": "string", "description": "x" * 500} for n in range(10_000)}
    values = {"enum": ["y" * 5_000, *(f"value{n}" for n in range(10_000))]}
    return {
        "type": "object",
        "properties": {**fields, "last": values},
        "required": ["last"],
        "description": "z" * 1_000_000,
    }


@pytest.mark.parametrize(
    "schema", [_deep(), _doubling(), _wide()], ids=["deep", "doubling", "wide"]
)
def test_a_strangers_schema_becomes_a_bounded_one(schema: dict[str, Any]):
    made = plain(schema)
    convert(made)
    assert len(json.dumps(made)) < 200_000
    assert {*schema.get("required", ())} <= made["properties"].keys()


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "string"},
        {"type": 7, "properties": [], "required": "all"},
        {"anyOf": [True, False]},
        {"allOf": [{"properties": 3}, {"properties": {"a": {}}}]},
    ],
)
def test_what_is_hardly_a_schema_is_still_one_of_an_object(schema: dict[str, Any]):
    made = plain(schema)
    convert(made)
    assert made["type"] == "object"
    assert isinstance(made["properties"], dict)
