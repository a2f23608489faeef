"""The rules as calls meet them."""

import pytest

from bailiwick.gate.call import Call, Denied, Result, RunFacts
from gate.conftest import Desk
from support.office import API

pytestmark = pytest.mark.req("GATE-05")


async def rule(desk: Desk, action: str, condition: object, **more: object) -> dict:
    body = {"name": "Mine", "action": action, "condition": condition, "priority": 10_000, **more}
    made = await desk.owner.post(f"{API}/rules", json=body)
    assert made.status_code == 201, made.text
    return made.json()


async def test_out_of_the_box_reading_and_writing_pass_and_the_rest_asks(desk: Desk):
    agent = desk.agent()
    await desk.done(agent, "create_file", path="Files/a.txt", content="A")
    await desk.done(agent, "write_file", path="Files/a.txt", content="B")
    task = await desk.done(agent, "create_task", title="Call")
    await desk.pending(agent, "move_file", path="Files/a.txt", to="Files/b.txt")
    await desk.pending(agent, "complete_task", task_id=task["id"])
    await desk.pending(agent, "delete_file", path="Files/a.txt")


async def test_what_no_rule_allows_is_denied(desk: Desk):
    for item in (await desk.owner.get(f"{API}/rules")).json()["items"]:
        await desk.owner.delete(f"{API}/rules/{item['id']}")
    assert (await desk.denied(desk.agent(), "list_files")).code == "no_rule"


async def test_a_rule_bites_on_the_next_call_and_the_audit_names_it(either_desk: Desk):
    desk = either_desk
    await desk.done(desk.agent(), "list_tasks")
    made = await rule(desk, "BLOCK", {"==": [{"var": "tool"}, "list_tasks"]})
    refused = await desk.denied(desk.agent(), "list_tasks")
    assert refused.rule_id == made["id"]
    assert (await desk.audit())[-1]["rule_name"] == "Mine"
    await desk.owner.patch(f"{API}/rules/{made['id']}", json={"enabled": False})
    await desk.done(desk.agent(), "list_tasks")


@pytest.mark.req("GATE-22")
async def test_rules_are_bound_to_a_workspace_and_see_the_user(desk: Desk):
    other = (await desk.owner.post(f"{API}/workspaces", json={"name": "Other"})).json()["id"]
    await rule(desk, "BLOCK", {"==": [{"var": "tool"}, "list_tasks"]}, workspaceId=other)
    await desk.done(desk.agent(), "list_tasks")
    assert (await desk.denied(desk.agent(workspace_id=other), "list_tasks")).code == "blocked"
    await rule(desk, "BLOCK", {"in": ["admin", {"var": "user.roles"}]})
    assert (await desk.denied(desk.agent(), "list_files")).code == "blocked"
    await desk.done(desk.agent(roles=("user",)), "list_files")


async def test_block_holds_for_a_person_too(desk: Desk):
    await rule(desk, "BLOCK", {"==": [{"var": "effect"}, "create"]})
    assert (await desk.use("create_task", title="x")).status_code == 403


async def test_conditions_see_what_the_contract_promises(desk: Desk):
    seen = {
        "tool": "create_file",
        "effect": "create",
        "connector": "local",
        "caller.kind": "agent",
        "caller.name": "Tester",
        "agent.id": "agt-tester",
        "agent.name": "Tester",
        "agent.kind": "assistant",
        "path.folder": "Files/deep",
        "path.name": "a.txt",
        "path.suffix": ".txt",
        "args.content": "A",
        "workspace": desk.workspace_id,
        "user.id": desk.owner_id,
        "run.tainted": False,
    }
    equal = [{"==": [{"var": name}, value]} for name, value in seen.items()]
    await rule(desk, "BLOCK", {"and": equal})
    refused = await desk.denied(desk.agent(), "create_file", path="Files/deep/a.txt", content="A")
    assert refused.code == "blocked"
    await desk.done(desk.agent(), "create_file", path="Files/deep/b.txt", content="A")


async def test_conditions_see_how_far_a_run_has_come_and_what_it_has_cost(desk: Desk):
    seen = {
        "run.id": "run-1",
        "run.steps": 3,
        "cost.tokens": 500,
        "cost.money": 0.25,
        "caller.version": "2.1",
    }
    equal = [{"==": [{"var": name}, value]} for name, value in seen.items()]
    known = [{"!": {"var": "recipients.all"}}, {">": [{"var": "time.weekday"}, 0]}]
    await rule(desk, "BLOCK", {"and": [*equal, *known, {"in": ["2", {"var": "time.iso"}]}]})
    agent = desk.agent(version="2.1")
    run = RunFacts(steps=3, tokens=500, money=0.25)
    blocked = await desk.gate.call(Call(agent, "list_tasks", {}, context_id="run-1", run=run))
    assert isinstance(blocked, Denied), blocked
    assert blocked.code == "blocked"
    alone = await desk.gate.call(Call(agent, "list_tasks", {}, context_id="run-1"))
    assert isinstance(alone, Result), alone


async def test_a_call_outside_a_run_has_cost_nothing(desk: Desk):
    free = [{"===": [{"var": name}, 0]} for name in ("cost.tokens", "cost.money")]
    await rule(desk, "BLOCK", {"and": free})
    assert (await desk.denied(desk.agent(), "list_tasks")).code == "blocked"


async def test_a_caller_may_want_a_person_asked_before_changes_or_before_some_tools(desk: Desk):
    careful = desk.agent(ask_writes=True)
    await desk.done(careful, "list_tasks")
    assert (
        "everything that it changes"
        in (await desk.pending(careful, "create_task", title="x")).reason
    )
    picky = desk.agent(ask_tools=("list_*",))
    assert "every use of list_tasks" in (await desk.pending(picky, "list_tasks")).reason
    await desk.done(picky, "create_task", title="x")


@pytest.mark.req("MCP-05")
async def test_tools_that_a_rule_always_blocks_are_not_listed(desk: Desk):
    await rule(desk, "BLOCK", {"==": [{"var": "tool"}, "list_tasks"]})
    assert "list_tasks" not in {tool.name for tool in await desk.gate.tools(desk.agent())}
