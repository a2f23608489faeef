"""Work on cases that has not begun when everything is stopped: it waits for the release.

What was under way ends with the stop, because nobody knows how far it came. What had not begun did
nothing yet, and a thousand mails need not be begun anew by hand.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.halts import service as halts
from bailiwick.office import Office
from bailiwick.runs import events, repository
from bailiwick.runs.models import Run

_BATCH = 100


async def is_held(session: AsyncSession, run: Run) -> bool:
    """Whether a run has to wait; the caller holds it, and is about to begin it."""
    if run.kind != "case" or run.started_at or await halts.find(session) is None:
        return False
    # The job that finds this out is over, and its id is used: the next one needs another.
    run.segment += 1
    return True


async def let_go(office: Office) -> None:
    """Begin what has waited, in its order; what is queued anyway stays as it is."""
    last: Run | None = None
    while True:
        async with office.storage.app.write() as session:
            found = await repository.not_begun(session, kind="case", after=last, limit=_BATCH)
            for run in found:
                events.enqueue(session, run)
        if not found:
            return
        last = found[-1]
