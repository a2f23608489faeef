"""Arguments of tools: models whose schema is short, and whose faults name what the caller wrote."""

from datetime import date
from typing import Any, Literal

import pytest
from pydantic import AliasChoices, Field, model_validator

from bailiwick.agents.asking import AskAgent
from bailiwick.errors import Invalid
from bailiwick.mcp.catalogue import APPROVALS
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.foreign import arguments_of

pytestmark = pytest.mark.req("GATE-02")


class Guest(ToolArguments):
    """Someone who is invited."""

    name: str = Field(max_length=20)
    age: Omittable[int] = None


class Invite(ToolArguments):
    """An invitation."""

    title: str = Field(description="What for.", examples=["Tea"])
    guests: tuple[Guest, ...] = Field((), max_length=2, examples=[[{"name": "Ada"}]])
    day: date | None = Field(None, description="When.")
    tone: Literal["plain"] = "plain"
    most: int = Field(5, validation_alias=AliasChoices("most", "max_results"), ge=1)
    where: Omittable[str | list[str]] = None

    @model_validator(mode="after")
    def _is_not_alone(self) -> "Invite":
        if self.title == "alone" and self.guests:
            raise Invalid.field("guests", "nobody comes to that")
        return self


def test_the_schema_says_what_a_caller_needs_and_no_more():
    assert Invite.as_schema() == {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "What for."},
            "guests": {
                "type": "array",
                "maxItems": 2,
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "maxLength": 20},
                        "age": {"type": "integer"},
                    },
                    "required": ["name"],
                    "additionalProperties": False,
                },
            },
            "day": {"type": ["string", "null"], "format": "date", "description": "When."},
            "tone": {"type": "string", "enum": ["plain"], "default": "plain"},
            "most": {"type": "integer", "minimum": 1, "default": 5},
            "where": {
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
            },
        },
        "required": ["title"],
        "additionalProperties": False,
        "examples": [{"title": "Tea", "guests": [{"name": "Ada"}]}],
    }


@pytest.mark.parametrize(
    ("given", "faults"),
    [
        ({"title": "x", "guests": [{}]}, {"guests.0.name": "is missing"}),
        ({"title": "x", "guests": [{"name": "a", "nam": 1}]}, {"guests.0.nam": "mean 'name'?"}),
        ({"title": "x", "guests": [{"name": "a" * 21}]}, {"guests.0.name": "longer than 20"}),
        ({"title": "x", "guests": [{"name": "a", "age": None}]}, {"guests.0.age": "whole number"}),
        ({"title": "x", "guests": [{"name": "a"}] * 3}, {"guests": "has more than 2 items"}),
        ({"title": "x", "guests": ["a"]}, {"guests.0": "must be an object"}),
        ({"title": "x", "max_results": 0}, {"max_results": "must be at least 1"}),
        ({"title": "x", "where": {"a": 1}}, {"where": "must be a text"}),
        ({"title": "alone", "guests": [{"name": "a"}]}, {"guests": "nobody comes to that"}),
        ({"title": "x", "y" * 5000: 1}, {"y" * 60: "is not known here"}),
        ({"title": "half \ud83d emoji"}, {"arguments": "half a character"}),
        ({"title": float("nan")}, {"title": "must be a text"}),
    ],
)
def test_a_fault_has_the_path_that_the_caller_wrote(given: dict[str, Any], faults: dict[str, str]):
    found = Invite.faults_in(given)
    assert list(found) == list(faults)
    for name, words in faults.items():
        assert words in found[name][0]
    with pytest.raises(Invalid) as refused:
        Invite.checked(given)
    assert refused.value.errors == found


def test_what_fits_is_read_into_the_model():
    read = Invite.checked(
        {"title": "x", "day": "2026-03-31", "guests": [{"name": "a", "age": 5.0}]}
    )
    assert read.day == date(2026, 3, 31)
    assert read.guests == (Guest(name="a", age=5),)
    assert Invite.checked({"title": "x", "max_results": 2}).most == 2


def test_what_was_done_under_older_arguments_can_still_be_taken_back():
    old = Invite.recalled({"title": 7, "colour": "red"})
    assert (old.title, old.most) == (7, 5)


def test_a_foreign_schema_is_kept_and_its_faults_are_named_alike():
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer", "description": "How many."}},
        "required": ["a"],
        "additionalProperties": False,
    }
    model = arguments_of(schema)
    assert model.as_schema() == schema
    assert model.checked({"a": 5}).given == {"a": 5}
    assert model.faults_in({}) == {"a": ["is missing. How many."]}
    assert model.faults_in({"a": 1, "aa": 2}) == {"aa": ["is not known here; did you mean 'a'?"]}
    with pytest.raises(Invalid) as refused:
        model.checked({"a": "canary"})
    assert list(refused.value.errors or {}) == ["a"]
    assert "canary" not in refused.value.detail


def test_tools_beside_the_registry_have_examples_that_fit_too():
    schemas = [AskAgent.as_schema(), *(entry["inputSchema"] for entry in APPROVALS.values())]
    for schema in schemas:
        assert schema["additionalProperties"] is False
        assert schema["examples"]
        assert all("description" in field for field in schema["properties"].values())
