"""Wire forms of notebooks."""

from datetime import datetime
from typing import Annotated

from fastapi import Path
from pydantic import Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Name, StrictFlag, Wire
from bailiwick.kit.sealing import AtRest

NotebookId = Annotated[str, Path(pattern=ids.pattern("ntb"))]


class NotebookIn(Wire):
    """A notebook to open."""

    name: Name
    path: Annotated[str, StringConstraints(min_length=1, max_length=4096)] | None = Field(
        default=None,
        description="An existing folder on the server's disk, for admins of the office; without "
        "it, a new folder of our own",
        examples=["/home/olive/Documents"],
    )


class NotebookPatch(Wire):
    """What to change about a notebook; what is left out stays."""

    # Factories, because a default in the document would read as "left out means this".
    name: Name = Field(default_factory=str)
    trusted: StrictFlag = Field(
        default_factory=bool,
        description="Whether all files in it, but for those in a folder called inbox, hold your "
        "own words; else they may be a stranger's",
    )


class NotebookOut(Wire):
    """A folder that is opened to a workspace."""

    id: str
    name: str
    path: str | None = Field(
        description="The folder on the server's disk, shown to admins of the office; null for "
        "others, and for a folder of our own"
    )
    own: bool = Field(description="Whether the folder is our own")
    at_rest: AtRest = Field(
        description="How its files are on the disk: sealed with the data key, plain because there "
        "is none, or yours, which stays as it is"
    )
    trusted: bool
    created_at: datetime
