"""What a model thought: kept beside the transcript, sent back to it alone, and shown folded."""

import json
from typing import Any

import pytest

from bailiwick.runs.loop import Runner
from support.model_server import ModelServer, calls, says
from support.office import API
from support.provider_streams import THINKING, anthropic, block
from support.workshop import Workshop, scripted

pytestmark = pytest.mark.req("MODEL-03")
CARD = "4111 1111 1111 1111"


def thoughts(session: dict[str, Any]) -> list[str | None]:
    said = [each for each in session["messages"] if each["role"] == "assistant"]
    return [each["thought"] and each["thought"]["text"] for each in said]


def received(server: ModelServer, place: int) -> list[str | None]:
    """What of its earlier reasoning a model was sent with a request."""
    said = [one for one in server.requests[place].messages if one["role"] == "assistant"]
    return [one.get("reasoning_content") for one in said]


async def test_what_a_model_thought_goes_back_to_it_also_in_another_process_and_in_a_fork(
    any_workshop: Workshop,
):
    shop = any_workshop
    script = (calls("list_tasks", {}, thought="I look at the tasks."), says("None.", thought="So."))
    with scripted(*script) as server:
        agent = await shop.agent(modelId=await shop.model(server))
        session = await shop.ask(agent, "What is there to do?")
        assert thoughts(session) == ["I look at the tasks.", "So."]
        assert received(server, 1) == ["I look at the tasks."]
        answer = session["messages"][-1]
        assert answer["content"] == "None.", "a thought is no part of the answer"
        assert answer["thought"]["milliseconds"] >= 0
        shop.runner = Runner(shop.office.product)
        await shop.say(session["id"], "And tomorrow?")
        assert received(server, 2) == ["I look at the tasks.", "So."]
        forked = await shop.owner.post(f"{API}/runs/{session['id']}/retry", json={"step": 2})
        assert forked.status_code == 201, forked.text
        await shop.drive()
        assert received(server, -1) == ["I look at the tasks."]


async def test_another_model_gets_none_of_it(workshop: Workshop):
    with scripted(calls("list_tasks", {}, thought="Secretly.")) as server:
        first = await workshop.model(server)
        other = await workshop.model(server, name="Other", model="scripted-2")
        agent = await workshop.agent(modelId=first)
        session = await workshop.ask(agent, "What is there to do?")
        body = {"name": agent["name"], "modelId": other}
        changed = await workshop.owner.put(f"{API}/agents/{agent['id']}", json=body)
        assert changed.status_code == 200, changed.text
        await workshop.say(session["id"], "And tomorrow?")
        assert received(server, 1) == ["Secretly."]
        assert "Secretly." not in json.dumps(server.requests[2].body)


@pytest.mark.req("GATE-28")
async def test_a_thought_that_redaction_would_change_stays_here(workshop: Workshop):
    script = (calls("list_tasks", {}, thought=f"Their card is {CARD}."), says("None."))
    with scripted(*script) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "What is there to do?")
    assert received(server, 1) == [None], "a changed text would be refused: it is all or nothing"
    assert thoughts(session)[0] == f"Their card is {CARD}.", "whose run it is sees it"
    path = f"{API}/runs/{session['id']}/events"
    told = (await workshop.owner.get(path)).text
    assert "Their card is" in told
    assert CARD not in told


async def test_a_call_that_came_to_nothing_is_an_error_for_anthropic(workshop: Workshop):
    turns = (anthropic(*THINKING), anthropic(*block(0, {"type": "text", "text": "No."})))
    with scripted(*turns) as server:
        theirs = {"provider": "anthropic", "model": "claude-sonnet-5-5", "baseUrl": server.url}
        agent = await workshop.agent(modelId=await workshop.model(server, **theirs))
        session = await workshop.ask(agent, "Search for rent.")
    assert session["status"] == "completed", session["errorMessage"]
    asked = [one for one in server.requests[1].messages if one["role"] == "assistant"]
    assert asked[0]["content"][0]["signature"] == "c2lnbmVk"
    result = server.requests[1].messages[-1]["content"][0]
    assert (result["type"], result["is_error"]) == ("tool_result", True)
