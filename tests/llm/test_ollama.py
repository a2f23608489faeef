"""Ollama by its own API: the context is as long as the run needs, and nothing is cut in silence."""

import json

import pytest

from bailiwick.llm.chat import ModelRequest, OfferedTool
from bailiwick.llm.errors import ModelFailed
from llm.conftest import Adapter, Heard, ask
from support.model_server import Call, ModelServer, Turn, fails, says

pytestmark = pytest.mark.req("MODEL-06")
SEARCH = OfferedTool(
    "search", "Searches.", {"type": "object", "properties": {"query": {"type": "string"}}}
)


async def test_the_context_is_what_the_request_needs_within_the_models_window(
    adapter: Adapter, server: ModelServer
):
    model = await adapter.config(server, provider="ollama", model="llama3.2", window=60_000)
    for text in ("Hello", "Hello again", "word " * 20_000, "word " * 200_000):
        await adapter.models.reply(model, ask(text, max_tokens=1_000))
    contexts = [each.body["options"]["num_ctx"] for each in server.requests]
    # Few sizes: each change makes Ollama load the model anew.
    assert contexts == [4_096, 4_096, 32_768, 60_000]
    first = server.requests[0]
    assert first.path == "/api/chat"
    assert first.body["options"]["num_predict"] == 1_000
    assert first.body["truncate"] is False


async def test_a_conversation_with_tools_goes_there_and_back(adapter: Adapter, server: ModelServer):
    server.turns = [
        Turn(
            "Let me see.", calls=(Call("search", {"query": "rent"}), Call("search", {"query": "x"}))
        )
    ]
    model = await adapter.config(server, provider="ollama", model="llama3.2")
    heard = Heard()
    reply = await adapter.models.reply(model, ask("Find it", tools=[SEARCH]), **heard.both)
    assert (reply.content, heard.text()) == ("Let me see.", "Let me see.")
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [
        ("search", {"query": "rent"}),
        ("search", {"query": "x"}),
    ]
    assert reply.finish == "tool_calls"
    assert (reply.spent.input_tokens, reply.spent.output_tokens) == (20, 10)
    assert server.requests[0].body["tools"][0]["function"]["name"] == "search"
    function = {"name": "search", "arguments": '{"query": "rent"}'}
    messages = [
        {"role": "user", "content": "Find it"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "call_7", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "call_7", "content": "[]"},
    ]
    await adapter.models.reply(model, ModelRequest(messages, [SEARCH]))
    wanted, result = server.requests[1].messages[1:]
    assert wanted["tool_calls"] == [
        {"function": {"name": "search", "arguments": {"query": "rent"}}}
    ]
    assert (result["tool_name"], result["content"]) == ("search", "[]")


async def test_an_answer_that_ended_at_its_limit_says_so(adapter: Adapter, server: ModelServer):
    server.turns = [says("Half of", finish="length")]
    model = await adapter.config(server, provider="ollama", model="llama3.2")
    assert (await adapter.models.reply(model, ask())).finish == "length"


async def test_what_goes_wrong_there_is_told_in_its_words(adapter: Adapter, server: ModelServer):
    model = await adapter.config(server, provider="ollama", model="nothing")
    server.usual = Turn(raw=['{"error": "llama runner process has terminated"}\n'])
    with pytest.raises(ModelFailed, match="llama runner process has terminated"):
        await adapter.models.reply(model, ask())
    server.usual = fails(404, text="model 'nothing' not found")
    with pytest.raises(ModelFailed, match="model 'nothing' not found"):
        await adapter.models.reply(model, ask())
