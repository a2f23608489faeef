"""Scope: flags and patterns, deny by default."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bailiwick.gate.checks import scope
from bailiwick.tools.arguments import NoArguments
from bailiwick.tools.effects import CAPABILITIES, EFFECTS, NEEDED
from bailiwick.tools.scope import ALL, Scope
from bailiwick.tools.tool import Tool
from gate.conftest import READER, Desk
from gate.post_office import PostOffice
from support.office import API, every

pytestmark = pytest.mark.req("GATE-03")


@pytest.mark.parametrize("effect", EFFECTS)
async def test_each_effect_needs_its_flags_and_all_of_them(desk: Desk, effect):
    tool = Tool("t", "T", "", NoArguments, effect, run=None)  # pyright: ignore
    assert scope.obstacle(desk.agent(), tool) is None
    for flag in NEEDED[effect]:
        without = ALL.model_copy(update={flag: False})
        told = scope.obstacle(desk.agent(scope=without), tool)
        assert told
        assert f"'{flag}'" in told


async def test_a_reader_of_the_workspace_reads_and_changes_nothing(desk: Desk):
    reader = await desk.office.member("rita")
    body = {"email": "rita@example.com", "role": "read"}
    await desk.owner.post(f"{API}/workspaces/{desk.workspace_id}/members", json=body)
    tools = f"{API}/workspaces/{desk.workspace_id}/tools"
    assert (await reader.post(f"{tools}/list_tasks", json={})).status_code == 200
    made = await reader.post(f"{tools}/create_task", json={"arguments": {"title": "x"}})
    assert made.status_code == 403
    listed = await every(reader, tools.removeprefix(API))
    assert {tool["effect"] for tool in listed} == {"read"}


def test_out_of_the_box_only_reading_is_on():
    assert [flag for flag in CAPABILITIES if Scope().has(flag)] == ["read"]
    assert Scope().notebooks == Scope().accounts == ()


@pytest.mark.req("GATE-21")
async def test_whatever_acts_on_an_outside_account_needs_integrations(desk: Desk):
    tool = Tool("t", "T", "", NoArguments, "read", run=None, outside=True)  # pyright: ignore
    told = scope.obstacle(desk.agent(scope=READER), tool)
    assert told
    assert "integrations" in told


async def test_patterns_bound_tools_notebooks_folders_and_types(desk: Desk):
    await desk.use("create_file", path="Files/open/a.txt", content="A")
    await desk.use("create_file", path="Files/open/a.key", content="K")
    await desk.use("create_file", path="Files/shut/b.txt", content="B")
    agent = desk.agent(scope=ALL.model_copy(update={"folders": ("open",), "file_types": ("txt",)}))
    assert (await desk.done(agent, "read_file", path="Files/open/a.txt"))["content"] == "A"
    for path in ("Files/open/a.key", "Files/shut/b.txt", "Other/open/a.txt", "Files/Open/a.txt"):
        assert (await desk.denied(agent, "read_file", path=path)).code in (
            "out_of_scope",
            "not_found",
        ), path
    seen = str(await desk.done(agent, "list_files", path="Files", recursive=True))
    assert "a.txt" in seen
    assert "b.txt" not in seen
    assert "a.key" not in seen
    found = str(await desk.done(agent, "search_content", query="b"))
    assert "shut" not in found
    one_tool = desk.agent(scope=ALL.model_copy(update={"tools": ("list_*",)}))
    await desk.done(one_tool, "list_files")
    assert (await desk.denied(one_tool, "read_file", path="Files/open/a.txt")).code == (
        "out_of_scope"
    )
    nowhere = desk.agent(scope=Scope())
    assert (await desk.denied(nowhere, "read_file", path="Files/open/a.txt")).code == (
        "out_of_scope"
    )


async def test_each_path_of_a_call_is_looked_at_also_when_another_is_left_out(desk: Desk):
    post = PostOffice(desk)
    agent = desk.agent(scope=ALL.model_copy(update={"folders": ("open",)}))
    for paths in ({"to": "Files/shut/a.txt"}, {"path": "Files/open/a.txt", "to": "Files/b.txt"}):
        refused = await desk.denied(agent, "copy_letter", **paths)
        assert refused.code == "out_of_scope", paths
        assert paths["to"] in refused.reason
    assert post.runs == 0
    await desk.done(agent, "copy_letter", to="Files/open/a.txt")


@pytest.mark.req("GATE-21")
async def test_an_account_outside_the_scope_cannot_be_used(desk: Desk):
    post = PostOffice(desk)
    agent = desk.agent(scope=ALL.model_copy(update={"accounts": ("Home",)}))
    await desk.done(agent, "stamp_letter", account="Home")
    refused = await desk.denied(agent, "stamp_letter", account="Work", to=["ann@example.com"])
    assert refused.code == "out_of_scope"
    assert refused.reason == "Tester may not use the account 'Work'."
    assert post.sent == []


NASTY = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            ["..", ".", "", "Files", "inner", "/", "//", "\\", "a.txt", "\u2024\u2024", "..\x00",
             "CON", "\u2215",
             "%2e%2e", "\uff5e", "secret.txt", "FILES", "Files\u200b", "etc", "passwd", "x "]
        ),
        max_size=8,
    ).map("/".join),
)  # fmt: skip


@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(path=NASTY)
async def test_no_path_leaves_the_root(desk: Desk, path: str):
    await desk.use("create_file", path="Files/inner/a.txt", content="A")
    # Beside the notebook, where one step up leads.
    outside = desk.office.product.settings.data / "notebooks" / "secret.txt"
    assert any(each.is_dir() for each in outside.parent.iterdir())
    outside.write_text("SECRET")
    for tool, more in (("read_file", {}), ("write_file", {"content": "owned"}), ("list_files", {})):
        outcome = await desk.call(desk.agent(), tool, path=path, **more)
        assert "SECRET" not in str(outcome)
    assert outside.read_text() == "SECRET"
