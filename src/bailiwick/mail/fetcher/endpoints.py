"""REST of the fetcher."""

from typing import Annotated

from fastapi import APIRouter, Depends

from bailiwick.identity.access import Admin, SignedIn
from bailiwick.identity.principal import Principal
from bailiwick.instance.settings import SettingsStore
from bailiwick.kit import clock
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.mail.fetcher import service
from bailiwick.mail.fetcher.schemas import FetcherOut, FetchIn, FetchOut, FetchRunOut
from bailiwick.office import TheOffice

router = APIRouter(prefix="/fetcher", tags=["fetcher"], route_class=IdempotentRoute)


async def _settings(office: TheOffice) -> SettingsStore:
    return office.changeable


async def _patience(office: TheOffice) -> float:
    """How long to wait for jobs: not at all where nothing does them."""
    return service.RUN_SECONDS if office.engine.running else 0.0


TheSettings = Annotated[SettingsStore, Depends(_settings)]
FetchPatience = Annotated[float, Depends(_patience)]


@router.get("/status")
async def read_fetcher_status(
    who: SignedIn, session: ReadSession, settings: TheSettings
) -> FetcherOut:
    """Whether mail is fetched by itself, and how that goes for the accounts that one may see."""
    return await service.status(session, who, await settings.current())


@router.post("/start")
async def start_fetcher(who: Admin, stores: Stores, settings: TheSettings) -> FetcherOut:
    """Fetch by itself from now on."""
    return await _switched(who, stores, settings, running=True)


@router.post("/stop")
async def stop_fetcher(who: Admin, stores: Stores, settings: TheSettings) -> FetcherOut:
    """Fetch only when asked to; what is under way ends behind the page that it is at."""
    return await _switched(who, stores, settings, running=False)


@router.post("/fetch", status_code=202)
async def fetch_mail(who: SignedIn, session: WriteSession, body: FetchIn | None = None) -> FetchOut:
    """Fetch now, and do not wait for it."""
    rows = await service.request(session, who, body.account_id if body else None)
    return FetchOut(account_ids=[row.id for row in rows])


@router.post("/run")
async def run_fetcher(
    who: SignedIn, stores: Stores, patience: FetchPatience, body: FetchIn | None = None
) -> FetchRunOut:
    """Fetch now, and wait for it: at most half a minute, then it goes on by itself."""
    since = clock.now()
    async with stores.app.write() as session:
        rows = await service.request(session, who, body.account_id if body else None)
    return FetchRunOut(items=await service.wait(stores, rows, since, seconds=patience))


async def _switched(
    who: Principal, stores: Stores, settings: SettingsStore, *, running: bool
) -> FetcherOut:
    current = await settings.change(who.actor, values={"fetcher_running": running})
    async with stores.app.read() as session:
        return await service.status(session, who, current)
