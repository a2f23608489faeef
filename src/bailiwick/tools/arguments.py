"""`ToolArguments`: what a tool is called with, as a model; the schema that callers see is its own.

A call comes in as a JSON object and stays one on its way through the gate: rules, approvals and
the audit read that. The model is made of it where a tool is asked to do something.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, PydanticSerializationError, to_json

from bailiwick.errors import Invalid
from bailiwick.tools import faults, json_schema

T = TypeVar("T")


class _LeftOut:
    """Lets a field be left out, but not be null: only the default may be None."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        made = handler(source)
        return made["schema"] if made["type"] == "nullable" else made


# `due: Omittable[date] = Field(None, …)`. What may be null as well is `date | None`.
Omittable = Annotated[T | None, _LeftOut()]


class ToolArguments(BaseModel):
    """The arguments of a tool: JSON as it stands, with no field that is not named here."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, hide_input_in_errors=True, validate_by_name=False
    )

    @classmethod
    def as_schema(cls) -> Mapping[str, Any]:
        """The JSON Schema that models and clients see."""
        return json_schema.schema_of(cls)

    @classmethod
    def faults_in(cls, given: Mapping[str, Any]) -> faults.Faults:
        """What is wrong, by field as the caller wrote it; nothing if all is well."""
        try:
            cls._validated(given)
        except ValidationError as error:
            return faults.of_model(error, given, cls.as_schema())
        except Invalid as error:
            return {name: list(message) for name, message in (error.errors or {}).items()}
        return {}

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> Self:
        """The arguments as the tool reads them, or `Invalid` that names each bad field."""
        try:
            return cls._validated(given)
        except ValidationError as error:
            found = faults.of_model(error, given, cls.as_schema())
            raise Invalid(faults.message_of(found), errors=found) from None

    @classmethod
    def recalled(cls, given: Mapping[str, Any]) -> Self:
        """The arguments of something done long ago, which the model of today may not allow."""
        try:
            return cls._validated(given)
        except (ValidationError, Invalid):
            return cls.model_construct(**given)

    @classmethod
    def _validated(cls, given: Mapping[str, Any]) -> Self:
        try:
            return cls.model_validate_json(to_json(given))
        except ValidationError as error:
            if not any(each["type"] == "int_type" for each in error.errors(include_input=False)):
                raise
        except PydanticSerializationError:
            message = "contain something that is not JSON text, such as half a character"
            raise Invalid.field(faults.WHOLE, message) from None
        # In JSON 5.0 is a whole number, and some models write it so.
        return cls.model_validate_json(to_json(_with_whole_numbers(given)))


def at(arguments: Mapping[str, Any], path: str) -> Any:
    """The argument of this name; `entry.id` is what stands as `id` within `entry`."""
    here: Any = arguments
    for name in path.split("."):
        here = cast("Mapping[str, Any]", here).get(name) if isinstance(here, Mapping) else None
    return here


def changed_at(arguments: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The arguments with another value there; what holds it must be there."""
    first, _, rest = path.partition(".")
    new = changed_at(arguments[first], rest, value) if rest else value
    return {**arguments, first: new}


class NoArguments(ToolArguments):
    """Of a tool that needs to be told nothing."""


def _with_whole_numbers(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {name: _with_whole_numbers(each) for name, each in value.items()}
        case list():
            return [_with_whole_numbers(each) for each in value]
        case _:
            return value
