"""The engine starts beside what this process is doing in the same database."""

import asyncio
from pathlib import Path

from sqlalchemy import text

from bailiwick.kit.db import Storage, migrate
from bailiwick.kit.engine.engine import Engine

WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'virtualxid' AND NOT granted"


async def test_its_first_start_waits_for_a_transaction_of_ours_which_comes_to_its_end(
    postgresql_database: str, tmp_path: Path
):
    storage = Storage.on_postgresql(postgresql_database, tmp_path)
    engine = Engine(storage)
    try:
        await migrate.upgrade(storage)
        async with storage.app.read() as reading:
            # A start that held up the loop would wait for ever; this ends the transaction instead.
            await reading.execute(text("SET idle_in_transaction_session_timeout = '60s'"))
            await reading.execute(text("SELECT 1"))
            starting = asyncio.create_task(engine.start())
            while not starting.done():
                async with storage.audit.read() as asking:
                    if (await asking.execute(text(WAITING))).scalar_one():
                        break
                await asyncio.sleep(0.01)
            assert not starting.done(), "nothing waited, and nothing was tried"
            await reading.execute(text("SELECT 1"))
        await starting
        assert engine.running
    finally:
        await engine.stop()
        await storage.close()
