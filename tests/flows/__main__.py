"""Walk the four flows of docs/architecture.md and count the functions of ours that they go through.

`python -m flows [part of a name]... [--tree]`: each flow runs in process, once to warm the caches
and once watched. What runs by the clock is left out.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvloop

from bailiwick.config import Settings
from bailiwick.kit import logs
from bailiwick.kit.http.sse import Detach
from bailiwick.office import at_work
from flows.walk import Walk, Watch
from support.local_rig import LocalRig, local_rig
from support.mailroom import letter
from support.model_server import calls, says, serving_model
from support.office import API, Office, opened_office
from support.workshop import Workshop, workshop_in

PATIENCE, REST_SECONDS = 60, 1.5


@dataclass
class Listener:
    """A page that is open: it has an event stream, and waits for what it is told."""

    office: Office
    told: list[str] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        token = self.office.product.operator_token.get_secret_value()
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": f"{API}/events/stream",
            "raw_path": f"{API}/events/stream".encode(),
            "query_string": b"",
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 50000),
            "headers": [
                (b"host", self.office.origin.partition("//")[2].encode()),
                (b"authorization", f"Bearer {token}".encode()),
            ],
        }
        asked = False

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if asked:
                await asyncio.Event().wait()
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            for line in message.get("body", b"").decode().splitlines():
                if line.startswith("data: "):
                    self.told.append(json.loads(line[6:])["type"])
            self.news.set()

        await Detach(self.office.app)(scope, receive, send)

    async def until(self, type: str) -> None:
        """Wait until the page is told of such an event, and forget what it was told."""
        async with asyncio.timeout(PATIENCE):
            while type not in self.told:
                self.news.clear()
                await self.news.wait()
        self.told.clear()


@dataclass
class World:
    """An office at work, and who takes part in the flows."""

    office: Office
    page: Listener
    shop: Workshop
    agent: dict[str, Any]
    client: Any
    mailbox: LocalRig
    count: int = 0

    async def mail(self) -> None:
        self.count += 1
        await self.mailbox.deliver(letter(subject=f"Letter {self.count}", text="Hello. " * 20))
        await self.page.until("mail.received")

    async def mcp(self) -> None:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        params = {"name": "list_tasks", "arguments": {}}
        headers = {"Accept": "application/json", "MCP-Protocol-Version": "2025-11-25"}
        answer = await self.client.post("/mcp", json={**body, "params": params}, headers=headers)
        assert "tasks" in answer.text, answer.text

    async def run(self) -> None:
        run = await self.shop.start(self.agent, "Note that I must pay.")
        await self.page.until("approval.requested")
        await self.page.until("run.waiting")
        waiting = await self.shop.read(run["id"])
        body = {"actionId": waiting["pendingActions"][0]["id"], "confirmed": True}
        said = await self.shop.owner.post(f"{API}/sessions/{run['id']}/confirm", json=body)
        assert said.status_code == 200, said.text
        await self.page.until("run.completed")

    async def settings(self) -> None:
        self.count += 1
        values = {"rate_limit_percent": 90_000 + self.count}
        answer = await self.shop.owner.patch(f"{API}/settings", json=values)
        assert answer.status_code == 200, answer.text
        await self.page.until("settings.changed")


FLOWS: dict[str, Callable[[World], Awaitable[None]]] = {
    "mail": World.mail,
    "mcp": World.mcp,
    "run": World.run,
    "settings": World.settings,
}


async def world(folder: Path, stack: AsyncExitStack) -> World:
    logs.configure(level="error", format="console", file=None)
    settings = Settings(data=folder, log_level="error")
    office = await stack.enter_async_context(opened_office(settings))
    await stack.enter_async_context(at_work(office.product))
    shop = await workshop_in(office)
    office.product.storage.app.after_commit.pop()  # the tail runs here
    page = Listener(office)
    listening = asyncio.create_task(page.run())
    stack.callback(listening.cancel)
    await page.until("stream.ready")
    answer = [calls("create_task", {"title": "Pay"}), says("Paid.")] * 2
    model = stack.enter_context(serving_model(*answer))
    agent = await shop.agent(modelId=await shop.model(model), askWrites=True)
    space = shop.workspace_id
    body = {"name": "Program", "workspaceId": space}
    client = (await shop.owner.post(f"{API}/clients", json=body)).json()
    mailbox = local_rig(folder / "letters")
    body = {"workspaceId": space, "connector": "local", "label": "Work"}
    body |= {"settings": {"address": "me@office.example", "path": str(mailbox.maildir._path)}}
    made = await office.operator.post(f"{API}/accounts", json=body)
    assert made.status_code == 201, made.text
    return World(office, page, shop, agent, office.program(client["token"]), mailbox)


async def walked(names: Sequence[str], watch: Watch) -> dict[str, Walk]:
    """Each flow, watched."""
    with tempfile.TemporaryDirectory() as made:
        async with AsyncExitStack() as stack:
            here = await world(Path(made) / "data", stack)
            found: dict[str, Walk] = {}
            for name in names:
                await FLOWS[name](here)
                await asyncio.sleep(REST_SECONDS)
                here.page.told.clear()
                with watch.watched() as found[name]:
                    await FLOWS[name](here)
            return found


def main(arguments: Sequence[str]) -> None:
    parts = [each for each in arguments if not each.startswith("-")]
    names = [name for name in FLOWS if not parts or any(part in name for part in parts)]
    for name, walk in uvloop.run(walked(names, Watch())).items():
        lines = list(walk.lines())
        if "--tree" in arguments:
            print(*(f"{'  ' * depth}{text}" for depth, text in lines), sep="\n")
        deepest = max(depth for depth, _ in lines) + 1
        print(
            f"{name}: {len(walk.functions)} functions, {walk.calls} calls between them, "
            f"{deepest} deep"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
