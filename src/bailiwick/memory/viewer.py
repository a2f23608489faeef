"""The viewer of memories; `repository.reaching` alone decides what reaches them."""

from dataclasses import dataclass

from bailiwick.tools.tool import ToolContext


@dataclass(frozen=True, slots=True)
class MemoryViewer:
    """An agent, a client or a person in a workspace."""

    workspace_id: str
    id: str
    user_id: str | None  # the person for whom they act; a person acts for themselves

    @classmethod
    def of(cls, context: ToolContext) -> "MemoryViewer":
        """The viewer behind a tool call."""
        return cls(context.workspace_id, context.actor_id, context.user_id)

    @property
    def sharer(self) -> str:
        """The id that shared memories belong to: that of the person for whom they act."""
        return self.user_id or self.id
