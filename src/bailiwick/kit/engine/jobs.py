"""What the body of a job may do: take steps, and know under which id it runs."""

from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

from dbos import DBOS

P = ParamSpec("P")
T = TypeVar("T")
Body = Callable[..., Awaitable[Any]]


async def step(name: str, body: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do something once: after a crash the stored result comes back and the body does not run.

    A crash between the effect and its record runs the body again, so an effect must be keyed by
    what it does (`key`). Results are JSON: ids and small facts, never content.
    """
    return await DBOS.run_step_async({"name": name}, body, *args, **kwargs)  # pyright: ignore[reportArgumentType, reportReturnType, reportCallIssue]


def key() -> str:
    """The job's id and the number of the step under way: the same after every crash."""
    return f"{DBOS.workflow_id}/{DBOS.step_id}"


def job_id() -> str:
    """The id under which this job was begun."""
    assert DBOS.workflow_id
    return DBOS.workflow_id
