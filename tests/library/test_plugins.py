"""Plugins: built-in features and strangers' come in by the same door."""

from collections.abc import Callable
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pytest

from bailiwick import plugins
from bailiwick.errors import BadConfiguration
from bailiwick.hookspecs import hookimpl
from bailiwick.tools.arguments import NoArguments, ToolArguments
from bailiwick.tools.facts import AccountFacts, Office
from bailiwick.tools.foreign import arguments_of
from bailiwick.tools.tool import Tool, ToolContext, ToolOutput
from library.toolbox import Toolbox, plain
from support.tool_forms import assert_well_formed

NAMES = [
    *("list_files", "read_file", "search_content", "get_file_metadata", "create_file"),
    *("write_file", "move_file", "delete_file", "list_tasks", "create_task", "update_task"),
    *("complete_task", "delete_task", "memory_search", "memory_add", "memory_edit"),
    *("memory_move", "memory_delete", "list_accounts"),
]


async def nothing(context: ToolContext, arguments: ToolArguments) -> ToolOutput:
    return ToolOutput(None, summary="nothing")


def tool(name: str, **given: Any) -> Tool:
    made: dict[str, Any] = {"arguments": NoArguments, "effect": "read", **given}
    return Tool(name=name, title=name, description=name, run=nothing, **made)


class Weather:
    """A plugin that someone else wrote."""

    tools: tuple[Tool, ...] = (tool("weather"),)

    @hookimpl
    def bailiwick_tools(self, office: Office) -> tuple[Tool, ...]:
        return self.tools

    @hookimpl
    async def bailiwick_accounts(self, office: Office, workspace_id: str) -> list[AccountFacts]:
        work = AccountFacts("acc-1", "Work", "me@provider.example", True, "provider", ("mail",))
        home = AccountFacts("acc-2", "Home", "us@provider.example", False, "provider", ("mail",))
        return [work, home]


def install(monkeypatch: pytest.MonkeyPatch, plugin: object) -> None:
    found = EntryPoint("weather", "weather:plugin", "bailiwick")
    monkeypatch.setattr(
        EntryPoint, "load", lambda self: plugin() if isinstance(plugin, type) else plugin
    )
    monkeypatch.setattr(plugins, "entry_points", lambda *, group: [found])


@pytest.mark.req("MCP-07")
async def test_accounts_are_shown_by_the_users_words_alone(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch
):
    here = {
        "id": "account:local",
        "label": "This office",
        "primary": True,
        "kinds": ["files", "tasks"],
    }
    assert (await tools.use("list_accounts")).data == {"accounts": [here]}
    install(monkeypatch, Weather)
    tools.registry = plugins.tools(plugins.found(tools.office), tools.office)
    assert tools.registry.get("weather")
    listed = await tools.use("list_accounts")
    assert {item["label"] for item in listed.data["accounts"]} == {"This office", "Work", "Home"}
    assert "provider" not in str(listed.data)
    narrow = await tools.within(accounts=("Wo*",)).use("list_accounts")
    assert [item["id"] for item in narrow.data["accounts"]] == ["account:acc-1", "account:local"]


async def test_every_tool_is_described_strictly_and_says_how_it_is_undone(tools: Toolbox):
    assert [known.name for known in tools.registry] == NAMES
    for known in tools.registry:
        assert_well_formed(known)
        assert known.output
        if known.writes:
            assert known.undo, known.name
            assert known.preview, known.name
    assert plain([{"a": 1}]) == [{"a": 1}]


@pytest.mark.parametrize(
    ("plugin", "words"),
    [
        (SimpleNamespace(bailiwick_tools=hookimpl(lambda surprise: [])), "weather"),
        (SimpleNamespace(bailiwick_toolz=hookimpl(lambda office: [])), "bailiwick_toolz"),
    ],
    ids=["wrong argument", "unknown hook"],
)
async def test_a_plugin_that_does_not_fit_says_which_it_is(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch, plugin: object, words: str
):
    install(monkeypatch, plugin)
    with pytest.raises(BadConfiguration, match=words):
        plugins.tools(plugins.found(tools.office), tools.office)


@pytest.mark.parametrize(
    ("give", "words"),
    [
        (lambda: [tool("read_file")], "two tools called read_file"),
        (lambda: [tool("odd", arguments=arguments_of({"type": "no such type"}))], "cannot be used"),
    ],
    ids=["taken name", "broken schema"],
)
async def test_a_tool_that_cannot_be_used_stops_the_start(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch, give: Callable[[], list[Tool]], words: str
):
    install(monkeypatch, SimpleNamespace(bailiwick_tools=hookimpl(lambda office: give())))
    with pytest.raises(BadConfiguration, match=words):
        plugins.tools(plugins.found(tools.office), tools.office)
