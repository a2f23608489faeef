"""Wire forms of redaction patterns."""

from datetime import datetime
from typing import Annotated

from fastapi import Path
from pydantic import Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Line, Name, StrictFlag, Wire
from bailiwick.kit.patterns import LONGEST

RedactionId = Annotated[str, Path(pattern=ids.pattern("red"))]
PatternText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=LONGEST, pattern=r"^[^\x00]*$"),
    Field(
        description="A regular expression as RE2 takes it; with a group, only that is taken out",
        examples=[r"\bPRJ-[0-9]{4}\b"],
    ),
]
Replacement = Annotated[
    str,
    StringConstraints(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$"),
    Field(description="What stands in its place, as it is written", examples=["[PROJECT]"]),
]
TryText = Annotated[str, StringConstraints(max_length=100_000)]


class RedactionIn(Wire):
    """A pattern to add."""

    name: Name
    description: Line = ""
    pattern: PatternText
    replacement: Replacement = "[REDACTED]"
    enabled: StrictFlag = True


class RedactionPatch(Wire):
    """What to change about a pattern; what is left out stays."""

    # Factories, because a default in the document would read as "left out means this".
    name: Name = Field(default_factory=str)
    description: Line = Field(default_factory=str)
    pattern: PatternText = Field(default_factory=str)
    replacement: Replacement = Field(default_factory=str)
    enabled: StrictFlag = Field(default_factory=bool)


class RedactionOut(Wire):
    """A pattern, or one of the built-in kinds."""

    id: str
    name: str
    description: str
    pattern: str | None = Field(description="null: a built-in kind, which checks what it finds")
    builtin: str | None
    replacement: str
    enabled: bool
    created_at: datetime
    updated_at: datetime


class TryTextIn(Wire):
    """A text to try the patterns on; it is not kept."""

    text: TryText
    pattern: PatternText | None = Field(default=None, description="Only this one, not the others")


class FoundOut(Wire):
    """A pattern that found something."""

    name: str
    count: int


class TryOut(Wire):
    """The text as others would see it."""

    text: str
    found: list[FoundOut]
