"""When the sample mails have come in, the assistant is asked to answer them: once, by a job."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.chat import posting
from bailiwick.demo import cast, repository
from bailiwick.gate import people
from bailiwick.identity.principal import OPERATOR
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.jobs import patiently
from bailiwick.kit.eventlog import Recorded
from bailiwick.mail.fetcher.fetch import FETCHED
from bailiwick.office import Office
from bailiwick.runs import service as runs
from bailiwick.runs.start import RunOwner

ASK = "demo.ask"


async def job(office: Office, account_id: str) -> str | None:
    """Ask the assistant, unless that was done; the id of its run."""
    return await patiently(ask, office, account_id)


async def ask(office: Office, account_id: str) -> str | None:
    """Start the assistant's run, in the name and with the words of whoever wanted the sample."""
    store, now = office.storage.app, await runs.office_now(office)
    async with store.read() as session:
        demo = await repository.of_account(session, account_id)
    if demo is None:
        return None
    whose = demo.user_id or OPERATOR.id
    person = await people.find_user(office, whose, demo.workspace_id)
    async with store.write() as session:
        demo = await repository.of_account(session, account_id, lock=True)
        if demo is None or demo.leaving or demo.run_id or person is None:
            return demo and demo.run_id
        agent = await agents.by_id(session, demo.assistant_id)
        if agent is None or not agent.active:
            return None
        # They pressed the button that says these words: it is they who ask.
        whom = RunOwner(demo.user_id, demo.user_name, person.scope, present=True)
        run = await posting.begin_for(session, agent, whom, cast.WORDS, now=now)
        demo.run_id = run.id
        return run.id


async def _arrived(session: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    """The first mails of a sample mailbox are there."""
    came = {event.position: event.subject_id for event in events if event.type == FETCHED}
    if not came:
        return set()
    wanted = await repository.of_accounts(session, {id for id in came.values() if id})
    return {position for position, id in came.items() if id in wanted}


WAKES = [
    Wake(
        ASK,
        _arrived,
        key=lambda event: event.subject_id or event.id,
        arguments=lambda event: (event.subject_id,),
        partition=lambda event: event.subject_id,
    )
]
