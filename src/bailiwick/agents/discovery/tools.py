"""The tools of discovery. All of them read, and each shows a caller what that caller has."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, Field

from bailiwick.agents import repository
from bailiwick.agents.discovery.topics import TOPICS
from bailiwick.errors import Invalid, NotFound
from bailiwick.office import Office
from bailiwick.tools.arguments import NoArguments, Omittable, ToolArguments
from bailiwick.tools.tool import OwnTools, Tool, ToolContext, ToolOutput

_LINE = 200
_TEXT, _OBJECT = {"type": "string"}, {"type": "object"}
_ROSTER = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": dict.fromkeys(("id", "name", "summary", "apiConfigId"), _TEXT),
        "required": ["id", "name", "apiConfigId"],
    },
}
_LISTED = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": dict.fromkeys(("name", "description", "paramsSummary"), _TEXT),
        "required": ["name", "description", "paramsSummary"],
    },
}
_WITH_AGENTS = ("director",)
ToolNameArgument = Annotated[
    str,
    Field(
        min_length=1,
        max_length=128,
        description="The name of a tool, as list_tools gives it.",
        examples=["memory_search"],
    ),
]


def _as_text(params: Any) -> Any:
    return json.dumps(params) if isinstance(params, dict) else params


class DescribeTool(ToolArguments):
    """The tool that it is about."""

    name: ToolNameArgument


class ValidateParams(DescribeTool):
    """A call that shall be looked at, and not made."""

    # As text, because some providers let their models give no free objects; one is taken as well.
    params: Annotated[str, BeforeValidator(_as_text)] = Field(
        max_length=100_000,
        description="What it would be called with, as a JSON object.",
        examples=['{"query": "invoices"}'],
    )


class ReadDocs(ToolArguments):
    """What to read about."""

    topic: Omittable[str] = Field(
        None, max_length=100, description=f"One of {', '.join(TOPICS)}. Left out: all of them."
    )


class Discovery:
    """The code of the tools."""

    def __init__(self, office: Office) -> None:
        self._app = office.storage.app

    async def list_agents(self, context: ToolContext, _: NoArguments) -> ToolOutput:
        """The agents that the caller may ask, in their order."""
        found = await _own(context).offered()
        asked = [tool.delegates_to for tool in found if tool.delegates_to]
        async with self._app.read() as session:
            rows = {row.id: row for row in await repository.these(session, asked)}
            asker = await repository.by_id(session, context.actor_id)
        inherited = (asker.model_id if asker else None) or "default"
        roster = [
            {
                "id": row.id,
                "name": row.name,
                **({"summary": row.description.strip()[:500]} if row.description.strip() else {}),
                "apiConfigId": row.model_id or inherited,
            }
            for row in (rows[id] for id in asked if id in rows)
        ]
        return ToolOutput(roster, summary=f"{len(roster)} agents")

    async def list_tools(self, context: ToolContext, _: NoArguments) -> ToolOutput:
        """The tools that the caller may use now."""
        listed = [
            {
                "name": tool.name,
                "description": tool.description[:_LINE],
                "paramsSummary": params_summary(tool.parameters),
            }
            for tool in await _own(context).offered()
        ]
        return ToolOutput(listed, summary=f"{len(listed)} tools")

    async def describe(self, context: ToolContext, arguments: DescribeTool) -> ToolOutput:
        """One tool, with the schema of its arguments."""
        for tool in await _own(context).offered():
            if tool.name == arguments.name:
                about = {
                    "name": tool.name,
                    "title": tool.title,
                    "description": tool.description,
                    "effect": tool.effect,
                    "undoable": tool.undo is not None,
                    "parameters": dict(tool.parameters),
                }
                return ToolOutput(about, summary=tool.name)
        raise NotFound(f"You have no tool {arguments.name!r}. list_tools tells which you have.")

    async def validate(self, context: ToolContext, arguments: ValidateParams) -> ToolOutput:
        """What the gate would say to a call; it is not made."""
        seen = await _own(context).forecast(arguments.name, _object(arguments.params))
        told: dict[str, Any] = {"valid": seen.passes}
        if seen.code == "asks":
            told["asks"] = seen.reason
        elif not seen.passes:
            errors = {name: list(words) for name, words in seen.fields.items()}
            told |= {"code": seen.code, "error": seen.reason, "fields": errors}
        return ToolOutput(told, summary="would pass" if seen.passes else f"no: {seen.code}")

    async def read(self, _: ToolContext, arguments: ReadDocs) -> ToolOutput:
        """What there is to know about a topic."""
        if arguments.topic is None:
            return ToolOutput({"topics": dict(TOPICS)}, summary=f"{len(TOPICS)} topics")
        topic = arguments.topic.strip().casefold()
        if topic not in TOPICS:
            raise NotFound(f"There is nothing about that; there is: {', '.join(TOPICS)}.")
        return ToolOutput({"topic": topic, "text": TOPICS[topic]}, summary=topic)


def params_summary(schema: Mapping[str, Any]) -> str:
    """The arguments of a tool in one line: `query: string, limit?: integer`."""
    needed = set(schema.get("required", ()))
    return ", ".join(
        f"{name}{'' if name in needed else '?'}: {_kind(shape)}"
        for name, shape in schema.get("properties", {}).items()
    )


def _object(params: str) -> dict[str, Any]:
    try:
        given = json.loads(params)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise Invalid.field("params", "must be a JSON object")
    return cast("dict[str, Any]", given)


def _kind(shape: Mapping[str, Any]) -> str:
    if "enum" in shape:
        return "|".join(map(str, shape["enum"]))
    kind = shape.get("type", "any")
    named = [kind] if isinstance(kind, str) else [each for each in kind if each != "null"]
    return f"{_kind(shape.get('items', {}))}[]" if named == ["array"] else "|".join(named)


def _own(context: ToolContext) -> OwnTools:
    assert context.tools, "the gate gives every call its caller's tools"
    return context.tools


def tools(office: Office) -> Sequence[Tool]:
    """The tools of discovery."""
    found = Discovery(office)
    return [
        Tool(
            name="list_agents",
            title="List agents",
            description="The agents that you may ask, each with what it is for.",
            arguments=NoArguments,
            output=_ROSTER,
            effect="read",
            run=found.list_agents,
            offered_to=_WITH_AGENTS,
        ),
        Tool(
            name="list_tools",
            title="List tools",
            description="The tools that you may use now, with their arguments in short.",
            arguments=NoArguments,
            output=_LISTED,
            effect="read",
            run=found.list_tools,
            offered_to=_WITH_AGENTS,
        ),
        Tool(
            name="describe_tool",
            title="Describe a tool",
            description="All about one of your tools, with the schema of its arguments.",
            arguments=DescribeTool,
            output=_OBJECT,
            effect="read",
            run=found.describe,
            offered_to=_WITH_AGENTS,
        ),
        Tool(
            name="validate_tool_params",
            title="Check a call",
            description="Whether a call would pass, and what is wrong with it. It is not made.",
            arguments=ValidateParams,
            output=_OBJECT,
            effect="read",
            run=found.validate,
            offered_to=_WITH_AGENTS,
        ),
        Tool(
            name="read_api_docs",
            title="Read how things work",
            description="Short texts on agents, sessions, items, memory, the gate and ids.",
            arguments=ReadDocs,
            output=_OBJECT,
            effect="read",
            run=found.read,
            offered_to=_WITH_AGENTS,
        ),
    ]
