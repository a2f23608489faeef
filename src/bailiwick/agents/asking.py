"""Agents as tools of those who may ask them: their names, what they take, and what they are for.

An agent is asked under its own name. Only where two names come to the same, or to nothing, enough
of its id is added to tell them apart. Providers take names of at most 64 characters.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from bailiwick.agents.models import Agent
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.tool import Tool, ToolContext, ToolOutput

PREFIX = "agent__"
MOST_CHARACTERS = 64
_ROOM = MOST_CHARACTERS - len(PREFIX)
_TAILS = (4, 8, 12)
ToolPattern = Annotated[str, Field(min_length=1, max_length=128)]


class AskOptions(ToolArguments):
    """How the agent shall work on it."""

    allow_tools: bool = Field(
        True, alias="allowTools", description="False: it answers without any tool."
    )
    tool_filter: Omittable[tuple[ToolPattern, ...]] = Field(
        None,
        alias="toolFilter",
        max_length=100,
        description="Of its own tools only these, by name or pattern such as memory_*.",
    )

    @property
    def tools(self) -> list[str] | None:
        """The patterns of the tools that it keeps; None: all that it has."""
        if not self.allow_tools:
            return []
        return None if self.tool_filter is None else list(self.tool_filter)


class AskAgent(ToolArguments):
    """What another agent is asked."""

    input: str = Field(
        min_length=1,
        max_length=50_000,
        description="What the agent shall do, with all that it needs to know.",
        examples=["Summarise Files/reports/june.md in three sentences."],
    )
    session_id: Omittable[str] = Field(
        None,
        alias="sessionId",
        max_length=64,
        description="To go on with what it did before: the sessionId that it answered with.",
    )
    options: Omittable[AskOptions] = Field(None, description="How it shall work on it.")


def asking(agents: Sequence[Agent]) -> list[Tool]:
    """A tool for each of the agents that one may ask, in their order."""
    names = tool_names(agents)
    return [_tool(agent, names[agent.id]) for agent in agents]


def tool_names(agents: Sequence[Agent]) -> dict[str, str]:
    """The names under which agents are asked, by their ids."""
    slugs = {agent.id: slug(agent.name) for agent in agents}
    count = Counter(slugs.values())
    made = {id: each for id, each in slugs.items() if each and count[each] == 1}
    for id in sorted(slugs.keys() - made.keys()):
        made[id] = next(each for each in _longer(slugs[id], id) if each not in made.values())
    return {id: PREFIX + made[id] for id in slugs}


def slug(name: str) -> str:
    """A name in small letters and digits, with one underscore wherever it has something else."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_ROOM].rstrip("_")


def _longer(slug: str, id: str) -> list[str]:
    tails = [id.rpartition("-")[2][-length:] for length in _TAILS]
    return ["_".join(filter(None, (slug[: _ROOM - len(tail) - 1], tail))) for tail in tails]


def _tool(agent: Agent, name: str) -> Tool:
    about = agent.description.strip() or f"The agent {agent.name}."
    return Tool(
        name=name,
        title=f"Ask {agent.name}",
        description=f"{about[:800]} Give it its task as input; it answers when it is done.",
        arguments=AskAgent,
        effect="read",
        run=_never,
        delegates_to=agent.id,
    )


async def _never(_: ToolContext, __: AskAgent) -> ToolOutput:
    raise AssertionError("an agent is asked by the loop, not run as a tool")
