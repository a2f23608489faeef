"""Events on their way out as a feature: streams and webhooks."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import Response
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.chat.message_endpoints import StreamsThread
from bailiwick.feature import Feature, Job, Tidy
from bailiwick.identity.authenticate import Authenticator
from bailiwick.identity.principal import Principal
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit.net.outbound import Outbound
from bailiwick.notify import endpoints, expansion, streams
from bailiwick.notify.desktop import endpoints as desktop
from bailiwick.notify.selection import Selection
from bailiwick.notify.streams import Streams
from bailiwick.notify.webhooks import deliveries, repository
from bailiwick.notify.webhooks import endpoints as webhooks
from bailiwick.notify.webhooks.deliveries import Deliveries
from bailiwick.office import Office
from bailiwick.operations.facts import CountsStreams


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    outbound = Outbound(office.settings.allowed_networks)
    made = Deliveries(
        storage=office.storage,
        vault=office.vault,
        engine=office.engine,
        flags=office.flags,
        outbound=outbound,
        settings=office.changeable,
        origin=office.settings.origin,
    )
    office.add(made)
    yield


@asynccontextmanager
async def _work(office: Office) -> AsyncGenerator[None]:
    assert office.bus
    assert office.tail
    async with streams.opened(
        office.storage,
        office.bus,
        office.tail,
        office[Authenticator],
        partial(expansion.expanded, office),
    ) as opened:
        office.add(opened)
        yield


async def _old_deliveries(session: AsyncSession, settings: RuntimeSettings) -> None:
    await repository.forget_older_than(session, settings.webhook_log_days)


def _open_streams(office: Office) -> int:
    found = office.find(Streams)
    return found.count if found else 0


async def _stream_of_thread(
    office: Office, who: Principal, thread_id: str, after: int | None
) -> Response:
    found = office.find(Streams)
    if found is None:
        raise streams.not_here()
    selection = Selection(thread_id=thread_id, expand=True, in_person=who.is_person_present)
    return await found.open(who, selection, after=after)


feature = Feature(
    name="notify",
    routers=[endpoints.router, webhooks.router, desktop.router],
    open=_open,
    work=_work,
    jobs=[
        Job(deliveries.FAN_OUT, lambda office: office[Deliveries].fan_out, deliveries.QUEUE),
        Job(deliveries.REQUEST, lambda office: office[Deliveries].request, deliveries.QUEUE),
        Job(deliveries.ATTEMPT, lambda office: office[Deliveries].attempt, deliveries.QUEUE),
    ],
    wakes=deliveries.WAKES,
    tidies=[Tidy.of("webhook deliveries", _old_deliveries)],
    facts=[CountsStreams(_open_streams), StreamsThread(_stream_of_thread)],
)
