"""Wire forms of tools and of calls under one's own name."""

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field

from bailiwick.kit.http.wire import Wire
from bailiwick.tools.effects import Effect
from bailiwick.tools.tool import Replay, Tool

ToolNamePath = Annotated[str, Path(min_length=1, max_length=128)]


class ToolOut(Wire):
    """Something that can be done here."""

    name: str
    title: str
    description: str
    effect: Effect
    connector: str
    parameters: dict[str, Any] = Field(description="JSON Schema of the arguments")
    output: dict[str, Any] | None = Field(description="JSON Schema of the result")
    undoable: bool
    replay: Replay
    version: str

    @classmethod
    def of(cls, tool: Tool) -> "ToolOut":
        """A tool as it is shown."""
        return cls(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            effect=tool.effect,
            connector=tool.connector,
            parameters=dict(tool.parameters),
            output=dict(tool.output) if tool.output else None,
            undoable=tool.undo is not None,
            replay=tool.replay,
            version=tool.version,
        )


class ToolCallIn(Wire):
    """A call under one's own name."""

    arguments: dict[str, Any] = Field(default_factory=dict[str, Any])


class ToolResultOut(Wire):
    """What became of a call."""

    status: Literal["done", "pending"]
    result: Any = None
    redacted: list[str] = Field(default_factory=list[str], description="Fields that were taken out")
    action_id: str | None = None
    undoable: bool = False
    approval_id: str | None = None
    reason: str | None = Field(default=None, description="Why it waits for a person")
