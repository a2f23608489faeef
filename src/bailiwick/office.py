"""`Office`: one installation, opened: keys, databases, blobs, and what features keep alive.

Opening one either works or says why not.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, TypeVar, cast

from fastapi import Depends, Request
from pydantic import SecretStr
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.config import Settings
from bailiwick.errors import Unavailable, WrongDataKey
from bailiwick.feature import Fact, Feature, Removable, Removal
from bailiwick.instance.changes import Actor
from bailiwick.instance.models import Instance
from bailiwick.instance.service import TokenHasher, open_instance, touch
from bailiwick.instance.settings import RuntimeSettings, SettingsStore
from bailiwick.kit import clock, ids, key_mark, keys, logs
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage, migrate, sqlite
from bailiwick.kit.db.storage import STORES, sqlite_path
from bailiwick.kit.engine.dispatcher import Dispatcher
from bailiwick.kit.engine.engine import Engine
from bailiwick.kit.engine.executors import Executors
from bailiwick.kit.engine.flags import Flags
from bailiwick.kit.eventlog import bus, tail
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.eventlog.bus import Bus, stopped
from bailiwick.kit.eventlog.tail import Tail
from bailiwick.kit.extraction import Extractor
from bailiwick.kit.keys import Key, KeyFile, KeySource
from bailiwick.kit.ledger.records import table as records
from bailiwick.kit.sealing import reseal_all
from bailiwick.kit.vault import Vault

BLOBS = "blobs"
VAULT_KEY = "vault.key"


T = TypeVar("T")
F = TypeVar("F", bound=Fact)


class Office:
    """One installation, opened. Every feature is handed it, and an app holds nothing else.

    What a feature keeps alive is found by its type: `office[Gate]`, `office[AccountOpener]`.
    """

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        vault: Vault,
        *,
        data_key: Key | None,
        instance_id: str,
        hasher: TokenHasher,
        features: Sequence[Feature] = (),
    ) -> None:
        self.settings = settings
        self.storage = storage
        self.vault = vault
        self.blobs = BlobFolder(settings.data / BLOBS, data_key)
        self.extractor = Extractor()
        self.data_key = data_key
        self.instance_id = instance_id
        self.hasher = hasher
        self.changeable = SettingsStore(storage, on_read=_log_level(settings))
        self.operator_token = SecretStr("bwo_" + secrets.token_urlsafe(32))
        self.features = tuple(features)
        self.started_at = clock.now()
        # The engine takes jobs, and bus and tail carry events, only while the office is at work.
        self.engine = Engine(storage, executor_id=_executor_id() if storage.url else "local")
        self.flags = Flags(storage)
        self.bus: Bus | None = None
        self.tail: Tail | None = None
        self.leads = asyncio.Event()  # set while this process leads
        # What has to be done once every feature is open.
        self.once_open: list[Callable[[], Awaitable[object]]] = []
        self._parts: dict[type, object] = {}
        self._facts: dict[type[Fact], list[Fact]] = {}

    def add(self, part: object, *, of: type | None = None) -> None:
        """Let others find what a feature keeps alive, by its type."""
        self._parts[of or type(part)] = part

    def find(self, kind: type[T]) -> T | None:
        """What some feature keeps alive, if that feature is open."""
        return cast("T | None", self._parts.get(kind))

    def __getitem__(self, kind: type[T]) -> T:
        part = self._parts.get(kind)
        if part is None:
            raise Unavailable(f"{kind.__name__} is not open in this process.")
        return cast("T", part)

    def facts(self, kind: type[F]) -> list[F]:
        """Whom to ask something."""
        known = self._facts.get(kind)
        if known is None:
            given = (fact for feature in self.features for fact in feature.facts)
            known = self._facts[kind] = [fact for fact in given if isinstance(fact, kind)]
        return cast("list[F]", known)

    async def removing(self, kind: Removable, session: AsyncSession, actor: Actor, id: str) -> None:
        """Let every feature do its part in the transaction that removes something, or refuse."""
        for removal in self._removals(kind):
            if removal.within:
                await removal.within(session, actor, id)

    async def before_removing(self, kind: Removable, id: str) -> None:
        """Let every feature clear away what there is much of, before the transaction."""
        for removal in self._removals(kind):
            if removal.before:
                await removal.before(self, id)

    def _removals(self, kind: Removable) -> list[Removal]:
        return [feature.removals[kind] for feature in self.features if kind in feature.removals]

    @property
    def data(self) -> Path:
        """The data folder; a feature keeps its files in a folder of its own beneath it."""
        return self.settings.data

    async def idempotency_hours(self) -> int:
        """For how long an Idempotency-Key is remembered."""
        return (await self.changeable.current()).idempotency_hours


async def the_office(request: Request) -> Office:
    """The office that an app serves."""
    return request.app.state.office


TheOffice = Annotated[Office, Depends(the_office)]


async def _vault(office: TheOffice) -> Vault:
    return office.vault


TheVault = Annotated[Vault, Depends(_vault)]


@asynccontextmanager
async def opened(settings: Settings, features: Sequence[Feature] = ()) -> AsyncGenerator[Office]:
    """Open the installation, and then each feature in order, for as long as the block runs."""
    key = data_key(settings)
    storage = storage_of(settings, key)
    try:
        await storage.ping()
        await migrate.upgrade(storage)
        vault = Vault(vault_keys(settings))
        instance_id, hasher = await open_instance(
            storage, vault, accept_clock=settings.accept_clock
        )
        records.install(storage, hasher)
        office = Office(
            settings,
            storage,
            vault,
            data_key=key,
            instance_id=instance_id,
            hasher=hasher,
            features=features,
        )
        if storage.kind == "postgresql":
            files = any(True for _ in office.blobs.names())
            key_mark.check(settings.data, key, holds_files=files)
        await asyncio.to_thread(_seal, office)
        try:
            async with _open_features(office):
                yield office
        finally:
            office.extractor.close()
        # A database that is away must not keep the rest from being closed.
        with suppress(SQLAlchemyError, OSError):
            await touch(storage)
    finally:
        await storage.close()


def _seal(office: Office) -> None:
    """Seal the folders of an installation that has a data key and was made without this."""
    source = data_keys(office.settings)
    folders = [folder for feature in office.features for folder in feature.folders]
    known = source.read() if source else []
    reseal_all(office.data, folders, known=known, new=office.data_key)


@asynccontextmanager
async def _open_features(office: Office) -> AsyncGenerator[None]:
    async with AsyncExitStack() as stack:
        for feature in office.features:
            if feature.open:
                await stack.enter_async_context(feature.open(office))
        follows = [each for feature in office.features for each in feature.follows]
        at_once = [follower.body(office) for follower in follows if follower.at_once]

        def committed(session: AsyncSession) -> None:
            if batch := eventlog.recorded_in(session):
                for follow in at_once:
                    follow(batch)

        office.storage.app.after_commit.append(committed)
        stack.callback(office.storage.app.after_commit.remove, committed)
        for act in office.once_open:
            await act()
        yield


@asynccontextmanager
async def at_work(office: Office) -> AsyncGenerator[None]:
    """The engine and what features do by themselves, for as long as the block runs.

    The server works, and so does every worker. On SQLite there is one process and it leads; on
    PostgreSQL the processes find out among themselves who does.
    """
    async with AsyncExitStack() as stack:
        office.bus = await stack.enter_async_context(bus.opened(office.storage))
        office.tail = await stack.enter_async_context(tail.followed(office.storage, office.bus))
        for job in (job for feature in office.features for job in feature.jobs):
            office.engine.job(job.name, job.body(office), queue=job.queue)
        wakes = [wake for feature in office.features for wake in feature.wakes]
        dispatcher = Dispatcher(office.storage, office.engine, wakes)
        office.tail.follow(office.flags.follow)
        for follower in (each for feature in office.features for each in feature.follows):
            office.tail.follow(follower.body(office))
        office.tail.follow(dispatcher.follow)
        office.leads = await stack.enter_async_context(leading(office.storage.url, office.engine))
        await office.engine.start()
        stack.push_async_callback(office.engine.stop)
        for feature in office.features:
            if feature.work:
                await stack.enter_async_context(feature.work(office))
        dispatching = asyncio.create_task(dispatcher.run(office.leads))
        stack.push_async_callback(stopped, dispatching)
        yield


@asynccontextmanager
async def leading(url: str | None, engine: Engine) -> AsyncGenerator[asyncio.Event]:
    """This process's place among others, held before it takes its first job."""
    if url is None:
        leads = asyncio.Event()
        leads.set()
        yield leads
        return
    executors = Executors(
        url, engine.executor_id, ready=lambda: engine.running, resume=engine.resume
    )
    keeping = asyncio.create_task(executors.keep())
    try:
        await executors.entered()
        yield executors.leads
    finally:
        await stopped(keeping)


def _executor_id() -> str:
    return f"{socket.gethostname()[:40]}-{os.getpid()}-{ids.new('exe')}"


def data_key(settings: Settings) -> Key | None:
    """The key of the database files; made only where there is no database yet."""
    source = data_keys(settings)
    if source is None:
        return None
    known = source.read()
    if not known:
        if sqlite_path(settings.data, "app").exists() or key_mark.is_marked(settings.data):
            raise WrongDataKey(
                f"There is data in {settings.data}, but no key in {source.description}. "
                f"Put the key back that the data was made with."
            )
        known = [keys.generate()]
        source.write(known)
    return known[0]


def data_keys(settings: Settings) -> KeySource | None:
    """Where the data key is kept; None if there is none."""
    if settings.data_key is None:
        return None
    return keys.source(settings.data_key, name="BAILIWICK_DATA_KEY", entry=f"data {settings.data}")


def vault_keys(settings: Settings) -> KeySource:
    """Where the sealing keys are kept."""
    if settings.vault_key is None:
        return KeyFile(settings.data / VAULT_KEY)
    return keys.source(
        settings.vault_key, name="BAILIWICK_VAULT_KEY", entry=f"vault {settings.data}"
    )


def storage_of(settings: Settings, key: Key | None) -> Storage:
    """The stores that the settings name; a file that does not fit the key is refused here."""
    if settings.database_url:
        storage = Storage.on_postgresql(settings.database_url.get_secret_value(), settings.data)
    else:
        check_files(settings.data, key)
        storage = Storage.on_sqlite(settings.data, key)
    eventlog.install(storage)
    return storage


def check_files(folder: Path, key: Key | None) -> None:
    """All database files or none: one that is gone or damaged must not become a new, empty one."""
    app, *others = (sqlite_path(folder, name) for name in STORES)
    present = [path for path in (app, *others) if path.exists()]
    # The first start makes the app's file first and its row last: before that, nothing is lost,
    # and a file may be there a moment before there is anything in it.
    for path in present:
        if path.stat().st_size or _is_whole(app, others, key):
            sqlite.check(path, key)
    whole = app not in present or _is_whole(app, others, key)
    missing = [path for path in (app, *others) if path not in present]
    if present and missing and whole:
        raise sqlite.corrupt(missing[0], "it is gone, but others are there")


def _is_whole(app: Path, others: list[Path], key: Key | None) -> bool:
    if not app.exists() or not app.stat().st_size:
        return any(path.exists() and path.stat().st_size for path in others)
    return sqlite.has_rows(app, key, Instance.__tablename__)


def database_files(folder: Path) -> list[Path]:
    """The database files that exist in a folder."""
    return [path for name in STORES if (path := sqlite_path(folder, name)).exists()]


def _log_level(settings: Settings) -> Callable[[RuntimeSettings], None]:
    def apply(current: RuntimeSettings) -> None:
        logs.set_level(current.log_level or settings.log_level)

    return apply
