"""Plugins: built-in features and strangers' come in by the same door."""

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from bailiwick import features
from bailiwick.config import Settings
from bailiwick.errors import BadConfiguration
from bailiwick.feature import Feature
from bailiwick.office import Office
from bailiwick.tools.arguments import NoArguments, ToolArguments
from bailiwick.tools.facts import AccountFacts, HasAccounts
from bailiwick.tools.foreign import arguments_of
from bailiwick.tools.tool import Tool, ToolContext, ToolOutput
from library.toolbox import Toolbox, opened_toolbox, plain
from support.tool_forms import assert_well_formed

NAMES = [
    *("list_accounts", "list_emails", "search_emails", "read_email", "send_email", "reply_email"),
    *("draft_email", "archive_email", "label_email", "mark_email", "move_email", "trash_email"),
    *("list_tasks", "create_task", "update_task", "complete_task", "delete_task"),
    *("list_files", "read_file", "search_content", "get_file_metadata", "create_file"),
    *("write_file", "move_file", "delete_file", "memory_search", "memory_add", "memory_edit"),
    *("memory_move", "memory_delete"),
]


async def nothing(context: ToolContext, arguments: ToolArguments) -> ToolOutput:
    return ToolOutput(None, summary="nothing")


def tool(name: str, **given: Any) -> Tool:
    made: dict[str, Any] = {"arguments": NoArguments, "effect": "read", **given}
    return Tool(name=name, title=name, description=name, run=nothing, **made)


async def accounts(_: Office, workspace_id: str, user_id: str | None) -> list[AccountFacts]:
    work = AccountFacts("acc-1", "Work", "me@provider.example", True, "provider", ("mail",))
    home = AccountFacts("acc-2", "Home", "us@provider.example", False, "provider", ("mail",))
    return [work, home]


def weather(*tools: Tool) -> Feature:
    """A plugin that someone else wrote."""
    return Feature(name="weather", tools=lambda _: tools, facts=[HasAccounts(accounts)])


@pytest.mark.req("MCP-07")
async def test_accounts_are_shown_by_the_users_words_alone(
    sqlite_settings: Settings, tmp_path: Path
):
    async with opened_toolbox(
        sqlite_settings, tmp_path / "papers", [weather(tool("weather"))]
    ) as tools:
        assert tools.registry.get("weather")
        listed = await tools.use("list_accounts")
        labels = {item["label"] for item in listed.data["accounts"]}
        assert labels == {"This office", "Work", "Home"}
        assert "provider" not in str(listed.data)
        narrow = await tools.within(accounts=("Wo*",)).use("list_accounts")
        ids = [item["id"] for item in narrow.data["accounts"]]
        assert ids == ["account:local", "account:acc-1"]


async def test_without_plugins_there_is_the_office_itself(tools: Toolbox):
    here = {
        "id": "account:local",
        "label": "This office",
        "primary": True,
        "kinds": ["files", "tasks"],
    }
    assert (await tools.use("list_accounts")).data == {"accounts": [here]}


async def test_every_tool_is_described_strictly_and_says_how_it_is_undone(tools: Toolbox):
    assert {known.name for known in tools.registry} >= {*NAMES[:1], *NAMES[12:]}
    for known in tools.registry:
        assert_well_formed(known)
        assert known.output
        if known.writes and not known.outside:
            assert known.undo, known.name
            assert known.preview, known.name
    assert plain([{"a": 1}]) == [{"a": 1}]


@pytest.mark.parametrize("given", [object(), Feature], ids=["another thing", "the type itself"])
def test_a_plugin_that_gives_no_feature_says_which_it_is(
    monkeypatch: pytest.MonkeyPatch, given: object
):
    found = EntryPoint("weather", "weather:plugin", features.GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda _: given)
    monkeypatch.setattr(features, "entry_points", lambda *, group: [found])
    with pytest.raises(BadConfiguration, match="weather"):
        features.installed()


@pytest.mark.parametrize(
    ("give", "words"),
    [
        (lambda: [tool("read_file")], "two tools called read_file"),
        (lambda: [tool("odd", arguments=arguments_of({"type": "no such type"}))], "cannot be used"),
    ],
    ids=["taken name", "broken schema"],
)
async def test_a_tool_that_cannot_be_used_stops_the_start(
    sqlite_settings: Settings, tmp_path: Path, give: Callable[[], list[Tool]], words: str
):
    with pytest.raises(BadConfiguration, match=words):
        async with opened_toolbox(
            sqlite_settings, tmp_path / "papers", [Feature(name="weather", tools=lambda _: give())]
        ):
            pass
