"""Pictures and documents, sent as each provider has them; and told in words to who cannot see."""

import base64
import json
from typing import Any

import pytest

from bailiwick.llm import tokens
from bailiwick.llm.chat import ModelRequest
from bailiwick.llm.config import Config, ModelProviderName
from bailiwick.llm.sight import sight_of
from llm.conftest import Adapter, Heard
from llm.test_model_providers import ANTHROPIC, CASES, GOOGLE, MISTRAL, SEARCH, configured
from support.model_server import ModelServer, Turn, says
from support.provider_streams import message as answered
from support.provider_streams import responses

pytestmark = pytest.mark.req("MODEL-06")
PNG, PDF = b"\x89PNG\r\n\x1a\nthe picture", b"%PDF-1.7 the document"
PNG64, PDF64 = base64.b64encode(PNG).decode(), base64.b64encode(PDF).decode()


def picture(adapter: Adapter, content: bytes = PNG, **more: Any) -> dict[str, Any]:
    facts = {"name": "photo.png", "media_type": "image/png", "width": 1200, "height": 800}
    return _file(adapter, content, **{**facts, "pages": None, "text": "", **more})


def document(adapter: Adapter, **more: Any) -> dict[str, Any]:
    facts = {"name": "lease.pdf", "media_type": "application/pdf", "width": None, "height": None}
    return _file(adapter, PDF, **{**facts, "pages": 2, "text": "The rent is 800.", **more})


def _file(adapter: Adapter, content: bytes, **facts: Any) -> dict[str, Any]:
    blob = adapter.blobs.put(content)
    return {"type": "file", "blob": blob, "size": len(content), **facts}


def said(*files: dict[str, Any], words: str = "What is this?") -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": words}, *files]}


async def sent(
    adapter: Adapter,
    server: ModelServer,
    provider: ModelProviderName,
    *messages: dict[str, Any],
    turn: Turn | None = None,
    **more: Any,
) -> dict[str, Any]:
    """The body of a request with these messages."""
    server.turns = [turn or says("A lease.")]
    config = configured(provider, server, CASES[provider][0], **more)
    await adapter.models.reply(config, ModelRequest(messages, tools=[SEARCH]))
    return dict(server.requests[-1].body)


async def test_openais_chat_gets_a_picture_as_a_data_address_and_a_document_as_a_file(
    adapter: Adapter, server: ModelServer
):
    body = await sent(adapter, server, "openai", said(picture(adapter), document(adapter)))
    (message,) = body["messages"]
    kinds = [part["type"] for part in message["content"]]
    assert kinds == ["text", "text", "image_url", "text", "file"]
    assert message["content"][1]["text"] == "[image photo.png, 1200x800]"
    assert message["content"][2]["image_url"]["url"] == f"data:image/png;base64,{PNG64}"
    assert message["content"][4]["file"]["file_data"] == f"data:application/pdf;base64,{PDF64}"
    assert "The rent is 800." not in json.dumps(body), "who sees it needs no copy of its text"


async def test_openais_responses_get_a_picture_and_a_document_as_input(
    adapter: Adapter, server: ModelServer
):
    turn, files = responses(*answered("A lease.")), said(picture(adapter), document(adapter))
    body = await sent(adapter, server, "openai", files, turn=turn, api="responses")
    (asked,) = body["input"]
    kinds = [part["type"] for part in asked["content"]]
    assert kinds == ["input_text", "input_text", "input_image", "input_text", "input_file"]
    assert asked["content"][2]["image_url"] == f"data:image/png;base64,{PNG64}"
    assert asked["content"][4]["file_data"] == f"data:application/pdf;base64,{PDF64}"


async def test_anthropic_gets_blocks_in_base64_also_within_the_result_of_a_tool(
    adapter: Adapter, server: ModelServer
):
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    result = [{"type": "text", "text": "{}"}, picture(adapter)]
    body = await sent(
        adapter,
        server,
        "anthropic",
        said(document(adapter)),
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
        turn=ANTHROPIC,
    )
    first, _, last = body["messages"]
    (block,) = [part for part in first["content"] if part["type"] == "document"]
    assert block["source"] == {"type": "base64", "media_type": "application/pdf", "data": PDF64}
    (answer,) = [part for part in last["content"] if part["type"] == "tool_result"]
    (shown,) = [part for part in answer["content"] if part["type"] == "image"]
    assert shown["source"] == {"type": "base64", "media_type": "image/png", "data": PNG64}


async def test_openais_chat_gets_the_picture_of_a_tool_right_after_its_result(
    adapter: Adapter, server: ModelServer
):
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    result = [{"type": "text", "text": "{}"}, picture(adapter)]
    body = await sent(
        adapter,
        server,
        "openai",
        said(words="Look."),
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
        {"role": "user", "content": "And?"},
    )
    roles = [message["role"] for message in body["messages"]]
    assert roles[:3] == ["user", "assistant", "tool"], "nothing comes between call and result"
    assert isinstance(body["messages"][2]["content"], str), "which is text, as the API wants it"
    assert PNG64 in json.dumps(body["messages"][3:])


async def test_gemini_gets_inline_data(adapter: Adapter, server: ModelServer):
    message = said(picture(adapter), document(adapter))
    body = await sent(adapter, server, "google", message, turn=GOOGLE)
    data = [part["inlineData"] for part in body["contents"][0]["parts"] if "inlineData" in part]
    assert [tuple(each.values()) for each in data] == [
        (PNG64, "image/png"),
        (PDF64, "application/pdf"),
    ]


async def test_mistral_sees_pictures_and_reads_documents(adapter: Adapter, server: ModelServer):
    message = said(picture(adapter), document(adapter))
    body = await sent(adapter, server, "mistral", message, turn=MISTRAL)
    text = json.dumps(body, ensure_ascii=False)
    assert f"data:image/png;base64,{PNG64}" in text
    assert PDF64 not in text
    assert (
        "[document lease.pdf, 2 pages: this model cannot see documents; its text follows]" in text
    )
    assert "The rent is 800." in text


async def test_who_cannot_see_is_told_so_in_words(adapter: Adapter, server: ModelServer):
    body = await sent(adapter, server, "ollama", said(picture(adapter), document(adapter)))
    (message,) = body["messages"]
    assert message["content"] == (
        "What is this?\n"
        "[image photo.png, 1200x800: this model cannot see images; no text was found]\n"
        "[document lease.pdf, 2 pages: this model cannot see documents; its text follows]\n"
        "The rent is 800."
    )


async def test_a_setting_has_the_last_word_on_what_a_model_sees(
    adapter: Adapter, server: ModelServer
):
    message = said(picture(adapter))
    assert PNG64 in str(await sent(adapter, server, "ollama", message, sees_images=True))
    assert PNG64 not in str(await sent(adapter, server, "openai", message, sees_images=False))


async def test_what_was_redacted_in_a_files_text_is_not_shown_in_its_picture(
    adapter: Adapter, server: ModelServer
):
    file = picture(adapter, text="Card [card]", redacted=True)
    body = await sent(adapter, server, "openai", said(file))
    assert PNG64 not in str(body)
    assert "something in it was redacted" in str(body)
    assert "Card [card]" in str(body)


async def test_the_newest_twenty_are_shown_and_nothing_too_large(
    adapter: Adapter, server: ModelServer
):
    many = [picture(adapter, PNG + bytes([n]), name=f"{n}.png") for n in range(22)]
    body = await sent(adapter, server, "openai", *(said(each) for each in many))
    assert str(body).count("data:image/png") == 20
    assert "[image 1.png, 1200x800: newer files took its place; no text was found]" in str(body)
    large = {**picture(adapter), "size": 4_000_000}
    body = await sent(adapter, server, "openai", said(large))
    assert "too large to be shown" in str(body)


async def test_the_diagnostics_say_what_was_seen_and_hold_no_picture(
    adapter: Adapter, server: ModelServer
):
    heard = Heard()
    config = configured("openai", server, "gpt-5.4-mini", sees_documents=False)
    files = (picture(adapter), document(adapter))
    await adapter.models.reply(config, ModelRequest([said(*files)]), **heard.both)
    payload = heard.attempts[0].payload
    assert [part.get("saw") for part in payload["messages"][0]["content"]] == [
        None,
        "image",
        "text",
    ]
    assert PNG64 not in json.dumps(payload)


async def test_a_file_that_is_gone_is_told_by_its_name(adapter: Adapter, server: ModelServer):
    gone = {**picture(adapter), "blob": "0" * 64}
    body = await sent(adapter, server, "openai", said(gone))
    assert body["messages"][0]["content"] == "What is this?\n[image photo.png, 1200x800]"


def test_pictures_and_pages_count_in_estimates(adapter: Adapter):
    plain = tokens.count([said()])
    assert 500 < tokens.count([said(picture(adapter))]) - plain < 2_000
    assert tokens.count([said(document(adapter))]) - plain >= 2 * 1_500
    long = document(adapter, text="word " * 20_000)
    assert tokens.count([said(long)]) - plain >= 20_000, "or its text, if that is more"


@pytest.mark.parametrize(
    ("provider", "model", "sees"),
    [
        ("openai", "gpt-5.4-mini", (True, True)),
        ("openai", "gpt-3.5-turbo", (False, False)),
        ("openai", "o3-mini", (False, False)),
        ("anthropic", "claude-sonnet-5-5", (True, True)),
        ("anthropic", "claude-2.1", (False, False)),
        ("google", "gemini-3.5-flash", (True, True)),
        ("google", "gemma-3-1b-it", (False, False)),
        ("ollama", "llama3.2-vision:11b", (True, False)),
        ("ollama", "qwen2.5vl:7b", (True, False)),
        ("ollama", "llama3.2", (False, False)),
        ("compatible", "smollm2-360m-instruct", (False, False)),
        ("compatible", "anthropic/claude-sonnet-5-5", (True, False)),
        ("compatible", "Qwen/Qwen2.5-VL-7B-Instruct", (True, False)),
        ("bedrock", "amazon.nova-micro-v1:0", (False, False)),
        ("offline", "offline", (False, False)),
    ],
)
def test_what_a_model_sees_is_known_by_its_name(
    provider: ModelProviderName, model: str, sees: tuple[bool, bool]
):
    seen = sight_of(Config("mdl-000000000001", "Theirs", provider, model))
    assert (seen.images, seen.documents) == sees
