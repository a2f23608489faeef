"""The adapter, over real HTTP, to a model that says and does what it is told."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from bailiwick.llm.chat import ModelRequest, OfferedTool
from bailiwick.llm.config import Config
from bailiwick.llm.errors import ModelFailed
from llm.conftest import KEY, Adapter, Heard, ask
from support.model_server import Call, ModelServer, Turn, calls, fails, says, serving_model
from support.server import PATIENCE

pytestmark = pytest.mark.req("MODEL-04")
SEARCH = OfferedTool(
    "search", "Searches.", {"type": "object", "properties": {"q": {"type": "string"}}}
)


async def test_text_arrives_in_pieces_and_as_a_whole(adapter: Adapter, server: ModelServer):
    server.turns = [says("The rent is 800 a month.", usage=(120, 30))]
    config = await adapter.config(server, inputPrice=1_000_000, outputPrice=10_000_000)
    heard = Heard()
    reply = await adapter.models.reply(config, ask("How much?"), **heard.both)
    assert reply.content == heard.text() == "The rent is 800 a month."
    assert len(heard.deltas) > 1
    assert (reply.finish, reply.model_id, reply.model) == ("stop", config.id, "scripted-1")
    spent = reply.spent
    assert (spent.input_tokens, spent.output_tokens, spent.money) == (120, 30, 120 + 300)
    (asked,) = server.requests
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body["stream"] is True
    assert asked.messages == [{"role": "user", "content": "How much?"}]


async def test_tool_calls_arrive_in_pieces_with_their_places(adapter: Adapter, server: ModelServer):
    wanted = (Call("search", {"q": "rent"}, id="one"), Call("search", {"q": "tax"}, id="two"))
    server.turns = [Turn("Looking.", calls=wanted, piece=4)]
    heard = Heard()
    question = ask(tools=[SEARCH])
    reply = await adapter.models.reply(await adapter.config(server), question, **heard.both)
    assert [(one.id, one.name, json.loads(one.arguments)) for one in reply.calls] == [
        ("one", "search", {"q": "rent"}),
        ("two", "search", {"q": "tax"}),
    ]
    assert (reply.content, reply.finish) == ("Looking.", "tool_calls")
    for place, whole in enumerate(reply.calls):
        pieces = [one for one in heard.deltas if one.call == place]
        assert pieces[0].name == "search"
        assert len(pieces) > 2
        assert "".join(one.text for one in pieces) == whole.arguments
    function = server.requests[0].body["tools"][0]["function"]
    assert function["parameters"] == SEARCH.parameters, "schemas go out as they are"


async def test_broken_arguments_one_id_twice_and_unknown_tools_reach_the_caller_as_they_are(
    adapter: Adapter, server: ModelServer
):
    wanted = (Call("search", '{"q": "re', id="same"), Call("no_such_tool", {}, id="same"))
    server.turns = [Turn(calls=wanted)]
    reply = await adapter.models.reply(await adapter.config(server), ask(tools=[SEARCH]))
    assert [(one.id, one.name, one.arguments) for one in reply.calls] == [
        ("same", "search", '{"q": "re'),
        ("same", "no_such_tool", "{}"),
    ]


async def test_a_whole_conversation_goes_out_in_openais_form(adapter: Adapter, server: ModelServer):
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q":1}'}}
    said = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Search."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "Nothing."},
    ]
    await adapter.models.reply(await adapter.config(server), ModelRequest(said, tools=[SEARCH]))
    system, user, assistant, tool = server.requests[0].messages
    assert (system, user) == tuple(said[:2])
    assert assistant["tool_calls"] == [call]
    assert tool == said[3]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
async def test_a_passing_failure_is_tried_again(adapter: Adapter, server: ModelServer, status: int):
    server.turns = [fails(status), says("Here.")]
    heard = Heard()
    reply = await adapter.models.reply(await adapter.config(server), ask(), **heard.both)
    assert reply.content == heard.text(attempt=2) == "Here."
    assert [(one.kind, one.number, one.status) for one in heard.attempts] == [
        ("request", 1, None),
        ("error", 1, status),
        ("request", 2, None),
        ("response", 2, 200),
    ]
    assert len(server.requests) == 2, "and no library tries on its own"


async def test_waits_grow_and_end_after_four_tries(adapter: Adapter, server: ModelServer):
    server.usual = fails(500, text="Out of order.")
    with pytest.raises(ModelFailed) as failed:
        await adapter.models.reply(await adapter.config(server), ask())
    assert len(server.requests) == 4
    assert adapter.waits == [0.5, 1.0, 2.0]
    assert "Scripted" in failed.value.detail
    assert "Out of order." in failed.value.detail
    assert failed.value.http_status == 500


async def test_retry_after_is_honoured_in_seconds_and_as_a_date(
    adapter: Adapter, server: ModelServer
):
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=58), usegmt=True)
    server.turns = [fails(429, retry_after=7), fails(503, retry_after=date), says("At last.")]
    await adapter.models.reply(await adapter.config(server), ask())
    first, second = adapter.waits
    assert first == 7
    assert 7 < second <= 58


async def test_who_wants_us_to_wait_for_long_is_given_up_at_once(
    adapter: Adapter, server: ModelServer
):
    server.usual = fails(429, retry_after=61)
    with pytest.raises(ModelFailed):
        await adapter.models.reply(await adapter.config(server), ask())
    assert (len(server.requests), adapter.waits) == (1, [])


@pytest.mark.parametrize(("status", "hint"), [(400, "name"), (401, "key"), (403, "key"), (404, "")])
async def test_what_will_not_get_better_is_not_tried_again(
    adapter: Adapter, server: ModelServer, status: int, hint: str
):
    server.usual = fails(status, text=f"Not with {KEY}.")
    heard = Heard()
    with pytest.raises(ModelFailed) as failed:
        await adapter.models.reply(await adapter.config(server), ask(), **heard.both)
    assert len(server.requests) == 1
    assert hint in failed.value.detail
    assert "Settings → Models" in failed.value.detail
    assert KEY not in failed.value.detail + repr(heard.attempts), "not even when it is echoed"


@pytest.mark.parametrize(
    "broken",
    [
        Turn("Half of what was to be said", drop_after=3),
        Turn("Nothing at all", drop_after=0),
        Turn(calls=(Call("search", {"q": "a long question"}),), drop_after=3),
        Turn(),
        Turn(raw=["data: nonsense\n\n"]),
        Turn(raw=["<html>A page of a proxy</html>"]),
        Turn(raw=['data: {"choices": "wrong"}\n\n', "data: [DONE]\n\n"]),
    ],
)
async def test_half_a_stream_an_empty_one_and_nonsense_are_tried_again(
    adapter: Adapter, server: ModelServer, broken: Turn
):
    server.turns = [broken, says("The whole.")]
    heard = Heard()
    question = ask(tools=[SEARCH])
    reply = await adapter.models.reply(await adapter.config(server), question, **heard.both)
    assert reply.content == heard.text(attempt=2) == "The whole."
    assert reply.calls == []
    assert [one.kind for one in heard.attempts] == ["request", "error", "request", "response"]


async def test_the_fallback_answers_when_the_first_does_not(adapter: Adapter, server: ModelServer):
    with serving_model(fails(401)) as broken:
        fallback = await adapter.add("Second", server.base_url, model="second-1")
        config = await adapter.config(broken, fallbackId=fallback)
        server.turns = [says("I can.")]
        heard = Heard()
        reply = await adapter.models.reply(config, ask(), **heard.both)
    assert (reply.content, reply.model_id, reply.model) == ("I can.", fallback, "second-1")
    assert heard.text(attempt=2) == "I can."
    assert [one.model_id for one in heard.attempts] == [config.id] * 2 + [fallback] * 2


async def test_when_both_fail_both_are_named_and_there_is_no_third(
    adapter: Adapter, server: ModelServer
):
    third = await adapter.add("Third", server.base_url)
    with serving_model(fails(401, text="First no.")) as one, serving_model() as other:
        other.usual = fails(404, text="Second no.")
        second = await adapter.add("Second", other.base_url, fallbackId=third)
        config = await adapter.config(one, name="First", fallbackId=second)
        with pytest.raises(ModelFailed) as failed:
            await adapter.models.reply(config, ask())
    for part in ("“First”", "First no.", "“Second”", "Second no."):
        assert part in failed.value.detail
    assert server.requests == []


async def test_a_server_that_is_not_there_is_named_with_what_to_check(adapter: Adapter):
    with serving_model() as gone:
        config = await adapter.config(gone)
    with pytest.raises(ModelFailed) as failed:
        await adapter.models.reply(config, ask())
    assert len(adapter.waits) == 3
    assert "address" in failed.value.detail


async def test_silence_ends_a_try(adapter: Adapter, server: ModelServer):
    server.turns = [Turn("Hmm", hang_after=1)]
    server.usual = says("Awake.")
    config = await adapter.config(server, timeoutSeconds=1)
    assert (await adapter.models.reply(config, ask())).content == "Awake."


async def test_cancelling_closes_the_stream_at_once(adapter: Adapter, server: ModelServer):
    server.turns = [Turn("Once upon a time there was", hang_after=3)]
    begun = asyncio.Event()

    async def on_delta(_: object) -> None:
        begun.set()

    config = await adapter.config(server)
    task = asyncio.create_task(adapter.models.reply(config, ask(), on_delta=on_delta))
    await asyncio.wait_for(begun.wait(), PATIENCE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(server.left_alone.wait, PATIENCE)
    assert len(server.requests) == 1


async def test_an_error_of_the_listener_is_the_listeners_and_closes_the_stream(
    adapter: Adapter, server: ModelServer
):
    server.turns = [Turn("Some words, and then silence", hang_after=3)]

    async def on_delta(_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await adapter.models.reply(await adapter.config(server), ask(), on_delta=on_delta)
    assert await asyncio.to_thread(server.left_alone.wait, PATIENCE)


async def test_no_more_calls_at_a_time_than_the_configuration_allows(adapter: Adapter):
    running, most = 0, 0

    async def on_attempt(attempt: object) -> None:
        nonlocal running, most
        running += 1 if attempt.kind == "request" else -1  # pyright: ignore[reportAttributeAccessIssue]
        most = max(most, running)

    with serving_model(lambda _: says("Here, in several pieces.", pause=0.005)) as server:
        config = await adapter.config(server, parallel=2)
        questions = [adapter.models.reply(config, ask(), on_attempt=on_attempt) for _ in range(6)]
        await asyncio.gather(*questions)
    assert (most, len(server.requests)) == (2, 6)


async def test_an_answer_without_end_is_cut_off(
    adapter: Adapter, server: ModelServer, monkeypatch: pytest.MonkeyPatch
):
    from bailiwick.llm import stream

    monkeypatch.setattr(stream, "LONGEST", 100)
    server.usual = says("far too long " * 100)
    with pytest.raises(ModelFailed, match="longer than"):
        await adapter.models.reply(await adapter.config(server), ask())
    assert len(server.requests) == 1


async def test_the_smaller_limit_of_an_answer_goes_out(adapter: Adapter, server: ModelServer):
    config = await adapter.config(server, maxOutput=300)
    for asked, sent in ((None, 300), (1000, 300), (50, 50)):
        await adapter.models.reply(config, ask(max_tokens=asked))
        assert server.requests[-1].body["max_tokens"] == sent


async def test_an_answer_that_ran_into_its_limit_says_so(adapter: Adapter, server: ModelServer):
    server.turns = [Turn("And so it", finish="length")]
    assert (await adapter.models.reply(await adapter.config(server), ask())).finish == "length"


@pytest.mark.req("MODEL-03")
async def test_tokens_are_reckoned_when_the_server_does_not_tell(
    adapter: Adapter, server: ModelServer
):
    server.turns = [says("Four score and seven years ago.", usage=None)]
    reply = await adapter.models.reply(await adapter.config(server), ask("Begin a speech."))
    assert reply.spent.input_tokens >= 8
    assert reply.spent.output_tokens >= 7
    assert reply.spent.money is None, "nobody knows what this server costs"


async def test_what_is_reported_is_what_was_said_and_never_the_key(
    adapter: Adapter, server: ModelServer
):
    server.turns = [calls("search", {"q": "x"}, usage=(5, 6))]
    heard = Heard()
    question = ask("What is x?", tools=[SEARCH])
    await adapter.models.reply(await adapter.config(server), question, **heard.both)
    request, response = heard.attempts
    assert request.payload["messages"] == [{"role": "user", "content": "What is x?"}]
    assert request.payload["tools"][0]["name"] == "search"
    assert response.payload["calls"][0]["name"] == "search"
    assert response.spent is not None
    assert response.spent.output_tokens == 6
    assert KEY not in repr(heard.attempts)


async def test_a_redirect_is_not_followed(adapter: Adapter, server: ModelServer):
    there = {"Location": f"{server.base_url}/chat/completions"}
    with serving_model() as elsewhere:
        elsewhere.usual = Turn("There.", status=307, headers=there)
        config = await adapter.config(elsewhere)
        with pytest.raises(ModelFailed, match="redirect"):
            await adapter.models.reply(config, ask())
    assert (len(elsewhere.requests), server.requests) == (1, [])


@pytest.mark.parametrize("meant", ["169.254.169.254", "fd00:ec2::254", "::ffff:169.254.169.254"])
async def test_a_name_that_leads_to_a_metadata_service_is_not_talked_to(
    adapter: Adapter, monkeypatch: pytest.MonkeyPatch, meant: str
):
    loop = asyncio.get_running_loop()

    async def resolve(host: str, *_: object, **__: object):
        assert host == "metadata.example.com"
        return [(0, 0, 0, "", (meant, 80))]

    config = Config("mdl-x", "X", "compatible", "x", base_url="http://metadata.example.com/v1")
    monkeypatch.setattr(loop, "getaddrinfo", resolve)
    with pytest.raises(ModelFailed, match="leads to"):
        await adapter.models.reply(config, ask())
    assert adapter.waits == [], "there is nothing to wait for"
