"""The three stores of an installation: app, engine and audit.

On SQLite each is a file; on PostgreSQL each is a schema. They are never attached to one another,
because a transaction of one that waited for another would wait for itself.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from bailiwick.errors import DatabaseUnreachable
from bailiwick.kit.db import postgres, sqlite
from bailiwick.kit.db.base import StoreName
from bailiwick.kit.keys import Key

STORES: tuple[StoreName, ...] = get_args(StoreName)
StorageKind = Literal["sqlite", "postgresql"]
_ALONE = 0x6261696D
_SYNCHRONOUS: dict[StoreName, str] = {"app": "NORMAL", "engine": "FULL", "audit": "FULL"}


class Store:
    """One database with its readers and its writer."""

    def __init__(
        self,
        name: StoreName,
        *,
        readers: AsyncEngine,
        writer: AsyncEngine,
        migrator: Callable[[], AsyncEngine],
        path: Path | None = None,
    ) -> None:
        self.name: StoreName = name
        self.path = path  # of its file, on SQLite
        self.readers = readers
        self.writer = writer
        self.migrator = migrator
        self.info: dict[str, Any] = {}  # every writing session begins with a copy
        self.before_commit: list[Callable[[AsyncSession], Awaitable[None]]] = []
        self.after_commit: list[Callable[[AsyncSession], None]] = []

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """A session that sees one snapshot and changes nothing."""
        async with AsyncSession(self.readers, expire_on_commit=False) as session:
            yield session

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncSession]:
        """One transaction: committed at the end, rolled back on any error."""
        async with AsyncSession(self.writer, expire_on_commit=False, info=self.info) as session:
            async with session.begin():
                yield session
                for prepare in self.before_commit:
                    await prepare(session)
            for listener in self.after_commit:
                listener(session)

    async def alone(self, session: AsyncSession, *, lock: int = _ALONE) -> None:
        """Exclude other processes until the transaction ends; on SQLite there are none."""
        if self.writer.dialect.name == "postgresql":
            await session.execute(text(f"SELECT pg_advisory_xact_lock({lock})"))

    async def notify(self, session: AsyncSession, payload: str) -> None:
        """Notify other processes when the transaction commits; on SQLite there are none."""
        if self.writer.dialect.name == "postgresql":
            await session.execute(text(postgres.NOTIFY % ":payload"), {"payload": payload})

    async def flush(self) -> None:
        """Return when all that was committed is on the disk, which SQLite may put off."""
        if self.path:
            await asyncio.to_thread(_flush, self.path.with_name(f"{self.path.name}-wal"))

    async def close(self) -> None:
        """Close every connection."""
        await self.readers.dispose()
        await self.writer.dispose()


class Storage:
    """All stores of this installation."""

    def __init__(
        self,
        stores: dict[StoreName, Store],
        *,
        folder: Path,
        url: str | None = None,
        key: Key | None = None,
    ) -> None:
        self._stores = stores
        self.app = stores["app"]  # the product's data
        self.audit = stores["audit"]  # appended to, never changed
        self.kind: StorageKind = "postgresql" if url else "sqlite"
        self.folder = folder
        self.url = url
        self.key = key

    @classmethod
    def on_sqlite(cls, folder: Path, key: Key | None) -> "Storage":
        """Three files in the data folder, encrypted if there is a key."""
        stores: dict[StoreName, Store] = {name: _sqlite_store(name, folder, key) for name in STORES}
        return cls(stores, folder=folder, key=key)

    @classmethod
    def on_postgresql(cls, url: str, folder: Path) -> "Storage":
        """Three schemas in one database."""
        stores: dict[StoreName, Store] = {}
        for name in STORES:
            engine = postgres.engine(url, name, pool_size=10 if name == "app" else 3)
            stores[name] = Store(
                name,
                readers=postgres.snapshots(engine),
                writer=engine,
                migrator=partial(_postgresql_migrator, url, name),
            )
        return cls(stores, folder=folder, url=url)

    def __getitem__(self, name: StoreName) -> Store:
        return self._stores[name]

    async def ping(self) -> None:
        """Query every store; the error names one that does not answer."""
        for store in self._stores.values():
            try:
                async with store.readers.connect() as connection:
                    await connection.execute(text("SELECT 1"))
            except (DBAPIError, OSError) as error:
                reason = str(getattr(error, "orig", error)).strip().splitlines()[0]
                raise DatabaseUnreachable(f"The database does not answer: {reason}") from None

    async def close(self) -> None:
        """Close every store."""
        for store in self._stores.values():
            await store.close()


def sqlite_path(folder: Path, name: StoreName) -> Path:
    """The file of a store."""
    return folder / f"{name}.db"


def _sqlite_store(name: StoreName, folder: Path, key: Key | None) -> Store:
    engine = partial(sqlite.engine, sqlite_path(folder, name), key, synchronous=_SYNCHRONOUS[name])
    # One writer connection: writers queue in the event loop instead of spinning on SQLite's lock.
    # Migrations rebuild tables, which must not cascade: they check foreign keys at the end.
    return Store(
        name,
        readers=engine(writes=False, pool_size=8),
        writer=engine(writes=True, pool_size=1),
        migrator=partial(engine, writes=True, pool_size=1, foreign_keys=False),
        path=sqlite_path(folder, name),
    )


def _flush(log: Path) -> None:
    # SQLite holds no lock on this file, so that closing it here loses none.
    try:
        handle = os.open(log, os.O_RDONLY)
    except FileNotFoundError:
        return  # all of it is in the database itself, which was synced
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _postgresql_migrator(url: str, name: StoreName) -> AsyncEngine:
    return postgres.engine(url, name, pool_size=1)
