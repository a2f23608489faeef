"""Servers that speak OpenAI's API, each with its own ways, as their documentation shows them."""

import json
from typing import Any

import pytest

from bailiwick.llm.errors import ModelFailed
from llm.conftest import Adapter, Heard, ask
from support.model_server import ModelServer, Turn, fails, says

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


async def test_what_vllm_and_llama_cpp_do_not_take_is_told_in_their_words(
    adapter: Adapter, server: ModelServer
):
    model = await adapter.config(server)
    for status, words in (
        (400, "Failed to initialize samplers: failed to parse grammar"),
        (500, "failed to parse grammar"),
        (400, "max_tokens is too large: 9000. This model supports at most 4096"),
    ):
        server.usual = fails(status, text=words)
        with pytest.raises(ModelFailed, match=words[:30]):
            await adapter.models.reply(model, ask())


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
