"""What search asks of features beside files: what a reader may see of theirs, by words."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bailiwick.feature import Fact
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.pages import PageRequest
from bailiwick.kit.snippets import SnippetPiece
from bailiwick.office import Office
from bailiwick.workspaces.access import WorkspaceAccess

ThingKind = Literal["mail", "memory", "case", "thread"]


@dataclass(frozen=True, slots=True)
class ThingQuery:
    """What is looked for, by whom, in which workspace, and how many at most."""

    who: Principal
    access: WorkspaceAccess
    words: str
    most: int

    def page(self, office: Office) -> PageRequest:
        """The first page of a list, of as many as are wanted."""
        return PageRequest(self.most, None, "search", office.hasher)


@dataclass(frozen=True, slots=True)
class FoundThing:
    """Something found, as its reader may see it."""

    kind: ThingKind
    id: str
    workspace_id: str
    title: str
    about: str  # whose it is, or from whom, in a few words
    at: datetime
    snippet: Sequence[SnippetPiece]


@dataclass(frozen=True, slots=True)
class FindsThings(Fact):
    """Finds things of one kind, the best first."""

    kind: ThingKind
    find: Callable[[Office, ThingQuery], Awaitable[list[FoundThing]]]
