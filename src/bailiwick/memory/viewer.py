"""The viewer of memories; `repository.reaching` alone decides what reaches them."""

from dataclasses import dataclass

from bailiwick.identity.principal import OPERATOR
from bailiwick.tools.tool import ToolContext


@dataclass(frozen=True, slots=True)
class MemoryViewer:
    """An agent, a client or a person in a workspace."""

    workspace_id: str
    id: str
    user_id: str | None  # the person for whom they act; a person acts for themselves
    director_id: str | None = None  # who leads the run that they work in; a director itself
    opened: tuple[str, ...] = ()  # agents whose local memories they may read

    @classmethod
    def of(cls, context: ToolContext) -> "MemoryViewer":
        """The viewer behind a tool call."""
        return cls(
            context.workspace_id,
            context.actor_id,
            context.user_id,
            context.director_id,
            context.memory_access,
        )

    @property
    def is_person(self) -> bool:
        """Whether they act for themselves."""
        return self.id in (self.user_id, OPERATOR.id)

    @property
    def sharer(self) -> str:
        """The id that shared memories belong to: that of the person for whom they act."""
        return self.user_id or self.id
