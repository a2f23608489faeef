"""Memories: who finds them, how they are taken back, and whose words they hold."""

from typing import Any

import pytest

from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.memory import search
from library.toolbox import Done, Toolbox

pytestmark = pytest.mark.req("MEM-01")


async def add(tools: Toolbox, content: str, **given: Any) -> str:
    return id_of(await tools.use("memory_add", content=content, **given))


def id_of(done: Done) -> str:
    return done.data["id"].removeprefix("note:")


async def found(tools: Toolbox, query: str = "", **given: Any) -> list[str]:
    done = await tools.use("memory_search", query=query, **given)
    return [memory["content"] for memory in done.data["memories"]]


async def test_a_memory_is_added_found_changed_and_forgotten(any_tools: Toolbox):
    tools = any_tools
    made = await tools.use("memory_add", content="Olive likes TEA", tags=["Drinks", "Drinks"])
    memory = id_of(made)
    assert made.data == {
        "id": f"note:{memory}",
        "content": "Olive likes TEA",
        "tags": ["Drinks"],
        "reach": "local",
        "owner": "Tester",
        "updated_at": made.data["updated_at"],
    }
    assert await found(tools, "tea olive") == ["Olive likes TEA"]
    assert await found(tools, "drinks") == ["Olive likes TEA"]
    assert await found(tools, "coffee", mode="keyword") == []
    assert await found(tools, tags=["drinks"]) == ["Olive likes TEA"]
    assert await found(tools, tags=["drinks", "food"]) == []
    changed = await tools.use("memory_edit", memory_id=memory, content="Olive likes Äpfel")
    assert changed.data["tags"] == ["Drinks"]
    assert await found(tools, "äPFEL") == ["Olive likes Äpfel"]
    gone = await tools.use("memory_delete", memory_id=memory)
    assert await found(tools) == []
    with pytest.raises(NotFound):
        await tools.use("memory_edit", memory_id=memory, content="x")
    await tools.undo(gone)
    await tools.undo(changed)
    assert await found(tools) == ["Olive likes TEA"]


async def test_ones_own_come_first_then_shared_then_everyones(any_tools: Toolbox):
    tools = any_tools
    for reach in ("global", "shared", "local"):
        await add(tools, reach, reach=reach)
    assert await found(tools) == ["local", "shared", "global"]
    two = await tools.use("memory_search", query="", limit=2)
    assert (len(two.data["memories"]), two.data["more"]) == (2, True)


async def test_each_sees_what_reaches_them_and_no_more(tools: Toolbox):
    ids = {reach: await add(tools, reach, reach=reach) for reach in ("local", "shared", "global")}
    others = {
        "a colleague": (tools.acting(actor_id="agt-2"), ["shared", "global"]),
        "another's agent": (tools.acting(actor_id="agt-3", user_id="usr-2"), ["global"]),
        "nobody's agent": (tools.acting(actor_id="agt-4", user_id=None), ["global"]),
        "elsewhere": (tools.acting(workspace_id="wsp-000000000002"), []),
    }
    for who, (other, seen) in others.items():
        assert await found(other) == seen, who
        for reach, memory in ids.items():
            for tool, more in (
                ("memory_edit", {"content": "mine now"}),
                ("memory_move", {"reach": "local"}),
                ("memory_delete", {}),
            ):
                if reach not in seen:
                    for attempt in (other.use, other.preview):
                        with pytest.raises(NotFound, match="no such memory"):
                            await attempt(tool, memory_id=memory, **more)
    assert await found(tools) == ["local", "shared", "global"]


@pytest.mark.req("GATE-19")
async def test_every_change_is_undone_twice_as_well_as_once(tools: Toolbox):
    memory = await add(tools, "before", tags=["a"])
    for tool, more in (
        ("memory_edit", {"content": "after", "tags": []}),
        ("memory_edit", {"tags": ["b"]}),
        ("memory_move", {"reach": "global"}),
        ("memory_delete", {}),
    ):
        done = await tools.use(tool, memory_id=memory, **more)
        assert await found(tools, tags=["a"], reach="local") != ["before"]
        await tools.undo(done)
        await tools.undo(done)
        assert await found(tools, tags=["a"], reach="local") == ["before"]
    made = await tools.use("memory_add", content="more")
    await tools.undo(made)
    await tools.undo(made)
    assert await found(tools) == ["before"]


@pytest.mark.req("GATE-19")
async def test_what_was_changed_since_is_not_undone(tools: Toolbox):
    made = await tools.use("memory_add", content="one")
    memory = id_of(made)
    changed = await tools.use("memory_edit", memory_id=memory, content="two")
    moved = await tools.use("memory_move", memory_id=memory, reach="shared")
    await tools.use("memory_edit", memory_id=memory, content="three")
    for done in (made, changed, moved):
        with pytest.raises(Conflict, match="changed since"):
            await tools.undo(done)
    assert await found(tools) == ["three"]


@pytest.mark.req("GATE-19")
async def test_a_call_tried_again_is_done_once(any_tools: Toolbox):
    tools = any_tools
    once = await tools.use("memory_add", key="k", content="one")
    assert (await tools.use("memory_add", key="k", content="one")).data == once.data
    assert await found(tools) == ["one"]
    memory = id_of(once)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("memory_edit", {"content": "two", "tags": ["a"]}),
        ("memory_move", {"reach": "shared"}),
        ("memory_delete", {}),
    ]
    for tool, more in calls:
        assert await tools.look_up(tool, key="k", memory_id=memory, **more) is None
        await tools.use(tool, memory_id=memory, **more)
        assert await tools.look_up(tool, key="k", memory_id=memory, **more)
    edited = {"memory_id": memory, "content": "two"}
    assert await tools.look_up("memory_edit", key="k", **edited) is None


async def test_other_tags_are_another_change(tools: Toolbox):
    memory = await add(tools, "one", tags=["a"])
    same = await tools.use("memory_edit", memory_id=memory, content="one")
    assert same.output.receipt is None
    edit = {"memory_id": memory, "content": "one", "tags": ["b"]}
    assert await tools.look_up("memory_edit", key="k", **edit) is None


@pytest.mark.req("GATE-16")
async def test_a_memory_holds_the_words_of_whoever_wrote_it(tools: Toolbox):
    web = tools.acting(label="web")
    await add(tools, "mine")
    assert (await tools.use("memory_search", query="")).label == "owner"
    memory = await add(web, "theirs", tags=["theirs"])
    shown = await tools.use("memory_search", query="")
    assert shown.label == "web"
    assert all("theirs" not in source.about for source in shown.output.sources)
    mine = await tools.use("memory_search", query="mine", mode="keyword")
    assert mine.label == "owner"
    for tool, more in (
        ("memory_edit", {"content": "mine"}),
        ("memory_edit", {"content": "all mine", "tags": []}),
        ("memory_move", {"reach": "global"}),
        ("memory_move", {"reach": "shared"}),
    ):
        kept = await tools.use(tool, memory_id=memory, **more)
        assert kept.label == "web", "words that may still be a stranger's are not made one's own"
    lowered = await web.use("memory_edit", memory_id=await add(tools, "own"), content="read it")
    assert lowered.label == "web"
    assert (await tools.undo(lowered)).label == "owner"


async def test_a_search_looks_through_a_bounded_number(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch
):
    for number in range(3):
        await add(tools, f"memory {number}")
    monkeypatch.setattr(search, "MOST_SEARCHED", 2)
    assert len(await found(tools, "memory")) == 2


async def test_previews_show_the_words(tools: Toolbox):
    memory = await add(tools, "before")
    assert await tools.preview("memory_add", content="x" * 6000) == {
        "kind": "text",
        "text": "x" * 5000,
    }
    edit = await tools.preview("memory_edit", memory_id=memory, content="after")
    assert edit["fields"] == {"content": {"before": "before", "after": "after"}}
    tags = await tools.preview("memory_edit", memory_id=memory, tags=["new"])
    assert tags["fields"] == {"tags": {"before": [], "after": ["new"]}}
    move = await tools.preview("memory_move", memory_id=memory, scope="global")
    assert (move["title"], move["fields"]["reach"]["after"]) == ("before", "global")
    assert (await tools.preview("memory_delete", memory_id=memory))["text"] == "before"
    assert await found(tools) == ["before"]


async def test_what_cannot_be_kept_is_refused(tools: Toolbox):
    for given in ({"content": ""}, {"content": "a\x00"}, {"content": "a", "tags": ["a\nb"]}):
        with pytest.raises(Invalid, match=r"content|tags\.0"):
            await tools.use("memory_add", **given)
    memory = await add(tools, "one")
    for tool, given, fault in (
        ("memory_add", {"content": "a", "reach": "local", "scope": "global"}, "another word"),
        ("memory_move", {"memory_id": memory}, "say where to"),
        ("memory_edit", {"memory_id": memory}, "a new content"),
    ):
        with pytest.raises(Invalid, match=fault):
            await tools.use(tool, **given)


async def test_a_memory_moves_between_scopes_and_back(any_tools: Toolbox):
    tools = any_tools
    colleague = tools.acting(actor_id="agt-2", actor_name="Second")
    outsider = tools.acting(actor_id="agt-3", user_id="usr-2")
    memory = await add(tools, "the roof leaks")
    assert (await found(colleague), await found(outsider)) == ([], [])
    shared = await tools.use("memory_move", memory_id=memory, reach="shared")
    assert shared.data["reach"] == "shared"
    assert (await found(colleague), await found(outsider)) == (["the roof leaks"], [])
    everyones = await colleague.use("memory_move", memory_id=memory, scope="global")
    assert everyones.data["owner"] is None
    assert await found(outsider) == ["the roof leaks"]
    taken = await colleague.use("memory_move", memory_id=memory, reach="local")
    assert taken.data["owner"] == "Second"
    assert (await found(tools), await found(colleague)) == ([], ["the roof leaks"])
    for done in (taken, everyones):
        await colleague.undo(done)
    assert (await found(tools), await found(outsider)) == (["the roof leaks"], [])
    await tools.undo(shared)
    assert (await found(tools), await found(colleague)) == (["the roof leaks"], [])
    assert (await tools.use("memory_move", memory_id=memory, reach="local")).output.receipt is None
