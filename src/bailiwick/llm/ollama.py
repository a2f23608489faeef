"""Ollama by its own API, for a library that speaks OpenAI's.

Ollama's copy of OpenAI's API cannot be told how long the context is to be: it cuts a longer prompt
without a word. `/api/chat` can. Requests are turned into its form on their way out, and its lines
into OpenAI's events on their way back.

Imported only when a model is used.
"""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx2

from bailiwick.llm import tokens
from bailiwick.llm.chat import OfferedTool

# Each other size makes Ollama load the model again, so there are few of them.
SMALLEST_CONTEXT = 4_096
_ANSWER = 2_048  # room for an answer whose length is not bounded
_LONGEST_LINE = 8_000_000
_OPTIONS = {"temperature": "temperature", "top_p": "top_p", "seed": "seed", "stop": "stop"}


def native_client(client: httpx2.AsyncClient, *, window: int) -> httpx2.AsyncClient:
    """A client for OpenAI's library that asks Ollama in Ollama's way, over the given one."""
    return httpx2.AsyncClient(transport=_NativeTransport(client, window))


def context_for(needed: int, *, window: int) -> int:
    """The context that so many tokens need: the next power of two, within the window."""
    size = SMALLEST_CONTEXT
    while size < needed:
        size *= 2
    return min(size, window)


def native_request(asked: Mapping[str, Any], *, window: int) -> dict[str, Any]:
    """A request of OpenAI's API as `/api/chat` takes it."""
    messages, tools = asked.get("messages") or [], asked.get("tools") or []
    room = asked.get("max_completion_tokens") or asked.get("max_tokens")
    needed = tokens.count(messages, map(_offered, tools)) + (room or _ANSWER)
    options = {own: asked[name] for name, own in _OPTIONS.items() if asked.get(name) is not None}
    options["num_ctx"] = context_for(needed, window=window)
    if room:
        options["num_predict"] = room
    made: dict[str, Any] = {
        "model": asked.get("model"),
        "messages": _messages(messages),
        "stream": True,
        # What does not fit is refused rather than cut; older versions do not know the word.
        "truncate": False,
        "options": options,
    }
    if tools:
        made["tools"] = tools
    form = asked.get("response_format") or {}
    if form.get("type") == "json_schema":
        made["format"] = form["json_schema"]["schema"]
    elif form.get("type") == "json_object":
        made["format"] = "json"
    if effort := asked.get("reasoning_effort"):
        made["think"] = effort != "none"
    return made


class _NativeTransport(httpx2.AsyncBaseTransport):
    """Sends what is for `/v1/chat/completions` to `/api/chat`."""

    def __init__(self, client: httpx2.AsyncClient, window: int) -> None:
        self._client = client
        self._window = window

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = json.loads(await request.aread())
        path = request.url.path.removesuffix("/v1/chat/completions") + "/api/chat"
        kept = ("authorization", "user-agent")
        sent = self._client.build_request(
            "POST",
            request.url.copy_with(path=path),
            json=native_request(asked, window=self._window),
            headers={name: request.headers[name] for name in kept if name in request.headers},
        )
        answer = await self._client.send(sent, stream=True)
        if answer.status_code != 200:
            return await _refused(answer)
        head = {"content-type": "text/event-stream"}
        return httpx2.Response(200, headers=head, stream=_Events(answer), request=request)


class _Events(httpx2.AsyncByteStream):
    """Ollama's lines as OpenAI's events."""

    def __init__(self, answer: httpx2.Response) -> None:
        self._answer = answer
        self._calls = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held = b""
        async for piece in self._answer.aiter_bytes():
            held += piece
            if len(held) > _LONGEST_LINE:
                raise ValueError("a line without end")
            *lines, held = held.split(b"\n")
            for line in filter(None, lines):
                for event in self._events(json.loads(line)):
                    yield _sse(event)
        if held.strip():
            for event in self._events(json.loads(held)):
                yield _sse(event)

    async def aclose(self) -> None:
        await self._answer.aclose()

    def _events(self, line: dict[str, Any]) -> list[dict[str, Any] | str]:
        if "error" in line:
            return [{"error": {"message": str(line["error"]), "type": "ollama"}}]
        said = line.get("message") or {}
        delta: dict[str, Any] = {}
        if said.get("thinking"):
            delta["reasoning"] = said["thinking"]
        if said.get("content"):
            delta["content"] = said["content"]
        if wanted := said.get("tool_calls"):
            delta["tool_calls"] = [self._call(each) for each in wanted]
        made: list[dict[str, Any] | str] = [_chunk(line, delta, None)] if delta else []
        if line.get("done"):
            made += [_chunk(line, {}, self._finish(line)), _usage(line), "[DONE]"]
        return made

    def _call(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        function = wanted.get("function") or {}
        index, self._calls = self._calls, self._calls + 1
        return {
            "index": index,
            "id": wanted.get("id") or f"call_{index}",
            "type": "function",
            "function": {
                "name": function.get("name") or "",
                "arguments": json.dumps(function.get("arguments") or {}, ensure_ascii=False),
            },
        }

    def _finish(self, line: Mapping[str, Any]) -> str:
        if line.get("done_reason") == "length":
            return "length"
        return "tool_calls" if self._calls else "stop"


def _sse(event: dict[str, Any] | str) -> bytes:
    text = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


def _chunk(line: Mapping[str, Any], delta: Mapping[str, Any], finish: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": finish}
    return {**_head(line), "choices": [choice]}


def _usage(line: Mapping[str, Any]) -> dict[str, Any]:
    asked, said = line.get("prompt_eval_count") or 0, line.get("eval_count") or 0
    figures = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
    return {**_head(line), "choices": [], "usage": figures}


def _head(line: Mapping[str, Any]) -> dict[str, Any]:
    model = line.get("model") or ""
    return {"id": "ollama", "object": "chat.completion.chunk", "created": 0, "model": model}


async def _refused(answer: httpx2.Response) -> httpx2.Response:
    content = await answer.aread()
    await answer.aclose()
    try:
        said = str(json.loads(content)["error"])
    except (ValueError, KeyError, TypeError):
        said = content.decode(errors="replace")[:500]
    kept = {name: answer.headers[name] for name in ("retry-after",) if name in answer.headers}
    return httpx2.Response(
        answer.status_code, headers=kept, json={"error": {"message": said}}, request=answer.request
    )


def _offered(tool: Mapping[str, Any]) -> OfferedTool:
    function = tool.get("function") or {}
    return OfferedTool(
        function.get("name") or "",
        function.get("description") or "",
        function.get("parameters") or {},
    )


def _messages(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = {
        call["id"]: call["function"]["name"]
        for message in messages
        for call in message.get("tool_calls") or ()
    }
    return [_message(message, names) for message in messages]


def _message(message: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    text, images = _content(message.get("content"))
    made: dict[str, Any] = {"role": message.get("role"), "content": text}
    if images:
        made["images"] = images
    if calls := message.get("tool_calls"):
        made["tool_calls"] = [{"function": _function(call["function"])} for call in calls]
    if id := message.get("tool_call_id"):
        made["tool_name"] = names.get(id, "")
    return made


def _function(function: Mapping[str, Any]) -> dict[str, Any]:
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except ValueError:
        arguments = None
    # It takes objects alone; what a model once wrote otherwise is kept as text in one.
    if not isinstance(arguments, dict):
        arguments = {"arguments": function.get("arguments")}
    return {"name": function.get("name"), "arguments": arguments}


def _content(content: Any) -> tuple[str, list[str]]:
    if not isinstance(content, list):
        return content or "", []
    words = [part["text"] for part in content if part.get("type") == "text"]
    urls = [part["image_url"]["url"] for part in content if part.get("type") == "image_url"]
    return "\n".join(words), [url.partition(",")[2] for url in urls if url.startswith("data:")]
