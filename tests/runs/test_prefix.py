"""What providers cache by themselves: the beginning of a request is the same at every step."""

import json
from collections.abc import Sequence
from itertools import pairwise

import pytest

from support.model_server import Request, Turn, calls, says
from support.workshop import Workshop, scripted

pytestmark = pytest.mark.req("MODEL-06")


def is_prefix(before: Request, after: Request) -> bool:
    """Whether a request begins with all that the one before had, byte for byte."""
    head = json.dumps(before.messages)[:-1]
    same = json.dumps(before.body["tools"]) == json.dumps(after.body["tools"])
    return same and json.dumps(after.messages).startswith(head)


def pairs(requests: Sequence[Request]) -> list[tuple[Request, Request]]:
    return list(pairwise(requests))


async def test_each_step_begins_with_what_the_one_before_sent(workshop: Workshop):
    title = "Call 4111 1111 1111 1111 back"
    script = [
        calls("create_task", {"title": title}),
        calls("list_tasks"),
        says("One."),
        says("Two."),
    ]
    with scripted(*script) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "My card is 4111 1111 1111 1111.")
        await workshop.say(session["id"], "And now?")
    assert len(server.requests) == 4
    assert "4111 1111 1111 1111" not in json.dumps(server.requests[-1].body), "it is redacted"
    for before, after in pairs(server.requests):
        assert is_prefix(before, after)


async def test_folding_leaves_the_prompt_and_the_tools_as_they_were(workshop: Workshop):
    with scripted() as server:
        server.usual = lambda request: says("Yes.") if request.body.get("tools") else Turn("So.")
        model = await workshop.model(server, window=6_000)
        agent = await workshop.agent(modelId=model, scope={"tools": ["list_tasks"]})
        session = await workshop.start(agent, "Begin.")
        await workshop.drive()
        for _ in range(6):
            session = await workshop.say(session["id"], "word " * 800)
    asked = [request for request in server.requests if request.body.get("tools")]
    assert any(each["kind"] == "summary" for each in session["messages"])
    assert any(not is_prefix(*pair) for pair in pairs(asked)), "something was folded"
    heads = {json.dumps([request.body["tools"], request.messages[:2]]) for request in asked}
    assert len(heads) == 1
