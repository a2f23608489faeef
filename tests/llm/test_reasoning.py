"""Reasoning is kept between steps, in each provider's own form, and settings go where they may.

The bodies are those of the providers' own documentation of their streams.
"""

import json
from typing import Any

import pytest
from pydantic import SecretStr

from bailiwick.llm import parts
from bailiwick.llm.chat import ModelReply, ModelRequest, OfferedTool
from bailiwick.llm.config import Config, ModelProviderName
from bailiwick.llm.errors import ModelFailed
from llm.conftest import KEY, Adapter, Heard
from support.model_server import ModelServer, fails, says
from support.provider_streams import (
    REASONING,
    SUMMARY,
    THINKING,
    USAGE,
    anthropic,
    block,
    gemini,
    message,
    response,
    responses,
    sse,
    thought,
    wanted,
)

pytestmark = pytest.mark.req("MODEL-03")
SEARCH = OfferedTool(
    "search", "Searches.", {"type": "object", "properties": {"q": {"type": "string"}}}
)
ASKED = ModelRequest([{"role": "user", "content": "Search for rent."}], tools=[SEARCH])


def configured(server: ModelServer, provider: ModelProviderName, model: str, **more: Any) -> Config:
    given = {"base_url": server.url, "key": SecretStr(KEY), **more}
    return Config("mdl-000000000001", "Theirs", provider, model, **given)


def gone_on(reply: ModelReply, result: str = "Nothing.", **more: Any) -> ModelRequest:
    """The request after an answer whose tools have answered."""
    wanted = [
        {
            "id": one.id,
            "type": "function",
            "function": {"name": one.name, "arguments": one.arguments},
        }
        for one in reply.calls
    ]
    said = {"role": "assistant", "content": reply.content, "tool_calls": wanted}
    results = [
        {"role": "tool", "tool_call_id": one.id, "content": result, **more} for one in reply.calls
    ]
    return ModelRequest([*ASKED.messages, {**said, "parts": reply.parts}, *results], tools=[SEARCH])


# --- OpenAI, Responses ---------------------------------------------------------------------------


def test_openai_itself_is_asked_by_its_newer_api_and_others_by_the_older_one(server: ModelServer):
    def api(provider: ModelProviderName, **more: Any) -> str:
        return Config("mdl-000000000001", "x", provider, "gpt-5.5", **more).effective_api

    assert api("openai") == "responses"
    assert api("openai", base_url="https://api.openai.com/v1") == "responses"
    assert api("openai", base_url="https://proxy.example/v1") == "chat"
    assert api("compatible", base_url="http://127.0.0.1:1/v1") == "chat"
    assert api("azure", base_url="https://x.openai.azure.com/openai/v1") == "chat"
    assert api("openai", api="chat") == "chat"


async def test_responses_keep_nothing_there_and_their_sealed_reasoning_goes_back(
    adapter: Adapter, server: ModelServer
):
    server.turns = [
        responses(*thought(), *wanted(1, "rent"), *wanted(2, "tax")),
        responses(*message("Nothing about rent.")),
    ]
    config = configured(server, "openai", "gpt-5.5", api="responses", effort="low")
    heard = Heard()
    reply = await adapter.models.reply(config, ASKED, **heard.both)
    assert [(one.id, json.loads(one.arguments)) for one in reply.calls] == [
        ("call_1", {"q": "rent"}),
        ("call_2", {"q": "tax"}),
    ]
    assert (reply.content, reply.finish) == ("", "tool_calls")
    assert (reply.spent.input_tokens, reply.spent.output_tokens) == (20, 10)
    assert "".join(one.text for one in heard.deltas if one.thought) == "I look it up."
    assert parts.thought(reply.parts) == "I look it up."
    body = server.requests[0].body
    assert server.requests[0].path == "/responses"
    assert (body["store"], body["include"]) == (False, ["reasoning.encrypted_content"])
    assert (body["reasoning"]["effort"], body["reasoning"]["summary"]) == ("low", "auto")
    assert "previous_response_id" not in body
    last = await adapter.models.reply(config, gone_on(reply))
    assert (last.content, last.finish) == ("Nothing about rent.", "stop")
    sent = server.requests[1].body["input"]
    assert sent[1] == {**REASONING, "summary": SUMMARY, "encrypted_content": "c2VhbGVk"}
    assert [(one["type"], one.get("call_id")) for one in sent[2:]] == [
        ("function_call", "call_1"),
        ("function_call", "call_2"),
        ("function_call_output", "call_1"),
        ("function_call_output", "call_2"),
    ]


async def test_a_refusal_of_the_responses_api_keeps_its_text(adapter: Adapter, server: ModelServer):
    server.turns = [responses(*message("I will not do that.", "refusal"))]
    config = configured(server, "openai", "gpt-5.5", api="responses")
    reply = await adapter.models.reply(config, ASKED)
    assert (reply.finish, reply.content) == ("refusal", "I will not do that.")


async def test_a_response_that_is_incomplete_says_why(adapter: Adapter, server: ModelServer):
    details = {"incomplete_details": {"reason": "max_output_tokens"}, "usage": USAGE}
    cut = {"type": "response.incomplete", "response": response("incomplete", **details)}
    server.turns = [responses(*message("It is 8"), end=cut)]
    config = configured(server, "openai", "gpt-5.5", api="responses")
    reply = await adapter.models.reply(config, ASKED)
    assert (reply.finish, reply.content) == ("length", "It is 8")


BROKEN = {
    "failed": {
        "type": "response.failed",
        "response": response("failed", error={"code": "server_error", "message": "Out of order."}),
    },
    "error": {"type": "error", "code": "server_error", "message": "Out of order.", "param": None},
    "cut off": {"type": "response.in_progress", "response": response("in_progress")},
}


@pytest.mark.req("MODEL-04")
@pytest.mark.parametrize("how", BROKEN)
async def test_a_response_that_breaks_off_is_tried_again(
    adapter: Adapter, server: ModelServer, how: str
):
    server.turns = [
        responses(*message("It is 8"), end=BROKEN[how]),
        responses(*message("It is 800.")),
    ]
    config = configured(server, "openai", "gpt-5.5", api="responses")
    heard = Heard()
    reply = await adapter.models.reply(config, ASKED, **heard.both)
    assert reply.content == "It is 800."
    assert [one.kind for one in heard.attempts] == ["request", "error", "request", "response"]


# --- Anthropic -----------------------------------------------------------------------------------


async def test_anthropics_thinking_goes_back_signed_and_in_its_place(
    adapter: Adapter, server: ModelServer
):
    server.turns = [anthropic(*THINKING), anthropic(*block(0, {"type": "text", "text": "No."}))]
    config = configured(server, "anthropic", "claude-sonnet-5-5", effort="high")
    heard = Heard()
    reply = await adapter.models.reply(config, ASKED, **heard.both)
    assert reply.content == "Looking."
    assert [one.text for one in heard.deltas if one.thought] == ["I look ", "it up."]
    await adapter.models.reply(config, gone_on(reply))
    assert server.requests[0].body["thinking"]["type"] == "adaptive"
    assistant = server.requests[1].messages[1]["content"]
    assert assistant[0] == {
        "type": "thinking",
        "thinking": "I look it up.",
        "signature": "c2lnbmVk",
    }
    assert assistant[1] == {"type": "redacted_thinking", "data": "c2VhbGVk"}
    assert [each["type"] for each in assistant] == [
        "thinking",
        "redacted_thinking",
        "text",
        "tool_use",
    ]


async def test_a_failed_tool_is_an_error_for_anthropic(adapter: Adapter, server: ModelServer):
    server.turns = [anthropic(*THINKING)]
    server.usual = anthropic(*block(0, {"type": "text", "text": "No."}))
    config = configured(server, "anthropic", "claude-sonnet-5-5")
    reply = await adapter.models.reply(config, ASKED)
    await adapter.models.reply(config, gone_on(reply, "There is no such file.", failed=True))
    await adapter.models.reply(config, gone_on(reply))
    failed, done = (one.messages[-1]["content"][0] for one in server.requests[1:])
    assert (failed["type"], failed["is_error"]) == ("tool_result", True)
    assert "There is no such file." in json.dumps(failed["content"])
    assert not done.get("is_error")


async def test_a_refusal_of_anthropic_keeps_its_text(adapter: Adapter, server: ModelServer):
    blocks = block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "I cannot."})
    server.turns = [anthropic(*blocks, stop="refusal")]
    config = configured(server, "anthropic", "claude-sonnet-5-5")
    reply = await adapter.models.reply(config, ASKED)
    assert (reply.finish, reply.content) == ("refusal", "I cannot.")


# --- Google and Mistral --------------------------------------------------------------------------


async def test_geminis_thought_signatures_go_back_on_the_calls_that_they_hang_on(
    adapter: Adapter, server: ModelServer
):
    call = {"functionCall": {"name": "search", "args": {"q": "rent"}}}
    found = [
        {"text": "I look it up.", "thought": True},
        {**call, "thoughtSignature": "c2lnbmVk"},
        call,
    ]
    server.turns = [gemini(*found), gemini({"text": "No."})]
    config = configured(server, "google", "gemini-3.5-flash")
    heard = Heard()
    reply = await adapter.models.reply(config, ASKED, **heard.both)
    assert (reply.content, len(reply.calls)) == ("", 2)
    assert parts.thought(reply.parts) == "I look it up."
    await adapter.models.reply(config, gone_on(reply))
    first, second = server.requests
    assert first.body["generationConfig"]["thinkingConfig"] == {"include_thoughts": True}
    sent = second.body["contents"][1]["parts"]
    calls = [part for part in sent if "functionCall" in part]
    assert [part.get("thoughtSignature") for part in calls] == ["c2lnbmVk", None]


async def test_mistrals_calls_in_two_pieces_stay_two_and_its_thoughts_go_back(
    adapter: Adapter, server: ModelServer
):
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {
            "id": "x",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "magistral-medium-latest",
            "choices": [choice],
        }

    def call(id: str, query: str) -> dict[str, Any]:
        function = {"name": "search", "arguments": json.dumps({"q": query})}
        return {"content": "", "tool_calls": [{"id": id, "index": 0, "function": function}]}

    thinking = [{"type": "thinking", "thinking": [{"type": "text", "text": "I look it up."}]}]
    server.turns = [
        sse(
            chunk({"role": "assistant", "content": thinking}),
            chunk(call("abcdefghi", "rent")),
            chunk(call("bcdefghij", "tax")),
            chunk({"content": ""}, "tool_calls"),
        ),
        sse(chunk({"role": "assistant", "content": "No."}), chunk({"content": ""}, "stop")),
    ]
    config = configured(server, "mistral", "magistral-medium-latest")
    reply = await adapter.models.reply(config, ASKED)
    assert [json.loads(one.arguments)["q"] for one in reply.calls] == ["rent", "tax"]
    assert (reply.content, parts.thought(reply.parts)) == ("", "I look it up.")
    await adapter.models.reply(config, gone_on(reply))
    assistant = server.requests[1].messages[1]
    assert "I look it up." in json.dumps(assistant["content"])
    assert [one["id"] for one in assistant["tool_calls"]] == ["abcdefghi", "bcdefghij"]


# --- settings ------------------------------------------------------------------------------------


@pytest.mark.req("MODEL-01")
async def test_settings_go_out_in_the_providers_words(adapter: Adapter, server: ModelServer):
    tuned = {"effort": "high", "verbosity": "low"}
    await adapter.models.reply(await adapter.config(server, **tuned, temperature=0.25), ASKED)
    body = server.requests[0].body
    assert (body["reasoning_effort"], body["verbosity"], body["temperature"]) == (
        "high",
        "low",
        0.25,
    )
    server.turns = [responses(*message("Done."))]
    config = configured(server, "openai", "gpt-5.5", api="responses", **tuned)
    await adapter.models.reply(config, ASKED)
    body = server.requests[1].body
    assert (body["reasoning"]["effort"], body["text"]["verbosity"]) == ("high", "low")


@pytest.mark.req("MODEL-01")
@pytest.mark.parametrize(
    ("provider", "model", "more"),
    [
        ("openai", "gpt-5.5", {"temperature": 0.2}),
        ("openai", "gpt-4.1", {"effort": "high"}),
        ("openai", "gpt-4.1", {"verbosity": "low"}),
        ("mistral", "mistral-medium-latest", {"verbosity": "low"}),
        ("anthropic", "claude-sonnet-5-5", {"temperature": 0.2}),
    ],
)
async def test_what_a_model_is_known_to_refuse_is_not_sent_and_that_is_told(
    adapter: Adapter,
    server: ModelServer,
    provider: ModelProviderName,
    model: str,
    more: dict[str, Any],
):
    server.usual = anthropic(*THINKING) if provider == "anthropic" else says("Done.")
    config = configured(server, provider, model, **more)
    await adapter.models.reply(config, ASKED)
    body = server.requests[0].body
    assert not {"temperature", "verbosity", "reasoning_effort"} & body.keys()
    assert "is not sent" in " ".join(adapter.models.notes(config))


@pytest.mark.req("MODEL-01")
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"temperature": 0.2}, "Unsupported parameter: 'temperature' is not supported."),
        ({"verbosity": "low"}, "Unknown parameter: 'verbosity'."),
        (
            {"effort": "minimal"},
            "Unsupported value: 'reasoning_effort' does not support 'minimal'.",
        ),
    ],
)
async def test_what_a_model_refuses_is_left_out_and_the_answer_comes_all_the_same(
    adapter: Adapter, server: ModelServer, more: dict[str, Any], said: str
):
    server.turns = [fails(400, text=said), says("Here."), says("Again.")]
    config = await adapter.config(server, **more)
    assert (await adapter.models.reply(config, ASKED)).content == "Here."
    assert (await adapter.models.reply(config, ASKED)).content == "Again."
    first, *others = (
        {"temperature", "verbosity", "reasoning_effort"} & r.body.keys() for r in server.requests
    )
    assert (len(first), others) == (1, [set(), set()])
    assert adapter.waits == []
    assert len(adapter.models.notes(config)) == 1


async def test_earlier_reasoning_that_is_refused_is_left_out(adapter: Adapter, server: ModelServer):
    server.turns = [
        anthropic(*THINKING),
        fails(400, text="messages.1.content.0: Invalid `signature` in `thinking` block"),
        anthropic(*block(0, {"type": "text", "text": "No."})),
    ]
    config = configured(server, "anthropic", "claude-sonnet-5-5")
    reply = await adapter.models.reply(config, ASKED)
    assert (await adapter.models.reply(config, gone_on(reply))).content == "No."
    assert "c2lnbmVk" not in json.dumps(server.requests[2].body)


@pytest.mark.req("MODEL-01")
async def test_a_model_that_needs_the_newer_api_is_asked_by_it(
    adapter: Adapter, server: ModelServer
):
    said = "Function tools with reasoning_effort are not supported in /v1/chat/completions. "
    server.turns = [
        fails(400, text=said + "Please use /v1/responses instead."),
        responses(*message("Here.")),
        responses(*message("Again.")),
    ]
    config = await adapter.config(server)
    assert (await adapter.models.reply(config, ASKED)).content == "Here."
    await adapter.models.reply(config, ASKED)
    assert [one.path for one in server.requests] == [
        "/v1/chat/completions",
        "/v1/responses",
        "/v1/responses",
    ]


async def test_a_bad_request_for_another_reason_is_told_at_once(
    adapter: Adapter, server: ModelServer
):
    server.usual = fails(400, text="The reasoning behind this is yours.")
    with pytest.raises(ModelFailed, match="is yours"):
        await adapter.models.reply(await adapter.config(server), ASKED)
    assert len(server.requests) == 1
