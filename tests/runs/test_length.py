"""Answers and requests that run into a limit: told, gone on with or ended as failed, never done."""

import json

import pytest

from support.model_server import Call, Request, Turn, calls, fails, says
from support.office import API
from support.workshop import Workshop, scripted, texts

pytestmark = [pytest.mark.req("MODEL-04"), pytest.mark.req("MODEL-07")]
OPENAI = "This model's maximum context length is {limit} tokens. However, you requested more."


async def test_an_answer_that_was_cut_off_is_gone_on_with(any_workshop: Workshop):
    shop = any_workshop
    half = Turn("Roses are red, vio", finish="length")
    with scripted(half, says("lets are blue.")) as server:
        agent = await shop.agent(modelId=await shop.model(server))
        session = await shop.ask(agent, "A poem.")
    assert session["status"] == "completed"
    assert texts(session, "assistant") == ["Roses are red, vio", "lets are blue."]
    (note,) = [each for each in session["messages"] if each["kind"] == "note"]
    assert "Cut off at the limit" in note["content"]
    assert server.requests[1].messages[-2]["content"] == "Roses are red, vio"
    assert server.requests[1].last == note["content"]


async def test_an_answer_that_never_ends_is_failed_and_says_what_to_do(workshop: Workshop):
    with scripted() as server:
        server.usual = Turn("and on ", finish="length")
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Everything.")
        assert len(server.requests) == 3
    assert (session["status"], session["why"]) == ("failed", "length")
    assert "Allow longer answers" in session["errorMessage"]


async def test_a_call_that_was_cut_off_is_not_carried_out_and_the_model_is_told(
    workshop: Workshop,
):
    wanted = (Call("create_task", {"title": "One"}), Call("create_task", '{"title": "Tw'))
    with scripted(
        Turn(calls=wanted, finish="length"),
        Turn(calls=(Call("create_task", '{"title": "Tw'),), finish="length"),
        calls("create_task", {"title": "Two"}),
        says("Done."),
    ) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Two tasks.")
    assert session["status"] == "completed", session["errorMessage"]
    titles = [json.loads(each["arguments"])["title"] for each in session["calls"]]
    assert titles == ["One", "Two"]
    for request in server.requests[1:3]:
        assert "in the middle of a call of create_task" in request.last
    assert {each["status"] for each in session["calls"]} == {"done"}


async def test_the_answers_room_is_part_of_the_window(workshop: Workshop):
    with scripted(says("Short."), says("Short.")) as server:
        model = await workshop.model(server, window=8_000, maxOutput=7_000)
        scope = {"tools": ["list_tasks"]}
        agent = await workshop.agent(modelId=model, maxTokensPerRequest=None, scope=scope)
        await workshop.ask(agent, "word " * 3_000)
    asked = server.requests[0].body["max_tokens"]
    assert 0 < asked < 8_000 - 3_000


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, OPENAI.format(limit=4000)),
        (400, "prompt is too long: 9000 tokens > 4000 maximum"),
        (400, "The input token count (9000) exceeds the maximum number of tokens allowed (4000)."),
        (400, "the request exceeds the available context size (4000 tokens), try increasing it"),
        (400, "input length and `max_tokens` exceed context limit: 3900 + 4000 > 4000"),
        (500, "the input length exceeds the context length"),
        (413, "Request too large"),
    ],
)
async def test_what_a_provider_finds_too_long_is_folded_and_asked_again(
    workshop: Workshop, status: int, words: str
):
    with scripted() as server:
        server.usual = _narrow(status, words)
        scope = {"tools": ["list_tasks"]}
        agent = await workshop.agent(modelId=await workshop.model(server), scope=scope)
        session = await workshop.start(agent, "Begin.")
        await workshop.drive()
        for _ in range(6):
            session = await workshop.say(session["id"], "word " * 1_000)
            assert session["status"] == "completed", session["errorMessage"]
        refused = [request for request in server.requests if _size(request) > 16_000]
    assert refused, "it was too long once"
    assert any(each["kind"] == "summary" for each in session["messages"])
    assert session["messages"][2]["foldedInto"] is not None
    models = (await workshop.owner.get(f"{API}/models")).json()["items"]
    (model,) = [each for each in models if each["name"] == "Scripted 0"]
    assert model["windowSource"] == "learned"
    assert model["effectiveWindow"] <= 8_000
    assert len(refused) <= 2, "the limit is remembered"


def _size(request: Request) -> int:
    return sum(len(each.get("content") or "") for each in request.messages)


def _narrow(status: int, words: str):
    def answer(request: Request) -> Turn:
        return fails(status, text=words) if _size(request) > 16_000 else says("Yes.")

    return answer


async def test_a_fallback_with_a_smaller_window_is_given_what_fits_it(workshop: Workshop):
    with scripted() as broken, scripted() as small:
        second = await workshop.model(small, window=4_000)
        broken.usual = says("Yes.")
        model = await workshop.model(broken, fallbackId=second)
        agent = await workshop.agent(modelId=model, scope={"tools": ["list_tasks"]})
        session = await workshop.start(agent, "Begin.")
        await workshop.drive()
        for _ in range(4):
            session = await workshop.say(session["id"], "word " * 800)
        broken.usual = fails(401)
        session = await workshop.say(session["id"], "And now?")
        assert session["status"] == "completed", session["errorMessage"]
        assert small.requests
        assert all(_size(request) < 4_000 * 4 for request in small.requests)
    assert any(each["kind"] == "summary" for each in session["messages"])
