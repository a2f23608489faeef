"""Results and Diagnostics with 10,000 cases: how long each list takes, and how the page scrolls.

The cases are put into the tables as directors and agents leave them: two runs each, with calls,
model calls, messages and items. The floor is the same process answering `whoami`, which reads one
row. With `--page` the page is opened in Chromium too. `python bench/results.py [cases] [--page]`
"""

import asyncio
import json
import logging
import os
import shutil
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path[:0] = [str(HERE.parent / "tests")]
sys.path.append(str(HERE))

import structlog  # noqa: E402
import uvicorn  # noqa: E402
import uvloop  # noqa: E402
from mails import Writer  # noqa: E402
from pydantic import SecretStr  # noqa: E402
from search import fill, free_port, timed  # noqa: E402
from sqlalchemy import insert, select  # noqa: E402

from bailiwick.artifacts.models import Artifact, ArtifactVersion  # noqa: E402
from bailiwick.cases.models import Case  # noqa: E402
from bailiwick.config import Settings  # noqa: E402
from bailiwick.kit import clock, ids  # noqa: E402
from bailiwick.mail.models import MailMessage  # noqa: E402
from bailiwick.runs.models import ProviderEvent, Run, RunCall, RunMessage  # noqa: E402
from support.mailbag import mailbag_in  # noqa: E402  # pyright: ignore[reportMissingImports]
from support.office import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    API,
    opened_office,
    user_id,
)

IN_A_CYCLE = 50
ITEMS = ("Summary", "Mood", "Facts", "Reply draft")
ROUNDS = 40


class Office:
    """Whose cases they are."""

    def __init__(
        self, whose: tuple[str, str], account_id: str, director_id: str, agent_id: str
    ) -> None:
        self.workspace_id, self.owner_id = whose
        self.account_id, self.director_id, self.agent_id = account_id, director_id, agent_id

    def rows(self, number: int, mail: Any) -> dict[Any, list[dict[str, Any]]]:
        """All that one case leaves in the tables."""
        at = clock.now() - timedelta(minutes=number)
        case_id, cycle = ids.new("cas"), f"cyc-{number // IN_A_CYCLE:012d}"
        lead, child = ids.new("run"), ids.new("run")
        status = ("completed", "completed", "failed", "completed", "waiting")[number % 5]
        made: dict[Any, list[dict[str, Any]]] = {
            Case: [self._case(case_id, cycle, lead, mail, at)],
            Run: [
                self._run(lead, case_id, self.director_id, None, status, mail, at),
                self._run(child, case_id, self.agent_id, lead, "completed", mail, at),
            ],
            **{kind: [] for kind in (RunCall, RunMessage, ProviderEvent, Artifact)},
            ArtifactVersion: [],
        }
        for run, agent in ((lead, self.director_id), (child, self.agent_id)):
            for place in range(3):
                made[RunCall].append(_call(run, place, at, status))
                made[RunMessage].append(_message(run, place, at, mail.subject))
            for kind in ("request", "response"):
                made[ProviderEvent].append(self._event(run, agent, kind, at))
        for label in ITEMS:
            item, version = self._item(case_id, lead, label, mail.subject, at)
            made[Artifact].append(item)
            made[ArtifactVersion].append(version)
        return made

    def _case(self, id: str, cycle: str, run: str, mail: Any, at: Any) -> dict[str, Any]:
        return {
            "id": id,
            "workspace_id": self.workspace_id,
            "owner_id": self.owner_id,
            "account_id": self.account_id,
            "message_id": mail.id,
            "digest": f"{mail.id:0>64}",
            "subject": mail.subject,
            "sender_name": mail.sender_name,
            "sender_address": mail.sender_address,
            "received_at": at,
            "label": "stranger",
            "director_id": self.director_id,
            "filter_id": "flt-bench",
            "cycle_id": cycle,
            "run_id": run,
            "created_at": at,
        }

    def _run(
        self, id: str, case: str, agent: str, parent: str | None, status: str, mail: Any, at: Any
    ) -> dict[str, Any]:
        zero = ("fork_step", "segment", "length", "steps_before")
        return {
            "id": id,
            "workspace_id": self.workspace_id,
            "agent_id": agent,
            "user_id": self.owner_id,
            "user_name": "Olive Owner",
            "in_person": False,
            "kind": "delegate" if parent else "case",
            "title": mail.subject[:200],
            "status": status,
            "variables": {},
            "parent_id": parent,
            "depth": int(parent is not None),
            "case_id": case,
            "account_id": self.account_id,
            **dict.fromkeys(zero, 0),
            "steps": 3,
            "api_calls": 2,
            "input_tokens": 900,
            "output_tokens": 120,
            "money": 400,
            "files_modified": [],
            "created_at": at,
            "updated_at": at,
            "started_at": at,
            "completed_at": at,
            "finalized": parent is None,
        }

    def _event(self, run: str, agent: str, kind: str, at: Any) -> dict[str, Any]:
        return {
            "id": ids.new("pev"),
            "run_id": run,
            "workspace_id": self.workspace_id,
            "agent_id": agent,
            "user_id": self.owner_id,
            "step": 1,
            "attempt": 1,
            "kind": kind,
            "model_id": "mdl-bench",
            "provider": "compatible",
            "model": "bench-1",
            "payload": {"messages": ["words " * 40]},
            "status": 200,
            "latency_ms": 700,
            "input_tokens": 450,
            "output_tokens": 60,
            "money": 200,
            "at": at,
        }

    def _item(self, case: str, run: str, label: str, text: str, at: Any) -> tuple[dict, dict]:
        id = ids.new("art")
        both = {
            "title": label,
            "description": "",
            "mime_type": "text/markdown",
            "encoding": "utf8",
            "tags": [],
            "size": len(text),
            "label": "stranger",
            "revision": 1,
            "author_kind": "director",
            "author_id": self.director_id,
            "author_name": "Support",
        }
        item = {
            "id": id,
            "workspace_id": self.workspace_id,
            "owner_id": self.owner_id,
            "account_id": self.account_id,
            "case_id": case,
            "preview": text,
            "changed_by": "director",
            "run_id": run,
            "created_at": at,
            "updated_at": at,
        }
        return item | both, {"artifact_id": id, "at": at, "data": text} | both


def _call(run: str, place: int, at: Any, status: str) -> dict[str, Any]:
    waits = status == "waiting" and place == 2
    return {
        "run_id": run,
        "id": f"call_{place}",
        "number": place,
        "step": place,
        "tool": "workspace_add_item",
        "effect": "create",
        "arguments": json.dumps({"label": "Summary"}),
        "status": "waiting" if waits else "done",
        "asked": waits,
        "approval_id": ids.new("apr") if waits else None,
        "started_at": at,
        "finished_at": at,
        "latency_ms": 12,
    }


def _message(run: str, place: int, at: Any, text: str) -> dict[str, Any]:
    return {
        "run_id": run,
        "position": place,
        "role": ("user", "tool", "assistant")[place],
        "content": text,
        "tool_call_id": "call_0" if place == 1 else None,
        "step": place,
        "kind": "message",
        "created_at": at,
    }


async def cases(storage: Any, office: Office) -> None:
    """Cases of all mails, some hundreds in a transaction."""
    async with storage.app.read() as session:
        columns = (
            MailMessage.id,
            MailMessage.subject,
            MailMessage.sender_name,
            MailMessage.sender_address,
        )
        found = (await session.execute(select(*columns))).all()
    for start in range(0, len(found), 500):
        together: dict[Any, list[dict[str, Any]]] = {}
        for place, mail in enumerate(found[start : start + 500]):
            for table, rows in office.rows(start + place, mail).items():
                together.setdefault(table, []).extend(rows)
        async with storage.app.write() as session:
            for table, rows in together.items():
                await session.execute(insert(table), rows)


async def lists(client: Any, writer: Writer) -> None:
    """Every list of the two pages."""
    first = (await client.get(f"{API}/cases", params={"PageSize": 100})).json()
    deep: dict[str, Any] = {"PageSize": 100, "ContinuationToken": first["continuationToken"]}
    one, word = first["items"][0], writer.words[300]
    tree = (await client.get(f"{API}/diagnostics/unified")).json()["items"]
    asked = {
        "whoami (floor)": ("/auth/whoami", {}),
        "cases, first page": ("/cases", {"PageSize": 100}),
        "cases, next page": ("/cases", deep),
        "cases that wait": ("/cases", {"PageSize": 100, "state": "waiting"}),
        "cases, a word": ("/cases", {"PageSize": 100, "q": word}),
        "cases of a fetch": ("/cases", {"PageSize": 100, "cycleId": one["cycleId"]}),
        "one case": (f"/cases/{one['id']}", {}),
        "its items": (f"/cases/{one['id']}/items", {}),
        "diagnostics, cycles": ("/diagnostics/unified", {}),
        "diagnostics, one cycle": ("/diagnostics/unified", {"parentId": tree[0]["id"]}),
        "diagnostics, flat": ("/diagnostics/unified", {"view": "flat"}),
        "diagnostics, failed": ("/diagnostics/unified", {"state": "failed"}),
        "diagnostics, a run": (f"/diagnostics/unified/{one['runId']}", {}),
        "diagnostics, runtime": ("/diagnostics/runtime", {}),
    }
    for name, (path, params) in asked.items():

        async def ask(_: str, path: str = path, params: Any = params) -> None:
            answer = await client.get(f"{API}{path}", params=params)
            assert answer.status_code == 200, answer.text

        await timed(name, ask, [""] * ROUNDS)


_SCROLL = """async () => {
  const box = document.querySelector('[role=tree]').parentElement;
  let frames = 0, longest = 0, last = performance.now();
  const until = last + 4000;
  while (performance.now() < until) {
    box.scrollTop += 60;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    longest = Math.max(longest, now - last); last = now; frames++;
  }
  return [frames / 4, longest, box.scrollTop];
}"""


async def page(office: Any, cookies: dict[str, str]) -> None:
    """The page in a browser: the first rows, and scrolling."""
    from playwright.async_api import async_playwright

    origin = office.origin
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        context = await browser.new_context(viewport={"width": 1280, "height": 800})
        await context.add_cookies(
            [{"name": name, "value": value, "url": origin} for name, value in cookies.items()]
        )
        shown = await context.new_page()
        loop = asyncio.get_running_loop()
        for path, row in (("/results", "[role=treeitem]"), ("/settings/diagnostics", "main")):
            started = loop.time()
            await shown.goto(origin + path)
            await shown.wait_for_selector(row)
            print(f"{path}: first rows after {loop.time() - started:.2f} s", flush=True)
            if path == "/results":
                rate, longest, reached = await shown.evaluate(_SCROLL)
                print(
                    f"  scrolling {rate:.0f} frames/s, longest {longest:.0f} ms, {reached:.0f} px"
                )
        await browser.close()


async def main() -> None:
    """Print a line for each list."""
    given = [each for each in sys.argv[1:] if each.isdigit()]
    count = int(given[0]) if given else 10_000
    url = os.environ.get("BAILIWICK_DATABASE_URL")
    more: dict[str, Any] = {"database_url": SecretStr(url)} if url else {}
    with tempfile.TemporaryDirectory() as made:
        settings = Settings(data=Path(made) / "data", log_level="error", port=free_port(), **more)
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
        async with opened_office(settings) as office:
            bag, writer = await mailbag_in(office), Writer()
            account_id, storage = await bag.account(), office.product.storage
            await office.set(rate_limit_percent=100_000)
            owner = await office.owner()
            agents = []
            for kind in ("director", "assistant"):
                body = {"workspaceId": bag.workspace_id, "name": kind.title(), "kind": kind}
                agents.append((await owner.post(f"{API}/agents", json=body)).json()["id"])
            await fill(storage, writer, count, (account_id, bag.workspace_id))
            await cases(
                storage, Office((bag.workspace_id, await user_id(owner)), account_id, *agents)
            )
            print(f"{count:,} cases on {storage.kind}", flush=True)
            await lists(owner, writer)
            if "--page" in sys.argv:
                config = uvicorn.Config(
                    office.app, port=settings.port, log_level="error", lifespan="off"
                )
                server = uvicorn.Server(config)
                serving = asyncio.create_task(server.serve())
                while not server.started:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
                await page(office, dict(owner.cookies))
                server.should_exit = True
                await serving


if __name__ == "__main__":
    uvloop.run(main())
