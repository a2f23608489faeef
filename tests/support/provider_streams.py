"""Streams as providers document them: OpenAI's Responses API, Anthropic's messages, Gemini."""

import json
from typing import Any

from support.model_server import Turn


def sse(*events: dict[str, Any]) -> Turn:
    """A stream of events, each with its name where it has one."""
    names = [f"event: {event['type']}\n" if "type" in event else "" for event in events]
    return Turn(
        raw=[f"{name}data: {json.dumps(e)}\n\n" for name, e in zip(names, events, strict=True)]
    )


def response(status: str, **more: Any) -> dict[str, Any]:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": status,
        "model": "gpt-5.5",
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        **more,
    }


USAGE = {
    "input_tokens": 20,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 10,
    "output_tokens_details": {"reasoning_tokens": 6},
    "total_tokens": 30,
}


def responses(*events: dict[str, Any], end: dict[str, Any] | None = None) -> Turn:
    """A stream of the Responses API; it ends as completed unless told otherwise."""
    first = {"type": "response.created", "response": response("in_progress")}
    done = {"type": "response.completed", "response": response("completed", usage=USAGE)}
    told = [first, *events, done if end is None else end]
    return sse(*({**event, "sequence_number": place} for place, event in enumerate(told)))


REASONING = {"id": "rs_1", "type": "reasoning", "summary": []}
SUMMARY = [{"type": "summary_text", "text": "I look it up."}]


def thought() -> list[dict[str, Any]]:
    at = {"item_id": "rs_1", "output_index": 0, "summary_index": 0}
    empty = {"type": "summary_text", "text": ""}
    sealed = {**REASONING, "summary": SUMMARY, "encrypted_content": "c2VhbGVk"}
    return [
        {"type": "response.output_item.added", "output_index": 0, "item": REASONING},
        {"type": "response.reasoning_summary_part.added", **at, "part": empty},
        {"type": "response.reasoning_summary_text.delta", **at, "delta": "I look "},
        {"type": "response.reasoning_summary_text.delta", **at, "delta": "it up."},
        {"type": "response.output_item.done", "output_index": 0, "item": sealed},
    ]


def wanted(place: int, query: str) -> list[dict[str, Any]]:
    item = {
        "id": f"fc_{place}",
        "type": "function_call",
        "call_id": f"call_{place}",
        "name": "search",
        "arguments": "",
        "status": "in_progress",
    }
    arguments = json.dumps({"q": query})
    at = {"item_id": f"fc_{place}", "output_index": place}
    done = {**item, "arguments": arguments, "status": "completed"}
    return [
        {"type": "response.output_item.added", "output_index": place, "item": item},
        {"type": "response.function_call_arguments.delta", **at, "delta": arguments[:5]},
        {"type": "response.function_call_arguments.delta", **at, "delta": arguments[5:]},
        {"type": "response.function_call_arguments.done", **at, "arguments": arguments},
        {"type": "response.output_item.done", "output_index": place, "item": done},
    ]


def message(text: str, kind: str = "output_text") -> list[dict[str, Any]]:
    item = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
    at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    delta = {"type": f"response.{kind}.delta", **at, "delta": text, "logprobs": []}
    return [
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "status": "in_progress"},
        },
        delta,
    ]


def gemini(*given: dict[str, Any], **usage: int) -> Turn:
    """A whole answer of Gemini in one piece."""
    end = {"content": {"role": "model", "parts": list(given)}, "finishReason": "STOP"}
    used = usage or {"promptTokenCount": 20, "candidatesTokenCount": 10, "thoughtsTokenCount": 4}
    told = {"modelVersion": "gemini-3.5-flash", "usageMetadata": used}
    return sse({"candidates": [end], **told})


def block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def anthropic(*blocks: dict[str, Any], stop: str = "tool_use", **delta: Any) -> Turn:
    begun = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 20, "output_tokens": 1},
    }
    ended = {"stop_reason": stop, "stop_sequence": None, **delta}
    return sse(
        {"type": "message_start", "message": begun},
        *blocks,
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 10}},
        {"type": "message_stop"},
    )


THINKING = [
    *block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "I look "},
        {"type": "thinking_delta", "thinking": "it up."},
        {"type": "signature_delta", "signature": "c2lnbmVk"},
    ),
    *block(1, {"type": "redacted_thinking", "data": "c2VhbGVk"}),
    *block(2, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Looking."}),
    *block(
        3,
        {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}},
        {"type": "input_json_delta", "partial_json": '{"q": "rent"}'},
    ),
]
