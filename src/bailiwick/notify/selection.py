"""The events that a reader asks for, among those that they may see."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query
from pydantic import StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.eventlog import Recorded

CHUNKS = "chunk"
TypePattern = Annotated[
    str, StringConstraints(pattern=r"^(\*|[a-z_]+(\.[a-z_]+)*(\.\*)?)$", max_length=64)
]


@dataclass(frozen=True, slots=True)
class Selection:
    """Types of events (`workspace.*` for all of a kind) and one workspace; empty for everything."""

    types: tuple[str, ...] = ()
    workspace_id: str | None = None
    # What is not yet whole can neither be redacted nor remembered as read: not for programs.
    in_person: bool = True
    thread_id: str | None = None
    # Events carry what they are about.
    expand: bool = False

    @property
    def takes_all(self) -> bool:
        """Whether it takes every event."""
        return not (self.types or self.workspace_id or self.thread_id or self.expand)

    @property
    def takes_chunks(self) -> bool:
        """Whether it takes text while it is written."""
        wanted = not self.types or CHUNKS in self.types
        return self.in_person and self.thread_id is None and wanted

    def takes(self, event: Recorded) -> bool:
        """Whether it takes an event."""
        if self.workspace_id and event.workspace_id != self.workspace_id:
            return False
        if self.thread_id and event.data.get("threadId") != self.thread_id:
            return False
        return not self.types or matches(event.type, self.types)


def matches(type: str, patterns: Sequence[str]) -> bool:
    """Whether one of the patterns names a type, or its kind."""
    return any(
        pattern in ("*", type) or (pattern.endswith(".*") and type.startswith(pattern[:-1]))
        for pattern in patterns
    )


async def _selection(
    types: Annotated[list[TypePattern] | None, Query(max_length=50)] = None,
    workspace_id: Annotated[
        str | None, Query(alias="workspaceId", pattern=ids.pattern("wsp"))
    ] = None,
    expand: Annotated[
        bool, Query(description="Each event carries what it is about, as you may read it then")
    ] = False,
) -> Selection:
    return Selection(tuple(types or ()), workspace_id, expand=expand)


Selected = Annotated[Selection, Depends(_selection)]
