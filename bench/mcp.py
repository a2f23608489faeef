"""An MCP tool call over HTTP through the whole gate, beside a bare server of the official SDK.

16 clients call the same tool. Ours has 100 rules, redaction and an audit that is durable before the
answer, in an encrypted database; the bare one has nothing of the kind. Then memory and start.
"""

import asyncio
import json
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

# This file has the SDK's name: beside itself it must not be found first.
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).parent]

CLIENTS, ROUNDS, SECONDS, WARM_UP = 16, 5, 4.0, 1.0
RULES = 100
TEXT = "The quick brown fox jumps over the lazy dog. " * 5
SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


# In a child.


def ours() -> None:
    """`bailiwick serve`, with one more tool."""
    from bailiwick import features, server
    from bailiwick.cli.options import settings
    from bailiwick.feature import Feature
    from bailiwick.tools.arguments import ToolArguments
    from bailiwick.tools.tool import Tool, ToolOutput

    class Said(ToolArguments):
        text: str

    async def echo(_: Any, arguments: Said) -> ToolOutput:
        return ToolOutput({"text": arguments.text}, "an echo")

    tool = Tool("echo", "Echo", "Says it again.", Said, "read", echo)
    own = features.installed()
    features.installed = lambda: [*own, Feature(name="echo", tools=lambda _: [tool])]
    server.serve(settings())


def bare() -> None:
    """A server of the SDK alone, as quick as its options make it."""
    import mcp_types as types
    import uvicorn
    from mcp.server.lowlevel import Server
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.applications import Starlette
    from starlette.routing import Mount

    async def listed(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name="echo", input_schema=SCHEMA)])

    async def called(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        data = {"text": (params.arguments or {})["text"]}
        text = types.TextContent(type="text", text=json.dumps(data))
        return types.CallToolResult(content=[text], structured_content=data)

    server = Server(
        "bare", on_list_tools=listed, on_call_tool=called, get_tool_input_schema=lambda _: None
    )
    manager = StreamableHTTPSessionManager(server, json_response=True)
    app = Starlette(
        routes=[Mount("/", app=manager.handle_request)], lifespan=lambda _: manager.run()
    )
    uvicorn.run(app, port=int(os.environ["BAILIWICK_PORT"]), log_level="error", access_log=False)


# In the parent.


class Side:
    """A server, and how a client speaks to it."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.folder = folder / kind
        self.token = ""
        env = {k: v for k, v in os.environ.items() if not k.startswith("BAILIWICK_")}
        env |= {"BAILIWICK_PORT": str(self.port), "BAILIWICK_DATA": str(self.folder)}
        env |= {"BAILIWICK_DATA_KEY": secrets.token_hex(32), "BAILIWICK_LOG_LEVEL": "warning"}
        started = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, __file__, kind], env=env, stdout=subprocess.PIPE, text=True
        )
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                    break
            except OSError:
                time.sleep(0.01)
        if kind == "ours":
            self.lines = [self.process.stdout.readline() for _ in range(4)]
        self.start = time.perf_counter() - started

    def cpu(self) -> float:
        """Seconds that its process has worked: other programs do not blur that."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    def furnish(self) -> None:
        """An owner, 100 rules that are looked at and do not match, and a client without limits."""
        operator = json.loads((self.folder / "server.json").read_text())["token"]
        link = next(line for line in self.lines if "#" in line).strip().partition("#")[2]
        owner = {"link": link, "email": "o@example.com", "name": "O", "password": "x y z 42 garden"}
        self.api("POST", "/auth/setup", owner, {"Origin": self.origin})
        bearer = {"Authorization": f"Bearer {operator}"}
        self.api("PATCH", "/settings", {"rate_limit_percent": 10_000}, bearer)
        for number in range(RULES):
            condition = {
                "and": [
                    {"in": [{"var": "effect"}, ["read", "send"]]},
                    {"==": [{"var": "args.text"}, f"forbidden {number}"]},
                ]
            }
            rule = {"name": f"Rule {number}", "action": "BLOCK", "condition": condition}
            self.api("POST", "/rules", {**rule, "priority": 5000 + number}, bearer)
        home = self.api("GET", "/workspaces", None, bearer)["items"][0]["id"]
        client = {"name": "bench", "workspaceId": home, "limits": {"requestsPerHour": None}}
        self.token = self.api("POST", "/clients", client, bearer)["token"]

    def api(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        request = urllib.request.Request(
            f"{self.origin}/api/v1{path}",
            json.dumps(body).encode() if body is not None else None,
            {"Content-Type": "application/json", **headers},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def request(self, method: str, params: Any, **headers: str) -> bytes:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        given = {
            "Host": f"127.0.0.1:{self.port}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
        return f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body


async def exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
) -> tuple[bytes, bytes]:
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
    return head, await reader.readexactly(length)


async def client(side: Side, protocol: str, until: float, since: float) -> list[float]:
    """One client that calls without pause; how long each call took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", side.port)
    call = {"name": "echo", "arguments": {"text": TEXT}}
    if protocol == "2026-07-28":
        headers = {"MCP-Protocol-Version": protocol, "Mcp-Method": "tools/call"}
        headers["Mcp-Name"] = "echo"
        request = side.request("tools/call", {**call, "_meta": ENVELOPE}, **headers)
    else:
        head, _ = await exchange(reader, writer, side.request("initialize", INITIALIZE))
        session = head.lower().partition(b"mcp-session-id: ")[2].partition(b"\r")[0].decode()
        headers = {"MCP-Protocol-Version": protocol, "Mcp-Session-Id": session}
        request = side.request("tools/call", call, **headers)
    took: list[float] = []
    while (started := time.perf_counter()) < until:
        head, body = await exchange(reader, writer, request)
        assert head.startswith(b"HTTP/1.1 200"), head + body
        assert b'"isError":false' in body, body
        if started > since:
            took.append(time.perf_counter() - started)
    writer.close()
    return took


async def crowd(side: Side, protocol: str) -> tuple[float, float, float, float]:
    """Calls a second, the 50th and 99th percentile, and what a call takes of a core, in ms."""
    since = time.perf_counter() + WARM_UP
    calling = asyncio.gather(
        *(client(side, protocol, since + SECONDS, since) for _ in range(CLIENTS))
    )
    await asyncio.sleep(WARM_UP)
    before = side.cpu()
    took = sorted(one for took in await calling for one in took)
    cpu = (side.cpu() - before) / len(took)
    middle, late = took[len(took) // 2], took[int(len(took) * 0.99)]
    return len(took) / SECONDS, middle * 1e3, late * 1e3, cpu * 1e3


def measured(sides: list[Side], protocol: str) -> list[list[float]]:
    found: list[list[tuple[float, ...]]] = [[] for _ in sides]
    for _ in range(ROUNDS):
        for side, rows in zip(sides, found, strict=True):
            rows.append(asyncio.run(crowd(side, protocol)))
    return [[statistics.median(column) for column in zip(*rows, strict=True)] for rows in found]


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        sides = [Side("ours", Path(made)), Side("bare", Path(made))]
        try:
            sides[0].furnish()
            for protocol in ("2026-07-28", "2025-11-25"):
                us, them = measured(sides, protocol)
                (rate, p50, p99, cpu), (bare_rate, bare_p50, bare_p99, bare_cpu) = us, them
                print(
                    f"calls in {protocol}   {rate:,.0f}/s   bare SDK {bare_rate:,.0f}/s   "
                    f"ratio {rate / bare_rate:.2f}   (to reach 0.75, then 3.0)"
                )
                print(
                    f"  p50 {p50:.1f} ms, p99 {p99:.1f} ms: {p99 / p50:.1f} times   "
                    f"bare SDK {bare_p50:.1f} and {bare_p99:.1f} ms   (to reach: 2 times)"
                )
                print(
                    f"  of a core {cpu:.2f} ms a call   bare SDK {bare_cpu:.2f} ms   "
                    f"ratio {bare_cpu / cpu:.2f}"
                )
            mine, theirs = sides
            memory, beside = mine.memory(), theirs.memory()
            print(f"memory {memory:.0f} MB   bare SDK {beside:.0f} MB   (to reach 180)")
            print(f"start {mine.start:.2f} s   bare SDK {theirs.start:.2f} s   (to reach 3)")
        finally:
            for side in sides:
                side.stop()


if __name__ == "__main__":
    {"ours": ours, "bare": bare}[sys.argv[1]]() if len(sys.argv) > 1 else main()
