"""What servers of OpenAI's chat API send, and what comes of it: thoughts, calls and refusals."""

import json
from typing import Any

import pytest

from bailiwick.llm import parts
from bailiwick.llm.chat import ModelRequest, OfferedTool
from bailiwick.llm.errors import ModelFailed
from llm.conftest import Adapter, Heard, ask
from support.model_server import ModelServer, Turn, says

pytestmark = pytest.mark.req("MODEL-03")
SEARCH = OfferedTool("search", "Searches.", {"type": "object", "properties": {}})


def chunks(*deltas: dict[str, Any], finish: str = "stop", **usage: Any) -> Turn:
    """A stream of chat completion chunks with these deltas."""
    told = [(delta, None) for delta in deltas] + [({}, finish)]
    events = [
        {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "scripted-1",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finished}],
        }
        for delta, finished in told
    ]
    last = {**events[-1], "choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 10}}
    lines = [f"data: {json.dumps(event)}\n\n" for event in (*events, last)]
    return Turn(raw=[*lines, "data: [DONE]\n\n"])


def call(index: int, name: str | None, arguments: str, id: str | None = None) -> dict[str, Any]:
    function = {"arguments": arguments, **({"name": name} if name else {})}
    return {"tool_calls": [{"index": index, "id": id, "type": "function", "function": function}]}


THOUGHTS = {
    "closed": ("<think>Let me see.</think>\n\nIt is 800.", "Let me see.", "It is 800."),
    "without its opening": ("Let me see.\n</think>\n\nIt is 800.", "Let me see.", "It is 800."),
    "one in another": (
        "<think>a <think>b</think> c</think>It is 800.",
        "a <think>bc",
        "It is 800.",
    ),
    "after an empty line": ("\n\n<think>\nHm.\n</think>\nIt is 800.", "Hm.", "It is 800."),
    "by another name": ("<thinking>Hm.</thinking>It is 800.", "Hm.", "It is 800."),
    "of two": ("<think>a</think>It is\n<think>b</think>800.", "a\n\nb", "It is\n800."),
    "only spoken of": ("Write `<think>` and `</think>`.", "", "Write `<think>` and `</think>`."),
    "in code": ("```\n<think>x</think>\n```", "", "```\n<think>x</think>\n```"),
    "less than a tag": ("a < b, and <thin is no tag", "", "a < b, and <thin is no tag"),
}


@pytest.mark.parametrize("piece", [1, 3, 8, 1000])
@pytest.mark.parametrize("which", THOUGHTS)
async def test_thoughts_in_the_text_are_told_from_the_answer_however_they_are_cut(
    adapter: Adapter, server: ModelServer, which: str, piece: int
):
    text, thought, said = THOUGHTS[which]
    server.turns = [says(text, piece=piece)]
    heard = Heard()
    reply = await adapter.models.reply(await adapter.config(server), ask(), **heard.both)
    assert reply.content == said
    assert parts.thought(reply.parts) == thought
    shown = ""
    for delta in heard.deltas:
        shown = "" if delta.taken_back else shown + ("" if delta.thought else delta.text)
    assert shown == said
    thoughts = "".join(one.text for one in heard.deltas if one.thought)
    assert "".join(thoughts.split()) == "".join(thought.split())


async def test_a_thought_that_never_ends_is_not_taken_for_the_answer(
    adapter: Adapter, server: ModelServer
):
    server.usual = says("<think>It may be 800, or")
    with pytest.raises(ModelFailed, match="it thought, and then ended without an answer"):
        await adapter.models.reply(await adapter.config(server), ask())


async def test_an_answer_whose_room_went_into_its_reasoning_says_so(
    adapter: Adapter, server: ModelServer
):
    server.usual = says("<think>It may be 800, or", finish="length")
    with pytest.raises(ModelFailed, match="all the room went into its reasoning"):
        await adapter.models.reply(await adapter.config(server), ask())
    assert len(server.requests) == 1


@pytest.mark.req("MODEL-04")
async def test_an_empty_answer_says_so_in_words(adapter: Adapter, server: ModelServer):
    server.usual = Turn(" \n")
    with pytest.raises(ModelFailed, match="not a word, and no call of a tool"):
        await adapter.models.reply(await adapter.config(server), ask())


FIELDS = {
    "DeepSeek's": ({"reasoning_content": "Let me "}, {"reasoning_content": "see."}),
    "vLLM's": ({"reasoning": "Let me "}, {"reasoning": "see."}),
}


@pytest.mark.parametrize("which", FIELDS)
async def test_reasoning_in_a_field_goes_back_in_the_same_field(
    adapter: Adapter, server: ModelServer, which: str
):
    fields = FIELDS[which]
    server.turns = [chunks(*fields, call(0, "search", "{}", "c1"), finish="tool_calls")]
    config, heard = await adapter.config(server), Heard()
    reply = await adapter.models.reply(config, ask(tools=[SEARCH]), **heard.both)
    assert (reply.content, parts.thought(reply.parts)) == ("", "Let me see.")
    assert [one.text for one in heard.deltas if one.thought] == ["Let me ", "see."]
    await adapter.models.reply(config, ModelRequest(answered(reply), tools=[SEARCH]))
    (field,) = fields[0]
    assert server.requests[1].messages[1][field] == "Let me see."


async def test_openrouters_reasoning_details_go_back_as_they_came(
    adapter: Adapter, server: ModelServer
):
    first = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0}
    sealed = {"type": "reasoning.encrypted", "format": "openai-responses-v1", "index": 1}
    server.turns = [
        chunks(
            {"reasoning": "Let me ", "reasoning_details": [{**first, "text": "Let me "}]},
            {"reasoning_details": [{**first, "text": "see.", "signature": "c2ln"}]},
            {"reasoning_details": [{**sealed, "id": "rs_1", "data": "c2VhbGVk"}]},
            call(0, "search", "{}", "c1"),
            finish="tool_calls",
        )
    ]
    config = await adapter.config(server)
    reply = await adapter.models.reply(config, ask(tools=[SEARCH]))
    await adapter.models.reply(config, ModelRequest(answered(reply), tools=[SEARCH]))
    assert server.requests[1].messages[1]["reasoning_details"] == [
        {**first, "text": "Let me see.", "signature": "c2ln"},
        {**sealed, "id": "rs_1", "data": "c2VhbGVk"},
    ]


async def test_what_one_model_thought_is_not_sent_to_another(adapter: Adapter, server: ModelServer):
    server.turns = [
        chunks({"reasoning_content": "Secretly."}, call(0, "search", "{}", "c1")),
    ]
    config = await adapter.config(server)
    other = await adapter.config(server, name="Other", model="scripted-2")
    reply = await adapter.models.reply(config, ask(tools=[SEARCH]))
    await adapter.models.reply(other, ModelRequest(answered(reply), tools=[SEARCH]))
    assert "Secretly." not in json.dumps(server.requests[1].body)
    assert server.requests[1].messages[1]["tool_calls"][0]["id"] == "c1"


def answered(reply: Any) -> list[dict[str, Any]]:
    """The conversation after an answer that called a tool."""
    wanted = [
        {"id": one.id, "type": "function", "function": {"name": one.name, "arguments": "{}"}}
        for one in reply.calls
    ]
    said = {"role": "assistant", "content": reply.content, "tool_calls": wanted}
    results = [
        {"role": "tool", "tool_call_id": one.id, "content": "Nothing."} for one in reply.calls
    ]
    return [{"role": "user", "content": "Hello"}, {**said, "parts": reply.parts}, *results]


ONE_INDEX = {
    "each at once": (
        call(0, "search", '{"q": 1}', "a"),
        call(0, "search", '{"q": 2}', "b"),
    ),
    "in pieces": (
        call(0, "search", "", "a"),
        call(0, None, '{"q": 1}'),
        call(0, "search", "", "b"),
        call(0, None, '{"q": '),
        call(0, None, "2}"),
    ),
    "without ids": (call(0, "search", '{"q": 1}'), call(0, "search", '{"q": 2}')),
    "with ids in each piece": (
        call(0, "search", '{"q": 1', "a"),
        call(0, "search", "}", "a"),
        call(0, "search", '{"q": 2}', "b"),
    ),
}


@pytest.mark.parametrize("which", ONE_INDEX)
async def test_two_calls_with_one_index_stay_two(adapter: Adapter, server: ModelServer, which: str):
    server.turns = [chunks(*ONE_INDEX[which], finish="tool_calls")]
    heard = Heard()
    config = await adapter.config(server)
    reply = await adapter.models.reply(config, ask(tools=[SEARCH]), **heard.both)
    assert [json.loads(one.arguments) for one in reply.calls] == [{"q": 1}, {"q": 2}]
    assert len({one.id for one in reply.calls}) == 2
    for place in (0, 1):
        text = "".join(one.text for one in heard.deltas if one.call == place)
        assert text == reply.calls[place].arguments


async def test_a_refusal_keeps_its_text(adapter: Adapter, server: ModelServer):
    server.turns = [chunks({"refusal": "I will not "}, {"refusal": "do that."})]
    reply = await adapter.models.reply(await adapter.config(server), ask())
    assert (reply.finish, reply.content, reply.calls) == ("refusal", "I will not do that.", [])


async def test_what_a_content_filter_cut_off_is_no_whole_answer(
    adapter: Adapter, server: ModelServer
):
    server.turns = [chunks({"content": "First you"}, finish="content_filter")]
    reply = await adapter.models.reply(await adapter.config(server), ask())
    assert (reply.finish, reply.content) == ("refusal", "First you")


async def test_an_answer_cut_off_at_its_limit_says_so_and_its_cut_off_call_is_not_made(
    adapter: Adapter, server: ModelServer
):
    whole, cut = call(0, "search", '{"q": 1}', "a"), call(1, "search", '{"q": "the re', "b")
    server.turns = [chunks({"content": "Looking."}, whole, cut, finish="length")]
    reply = await adapter.models.reply(await adapter.config(server), ask(tools=[SEARCH]))
    assert (reply.finish, reply.content) == ("length", "Looking.")
    assert [one.id for one in reply.calls] == ["a"]
