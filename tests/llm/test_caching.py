"""Prompt caching: marks for Anthropic, and for the others a prefix that stays as it is."""

import json
from typing import Any

import pytest

from bailiwick.llm.chat import ModelRequest, OfferedTool
from llm.conftest import Adapter
from llm.test_model_providers import ANTHROPIC, ASKED, configured
from support.model_server import ModelServer

pytestmark = pytest.mark.req("MODEL-06")


def marked(value: Any) -> int:
    """How many breakpoints there are anywhere in a body."""
    if isinstance(value, dict):
        return ("cache_control" in value) + sum(marked(each) for each in value.values())
    return sum(marked(each) for each in value) if isinstance(value, list) else 0


async def test_anthropic_is_told_to_keep_system_tools_and_the_head_of_the_conversation(
    adapter: Adapter, server: ModelServer
):
    tools = [*ASKED.tools, OfferedTool("other", "Another.", {"type": "object", "properties": {}})]
    server.turns = [ANTHROPIC, ANTHROPIC]
    config = configured("anthropic", server, "claude-sonnet-5-5")
    first = ModelRequest(ASKED.messages[:2], tools)
    for asked in (first, ModelRequest(ASKED.messages, tools)):
        await adapter.models.reply(config, asked)
    one, two = (request.body for request in server.requests)
    for body in (one, two):
        assert "cache_control" in body["system"][-1]
        assert "cache_control" in body["tools"][-1]
        assert "cache_control" in body or marked(body["messages"]) == 1, "the conversation too"
        assert marked(body) <= 4, "Anthropic takes no more"
    assert json.dumps(one["system"]) == json.dumps(two["system"])
    assert json.dumps(one["tools"]) == json.dumps(two["tools"])
    assert json.dumps(two["messages"]).startswith(json.dumps(one["messages"])[:-1])


async def test_a_question_that_stands_alone_is_not_written_into_a_cache(
    adapter: Adapter, server: ModelServer
):
    server.turns = [ANTHROPIC]
    config = configured("anthropic", server, "claude-sonnet-5-5")
    await adapter.models.reply(config, ModelRequest(ASKED.messages[:2]))
    assert marked(server.requests[0].body) == 0
