"""Sessions with agents as threads: begun, and gone on with, by the run that they are."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_of
from bailiwick.chat import posting, repository, service
from bailiwick.chat.posting import Said
from bailiwick.identity.principal import Principal
from bailiwick.runs import repository as runs
from bailiwick.runs import service as run_service
from bailiwick.runs.models import Run


async def begin(
    session: AsyncSession, who: Principal, agent_id: str, said: Said, *, now: datetime
) -> Run:
    """A new thread that begins with these words; the run that works on them."""
    thread = await service.create(session, who, agent_id)
    message = await posting.post(session, who, thread, said, now=now)
    assert message.run_id
    return await runs.get(session, who, message.run_id)


async def say(session: AsyncSession, who: Principal, run: Run, said: Said, *, now: datetime) -> Run:
    """Speak in a session; one that is no thread is spoken to directly."""
    if run.thread_id is None or run.status == "cancelled":
        return await run_service.say(
            session, who, run.id, said.words, pasted=said.pasted, files=said.files, now=now
        )
    thread = await repository.locked(session, await reader_of(session, who), run.thread_id)
    await posting.post_in(session, who, thread, run, said, now=now)
    return await runs.get(session, who, run.id)
