"""Deleting diagnostics: the lines, and what went to models and came back.

The case, its items, the transcript and the figures of what was spent stay: others need them.
"""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.diagnostics import repository
from bailiwick.diagnostics.repository import TraceQuery
from bailiwick.diagnostics.schemas import DiagnosticsDeletionOut
from bailiwick.errors import NotFound
from bailiwick.instance import changes
from bailiwick.instance.changes import Actor
from bailiwick.kit import clock

DELETED = "diagnostics.deleted"


async def delete(
    session: AsyncSession, actor: Actor, ids: Collection[str]
) -> DiagnosticsDeletionOut:
    """Delete cycles, runs or single lines."""
    runs = lines = 0
    for id in dict.fromkeys(ids):
        run_id, dot, _ = id.partition(".")
        if dot:
            await _line(session, run_id, id)
            lines += 1
        else:
            runs += await _whole(session, id)
    subject = next(iter(ids)) if len(ids) == 1 else "several"
    return _recorded(session, actor, subject, runs=runs, lines=lines)


async def delete_all(
    session: AsyncSession, actor: Actor, before: datetime | None
) -> DiagnosticsDeletionOut:
    """Delete everything, or what was last touched before a moment."""
    which = repository.of_any_case(before)
    runs = await repository.forget_runs(session, which, clock.now())
    return _recorded(session, actor, "all", runs=runs, lines=0, before=before)


async def _whole(session: AsyncSession, id: str) -> int:
    stored = repository.stored_cycle(id)
    if stored in await repository.counted(session, TraceQuery(), [stored]):
        return await repository.forget_runs(session, repository.of_cycle(id), clock.now())
    run = await repository.run(session, id)
    tree = [run, *await repository.below(session, [run])]
    which = repository.among([each.id for each in tree])
    return await repository.forget_runs(session, which, clock.now())


async def _line(session: AsyncSession, run_id: str, id: str) -> None:
    run = await repository.run(session, run_id)
    (trace,) = await repository.traces(session, [await repository.root_of(session, run)])
    if not trace.has(id):
        raise NotFound(repository.GONE)
    await repository.forget_line(session, run_id, id, clock.now())


def _recorded(
    session: AsyncSession,
    actor: Actor,
    subject: str,
    *,
    runs: int,
    lines: int,
    before: datetime | None = None,
) -> DiagnosticsDeletionOut:
    after = {"runs": runs, "lines": lines}
    if before:
        after["before"] = before.isoformat()  # pyright: ignore[reportArgumentType]
    changes.record(session, actor, action=DELETED, subject=subject[:64], after=after)
    return DiagnosticsDeletionOut(runs=runs, lines=lines)
