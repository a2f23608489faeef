"""Live executors: on PostgreSQL every process holds a lock on its own id, and one of them leads.

The leader resumes the jobs of executors that hold no lock. A lock must be free for several checks
in a row; for many, if the leader lost its own lock: then the database was away, and everyone needs
time to come back. A process that was wrongly taken for dead does no harm, because DBOS refuses
records from a former owner of a job.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import structlog
from psycopg.rows import TupleRow

from bailiwick.kit.db.postgres import connect
from bailiwick.kit.engine.database import SCHEMA

log = structlog.stdlib.get_logger("bailiwick.executors")
_LOOK_SECONDS = 1.0
_LOOKS = 3
_LOOKS_AFTER_ABSENCE = 10
Resume = Callable[[str], Awaitable[None]]
PostgresConnection = psycopg.AsyncConnection[TupleRow]


class Executors:
    """This process among all that share the database."""

    def __init__(
        self, url: str, executor_id: str, *, ready: Callable[[], bool], resume: Resume
    ) -> None:
        self._url = url
        self.executor_id = executor_id
        self._ready = ready
        self._resume = resume
        self.leads = asyncio.Event()
        self._entered = asyncio.Event()
        self._free: Counter[str] = Counter()
        self._looks = _LOOKS

    async def entered(self) -> None:
        """Wait until this process holds the lock on its id; only then may it take jobs."""
        await self._entered.wait()

    async def keep(self) -> None:
        """Hold the lock, and lead if no other process does, until cancelled."""
        while True:
            try:
                async with await connect(self._url) as connection:
                    await self._enter(connection)
                    while True:
                        await self._look(connection)
                        await asyncio.sleep(_LOOK_SECONDS)
            except (psycopg.Error, OSError) as error:
                log.warning("the lock is lost until the database answers", reason=str(error))
            except Exception:
                # A process without a lock counts as dead, so it is taken again after any failure.
                log.exception("the lock is lost for a moment")
            finally:
                self.leads.clear()
            await asyncio.sleep(_LOOK_SECONDS)

    async def _enter(self, connection: PostgresConnection) -> None:
        # A machine that lost power closes no connection: keepalives let the server notice soon.
        for name, value in (("idle", 5), ("interval", 2), ("count", 3)):
            await connection.execute(f"SET tcp_keepalives_{name} = {value}".encode())
        await connection.execute("SELECT pg_advisory_lock(%s)", (_key(self.executor_id),))
        self._free.clear()
        self._looks = _LOOKS_AFTER_ABSENCE if self._entered.is_set() else _LOOKS
        self._entered.set()

    async def _look(self, connection: PostgresConnection) -> None:
        if not self.leads.is_set():
            # A process that cannot work yet must not lead.
            if not self._ready() or not await _try(connection, _key("leader")):
                return
            self.leads.set()
            log.info("this process leads", executor=self.executor_id)
        found = await connection.execute(
            f"SELECT DISTINCT executor_id FROM {SCHEMA}.workflow_status "  # noqa: S608
            f"WHERE status = 'PENDING' AND executor_id IS NOT NULL".encode()
        )
        others = [str(row[0]) async for row in found if row[0] != self.executor_id]
        self._free = Counter({id: self._free[id] for id in others})
        for id in others:
            await self._judge(connection, id)

    async def _judge(self, connection: PostgresConnection, id: str) -> None:
        if not await _try(connection, _key(id)):
            self._free[id] = 0
            return
        try:
            self._free[id] += 1
            if self._free[id] >= self._looks:
                await self._take_over(id)
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", (_key(id),))

    async def _take_over(self, id: str) -> None:
        log.warning("an executor is gone; its jobs go on here", executor=id)
        try:
            await self._resume(id)
        except Exception:
            log.exception("its jobs could not be resumed; trying again", executor=id)


async def _try(connection: PostgresConnection, key: int) -> bool:
    cursor = await connection.execute("SELECT pg_try_advisory_lock(%s)", (key,))
    row: Any = await cursor.fetchone()
    return bool(row[0])


def _key(name: str) -> int:
    digest = hashlib.sha256(f"bailiwick executor {name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
