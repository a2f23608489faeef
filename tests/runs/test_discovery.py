"""What a director finds out for itself, through the gate."""

import json
from typing import Any

import pytest

from support.model_server import Call, Request, Turn, says
from support.office import API
from support.workshop import Workshop, scripted, texts

NAMES = ["list_agents", "list_tools", "describe_tool", "validate_tool_params", "read_api_docs"]


async def told(shop: Workshop, *wanted: Call, **more: Any) -> tuple[list[Any], list[str]]:
    """What a director gets for its calls, and the tools that it was offered."""

    def answer(request: Request) -> Turn:
        return says("Done.") if request.results else Turn(calls=wanted)

    with scripted(answer) as server:
        model = await shop.model(server)
        given = {"name": "Director", "kind": "director", "modelId": model} | more
        director = await shop.agent(**given)
        session = await shop.ask(director, "Look.")
    assert session["status"] == "completed", session["errorMessage"]
    return [json.loads(text) for text in texts(session, "tool")], server.requests[0].tools


@pytest.mark.req("DIR-01")
@pytest.mark.req("DIR-07")
async def test_a_director_lists_its_agents_in_their_order_and_its_tools(workshop: Workshop):
    one = await workshop.agent(name="Zoe", description="Reads moods.")
    two = await workshop.agent(name="Adam", description="")
    (agents, tools), offered = await told(
        workshop, Call("list_agents", {}), Call("list_tools", {}), colleagues=[one["id"], two["id"]]
    )
    assert [list(each) for each in agents] == [
        ["id", "name", "summary", "apiConfigId"],
        ["id", "name", "apiConfigId"],
    ]
    assert [(each["id"], each["name"]) for each in agents] == [
        (one["id"], "Zoe"),
        (two["id"], "Adam"),
    ]
    assert all(isinstance(each["apiConfigId"], str) for each in agents)
    assert [each["name"] for each in tools] == offered
    assert {*NAMES, "agent__zoe", "agent__adam"} <= {*offered}
    (asking,) = [each for each in tools if each["name"] == "agent__zoe"]
    assert list(asking) == ["name", "description", "paramsSummary"]
    assert asking["paramsSummary"] == "input: string, sessionId?: string, options?: object"


@pytest.mark.req("DIR-01")
async def test_a_director_without_agents_has_no_agent_tools_and_an_empty_roster(
    workshop: Workshop,
):
    (agents,), offered = await told(workshop, Call("list_agents", {}))
    assert agents == []
    assert not [name for name in offered if name.startswith("agent__")]


@pytest.mark.req("DIR-01")
async def test_what_the_scope_or_a_rule_excludes_is_not_listed(workshop: Workshop):
    rule = {
        "name": "No tasks",
        "action": "BLOCK",
        "priority": 900,
        "condition": {"==": [{"var": "tool"}, "create_task"]},
    }
    made = await workshop.owner.post(f"{API}/rules", json=rule)
    assert made.status_code == 201, made.text
    (tools, described), _ = await told(
        workshop,
        Call("list_tools", {}),
        Call("describe_tool", {"name": "create_task"}),
        scope={"tools": ["*_task", "memory_search"]},
        colleagues=[],
    )
    names = {each["name"] for each in tools}
    assert "create_task" not in names
    assert {"memory_search", "complete_task", *NAMES} <= names
    assert "list_files" not in names
    assert described["code"] == "not_found"


async def test_other_agents_have_discovery_only_if_their_scope_names_it(workshop: Workshop):
    _, plain = await told(workshop, Call("memory_search", {}), name="A", kind="assistant")
    assert not {*NAMES} & {*plain}
    scope = {"tools": ["list_tools", "memory_*"]}
    _, named = await told(workshop, Call("list_tools", {}), name="B", kind="assistant", scope=scope)
    assert {*NAMES} & {*named} == {"list_tools"}


@pytest.mark.req("DIR-05")
async def test_a_call_is_described_and_looked_at_without_being_made(workshop: Workshop):
    def checked(name: str, **params: Any) -> Call:
        return Call("validate_tool_params", {"name": name, "params": params})

    answers, _ = await told(
        workshop,
        Call("describe_tool", {"name": "create_task"}),
        checked("create_task", title="Pay"),
        checked("create_task", titel="Pay"),
        checked("delete_task", task_id="task_99"),
        checked("no_such_tool"),
        Call("validate_tool_params", {"name": "create_task", "params": '{"title": "Pay"}'}),
        Call("validate_tool_params", {"name": "create_task", "params": "[]"}),
        Call("read_api_docs", {"topic": "Sessions"}),
        Call("read_api_docs", {}),
        Call("read_api_docs", {"topic": "x"}),
        askTools=["create_task"],
    )
    described, asks, wrong, unknown, nothing, as_text, no_object, *docs = answers
    text, everything, missing = docs
    assert described["parameters"]["required"] == ["title"]
    assert (described["effect"], described["undoable"]) == ("create", True)
    assert (asks["valid"], "asks before every use" in asks["asks"]) == (True, True)
    assert (wrong["valid"], wrong["code"]) == (False, "invalid_arguments")
    assert "did you mean 'title'?" in wrong["fields"]["titel"][0]
    assert unknown["code"] == "unknown_id"
    assert nothing["code"] == "unknown_tool"
    assert as_text == asks
    assert no_object["code"] == "invalid_arguments"
    assert "expired" in text["text"]
    assert len(json.dumps(everything)) < 8_000
    assert missing["code"] == "not_found"
    assert (await workshop.owner.get(f"{API}/tasks")).json()["items"] == []
    audit = await workshop.owner.get(f"{API}/audit", params={"PageSize": 100})
    lines = [line for line in audit.json()["items"] if line.get("tool") in NAMES]
    assert {line["tool"] for line in lines} == {
        "describe_tool",
        "validate_tool_params",
        "read_api_docs",
    }
