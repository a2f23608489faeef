"""What the gate asks of features, besides what tools do."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bailiwick.feature import Fact
from bailiwick.gate.call import Caller, CallerKind
from bailiwick.office import Office


@dataclass(frozen=True, slots=True)
class FindsCaller(Fact):
    """Finds who a caller is now, from what was stored of them; None if they are gone.

    Asked with the caller's id, the workspace, and the run that the call's context names.
    """

    kind: CallerKind
    find: Callable[[Office, str, str, str | None], Awaitable[Caller | None]]
