"""Every provider's own library, to a server on loopback that speaks as the provider does."""

import json
import sys
from typing import Any

import pytest
from pydantic import SecretStr

from bailiwick.llm import discovery, prices
from bailiwick.llm.chat import ModelRequest, OfferedTool
from bailiwick.llm.config import Config, ModelProviderName
from bailiwick.llm.errors import ModelFailed
from llm.conftest import KEY, Adapter, Heard
from support.model_server import ModelServer, Turn, calls, fails, says

pytestmark = pytest.mark.req("MODEL-01")
SEARCH = OfferedTool(
    "search", "Searches.", {"type": "object", "properties": {"q": {"type": "string"}}}
)
CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "search", "arguments": '{"q": "rent"}'},
}
ASKED = ModelRequest(
    [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Search for rent."},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "Nothing."},
        {"role": "user", "content": "Once more."},
    ],
    tools=[SEARCH],
)


def configured(provider: ModelProviderName, server: ModelServer, model: str, **more: Any) -> Config:
    given = {"base_url": server.url, "key": SecretStr(KEY), **more}
    return Config("mdl-000000000001", "Theirs", provider, model, **given)


def sse(*events: dict[str, Any], named: bool = False) -> Turn:
    """A stream of events, named as Anthropic does or not."""
    names = [f"event: {event['type']}\n" if named else "" for event in events]
    lines = [f"{name}data: {json.dumps(e)}\n\n" for name, e in zip(names, events, strict=True)]
    return Turn(raw=lines)


ANTHROPIC = sse(
    {
        "type": "message_start",
        "message": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-5-5",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 20, "output_tokens": 1},
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "Looking."},
    },
    {"type": "content_block_stop", "index": 0},
    {
        "type": "content_block_start",
        "index": 1,
        "content_block": {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}},
    },
    {
        "type": "content_block_delta",
        "index": 1,
        "delta": {"type": "input_json_delta", "partial_json": '{"q": '},
    },
    {
        "type": "content_block_delta",
        "index": 1,
        "delta": {"type": "input_json_delta", "partial_json": '"rent"}'},
    },
    {"type": "content_block_stop", "index": 1},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": None},
        "usage": {"output_tokens": 10},
    },
    {"type": "message_stop"},
    named=True,
)
GOOGLE = sse(
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "Looking."}]}}]},
    {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [{"functionCall": {"name": "search", "args": {"q": "rent"}}}],
                },
                "finishReason": "STOP",
            }
        ],
        "usageMetadata": {"promptTokenCount": 20, "candidatesTokenCount": 10},
        "modelVersion": "gemini-3.5-flash",
    },
)
OPENAI = calls("search", {"q": "rent"})
USAGE = {"usage": {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}}
MISTRAL = sse(
    *(
        {
            "id": "x",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "mistral-medium-latest",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
            # In the last piece alone: the library adds them up.
            **(USAGE if finish else {}),
        }
        for delta, finish in (
            ({"role": "assistant", "content": ""}, None),
            ({"content": "Looking."}, None),
            ({"content": "", "tool_calls": [{**CALL, "id": "abcdefghi", "index": 0}]}, None),
            ({"content": ""}, "tool_calls"),
        )
    )
)
CASES: dict[ModelProviderName, tuple[str, Turn, str, str]] = {
    "anthropic": ("claude-sonnet-5-5", ANTHROPIC, "/v1/messages", "authorization"),
    "google": (
        "gemini-3.5-flash",
        GOOGLE,
        "/v1/models/gemini-3.5-flash:streamGenerateContent",
        "x-goog-api-key",
    ),
    "mistral": ("mistral-medium-latest", MISTRAL, "/v1/chat/completions", "authorization"),
    "azure": (
        "my-deployment",
        OPENAI,
        "/openai/deployments/my-deployment/chat/completions",
        "api-key",
    ),
    "openai": (
        "gpt-5.4-mini",
        calls("search", {"q": "rent"}),
        "/chat/completions",
        "authorization",
    ),
    "ollama": ("llama3", OPENAI, "/chat/completions", "authorization"),
}


@pytest.mark.parametrize("provider", CASES)
async def test_a_provider_is_asked_and_answers_in_its_own_way(
    adapter: Adapter, server: ModelServer, provider: ModelProviderName
):
    model, turn, path, header = CASES[provider]
    server.turns = [turn]
    heard = Heard()
    config = configured(provider, server, model)
    reply = await adapter.models.reply(config, ASKED, **heard.both)
    (call,) = reply.calls
    assert (call.name, json.loads(call.arguments)) == ("search", {"q": "rent"})
    assert (reply.finish, reply.content) == ("tool_calls", heard.text())
    assert (reply.spent.input_tokens, reply.spent.output_tokens) == (20, 10)
    pieces = [one for one in heard.deltas if one.call == 0]
    assert pieces[0].name == "search"
    assert json.loads("".join(one.text for one in pieces)) == {"q": "rent"}
    (request,) = server.requests
    assert request.path.partition("?")[0] == path
    assert KEY in request.headers[header]
    said = json.dumps(request.body)
    for words in ("Be brief.", "Search for rent.", "Nothing.", "Once more.", "Searches."):
        assert words in said


@pytest.mark.req("MODEL-04")
@pytest.mark.parametrize("provider", CASES)
async def test_no_providers_library_tries_again_by_itself(
    adapter: Adapter, server: ModelServer, provider: ModelProviderName
):
    server.usual = fails(503, retry_after=3, text="Later.")
    config = configured(provider, server, CASES[provider][0])
    with pytest.raises(ModelFailed) as failed:
        await adapter.models.reply(config, ASKED)
    assert len(server.requests) == 4
    assert adapter.waits == [3, 3, 3]
    assert "Later." in failed.value.detail
    assert KEY not in failed.value.detail


@pytest.mark.req("MODEL-04")
@pytest.mark.parametrize("provider", CASES)
async def test_half_a_stream_of_any_provider_is_tried_again(
    adapter: Adapter, server: ModelServer, provider: ModelProviderName
):
    model, turn, *_ = CASES[provider]
    pieces = {"drop_after": 1}
    half = Turn(raw=turn.raw, **pieces) if turn.raw else Turn(calls=turn.calls, **pieces)
    server.turns = [half, turn]
    reply = await adapter.models.reply(configured(provider, server, model), ASKED)
    assert [one.name for one in reply.calls] == ["search"]
    assert len(server.requests) == 2


async def test_azures_newer_addresses_have_no_version(adapter: Adapter, server: ModelServer):
    server.turns = [says("Here.")]
    base = {"base_url": f"{server.url}/openai/v1"}
    await adapter.models.reply(configured("azure", server, "my-deployment", **base), ASKED)
    assert server.requests[0].path == "/openai/v1/chat/completions"


async def test_openai_that_does_not_say_how_it_ended_did_not_end(
    adapter: Adapter, server: ModelServer
):
    text = {"choices": [{"index": 0, "delta": {"content": "Half of"}}], "model": "m", "id": "x"}
    server.turns = [sse(text | {"object": "chat.completion.chunk", "created": 1}), says("All.")]
    reply = await adapter.models.reply(configured("openai", server, "gpt-5.4-mini"), ASKED)
    assert reply.content == "All."


@pytest.mark.parametrize(
    ("provider", "library"),
    [("anthropic", "anthropic"), ("google", "google.genai"), ("mistral", "mistralai")],
)
async def test_what_is_not_installed_is_named_with_how_to_install_it(
    adapter: Adapter,
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    provider: ModelProviderName,
    library: str,
):
    ours = ("pydantic_ai.models.", "pydantic_ai.providers.")
    for name in list(sys.modules):
        if name.startswith((library, *(f"{place}{provider}" for place in ours))):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setitem(sys.modules, f"{library}.client", None)
    with pytest.raises(ModelFailed, match=rf"pip install 'bailiwick\[{provider}\]'"):
        await adapter.models.reply(configured(provider, server, CASES[provider][0]), ASKED)
    assert server.requests == []


async def test_bedrock_without_its_library_says_how_to_install_it(
    adapter: Adapter, server: ModelServer, monkeypatch: pytest.MonkeyPatch
):
    for library in ("boto3", "botocore"):
        monkeypatch.setitem(sys.modules, library, None)
    config = configured("bedrock", server, "amazon.nova-pro-v1:0", region="eu-west-1")
    with pytest.raises(ModelFailed, match=r"pip install 'bailiwick\[bedrock\]'"):
        await adapter.models.reply(config, ASKED)


@pytest.mark.req("MODEL-03")
@pytest.mark.parametrize("provider", discovery.SUGGESTED)
def test_every_model_that_is_suggested_has_a_known_price(provider: ModelProviderName):
    for model in discovery.SUGGESTED[provider]:
        assert prices.known(provider, model), model
