"""Arguments by a JSON Schema that someone else wrote, such as an upstream server's."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import jsonschema_rs

from bailiwick.errors import Invalid
from bailiwick.tools import faults
from bailiwick.tools.arguments import ToolArguments


class ForeignArguments(ToolArguments):
    """What was given, as it was given."""

    given: dict[str, Any]
    foreign_schema: ClassVar[Mapping[str, Any]]
    foreign_validator: ClassVar[jsonschema_rs.Validator]

    @classmethod
    def as_schema(cls) -> Mapping[str, Any]:
        """The schema as it was written."""
        return cls.foreign_schema

    @classmethod
    def faults_in(cls, given: Mapping[str, Any]) -> faults.Faults:
        """What the schema does not allow."""
        if cls.foreign_validator.is_valid(given):
            return {}
        return faults.of_schema(cls.foreign_validator.iter_errors(given), cls.foreign_schema)

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> Self:
        """What was given, or `Invalid` that names each bad field."""
        if found := cls.faults_in(given):
            raise Invalid(faults.message_of(found), errors=found)
        return cls.recalled(given)

    @classmethod
    def recalled(cls, given: Mapping[str, Any]) -> Self:
        """What was given, without a look at the schema."""
        return cls.model_construct(given=dict(given))


def arguments_of(schema: Mapping[str, Any]) -> type[ForeignArguments]:
    """A model of arguments that has this schema; `ValueError` if it is none."""
    members = {
        "__module__": __name__,
        "__doc__": ForeignArguments.__doc__,
        "foreign_schema": schema,
        "foreign_validator": jsonschema_rs.validator_for(dict(schema), mask="it"),
    }
    return type("ForeignArguments", (ForeignArguments,), members)
