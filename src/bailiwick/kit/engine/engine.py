"""The durable engine: DBOS behind the few verbs that the product needs.

A job begins once under an id that its caller derives from its cause; its steps are recorded, and
after a crash it continues after the last one. Jobs are short: a wait for a person or for hours ends
the job, and the answer (or the delay) begins the next one. So nothing waits in memory, and a new
version finds no job of an older one half done.
"""

import asyncio
import functools
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy
import structlog
from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, ScheduleInput

from bailiwick.kit import correlation
from bailiwick.kit.db import Storage
from bailiwick.kit.engine import database, dbos_internals
from bailiwick.kit.engine.jobs import JobBody, ended
from bailiwick.kit.engine.schedules import Timing

log = structlog.stdlib.get_logger("bailiwick.engine")
_THREADS = 64
_SCHEDULED = "@schedule"


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue: how many jobs of a partition may run at a time, and how many in a process."""

    name: str
    per_partition: int
    per_process: int
    poll_seconds: float = 0.25


@dataclass(frozen=True, slots=True)
class JobFailure:
    """A job that ended with an error."""

    id: str
    name: str
    at: datetime
    error: str


class Engine:
    """One per process. Jobs and queues are declared before it starts."""

    def __init__(self, storage: Storage, *, executor_id: str = "local") -> None:
        self._storage = storage
        self.executor_id = executor_id
        self._jobs: dict[str, JobBody] = {}
        self._scheduled: dict[str, Any] = {}
        self._queues: dict[str, Queue] = {}
        self._database: sqlalchemy.Engine | None = None
        self.running = False

    def job(self, name: str, body: JobBody, *, queue: Queue) -> None:
        """Declare the body of a job, and its queue."""
        self._jobs[name] = body
        self._queues[name] = queue

    async def start(self) -> None:
        """Launch; jobs that this executor left unfinished continue."""
        self._database = database.engine_of(self._storage)
        try:
            await asyncio.to_thread(database.prepare, self._storage, self._database)
        except BaseException:
            self._database.dispose()
            raise
        DBOS(config=self._config(self._database))
        _log_as_we_do()
        for name, body in self._jobs.items():
            self._register(name, body)
        # On the loop's own thread: DBOS runs coroutines on the loop that launches it. Nothing else
        # may be in the middle of a change of this store meanwhile: it could not come to its end.
        async with self._storage["engine"].writer.connect():
            DBOS.launch()
        for queue in {queue.name: queue for queue in self._queues.values()}.values():
            await DBOS.register_queue_async(
                queue.name,
                partition_concurrency=queue.per_partition,
                worker_concurrency=queue.per_process,
                polling_interval_sec=queue.poll_seconds,
                on_conflict="always_update",
            )
        self.running = True

    async def stop(self) -> None:
        """Stop taking work; unfinished jobs continue at the next start."""
        self.running = False
        DBOS.destroy(destroy_registry=True)
        if self._database is not None:
            self._database.dispose()
        # DBOS made its own pool the loop's default, and has closed it.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())

    async def begin(
        self,
        job: str,
        *args: Any,
        id: str,
        partition: str | None = None,
        delay: timedelta | None = None,
    ) -> None:
        """Begin a job, now or later; an id that was used before has no effect."""
        options: Any = {
            "workflow_name": job,
            "workflow_id": id,
            "queue_name": self._queues[job].name,
            "queue_partition_key": partition or job,
            "app_version": DBOS.application_version,
        }
        if delay:
            options["delay_seconds"] = delay.total_seconds()
        await DBOS.enqueue_workflow_with_options_async(
            options, correlation.current_trace_id(), list(args)
        )

    async def resume(self, executor_id: str) -> None:
        """Put the unfinished jobs of another executor back into their queues."""
        await asyncio.to_thread(dbos_internals.take_over, executor_id)

    async def hasten(self, id: str) -> None:
        """Begin a delayed job now; one that began already is left alone."""
        await DBOS.set_workflow_delay_async(id, delay_seconds=0)

    async def cancel(self, id: str) -> None:
        """End a job before its next step; a step under way watches a flag instead."""
        await DBOS.cancel_workflow_async(id)

    async def schedule(
        self,
        job: str,
        timing: Timing | None,
        *,
        about: str | None = None,
        catch_up: datetime | None = None,
    ) -> None:
        """Begin a job at each due time, once across all processes; None removes the schedule.

        A job may have many schedules, one for each subject that it is `about`; its input is that
        and the time, else the time alone. If nothing ran at the last due time, and that was after
        `catch_up`, it begins now: once, however many times were missed.
        """
        name = f"{job}:{about}" if about else job
        before = await DBOS.get_schedule_async(name)
        if timing is None:
            if before:
                await DBOS.delete_schedule_async(name)
            return
        known = before and (before["schedule"], before["cron_timezone"])
        if changed := known != (timing.cron, timing.zone):
            await DBOS.apply_schedules_async([self._schedule(name, job, timing, about)])
        # A schedule can be new to the engine and still old: `catch_up` says since when it counts.
        if catch_up and (about or not changed):
            due = timing.previous(datetime.now(UTC))
            if due > catch_up:
                second = timedelta(seconds=1)
                await asyncio.to_thread(DBOS.backfill_schedule, name, due - second, due + second)

    async def scheduled(self, job: str) -> set[str]:
        """The subjects of a job's schedules."""
        prefix = f"{job}:"
        found = await DBOS.list_schedules_async(schedule_name_prefix=prefix)
        return {row["schedule_name"].removeprefix(prefix) for row in found}

    async def failures(self, since: datetime, *, limit: int = 20) -> list[JobFailure]:
        """Jobs that ended with an error, newest first."""
        found = await DBOS.list_workflows_async(
            status="ERROR",
            completed_after=since.isoformat(),
            sort_desc=True,
            limit=limit,
            load_input=False,
        )
        return [
            JobFailure(
                id=row.workflow_id,
                name=row.name.removesuffix(_SCHEDULED),
                at=datetime.fromtimestamp((row.completed_at or 0) / 1000, UTC),
                error=str(row.error),
            )
            for row in found
        ]

    async def forget_before(self, moment: datetime) -> int:
        """Remove the records of jobs that ended before a moment."""
        ended = await DBOS.list_workflows_async(
            status=["SUCCESS", "ERROR", "CANCELLED"],
            completed_before=moment.isoformat(),
            limit=10_000,
            load_input=False,
            load_output=False,
        )
        if ids := [row.workflow_id for row in ended]:
            await DBOS.delete_workflows_async(ids)
        return len(ids)

    def _register(self, name: str, body: JobBody) -> None:
        async def run(trace: str, args: Sequence[Any]) -> Any:
            return await _logged(name, body, trace, args)

        async def run_when_due(due: Any, about: Any) -> None:
            await _logged(name, body, "", [str(due)] if about is None else [about, str(due)])

        # Recoveries are unlimited, so that a machine that is switched off often loses no job.
        workflow = functools.partial(DBOS.workflow, max_recovery_attempts=None)
        workflow(name=name)(_named(run, name))
        scheduled = _named(run_when_due, name + _SCHEDULED)
        self._scheduled[name] = workflow(name=name + _SCHEDULED)(scheduled)

    def _schedule(self, name: str, job: str, timing: Timing, about: str | None) -> ScheduleInput:
        return {
            "schedule_name": name,
            "workflow_fn": self._scheduled[job],
            "schedule": timing.cron,
            "cron_timezone": timing.zone,
            "context": about,
        }

    def _config(self, engine: Any) -> DBOSConfig:
        return {
            "name": "bailiwick",
            "system_database_url": database.url_of(self._storage),
            "system_database_engine": engine,
            "dbos_system_schema": database.SCHEMA,
            "executor_id": self.executor_id,
            "enable_patching": True,
            "serializer": DBOSPortableJSONSerializer(),
            "max_executor_threads": _THREADS,
            "scheduler_polling_interval_sec": 5.0,
            "log_level": "WARNING",
        }


class JobFailed(Exception):
    """The reason of a failed job, in characters that every database stores."""


def _log_as_we_do() -> None:
    """Send DBOS's own log lines through our logs, masked and correlated."""
    logger = logging.getLogger("dbos")
    logger.handlers.clear()
    logger.propagate = True
    logger.addFilter(lambda line: "Exception encountered in asynch" not in line.getMessage())


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    return function


async def _logged(name: str, body: JobBody, trace: str, args: Sequence[Any]) -> Any:
    correlation.begin(correlation=trace)
    with structlog.contextvars.bound_contextvars(job=DBOS.workflow_id):
        try:
            return await ended(body, *args)
        except Exception as error:
            log.exception("a job failed", name=name)
            text = str(error).encode(errors="backslashreplace").decode()
            if text == str(error):
                raise
            # A result that cannot be stored would leave the job neither done nor failed.
            raise JobFailed(text) from error
