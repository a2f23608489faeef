"""Base types of JSON bodies, and the text that they accept."""

from datetime import datetime
from typing import Annotated

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Strict,
    StringConstraints,
)
from pydantic.alias_generators import to_camel

# PostgreSQL cannot store NUL, and no name needs control characters.
_PRINTABLE = r"^[^\x00-\x1f\x7f]*$"


class Wire(BaseModel):
    """A JSON body: camelCase outside, snake_case inside; unknown fields are refused."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        from_attributes=True,
        hide_input_in_errors=True,
    )


def _written_out(value: object) -> object:
    """A bare number would be taken for seconds."""
    if isinstance(value, str) and "-" not in value[1:]:
        raise ValueError("write it out, such as 2026-01-31T12:00:00Z")
    return value


Moment = Annotated[datetime, BeforeValidator(_written_out)]
AwareMoment = Annotated[AwareDatetime, BeforeValidator(_written_out)]
StrictFlag = Annotated[bool, Strict()]
Name = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=_PRINTABLE)]
Line = Annotated[str, StringConstraints(max_length=500, pattern=_PRINTABLE)]
Email = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True,
        to_lower=True,
        min_length=3,
        max_length=254,
        pattern=r"^[!-?A-~]+@[!-?A-~]+$",
    ),
]
