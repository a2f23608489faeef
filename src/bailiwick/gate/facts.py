"""What the gate asks of features, besides what tools do."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bailiwick.feature import Fact
from bailiwick.gate.call import Caller, CallerKind
from bailiwick.office import Office
from bailiwick.tools.facts import AttachedFile


@dataclass(frozen=True, slots=True)
class FindsCaller(Fact):
    """Finds who a caller is now, from what was stored of them; None if they are gone.

    Asked with the caller's id, the workspace, and the run that the call's context names.
    """

    kind: CallerKind
    find: Callable[[Office, str, str, str | None], Awaitable[Caller | None]]


@dataclass(frozen=True, slots=True)
class KeepsFiles(Fact):
    """Keeps the files that an allowed call has read, for the run that waits for them.

    Asked with the run that the call's context names; what is kept of each is stored with the
    approval.
    """

    keep: Callable[[Office, str, Sequence[AttachedFile]], Awaitable[list[dict[str, Any]]]]
