"""Messages there and back, prices, and how many tokens something is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bailiwick.llm import messages, prices, tokens
from bailiwick.llm.chat import OfferedTool, TokenUsage
from bailiwick.llm.config import Config

TEXT = st.text(max_size=40)
IDS = st.integers(min_value=0).map("call_{}".format)
ARGUMENTS = st.one_of(
    st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5)).map(json.dumps),
    st.text(max_size=20),
)
pytestmark = pytest.mark.req("MODEL-04")


@st.composite
def conversations(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Conversations in which every call has its result."""
    said: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0, 5))):
        role = draw(st.sampled_from(["system", "user", "assistant", "calls"]))
        if role != "calls":
            said.append({"role": role, "content": draw(TEXT)})
            continue
        ids = draw(st.lists(IDS, min_size=1, max_size=3, unique=True))
        functions = [{"name": "tool", "arguments": draw(ARGUMENTS)} for _ in ids]
        made = [
            {"id": id, "type": "function", "function": function}
            for id, function in zip(ids, functions, strict=True)
        ]
        said.append({"role": "assistant", "content": draw(TEXT), "tool_calls": made})
        said += [{"role": "tool", "tool_call_id": id, "content": draw(TEXT)} for id in ids]
    return said


@given(conversations())
def test_a_conversation_comes_back_as_it_went(said: list[dict[str, Any]]):
    assert messages.from_messages(messages.to_messages(said)) == said


@given(
    st.lists(
        st.fixed_dictionaries(
            {"role": st.sampled_from(["system", "user", "assistant", "tool"])},
            optional={
                "content": st.none() | TEXT | st.just([{"type": "text", "text": "x"}]),
                "tool_call_id": IDS,
                "tool_calls": st.lists(
                    st.fixed_dictionaries(
                        {
                            "id": IDS,
                            "function": st.fixed_dictionaries(
                                {"name": st.just("tool"), "arguments": ARGUMENTS}
                            ),
                        }
                    ),
                    max_size=2,
                ),
            },
        ),
        max_size=6,
    )
)
def test_any_conversation_becomes_one_that_providers_take(said: list[dict[str, Any]]):
    mapped = messages.from_messages(messages.to_messages(said))
    waiting: set[str] = set()
    for message in mapped:
        if message["role"] == "tool":
            assert message["tool_call_id"] in waiting, "no result without its call"
            waiting.discard(message["tool_call_id"])
        else:
            assert not waiting, "no call without its result"
            waiting = {call["id"] for call in message.get("tool_calls", ())}
    assert not waiting


def test_an_orphan_is_told_as_text_and_a_lost_result_is_said_to_be_lost():
    call = {"id": "c1", "type": "function", "function": {"name": "x", "arguments": "{}"}}
    orphan, _, lost = messages.from_messages(
        messages.to_messages(
            [
                {"role": "tool", "tool_call_id": "gone", "content": "42"},
                {"role": "assistant", "content": None, "tool_calls": [call]},
            ]
        )
    )
    assert (orphan["role"], orphan["content"]) == ("user", messages.ORPHAN + "42")
    assert (lost["tool_call_id"], lost["content"]) == ("c1", messages.NO_RESULT)


@pytest.mark.req("MODEL-03")
def test_prices_are_ones_own_or_known_or_none():
    own = Config("m", "m", "openai", "gpt-4o", input_price=1_000_000, output_price=3_000_000)
    assert prices.price(own, TokenUsage(10, 1)) == 13
    assert prices.price(own, TokenUsage(0, 0)) == 0
    known = Config("m", "m", "openai", "gpt-4o")
    assert prices.price(known, TokenUsage(1_000_000, 1_000_000)) == 12_500_000
    assert prices.price(known, TokenUsage(1, 0)) == 3, "rounded up"
    half = Config("m", "m", "openai", "gpt-4o", input_price=0)
    assert prices.price(half, TokenUsage(1_000_000, 1_000_000)) == 10_000_000
    assert prices.effective(half).source == "yours"
    assert prices.price(Config("m", "m", "openai", "no-such-model"), TokenUsage(1, 1)) is None
    assert prices.price(Config("m", "m", "offline", "offline"), TokenUsage(10**6, 10**6)) == 0
    resold = Config("m", "m", "compatible", "llama-3.3-70b-versatile")
    assert prices.price(resold, TokenUsage(1, 1)) is None


@pytest.mark.req("MODEL-03")
def test_a_compatible_server_that_the_table_knows_has_its_prices():
    line = next(line for line in prices.search() if line.seller == "deepseek")
    config = Config("m", "m", "compatible", line.model, base_url="https://api.deepseek.com/v1")
    assert prices.effective(config).source == "known"
    assert (prices.price(config, TokenUsage(10**6, 0)) or 0) > 0


@given(st.text(), st.text())
def test_a_longer_text_never_has_fewer_tokens(one: str, other: str):
    assert tokens.of_text(one + other) >= max(tokens.of_text(one), tokens.of_text(other))
    assert tokens.of_text(one) * 4 >= len(one)


def test_everything_in_a_request_counts():
    message = {"role": "user", "content": "word " * 100}
    alone = tokens.count([message])
    assert 100 <= alone <= 200
    tool = OfferedTool("search", "Searches " * 20, {"type": "object"})
    assert tokens.count([message], [tool]) >= alone + 45
    call = {"id": "c", "function": {"name": "search", "arguments": "x" * 400}}
    assert tokens.count([{"role": "assistant", "content": None, "tool_calls": [call]}]) >= 100
    assert tokens.of_text("家" * 10) >= 10
