"""Searching 100,000 mails: in the process and over HTTP, beside bare FTS5 in the same run.

The queries are what people type: a name, one or two words (rare ones and common ones), a phrase, a
field, a date. Bare FTS5 gets the same words on the same index and gives 20 row numbers by rank,
without looking at a single mail. `python bench/search.py [mails]`
"""

import asyncio
import logging
import random
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path[:0] = [str(HERE.parent / "tests")]

import httpx  # noqa: E402
import structlog  # noqa: E402
import uvicorn  # noqa: E402
import uvloop  # noqa: E402

from bailiwick.config import Settings  # noqa: E402
from bailiwick.kit import ids  # noqa: E402
from bailiwick.kit.db import Storage, sqlite  # noqa: E402
from bailiwick.kit.db.storage import sqlite_path  # noqa: E402
from bailiwick.mail import numbers  # noqa: E402
from bailiwick.mail.intake import repository  # noqa: E402
from bailiwick.mail.search import search  # noqa: E402
from bailiwick.mail.search.index import INDEX, entry  # noqa: E402

sys.path.append(str(HERE))
from mails import Writer  # noqa: E402

from support.mailbag import mailbag_in  # noqa: E402  # pyright: ignore[reportMissingImports]
from support.office import API, opened_office  # noqa: E402  # pyright: ignore[reportMissingImports]

QUERIES = 400
BATCH = 1000
CHANCE = random.Random(11)


def row(writer: Writer, number: int, account_id: str, workspace_id: str) -> dict[str, Any]:
    name, _, address = writer.person().partition(" <")
    text = writer.text(CHANCE.randint(40, 250))
    moment = writer.moment(number)
    return {
        "id": ids.new("mail"),
        "workspace_id": workspace_id,
        "account_id": account_id,
        "thread_id": ids.new("thr"),
        "fingerprint": f"{number:064d}",
        "places": 1,
        "considered": True,
        "date_at": moment,
        "sent_at": moment,
        "created_at": moment,
        "size": len(text),
        "label": "stranger",
        "label_why": "",
        "dmarc": "none",
        "message_id": f"{number}@bench",
        "in_reply_to": "",
        "sender_name": name,
        "sender_address": address.rstrip(">"),
        "subject": writer.text(6),
        "snippet": text[:200],
        "references": [],
        "recipients": {
            "to": [["Olive", "olive@office.example"]],
            **{key: [] for key in ("cc", "bcc", "reply_to")},
        },
        "attachments": [],
        "text": text,
        **dict.fromkeys(("seen", "flagged", "answered", "draft", "has_html"), False),
        **dict.fromkeys(("has_attachment", "hidden", "automatic"), False),
    }


async def fill(storage: Storage, writer: Writer, count: int, scope: tuple[str, str]) -> None:
    account_id, workspace_id = scope
    for start in range(0, count, BATCH):
        rows = [row(writer, start + place, account_id, workspace_id) for place in range(BATCH)]
        async with storage.app.write() as session:
            chosen = await numbers.choose(session, workspace_id, [one["date_at"] for one in rows])
            for one, number in zip(rows, chosen, strict=True):
                one["number"] = number
            await repository.add_messages(session, rows)
            await INDEX.add(session, [entry(one) for one in rows])


def asked(writer: Writer) -> list[tuple[str, str]]:
    """Queries of ours, each with the words as FTS5 takes them."""
    made: list[tuple[str, str]] = []
    for number in range(QUERIES):
        # Words that tell something: some hundreds of mails hold the usual one, some thousands a
        # common one.
        one, other = (writer.words[int(10 ** CHANCE.uniform(2.5, 4.5))] for _ in range(2))
        person = f"person{CHANCE.randint(1, 3000)}"
        made.append(
            (
                (f"from:{person}", f"sender:{person}"),
                (one, one),
                (f"{one} {other}", f"{one} AND {other}"),
                (f"{one} OR {other}", f"{one} OR {other}"),
                (f"subject:{one}", f"subject:{one}"),
                (f"{one[:4]}*", f"{one[:4]}*"),
                (f'"{one} {other}"', f'"{one} {other}"'),
                (f"{one} after:2024-06 -{other}", f"{one} NOT {other}"),
            )[number % 8]
        )
    return made


async def timed(name: str, ask: Callable[[str], Awaitable[object]], queries: list[str]) -> float:
    for query in queries[:20]:
        await ask(query)
    taken: list[float] = []
    for query in queries:
        started = time.perf_counter()
        await ask(query)
        taken.append((time.perf_counter() - started) * 1000)
    middle, worst = statistics.median(taken), statistics.quantiles(taken, n=100)[98]
    print(f"{name:<24} p50 {middle:6.2f} ms   p99 {worst:7.2f} ms", flush=True)
    return middle


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return opened.getsockname()[1]


async def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as made:
        settings = Settings(data=Path(made) / "data", log_level="error", port=free_port())
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
        async with opened_office(settings) as office:
            bag, writer = await mailbag_in(office), Writer()
            account_id, storage = await bag.account(), office.product.storage
            await office.set(rate_limit_percent=100_000)
            await fill(storage, writer, count, (account_id, bag.workspace_id))
            queries = asked(writer)

            path = sqlite_path(settings.data, "app")
            with closing(sqlite.connect(path, storage.key)) as bare:
                by_rank = "SELECT rowid FROM search_mail WHERE search_mail MATCH ? ORDER BY rank"

                async def fts5(query: str) -> None:
                    bare.execute(f"{by_rank} LIMIT 20", (query,)).fetchall()

                print(f"searching {count:,} mails")
                floor = await timed("bare FTS5", fts5, [bare for _, bare in queries])
            async with storage.app.read() as session:

                async def in_process(query: str) -> None:
                    await search(session, bag.workspace_id, query, account_ids=[account_id])

                ours = await timed("ours, in the process", in_process, [q for q, _ in queries])
            print(f"  to reach: p50 1 ms or less (ratio to bare FTS5 {ours / floor:.2f})")
            await over_http(office, bag.workspace_id, [query for query, _ in queries])


async def over_http(office: Any, workspace_id: str, queries: list[str]) -> None:
    port = office.product.settings.port
    config = uvicorn.Config(office.app, port=port, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    cookies = dict((await office.owner()).cookies)
    async with httpx.AsyncClient(base_url=office.origin, cookies=cookies) as client:

        async def ask(query: str) -> None:
            params = {"workspaceId": workspace_id, "q": query}
            answer = await client.get(f"{API}/mail/search", params=params)
            assert answer.status_code == 200, answer.text

        await timed("ours, over HTTP", ask, queries)
        print("  to reach: p50 8 ms or less")
        first = await client.get(f"{API}/mail", params={"workspaceId": workspace_id})
        threads = [line["threadId"] for line in first.json()["items"]]

        async def turn(_: str) -> None:
            answer = await client.get(f"{API}/mail", params={"workspaceId": workspace_id})
            assert answer.status_code == 200, answer.text

        async def open_thread(query: str) -> None:
            one = threads[len(query) % len(threads)]
            assert (await client.get(f"{API}/mail/threads/{one}")).status_code == 200

        await timed("a page of the list", turn, queries)
        await timed("a thread", open_thread, queries)
    server.should_exit = True
    await serving


if __name__ == "__main__":
    uvloop.run(main())
