"""Answers in a form, asked for as each provider has it."""

import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from bailiwick.llm import structured
from bailiwick.llm.chat import ModelRequest
from bailiwick.llm.config import Config, ModelProviderName
from bailiwick.llm.structured import FormFailed
from llm.conftest import Adapter, Heard
from llm.test_model_providers import configured, sse
from support.model_server import ModelServer, Turn, fails, says
from support.provider_streams import message, responses

pytestmark = pytest.mark.req("MODEL-06")


class Bill(BaseModel):
    """What a bill says."""

    payee: str = Field(max_length=40)
    cents: int
    currency: Literal["EUR", "USD"]


ASKED = ModelRequest([{"role": "user", "content": "The plumber wants 80 euros."}])
RIGHT = {"payee": "the plumber", "cents": 8000, "currency": "EUR"}
BILL = Bill(payee="the plumber", cents=8000, currency="EUR")
START = {
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
}


def _anthropic(block: dict[str, Any], delta: dict[str, Any]) -> Turn:
    stopped = {"stop_reason": "end_turn", "stop_sequence": None}
    return sse(
        START,
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stopped, "usage": {"output_tokens": 10}},
        {"type": "message_stop"},
        named=True,
    )


def _google(text: str) -> Turn:
    said = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}
    usage = {"promptTokenCount": 20, "candidatesTokenCount": 10}
    return sse({"candidates": [said], "usageMetadata": usage})


async def _asked(
    adapter: Adapter, server: ModelServer, provider: ModelProviderName, model: str, turn: Turn
) -> dict[str, Any]:
    """The request's body, when the answer was read as the form."""
    server.turns = [turn]
    config = configured(provider, server, model)
    reply = await structured.ask_for(adapter.models, config, ASKED, Bill)
    assert reply.value == BILL
    assert (reply.spent.input_tokens, reply.spent.output_tokens) == (20, 10)
    (request,) = server.requests
    return dict(request.body)


@pytest.mark.parametrize(
    ("provider", "model"), [("openai", "gpt-5.4-mini"), ("azure", "gpt-4o"), ("ollama", "llama3.2")]
)
async def test_openais_chat_is_sent_a_schema_as_the_format_of_the_answer(
    adapter: Adapter, server: ModelServer, provider: ModelProviderName, model: str
):
    body = await _asked(adapter, server, provider, model, says(json.dumps(RIGHT)))
    form = body["response_format"]
    assert (form["type"], form["json_schema"]["name"]) == ("json_schema", "Bill")
    assert set(form["json_schema"]["schema"]["properties"]) == set(RIGHT)
    assert "tools" not in body


async def test_anthropic_is_sent_a_schema_as_the_format_of_the_answer(
    adapter: Adapter, server: ModelServer
):
    said = {"type": "text_delta", "text": json.dumps(RIGHT)}
    turn = _anthropic({"type": "text", "text": ""}, said)
    body = await _asked(adapter, server, "anthropic", "claude-sonnet-5-5", turn)
    form = body["output_config"]["format"] if "output_config" in body else body["output_format"]
    assert form["type"] == "json_schema"
    assert set(form["schema"]["properties"]) == set(RIGHT)


async def test_an_older_claude_is_made_to_call_one_tool(adapter: Adapter, server: ModelServer):
    block = {"type": "tool_use", "id": "toolu_1", "name": "Bill", "input": {}}
    said = {"type": "input_json_delta", "partial_json": json.dumps(RIGHT)}
    model = "claude-of-old"
    body = await _asked(adapter, server, "anthropic", model, _anthropic(block, said))
    (tool,) = body["tools"]
    assert (tool["name"], set(tool["input_schema"]["properties"])) == ("Bill", set(RIGHT))
    assert body["tool_choice"]["type"] in ("any", "tool")


async def test_mistral_is_made_to_call_one_tool(adapter: Adapter, server: ModelServer):
    call = {"function": {"name": "Bill", "arguments": json.dumps(RIGHT)}, "id": "abcdefghi"}
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    delta = {"role": "assistant", "content": "", "tool_calls": [{**call, "index": 0}]}
    usage = {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}
    choice = {"index": 0, "delta": delta, "finish_reason": "tool_calls"}
    turn = sse({**chunk, "choices": [choice], "usage": usage})
    body = await _asked(adapter, server, "mistral", "mistral-medium-latest", turn)
    assert [tool["function"]["name"] for tool in body["tools"]] == ["Bill"]
    assert body["tool_choice"] in ("any", "required")


async def test_gemini_is_sent_a_schema_as_the_format_of_the_answer(
    adapter: Adapter, server: ModelServer
):
    turn = _google(json.dumps(RIGHT))
    body = await _asked(adapter, server, "google", "gemini-3.5-flash", turn)
    config = body["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    schema = config.get("responseJsonSchema") or config["responseSchema"]
    assert set(schema["properties"]) == set(RIGHT)


async def test_openais_responses_are_sent_a_schema_as_the_format_of_the_text(
    adapter: Adapter, server: ModelServer
):
    server.turns = [responses(*message(json.dumps(RIGHT)))]
    config = configured("openai", server, "gpt-5.4-mini", api="responses")
    reply = await structured.ask_for(adapter.models, config, ASKED, Bill)
    assert reply.value == BILL
    form = server.requests[0].body["text"]["format"]
    assert (form["type"], form["name"]) == ("json_schema", "Bill")
    assert set(form["schema"]["properties"]) == set(RIGHT)


async def test_ollama_is_sent_a_schema_in_its_own_way(adapter: Adapter, server: ModelServer):
    server.turns = [says(json.dumps(RIGHT))]
    config = await adapter.config(server, provider="ollama", model="llama3.2")
    reply = await structured.ask_for(adapter.models, config, ASKED, Bill)
    assert reply.value == BILL
    (request,) = server.requests
    assert request.path == "/api/chat"
    assert set(request.body["format"]["properties"]) == set(RIGHT)


async def test_a_server_that_refuses_a_schema_is_asked_in_words_from_then_on(
    adapter: Adapter, server: ModelServer
):
    talk = f'Well, {{"payee": 3}} is wrong. Here:\n```json\n{json.dumps(RIGHT)}\n```\nGood luck!'
    config = await adapter.config(server)
    server.turns = [fails(500, text="failed to parse grammar"), says(talk), says(talk)]
    for _ in range(2):
        reply = await structured.ask_for(adapter.models, config, ASKED, Bill)
        assert reply.value == BILL, "it may talk around its answer"
    schema, *rest = [request.body for request in server.requests]
    # What llama.cpp makes a grammar of has no limits in it.
    assert "maxLength" not in json.dumps(schema["response_format"]["json_schema"]["schema"])
    assert len(rest) == 2
    for body in rest:
        assert not body.keys() & {"response_format", "tools"}
        assert '"cents"' in json.dumps(body["messages"]).replace("\\", "")
    assert any("in words" in note for note in adapter.models.notes(config))


async def test_what_does_not_fit_is_asked_for_once_more_with_what_is_wrong(
    adapter: Adapter, server: ModelServer
):
    server.turns = [says('{"payee": "P", "cents": "many"}'), says(json.dumps(RIGHT))]
    config = await adapter.config(server, inputPrice=1_000_000, outputPrice=1_000_000)
    heard = Heard()
    reply = await structured.ask_for(adapter.models, config, ASKED, Bill, on_attempt=heard.attempt)
    assert reply.value == BILL
    assert (reply.spent.input_tokens, reply.spent.money) == (40, 60), "both were paid for"
    told = server.requests[1].last
    assert "cents" in told
    assert "currency" in told
    kinds = [one.kind for one in heard.attempts]
    assert kinds == ["request", "response"] * 2, "and both are in the diagnostics"


async def test_two_answers_that_do_not_fit_are_a_failure_in_words(
    adapter: Adapter, server: ModelServer
):
    server.usual = says("I would rather talk.")
    config = await adapter.config(server)
    with pytest.raises(FormFailed, match="no JSON object") as failed:
        await structured.ask_for(adapter.models, config, ASKED, Bill)
    assert len(server.requests) == 2
    assert failed.value.spent.input_tokens == 40


class Letter(BaseModel):
    """Anything that a caller may want to know."""

    title: str = Field(max_length=80)
    about: Bill
    others: list[Bill]
    urgent: bool
    place: str | None


async def test_the_offline_model_fills_any_form_in(adapter: Adapter):
    config = Config("mdl-000000000009", "Offline", "offline", "offline")
    ask = ModelRequest([{"role": "user", "content": "Pay the plumber. He came on Tuesday."}])
    reply = await structured.ask_for(adapter.models, config, ask, Letter)
    assert reply.value.title == "Pay the plumber"
    assert reply.value.others == []
