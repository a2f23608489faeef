"""What the body of a job uses: steps, and its own id."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

import structlog
from dbos import DBOS

from bailiwick.kit.db.away import is_away

P = ParamSpec("P")
T = TypeVar("T")
JobBody = Callable[..., Awaitable[Any]]
log = structlog.stdlib.get_logger("bailiwick.jobs")
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0


async def step(name: str, body: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do something once: after a crash the stored result is returned and the body does not run.

    A crash between the effect and its record runs the body again, so an effect needs an idempotency
    key (`key`). Results are JSON: ids and small facts, never content. A step waits while the
    database is away, because the job itself is fine.
    """
    return await DBOS.run_step_async({"name": name}, patiently, ended, body, *args, **kwargs)  # pyright: ignore[reportCallIssue, reportArgumentType]


async def patiently(body: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """Retry while the database is away, because the job itself is fine."""
    wait = _FIRST_WAIT
    while True:
        try:
            return await body(*args, **kwargs)
        except Exception as error:
            if not is_away(error):
                raise
            log.warning("a step waits for the database", reason=str(error).splitlines()[0])
        await asyncio.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT)


class Interrupted(Exception):
    """Something inside the job was cancelled, but not the job."""


async def ended(body: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """A result as it is restored after a crash: JSON, with lone surrogates replaced.

    Only the job's own cancellation passes: any other would leave the job without an end.
    """
    try:
        result = await body(*args, **kwargs)
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task and task.cancelling():
            raise
        raise Interrupted("It was interrupted from within.") from error
    return json.loads(json.dumps(result, ensure_ascii=False).encode(errors="replace"))


def key() -> str:
    """The job's id and the number of the current step: the same after every crash."""
    return f"{DBOS.workflow_id}/{DBOS.step_id}"


def job_id() -> str:
    """The id under which this job was begun."""
    assert DBOS.workflow_id
    return DBOS.workflow_id
