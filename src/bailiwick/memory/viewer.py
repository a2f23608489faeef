"""Who looks at memories. What reaches them is decided in one place: `repository.reaching`."""

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
        """Whoever calls a tool."""
        return cls(context.workspace_id, context.actor_id, context.user_id)

    @property
    def sharer(self) -> str:
        """Whose shared memories they see: those of all who act for the same person."""
        return self.user_id or self.id
