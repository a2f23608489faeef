"""Mail as a feature."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.opener import AccountOpener
from bailiwick.feature import Feature, Follower, Job, Removal, Tidy
from bailiwick.identity.facts import Welcome
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.mail import endpoints, finding, raw, repository, service
from bailiwick.mail.contacts import endpoints as contacts
from bailiwick.mail.fetcher import endpoints as fetcher
from bailiwick.mail.fetcher import jobs
from bailiwick.mail.fetcher.fetch import Fetcher
from bailiwick.mail.fetcher.jobs import FetchJobs
from bailiwick.mail.filters import endpoints as filters
from bailiwick.mail.filters import service as filter_service
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.filters.service import KnowsDirectors
from bailiwick.mail.intake import Intake, removal
from bailiwick.mail.outbox import endpoints as outbox
from bailiwick.mail.outbox import repository as outgoing
from bailiwick.mail.outbox import sender
from bailiwick.mail.outbox.sender import Sender
from bailiwick.mail.search import index
from bailiwick.mail.tools.source import knows, tools
from bailiwick.office import Office
from bailiwick.tools.facts import KnowsTarget
from bailiwick.tools.finding import FindsThings


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    opener = office[AccountOpener]
    taking = next((fact.taking for fact in office.facts(KnowsDirectors)), None)
    intake = Intake(office.storage, office.blobs, FilterCache(), office.extractor, taking=taking)
    fetcher = Fetcher(office.storage, opener, intake, office.changeable)
    office.add(FetchJobs(fetcher, office.engine))
    office.add(Sender(office.storage, office.blobs, opener, office.engine))
    yield


@asynccontextmanager
async def _work(office: Office) -> AsyncGenerator[None]:
    await office[Sender].take_up()
    async with office[FetchJobs].running(office.leads):
        yield


async def _old_outgoing(session: AsyncSession, settings: RuntimeSettings) -> None:
    await outgoing.forget_older_than(session, settings.activity_days)


async def _gone_mail(session: AsyncSession, _: RuntimeSettings) -> None:
    await repository.purge(session)
    await index.INDEX.settle(session)


feature = Feature(
    name="mail",
    routers=[endpoints.router, contacts.router, outbox.router, filters.router, fetcher.router],
    open=_open,
    work=_work,
    tools=tools,
    jobs=[
        Job(jobs.FETCH, lambda office: office[FetchJobs].fetch, queue=jobs.QUEUE),
        Job(jobs.DUE, lambda office: office[FetchJobs].due, queue=jobs.QUEUE),
        Job(sender.SEND, lambda office: office[Sender].send, queue=sender.QUEUE),
        Job(sender.SWEEP, lambda office: office[Sender].sweep, queue=sender.QUEUE),
    ],
    wakes=[*jobs.WAKES, *sender.WAKES],
    follows=[Follower(lambda office: office[FetchJobs].watchers.follow)],
    tidies=[
        Tidy.of("outbox", _old_outgoing),
        Tidy.of("mail", _gone_mail),
        Tidy("overdue mail", lambda office: office[Sender].sweep()),
        Tidy("unused mail", lambda office: raw.forget_unused(office.storage, office.blobs)),
    ],
    removals={
        "account": Removal(before=removal.empty),
        "agent": Removal(within=filter_service.agent_removed),
    },
    facts=[FindsThings("mail", finding.find), KnowsTarget(knows), Welcome(service.welcome)],
)
