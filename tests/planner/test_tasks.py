"""Tasks: made once, changed with care, taken back, and read with whose words they hold."""

import asyncio
from typing import Any

import pytest

from bailiwick.errors import Conflict, Invalid, NotFound
from library.toolbox import Done, Toolbox

pytestmark = pytest.mark.req("TASK-01")


async def new(tools: Toolbox, title: str = "Call the bank", **given: Any) -> str:
    return id_of(await tools.use("create_task", title=title, **given))


def id_of(done: Done) -> str:
    return done.data["id"].removeprefix("task:")


async def listed(tools: Toolbox, **given: Any) -> list[str]:
    return [task["title"] for task in (await tools.use("list_tasks", **given)).data["tasks"]]


async def test_a_task_is_made_changed_completed_and_deleted(any_tools: Toolbox):
    tools = any_tools
    made = await tools.use("create_task", title="Call the bank", notes="about the loan")
    task = id_of(made)
    assert made.data == {
        "id": f"task:{task}",
        "title": "Call the bank",
        "notes": "about the loan",
        "due": None,
        "status": "open",
        "completed_at": None,
    }
    changed = await tools.use("update_task", task_id=task, due="2026-03-31", title="Ring them")
    assert changed.data == {**made.data, "due": "2026-03-31", "title": "Ring them"}
    done = await tools.use("complete_task", task_id=task)
    assert done.data["status"] == "done"
    assert await listed(tools) == []
    assert await listed(tools, status="done") == ["Ring them"]
    gone = await tools.use("delete_task", task_id=task)
    assert gone.data["status"] == "deleted"
    assert await listed(tools, status="all") == []
    await tools.undo(gone)
    await tools.undo(done)
    assert await listed(tools) == ["Ring them"]


async def test_those_that_are_due_first_come_first(tools: Toolbox):
    for title, given in (
        ("later", {"due": "2026-05-01"}),
        ("some day", {}),
        ("soon", {"due": "2026-04-01"}),
    ):
        await new(tools, title, **given)
    assert await listed(tools) == ["soon", "later", "some day"]
    first = await tools.use("list_tasks", limit=2)
    assert ([task["title"] for task in first.data["tasks"]], first.data["more"]) == (
        ["soon", "later"],
        True,
    )


async def test_another_workspace_has_other_tasks(tools: Toolbox):
    task = await new(tools)
    away = tools.acting(workspace_id="wsp-000000000002")
    assert await listed(away) == []
    for tool, more in (
        ("update_task", {"title": "x"}),
        ("complete_task", {}),
        ("delete_task", {}),
    ):
        for attempt in (away.use, away.preview):
            with pytest.raises(NotFound, match="no such task"):
                await attempt(tool, task_id=task, **more)


@pytest.mark.req("GATE-19")
async def test_every_change_is_undone_twice_as_well_as_once(any_tools: Toolbox):
    tools = any_tools
    task = await new(tools, notes="n", due="2026-01-31")
    before = (await tools.use("list_tasks")).data["tasks"]
    for tool, more in (
        ("update_task", {"title": "x", "due": None, "notes": ""}),
        ("complete_task", {}),
        ("delete_task", {}),
    ):
        done = await tools.use(tool, task_id=task, **more)
        assert (await tools.use("list_tasks")).data["tasks"] != before
        await tools.undo(done)
        await tools.undo(done)
        assert (await tools.use("list_tasks")).data["tasks"] == before
    made = await tools.use("create_task", title="Another")
    await tools.undo(made)
    await tools.undo(made)
    assert (await tools.use("list_tasks", status="all")).data["tasks"] == before


@pytest.mark.req("GATE-19")
async def test_what_was_changed_since_is_not_undone(tools: Toolbox):
    made = await tools.use("create_task", title="One")
    task = id_of(made)
    changed = await tools.use("update_task", task_id=task, title="Two")
    await tools.use("update_task", task_id=task, notes="mine")
    for done in (made, changed):
        with pytest.raises(Conflict, match="changed since"):
            await tools.undo(done)
    assert await listed(tools) == ["Two"]


async def test_a_call_tried_again_makes_one_task(any_tools: Toolbox):
    once = await any_tools.use("create_task", key="k", title="One")
    again = await any_tools.use("create_task", key="k", title="One")
    assert once.data == again.data
    assert once.output.receipt == again.output.receipt
    assert await listed(any_tools) == ["One"]


async def test_two_tries_at_the_same_moment_make_one_task(tools: Toolbox):
    await asyncio.gather(*(tools.use("create_task", key="k", title="One") for _ in range(5)))
    assert await listed(tools) == ["One"]


@pytest.mark.req("GATE-19")
async def test_whether_a_change_took_effect_can_be_looked_up(tools: Toolbox):
    task = await new(tools)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("update_task", {"title": "New", "due": "2026-01-01"}),
        ("complete_task", {}),
        ("delete_task", {}),
    ]
    for tool, more in calls:
        assert await tools.look_up(tool, key="k", task_id=task, **more) is None
        await tools.use(tool, key="k", task_id=task, **more)
        found = await tools.look_up(tool, key="k", task_id=task, **more)
        assert found
        if tool != "update_task":
            await tools.undo(found)
            await tools.use(tool, key="k", task_id=task, **more)
    assert await tools.look_up("update_task", key="k", task_id=task, title="New") is None


async def test_what_changes_nothing_leaves_nothing_to_undo(tools: Toolbox):
    task = await new(tools)
    assert (await tools.use("update_task", task_id=task, notes="")).output.receipt is None
    await tools.use("complete_task", task_id=task)
    again = await tools.use("complete_task", task_id=task)
    assert again.output.receipt is None


async def test_days_that_do_not_exist_and_empty_changes_are_refused(tools: Toolbox):
    task = await new(tools)
    for tool, more in (("create_task", {"title": "x"}), ("update_task", {"task_id": task})):
        with pytest.raises(Invalid, match="no such day"):
            await tools.use(tool, due="2026-02-30", **more)
    with pytest.raises(Invalid, match="say what to change"):
        await tools.use("update_task", task_id=task)
    for title in ("", " ", "a\nb", "a\x00", "x" * 501):
        with pytest.raises(Invalid, match="title"):
            await tools.use("create_task", title=title)


@pytest.mark.req("GATE-16")
async def test_a_task_holds_the_words_of_whoever_wrote_it(any_tools: Toolbox):
    tools = any_tools.acting(actor_id="usr-1")
    web, contact = tools.acting(label="web"), tools.acting(label="contact")
    await new(tools, "mine")
    assert (await tools.use("list_tasks")).label == "owner"
    task = await new(web, "theirs", notes="theirs")
    shown = await tools.use("list_tasks")
    assert shown.label == "web"
    assert 'the task "theirs"' in {source.about for source in shown.output.sources}

    async def label(**change: Any) -> str:
        return (await contact.use("update_task", task_id=task, **change)).label

    assert await label(title="ours") == "web"
    assert await label(due="2026-01-01") == "web"
    both = await contact.use("update_task", task_id=task, title="all", notes="ours")
    assert both.label == "contact"
    assert (await tools.undo(both)).label == "web"
    assert (await tools.use("complete_task", task_id=task)).label == "web"
    mine = await new(tools, "dated")
    assert (await web.use("update_task", task_id=mine, due="2026-01-01")).label == "web"


@pytest.mark.req("GATE-16")
async def test_a_task_is_its_makers_word_and_nobody_elses(tools: Toolbox):
    ann = tools.acting(user_id="usr-1", actor_id="usr-1")
    bob, agent = ann.acting(user_id="usr-2", actor_id="usr-2"), ann.acting(actor_id="agt-1")
    task = await new(ann, "mine", notes="mine")
    assert (await ann.use("list_tasks")).label == "owner"
    assert (await agent.use("list_tasks")).label == "owner", "who acts for Ann reads her words"
    assert (await bob.use("list_tasks")).label == "contact"
    assert (await bob.use("complete_task", task_id=task)).label == "contact"
    await bob.use("update_task", task_id=task, notes="Bob's")
    assert (await ann.use("list_tasks", status="all")).label == "contact"
    await ann.use("update_task", task_id=task, title="mine again", notes="mine again")
    assert (await ann.use("list_tasks", status="all")).label == "owner"
    made = await new(agent, "by an agent")
    assert (await agent.use("complete_task", task_id=made)).label == "owner"
    assert (await ann.use("list_tasks", status="all")).label == "contact"


async def test_previews_say_what_would_happen(tools: Toolbox):
    task = await new(tools, "Call", notes="n")
    assert await tools.preview("create_task", title="Call", due="2026-01-01") == {
        "kind": "text",
        "text": "Call\n2026-01-01",
    }
    assert await tools.preview("update_task", task_id=task, title="Ring", notes="n") == {
        "kind": "fields",
        "title": "Call",
        "fields": {"title": {"before": "Call", "after": "Ring"}},
    }
    assert '"Call" as done' in (await tools.preview("complete_task", task_id=task))["text"]
    assert 'Deletes the task "Call"' in (await tools.preview("delete_task", task_id=task))["text"]
    assert await listed(tools) == ["Call"]
