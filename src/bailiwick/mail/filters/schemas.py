"""Wire forms of filters."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from fastapi import Path
from pydantic import ConfigDict, Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Name, StrictFlag, Wire
from bailiwick.kit.patterns import LONGEST
from bailiwick.mail.filters.fields import FieldName
from bailiwick.mail.filters.service import MOST
from bailiwick.mail.models import Filter
from bailiwick.workspaces.schemas import OfWorkspace

FilterId = Annotated[str, Path(pattern=ids.pattern("flt"))]
OfFilter = Annotated[str, StringConstraints(pattern=ids.pattern("flt"))]
_OfAccount = Annotated[str, StringConstraints(pattern=ids.pattern("acc"))]
_Director = Annotated[str, StringConstraints(pattern=ids.pattern("agt"))]
# PostgreSQL cannot keep NUL. What else is wrong with it is said with its place.
_Regex = Annotated[str, StringConstraints(max_length=LONGEST, pattern=r"^[^\x00]*$")]
_REGEX = Field(
    description="RE2 syntax; found anywhere in the field, and in either case unless it has (?-i)",
    examples=[r"client[0-9]+@domain\.com"],
)
_ACCOUNT = Field(default=None, description="Only mail of this account; null: of all")


class FiltersQuery(Wire):
    """Which filters are asked for."""

    model_config = ConfigDict(extra="ignore")

    workspace_id: OfWorkspace | None = None


class FilterIn(Wire):
    """A filter to add; it comes behind the others."""

    workspace_id: OfWorkspace
    name: Name | None = Field(default=None, description="Left out: made of field and pattern")
    field: FieldName
    regex: Annotated[_Regex, _REGEX]
    director_id: _Director
    account_id: _OfAccount | None = _ACCOUNT
    enabled: StrictFlag = True


def _sender() -> FieldName:
    return "From"


class FilterPatch(Wire):
    """What to change about a filter; what is left out stays."""

    # Factories, because a default in the document would read as "left out means this".
    name: Name = Field(default_factory=str)
    field: FieldName = Field(default_factory=_sender)
    regex: _Regex = Field(default_factory=str)
    director_id: _Director = Field(default_factory=str)
    account_id: _OfAccount | None = Field(default_factory=lambda: None)
    enabled: StrictFlag = Field(default_factory=bool)


class FilterOut(Wire):
    """A filter."""

    id: str
    workspace_id: str
    name: str
    field: FieldName
    regex: str
    director_id: str
    director_name: str | None = Field(description="Null: it is no director here any more")
    account_id: str | None
    enabled: bool
    problem: str | None = Field(description="Why it routes nothing although it stands here")
    position: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, row: Filter, directors: Mapping[str, str]) -> "FilterOut":
        """A row as it is shown."""
        special = {"regex", "director_name", "problem"}
        plain = {name: getattr(row, name) for name in cls.model_fields.keys() - special}
        name = directors.get(row.director_id)
        problem = None if name else "Its director was removed, or is no director any more."
        return cls(**plain, regex=row.pattern, director_name=name, problem=problem)


class FiltersOut(Wire):
    """Filters, in the order in which they are asked."""

    items: list[FilterOut]


class FilterOrderIn(Wire):
    """All filters of a workspace, the one that is asked first at the front."""

    workspace_id: OfWorkspace
    ids: list[OfFilter] = Field(max_length=MOST)


class FilterPreviewIn(Wire):
    """A pattern to try on recent mail; with the id of a filter, beside what that one matches."""

    workspace_id: OfWorkspace
    field: FieldName
    regex: Annotated[_Regex, _REGEX]
    account_id: _OfAccount | None = _ACCOUNT
    id: OfFilter | None = Field(default=None, description="A filter to compare with")


class FilterMatchOut(Wire):
    """A recent mail that matches."""

    id: str
    account_id: str
    subject: str
    sender: str
    date: datetime
    excerpt: str = Field(description="The part of the field around what matched")
    start: int = Field(description="Where in the excerpt it begins, in characters; end: nothing")
    end: int


class FilterPreviewOut(Wire):
    """What a pattern matches of recent mail."""

    looked: int = Field(description="How many of the newest mails were looked at")
    matched: int
    items: list[FilterMatchOut] = Field(description="The newest that match")
    added: int | None = Field(description="How many the compared filter does not match")
    dropped: int | None = Field(description="How many only the compared filter matches")
