"""Wire forms of contacts."""

from datetime import datetime
from typing import Annotated

from fastapi import Path, Query
from pydantic import Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Wire

ContactId = Annotated[str, Path(pattern=ids.pattern("ctc"))]
ContactSearch = Annotated[str, Query(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")]
ContactName = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
]
ContactAddress = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=3, max_length=320, pattern=r"^[^\x00-\x20\x7f]+$"
    ),
]


class ContactIn(Wire):
    """Someone to list."""

    address: ContactAddress = Field(examples=["anna@example.org"])
    name: ContactName = ""


class ContactPatch(Wire):
    """What to change about a contact."""

    name: ContactName


class ContactOut(Wire):
    """Someone whom the workspace knows."""

    id: str
    address: str
    name: str
    listed: bool = Field(description="In the address book; else known from mail that was sent")
    sent_count: int = Field(description="How often someone here has written to them")
    last_sent_at: datetime | None
    created_at: datetime


class ContactsImportedOut(Wire):
    """What an import did."""

    added: int
    changed: int
    unchanged: int
