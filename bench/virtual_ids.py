"""What virtual ids cost: known ones from memory, new ones in batches; beside a dict and inserts."""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from sqlalchemy import text

from bailiwick.config import Settings
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.kit.db import migrate
from bailiwick.office import storage_of
from bailiwick.tools.tool import Ref

ROUNDS = 5
KNOWN = 200_000
NEW = 10_000
BATCH = 100


def per_second(count: int, seconds: list[float]) -> float:
    return count / statistics.median(seconds)


async def known(names: VirtualNames, refs: list[Ref]) -> tuple[float, float]:
    """Microseconds for a known id, and for a bare dict with the same keys."""
    plain = {("realm", ref): "x" for ref in refs}
    ours, floor = [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for number in range(KNOWN):
            names.known("realm", refs[number % len(refs)])
        ours.append(time.perf_counter() - started)
        started = time.perf_counter()
        for number in range(KNOWN):
            plain.get(("realm", refs[number % len(refs)]))
        floor.append(time.perf_counter() - started)
    return (
        statistics.median(ours) / KNOWN * 1e6,
        statistics.median(floor) / KNOWN * 1e6,
    )


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        storage = storage_of(Settings(data=Path(folder)), None)
        await migrate.upgrade(storage)
        names = VirtualNames(storage)
        hot = [Ref("email", f"mail-{number}", "acc") for number in range(1000)]
        await names.names("realm", hot)
        ours, floor = await known(names, hot)
        print(f"known id: {ours:.2f} us (bare dict {floor:.2f} us, ratio {ours / floor:.1f})")
        print("          to reach: 2 us or less")
        given, raw = [], []
        for turn in range(ROUNDS):
            refs = [Ref("email", f"new-{turn}-{number}", "acc") for number in range(NEW)]
            started = time.perf_counter()
            for start in range(0, NEW, BATCH):
                await names.names("realm", refs[start : start + BATCH])
            given.append(time.perf_counter() - started)
            rows = [{"n": f"raw-{turn}-{number}"} for number in range(NEW)]
            started = time.perf_counter()
            for start in range(0, NEW, BATCH):
                async with storage.app.write() as session:
                    await session.execute(
                        text(
                            "INSERT INTO virtual_ids VALUES (:n, 'raw', 'email', 'acc', :n, '2026')"
                        ),
                        rows[start : start + BATCH],
                    )
            raw.append(time.perf_counter() - started)
        ours, floor = per_second(NEW, given), per_second(NEW, raw)
        print(f"new ids:  {ours:,.0f}/s (raw inserts {floor:,.0f}/s, ratio {ours / floor:.2f})")
        print("          to reach: 10,000/s")
        await storage.close()


if __name__ == "__main__":
    asyncio.run(main())
