"""Tokens as providers tell them, in their documented bodies, and of answers that never ended."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from bailiwick.llm import prices, tokens
from bailiwick.llm.chat import TokenUsage
from bailiwick.llm.config import Config
from bailiwick.llm.errors import ModelFailed
from llm.conftest import Adapter, Heard, ask
from llm.test_model_providers import configured, sse
from support.model_server import ModelServer, Turn, says
from support.provider_streams import message, response, responses
from support.server import PATIENCE

pytestmark = [pytest.mark.req("MODEL-03"), pytest.mark.req("MODEL-07")]


def chunk(text: str, usage: dict[str, Any] | None = None, finish: str | None = None) -> dict:
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "scripted-1"}
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {**head, "choices": [choice], **({"usage": usage} if usage else {})}


def so_far(asked: int, said: int, cached: int = 0) -> dict[str, Any]:
    details = {"prompt_tokens_details": {"cached_tokens": cached}}
    figures = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
    return {**figures, **details}


def started(**usage: int) -> dict[str, Any]:
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    return {"type": "message_start", "message": message}


TEXT = (
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "The rent is 800 a month."},
    },
)


def ended(**usage: int) -> tuple[dict[str, Any], ...]:
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    return (
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": delta, "usage": usage},
        {"type": "message_stop"},
    )


async def test_usage_that_is_repeated_in_every_chunk_is_not_added_up(
    adapter: Adapter, server: ModelServer
):
    server.turns = [
        sse(
            chunk("One", so_far(100, 1, 64)),
            chunk(" two", so_far(100, 2, 64)),
            chunk(" three.", so_far(100, 3, 64), finish="stop"),
            {**chunk(""), "choices": [], "usage": so_far(100, 3, 64)},
        )
    ]
    reply = await adapter.models.reply(await adapter.config(server), ask())
    assert reply.spent == TokenUsage(100, 3, cache_read_tokens=64)


async def test_mistrals_usage_in_several_chunks_is_not_added_up(
    adapter: Adapter, server: ModelServer
):
    first, last = so_far(20, 1), so_far(20, 2)
    server.turns = [sse(chunk("One", first), chunk(" two.", last, finish="stop"))]
    config = configured("mistral", server, "mistral-medium-latest")
    spent = (await adapter.models.reply(config, ask())).spent
    assert (spent.input_tokens, spent.output_tokens) == (20, 2)


async def test_anthropics_cached_input_is_part_of_the_input_as_everywhere(
    adapter: Adapter, server: ModelServer
):
    told = {"input_tokens": 30, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 70}
    server.turns = [
        sse(started(**told, output_tokens=1), *TEXT, *ended(output_tokens=8), named=True)
    ]
    config = configured("anthropic", server, "claude-sonnet-5-5")
    spent = (await adapter.models.reply(config, ask())).spent
    # $2 in, $10 out, $0.10 from the cache and $2.50 into it, for a million tokens.
    money = round(30 * 2 + 900 * 0.1 + 70 * 2.5 + 8 * 10)
    bare = 1000 * 2 + 8 * 10
    assert spent == TokenUsage(
        1000, 8, money, cache_read_tokens=900, cache_write_tokens=70, saved=bare - money
    )


async def test_geminis_thoughts_and_cached_input_are_counted_once(
    adapter: Adapter, server: ModelServer
):
    def piece(text: str, said: int, **more: Any) -> dict[str, Any]:
        usage = {
            "promptTokenCount": 1000,
            "candidatesTokenCount": said,
            "thoughtsTokenCount": 40,
            "cachedContentTokenCount": 600,
            "totalTokenCount": 1040 + said,
        }
        content = {"role": "model", "parts": [{"text": text}]}
        return {"candidates": [{"content": content, **more}], "usageMetadata": usage}

    server.turns = [sse(piece("One", 1), piece(" two.", 2, finishReason="STOP"))]
    config = configured("google", server, "gemini-3.5-flash")
    spent = (await adapter.models.reply(config, ask())).spent
    assert (spent.input_tokens, spent.cache_read_tokens) == (1000, 600)
    assert (spent.output_tokens, spent.reasoning_tokens) == (42, 40)
    # $1.50 in, $0.15 from the cache, $9 out.
    assert spent.money == 400 * 1.5 + 600 * 0.15 + 42 * 9
    assert spent.saved == 600 * 1.5 - 600 * 0.15


def test_cached_tokens_have_their_own_price_or_the_known_one():
    own = Config("m", "m", "openai", "gpt-5.4-mini", input_price=1_000_000, output_price=0)
    used = TokenUsage(1000, 0, cache_read_tokens=600, cache_write_tokens=100)
    assert prices.price(own, used) == 1000, "no discount that nobody told of"
    told = replace(own, cache_read_price=100_000, cache_write_price=1_250_000)
    assert prices.priced(told, used).money == 300 + 60 + 125
    assert prices.priced(told, used).saved == 1000 - 485
    wrote = TokenUsage(1000, 0, cache_write_tokens=1000)
    assert prices.priced(told, wrote).saved == -250, "writing that nobody read costs more"
    known = Config("m", "m", "openai", "gpt-5.4-mini", cache_read_price=0)
    assert prices.price(known, used) == 300, "the rest as known: $0.75 in"


async def stopped(adapter: Adapter, config: Config, heard: Heard, words: str) -> TokenUsage:
    """Cancel when so much was heard; what the call counts then."""
    begun = asyncio.Event()

    async def on_delta(delta: Any) -> None:
        await heard.delta(delta)
        if heard.text() == words:
            begun.set()

    both = {"on_delta": on_delta, "on_attempt": heard.attempt}
    task = asyncio.create_task(adapter.models.reply(config, ask("How much?"), **both))
    await asyncio.wait_for(begun.wait(), PATIENCE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    request, error = heard.attempts
    assert (request.kind, error.kind) == ("request", "error")
    assert error.spent
    return error.spent


async def test_a_call_that_is_cancelled_counts_what_was_sent_and_came(
    adapter: Adapter, server: ModelServer
):
    server.turns = [Turn("Once upon a time there was a king", hang_after=3)]
    config = await adapter.config(server, inputPrice=1_000_000, outputPrice=2_000_000)
    spent = await stopped(adapter, config, Heard(), "Once upon a time")
    asked = tokens.count(ask("How much?").messages)
    assert spent == TokenUsage(asked, 4, asked + 8, estimated=True)


async def test_a_cancelled_call_counts_what_the_server_told_until_then(
    adapter: Adapter, server: ModelServer
):
    turn = sse(chunk("One two three", so_far(77, 3)), chunk(" four", so_far(77, 4)), chunk("five"))
    server.turns = [replace(turn, hang_after=2)]
    spent = await stopped(adapter, await adapter.config(server), Heard(), "One two three four")
    assert (spent.input_tokens, spent.output_tokens) == (77, 4 + 2), "the last piece is reckoned"


async def test_an_error_in_the_middle_of_anthropics_stream_counts_and_so_does_the_next_try(
    adapter: Adapter, server: ModelServer
):
    told = {"input_tokens": 30, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 0}
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    begun = started(**told, output_tokens=1)
    server.turns = [
        sse(begun, *TEXT, error, named=True),
        sse(begun, *TEXT, *ended(output_tokens=8), named=True),
    ]
    heard = Heard()
    config = configured("anthropic", server, "claude-sonnet-5-5")
    reply = await adapter.models.reply(config, ask(), **heard.both)
    assert reply.content == "The rent is 800 a month."
    broken, whole = (each.spent for each in heard.attempts if each.kind != "request")
    assert broken
    assert (broken.input_tokens, broken.cache_read_tokens) == (930, 900)
    assert broken.output_tokens == 1 + tokens.of_text(reply.content)
    assert whole == reply.spent
    assert not reply.spent.estimated


async def test_a_try_that_was_refused_or_never_reached_the_server_counts_nothing(
    adapter: Adapter, server: ModelServer
):
    server.usual = Turn("No.", status=400)
    heard = Heard()
    with pytest.raises(ModelFailed):
        await adapter.models.reply(await adapter.config(server), ask(), **heard.both)
    assert heard.attempts[-1].spent is None


async def test_silence_counts_what_was_sent(adapter: Adapter, server: ModelServer):
    server.turns = [Turn("Hmm", hang_after=0), says("Awake.")]
    heard = Heard()
    config = await adapter.config(server, timeoutSeconds=1)
    await adapter.models.reply(config, ask(), **heard.both)
    silent = heard.attempts[1]
    assert silent.spent == TokenUsage(tokens.count(ask().messages), 0, estimated=True)
    assert json.dumps(silent.payload)


async def test_the_responses_api_tells_of_cached_and_reasoning_tokens_within_its_totals(
    adapter: Adapter, server: ModelServer
):
    usage = {
        "input_tokens": 2_000,
        "input_tokens_details": {"cached_tokens": 1_500},
        "output_tokens": 300,
        "output_tokens_details": {"reasoning_tokens": 250},
        "total_tokens": 2_300,
    }
    done = {"type": "response.completed", "response": response("completed", usage=usage)}
    server.turns = [responses(*message("Hello."), end=done)]
    prices = {"input_price": 1_000_000, "output_price": 2_000_000, "cache_read_price": 100_000}
    config = configured("openai", server, "gpt-5.5", api="responses", **prices)
    spent = (await adapter.models.reply(config, ask())).spent
    assert (spent.input_tokens, spent.cache_read_tokens) == (2_000, 1_500)
    assert (spent.output_tokens, spent.reasoning_tokens) == (300, 250)
    assert spent.money == 500 + 150 + 600, "what is within a total is not paid twice"


async def test_openai_is_told_which_requests_belong_together(adapter: Adapter, server: ModelServer):
    config = configured("openai", server, "gpt-5.5", api="responses")
    server.turns = [responses(*message("Hello.")), responses(*message("Hello."))]
    for conversation in ("run-1", None):
        await adapter.models.reply(config, ask(conversation=conversation))
    assert [each.body.get("prompt_cache_key") for each in server.requests] == ["run-1", None]
