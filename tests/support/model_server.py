"""A model on loopback that speaks OpenAI's chat API and says what a test tells it to.

In process:

    with serving_model(says("Hello."), calls("library_search", {"query": "rent"})) as server:
        ...                            # give the adapter server.base_url; turns come in this order
    server.requests[0].messages        # what it was asked, .headers, .tools and .body too
    server.usual = says("Done.")       # when the turns are used up (as it is unless told otherwise)

By the transcript, so that one server serves many runs at once:

    def answer(request: Request) -> Turn:
        if request.results:                     # contents of the tool results so far
            return says("Found: " + request.results[-1])
        return calls("library_search", {"query": request.last})

    with serving_model(answer) as server: ...
    with serving_model(by_messages(lambda messages: says(str(len(messages))))) as server: ...

Faults: `fails(429, retry_after=2)`, `fails(500)`, `Turn("Half of it", drop_after=1)` (then the
connection is cut), `Turn("Slow", pause=0.05)`, `Turn("Silent", hang_after=1)` (then nothing until
the caller leaves, which sets `server.left_alone`), `Turn(calls=(Call("x", "{broken"),))` (arguments
that are text go out as they are), two calls with one id (`Call("x", {}, id="same")`), a tool that
does not exist (any name), `forever("x", {})` (a loop that never ends), `Turn()` (an empty answer),
`Turn(raw=["data: nonsense\\n\\n"])` (any bytes, on any path), `Turn("Hi", usage=None)` (no
figures). `server.usual` and `server.turns` may be changed at any time.

In a process of its own, from a JSON file of turns, of rules over the transcript, or by a function:

    python -m support.model_server --port 8123 --script turns.json
    python -m support.model_server --port 0 --function my_tests.answers:answer

    {"turns": [{"text": "Hi"}, {"calls": [{"name": "x", "arguments": {"a": 1}}]}],
     "rules": [{"contains": "invoice", "results": 0, "turn": {"calls": [{"name": "x"}]}}],
     "usual": {"text": "Done."}}

A rule holds when the last user message contains `contains` and there are as many tool results as
`results` says (each may be left out); a `usual` with calls is a loop that never ends. The first
line of its output is the address; GET /requests shows what it was asked.
"""

import argparse
import importlib
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

MODEL = "scripted-1"
_PATIENCE = 180.0


@dataclass(frozen=True)
class Call:
    """A tool call; arguments that are text go out as they are, JSON or not."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str | None = None  # None: one that nobody had before

    @property
    def text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True)
class Turn:
    """One answer, or one fault."""

    text: str = ""
    calls: Sequence[Call] = ()
    # Tokens in and out, and of those in: read from a cache, written into it.
    usage: tuple[int, int] | tuple[int, int, int, int] | None = (20, 10)
    finish: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    piece: int = 8  # characters in a piece of the stream
    pause: float = 0.0  # seconds between pieces
    drop_after: int | None = None  # pieces, then the connection is cut
    hang_after: int | None = None  # pieces, then nothing until the caller leaves
    raw: Sequence[str] | None = None
    thought: str = ""  # before the text, in a field of its own

    @property
    def finished(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True)
class Request:
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", ()))

    @property
    def tools(self) -> list[str]:
        """Names of the tools on offer."""
        return [tool["function"]["name"] for tool in self.body.get("tools") or ()]

    @property
    def system(self) -> str:
        return "\n".join(_text(one) for one in self.messages if one["role"] == "system")

    @property
    def last(self) -> str:
        """What the user said last."""
        return next((_text(one) for one in reversed(self.messages) if one["role"] == "user"), "")

    @property
    def results(self) -> list[str]:
        """What the tools answered."""
        return [_text(one) for one in self.messages if one["role"] == "tool"]


Answer = Callable[[Request], Turn]
DONE = Turn("Done.")


def says(text: str, **more: Any) -> Turn:
    """An answer in words."""
    return Turn(text, **more)


def calls(name: str, arguments: Mapping[str, Any] | str | None = None, **more: Any) -> Turn:
    """A call of one tool."""
    return Turn(calls=(Call(name, {} if arguments is None else arguments),), **more)


def fails(status: int, *, retry_after: float | str | None = None, text: str = "No.") -> Turn:
    """A refusal."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Turn(text, status=status, headers=headers)


def forever(name: str, arguments: Mapping[str, Any] | None = None) -> Answer:
    """A model that calls the same tool again and again."""
    return lambda _: calls(name, arguments)


def by_messages(function: Callable[[list[dict[str, Any]]], Turn]) -> Answer:
    """An answer that depends on the transcript alone."""
    return lambda request: function(request.messages)


@dataclass
class ModelServer:
    """What it was asked, and what it answers: the turns first, then `usual`."""

    url: str
    turns: list[Turn] = field(default_factory=list)
    usual: Turn | Answer = DONE
    about: dict[str, Any] = field(default_factory=dict[str, Any])  # what its list adds
    requests: list[Request] = field(default_factory=list)
    left_alone: threading.Event = field(default_factory=threading.Event)
    began: threading.Event = field(default_factory=threading.Event)  # a first piece went out
    stopping: threading.Event = field(default_factory=threading.Event)
    open: set[socket.socket] = field(default_factory=set)
    _ids: Iterator[int] = field(default_factory=lambda: count(1))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def next_turn(self, request: Request) -> Turn:
        with self._lock:
            self.requests.append(request)
            given = self.turns.pop(0) if self.turns else self.usual
        return given if isinstance(given, Turn) else given(request)

    def new_id(self) -> str:
        return f"call_{next(self._ids)}"


@contextmanager
def serving_model(*script: Turn | Answer, port: int = 0) -> Iterator[ModelServer]:
    """A server that listens until the block ends; a function in the script answers for good."""
    server = _Server(("127.0.0.1", port), _Handler)
    turns = [one for one in script if isinstance(one, Turn)]
    functions = [one for one in script if not isinstance(one, Turn)]
    url = f"http://127.0.0.1:{server.server_port}"
    server.model = made = ModelServer(url, turns, functions[0] if functions else DONE)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()
        for connection in list(made.open):
            _cut(connection)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    model: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that leaves is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.model.open.add(self.connection)

    def finish(self) -> None:
        self.server.model.open.discard(self.connection)
        super().finish()

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.endswith("/models"):
            entry = {"id": MODEL, "object": "model", "created": 0, "owned_by": "tests"}
            self._json(200, {"object": "list", "data": [{**entry, **self.server.model.about}]})
        elif path == "/api/tags":
            self._json(200, {"models": [{"name": MODEL, "model": MODEL}]})
        elif path == "/requests":
            self._json(200, [vars(request) for request in self.server.model.requests])
        else:
            self._json(404, {"error": {"message": "There is nothing here."}})

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/api/show":
            window = self.server.model.about.get("max_model_len")
            info = {"general.architecture": "t", "t.context_length": window}
            self._json(200, {"model_info": info})
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, json.loads(content))
        turn = self.server.model.next_turn(request)
        if turn.status != 200:
            error = {"message": turn.text, "type": "scripted", "code": str(turn.status)}
            self._json(turn.status, {"error": error}, turn.headers)
        elif turn.raw is not None:
            self._stream(turn, turn.raw)
        elif self.path == "/api/chat":
            self._stream(turn, _lines(turn, str(request.body.get("model", MODEL))))
        elif request.body.get("stream"):
            model = str(request.body.get("model", MODEL))
            self._stream(turn, _events(turn, model, new_id=self.server.model.new_id))
        else:
            model = str(request.body.get("model", MODEL))
            self._json(200, _whole(turn, model, new_id=self.server.model.new_id), turn.headers)

    def _stream(self, turn: Turn, pieces: Sequence[str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in turn.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.flush()
        try:
            self._send_pieces(turn, pieces)
        except ConnectionError:
            # Gone before it came to the silence in which its going would be noticed.
            self.close_connection = True
            if turn.hang_after is not None:
                self.server.model.left_alone.set()

    def _send_pieces(self, turn: Turn, pieces: Sequence[str]) -> None:
        for place, piece in enumerate(pieces):
            if turn.drop_after is not None and place >= turn.drop_after:
                _cut(self.connection)
                self.close_connection = True
                return
            if turn.hang_after is not None and place >= turn.hang_after:
                self._wait_until_left()
                return
            if turn.pause and self.server.model.stopping.wait(turn.pause):
                self.close_connection = True
                return
            self._chunk(piece.encode())
            self.server.model.began.set()
        self._chunk(b"")

    def _chunk(self, content: bytes) -> None:
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    def _wait_until_left(self) -> None:
        self.close_connection = True
        self.connection.settimeout(_PATIENCE)
        try:
            gone = self.connection.recv(1) == b""
        except ConnectionError:
            gone = True
        if gone:
            self.server.model.left_alone.set()

    def _json(self, status: int, document: Any, headers: Mapping[str, str] | None = None) -> None:
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _events(turn: Turn, model: str, *, new_id: Callable[[], str]) -> list[str]:
    """The stream of a turn: text in pieces, then each call: its name, then its arguments."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": piece} for piece in _cut_up(turn.thought, turn.piece)]
    deltas += [{"content": piece} for piece in _cut_up(turn.text, turn.piece)]
    for index, call in enumerate(turn.calls):
        id = new_id() if call.id is None else call.id
        head = {"id": id, "type": "function", "function": {"name": call.name, "arguments": ""}}
        deltas.append({"tool_calls": [{"index": index, **head}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
            for piece in _cut_up(call.text, turn.piece)
        ]
    chunks = [_chunk(model, [{"index": 0, "delta": one, "finish_reason": None}]) for one in deltas]
    chunks.append(_chunk(model, [{"index": 0, "delta": {}, "finish_reason": turn.finished}]))
    if turn.usage is not None:
        chunks.append({**_chunk(model, []), "usage": _usage(turn.usage)})
    return [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + ["data: [DONE]\n\n"]


def _lines(turn: Turn, model: str) -> list[str]:
    """The stream of a turn as Ollama has it: a line for each piece, and the figures in the last."""
    said = [{"content": piece} for piece in _cut_up(turn.text, turn.piece)]
    wanted = [
        {"function": {"name": call.name, "arguments": json.loads(call.text)}} for call in turn.calls
    ]
    messages = [*said, *([{"content": "", "tool_calls": wanted}] if wanted else [])]
    made: list[dict[str, Any]] = [
        {"model": model, "message": {"role": "assistant", **each}, "done": False}
        for each in messages
    ]
    asked, answered = turn.usage or (0, 0)
    ended = {"done": True, "done_reason": turn.finish or "stop"}
    figures = {"prompt_eval_count": asked, "eval_count": answered}
    made.append(
        {"model": model, "message": {"role": "assistant", "content": ""}, **ended, **figures}
    )
    return [json.dumps(line) + "\n" for line in made]


def _chunk(model: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000}
    return {**head, "model": model, "choices": choices}


def _whole(turn: Turn, model: str, *, new_id: Callable[[], str]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": new_id() if call.id is None else call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.text},
            }
            for call in turn.calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": turn.finished}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000}
    usage = {"usage": _usage(turn.usage)} if turn.usage else {}
    return {**head, "model": model, "choices": [choice], **usage}


def _usage(figures: Sequence[int]) -> dict[str, Any]:
    asked, said, *cached = figures
    told = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
    if not cached:
        return told
    details = dict(zip(("cached_tokens", "cache_write_tokens"), cached, strict=True))
    return {**told, "prompt_tokens_details": details}


def _cut_up(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def _cut(connection: socket.socket) -> None:
    with suppress(OSError):  # it may be closed already
        connection.shutdown(socket.SHUT_RDWR)


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def read_script(document: Mapping[str, Any]) -> tuple[list[Turn], Answer]:
    """Turns, and the function for what comes after them, from a script's JSON."""
    rules = [(rule, _turn(rule["turn"])) for rule in document.get("rules", ())]
    usual = _turn(document.get("usual", {"text": DONE.text}))

    def answer(request: Request) -> Turn:
        return next((turn for rule, turn in rules if _holds(rule, request)), usual)

    return [_turn(one) for one in document.get("turns", ())], answer


def _turn(given: Mapping[str, Any]) -> Turn:
    said = {**given, "calls": tuple(Call(**one) for one in given.get("calls", ()))}
    if isinstance(said.get("usage"), list):
        said["usage"] = tuple(said["usage"])
    return Turn(**said)


def _holds(rule: Mapping[str, Any], request: Request) -> bool:
    if "contains" in rule and rule["contains"].lower() not in request.last.lower():
        return False
    return "results" not in rule or rule["results"] == len(request.results)


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--function", help="module:name of a function from a Request to a Turn")
    given = parser.parse_args()
    turns, answer = read_script(json.loads(given.script.read_text()) if given.script else {})
    if given.function:
        module, _, name = given.function.partition(":")
        answer = getattr(importlib.import_module(module), name)
    with serving_model(*turns, answer, port=given.port) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
