"""Servers that speak OpenAI's API, each with its own ways, as their documentation shows them."""

import json
from typing import Any

import pytest

from bailiwick.llm.errors import ModelFailed
from llm.conftest import Adapter, Heard, ask
from llm.test_model_providers import SEARCH
from support.model_server import ModelServer, Request, Turn, fails, says

pytestmark = pytest.mark.req("MODEL-06")
PROCESSING = ": OPENROUTER PROCESSING\n\n"


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    head = {"id": "gen-1", "object": "chat.completion.chunk", "created": 1, "model": "acme/next-1"}
    return f"data: {json.dumps({**head, 'choices': [choice], **more})}\n\n"


async def test_openrouters_comments_are_no_part_of_the_answer(
    adapter: Adapter, server: ModelServer
):
    pieces = [PROCESSING, chunk({"role": "assistant", "content": "Hel"}), PROCESSING]
    server.turns = [Turn(raw=[*pieces, chunk({"content": "lo."}, "stop"), "data: [DONE]\n\n"])]
    model, heard = await adapter.config(server), Heard()
    reply = await adapter.models.reply(model, ask(), **heard.both)
    assert (reply.content, heard.text()) == ("Hello.", "Hello.")


async def test_openrouters_error_in_the_middle_of_a_stream_is_told_in_its_words(
    adapter: Adapter, server: ModelServer
):
    error = {"code": 502, "message": "Provider disconnected unexpectedly"}
    usage = {"prompt_tokens": 50, "completion_tokens": 7, "total_tokens": 57}
    begun = chunk({"role": "assistant", "content": "Hel"}, usage=usage)
    server.usual = Turn(raw=[PROCESSING, begun, chunk({"content": ""}, "error", error=error)])
    with pytest.raises(ModelFailed, match="Provider disconnected unexpectedly"):
        await adapter.models.reply(await adapter.config(server), ask())


@pytest.mark.parametrize(
    ("status", "words", "advice"),
    [
        (400, "Failed to initialize samplers: failed to parse grammar", "fewer tools"),
        (500, "failed to parse grammar", "fewer tools"),
        (400, "max_tokens is too large: 9000. This model supports at most 4096", "limits"),
    ],
)
async def test_what_vllm_and_llama_cpp_do_not_take_is_told_in_their_words_with_what_to_do(
    adapter: Adapter, server: ModelServer, status: int, words: str, advice: str
):
    server.usual = fails(status, text=words)
    with pytest.raises(ModelFailed, match=words[:30]) as failed:
        await adapter.models.reply(await adapter.config(server), ask())
    assert advice in failed.value.detail
    assert len(server.requests) == 1, "it would say the same again"


def forbidden(*fields: str) -> Turn:
    """vLLM, as it refuses fields that it does not know."""
    found = [
        {"type": "extra_forbidden", "loc": ("body", name), "msg": "Extra inputs are not permitted"}
        for name in fields
    ]
    return fails(400, text=str(found))


async def test_what_vllm_does_not_know_is_left_out_at_once_and_from_then_on(
    adapter: Adapter, server: ModelServer
):
    optional = {"stream_options", "reasoning_effort", "temperature"}

    def strict(request: Request) -> Turn:
        unknown = sorted(optional & request.body.keys())
        return forbidden(*unknown) if unknown else Turn("Hello.", usage=None)

    server.usual = strict
    model = await adapter.config(server, effort="low", temperature=0.5)
    first = await adapter.models.reply(model, ask())
    assert first.content == "Hello."
    assert (first.spent.estimated, first.spent.input_tokens > 0) == (True, True)
    before = len(server.requests)
    assert before <= 1 + len(optional)
    await adapter.models.reply(model, ask("Once more"))
    assert len(server.requests) == before + 1, "it is remembered"
    notes = " ".join(adapter.models.notes(model))
    assert "reckoned here" in notes
    assert "temperature" in notes


async def test_litellms_usage_comes_in_a_last_chunk_of_its_own_and_its_header_has_no_cost_yet(
    adapter: Adapter, server: ModelServer
):
    usage = {
        "prompt_tokens": 1_000,
        "completion_tokens": 10,
        "total_tokens": 1_010,
        "prompt_tokens_details": {"cached_tokens": 600},
    }
    last = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    pieces = [
        chunk({"role": "assistant", "content": "Hello."}, usage=None),
        chunk({}, "stop", usage=None),
        f"data: {json.dumps({**last, 'choices': [], 'usage': usage})}\n\n",
        "data: [DONE]\n\n",
    ]
    # The headers of a stream leave before anything is known of its cost.
    server.turns = [Turn(raw=pieces, headers={"x-litellm-response-cost": "0.0"})]
    prices = {"inputPrice": 1_000_000, "outputPrice": 2_000_000, "cacheReadPrice": 100_000}
    reply = await adapter.models.reply(await adapter.config(server, **prices), ask())
    spent = reply.spent
    assert (spent.input_tokens, spent.output_tokens, spent.cache_read_tokens) == (1_000, 10, 600)
    assert spent.money == 400 + 60 + 20


async def test_a_call_of_lm_studio_without_an_id_or_an_end_is_taken(
    adapter: Adapter, server: ModelServer
):
    function = {"name": "search", "arguments": '{"q": "rent"}'}
    pieces = [
        chunk({"role": "assistant", "tool_calls": [{"index": 0, "function": function}]}),
        chunk({}, "stop"),
        "data: [DONE]\n\n",
    ]
    server.turns = [Turn(raw=pieces)]
    reply = await adapter.models.reply(await adapter.config(server), ask(tools=[SEARCH]))
    assert [(call.name, call.arguments) for call in reply.calls] == [("search", '{"q": "rent"}')]
    assert reply.finish == "tool_calls"


async def test_azures_newer_address_is_asked_without_a_version(
    adapter: Adapter, server: ModelServer
):
    server.turns = [says("Hello.")]
    id = await adapter.add("Azure", f"{server.url}/openai/v1", provider="azure", key="sk-azure")
    reply = await adapter.models.reply(await adapter.models.get(id), ask())
    assert reply.content == "Hello."
    (request,) = server.requests
    assert request.path == "/openai/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-azure"
