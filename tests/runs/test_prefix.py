"""What providers cache by themselves: the beginning of a request is the same at every step."""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from support.model_server import Request, Turn, calls, says
from support.provider_streams import gemini, message, responses, thought, wanted
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


LOOK = {"functionCall": {"name": "list_tasks", "args": {}}, "thoughtSignature": "c2lnbmVk"}
# How a provider is asked, what it answers, what leads its requests, and what they grow by.
WIRES: dict[str, tuple[dict[str, Any], list[Turn], tuple[str, ...], str]] = {
    "gemini": (
        {"provider": "google", "model": "gemini-3.5-flash"},
        [gemini({"text": "I look.", "thought": True}, LOOK), gemini({"text": "None."})],
        ("systemInstruction", "tools"),
        "contents",
    ),
    "responses": (
        {"provider": "openai", "model": "gpt-5.5", "api": "responses"},
        [responses(*thought(), *wanted(1, "rent")), responses(*message("None."))],
        ("tools",),
        "input",
    ),
}


@pytest.mark.parametrize("wire", WIRES)
async def test_each_step_begins_alike_on_every_wire(workshop: Workshop, wire: str):
    theirs, (looks, ends), heads, grows = WIRES[wire]
    with scripted(looks, ends, looks, ends) as server:
        given = {**theirs, "baseUrl": server.url}
        agent = await workshop.agent(modelId=await workshop.model(server, **given))
        session = await workshop.ask(agent, "My card is 4111 1111 1111 1111. What is there to do?")
        session = await workshop.say(session["id"], "And tomorrow?")
    assert session["status"] == "completed", session["errorMessage"]
    assert len(server.requests) == 4
    for before, after in pairs(server.requests):
        for head in heads:
            assert json.dumps(before.body[head]) == json.dumps(after.body[head])
        assert before.body.get("instructions") == after.body.get("instructions")
        assert len(after.body[grows]) > len(before.body[grows])
        assert json.dumps(after.body[grows]).startswith(json.dumps(before.body[grows])[:-1])
