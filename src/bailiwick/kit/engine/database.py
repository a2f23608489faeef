"""The engine's database: its own encrypted file, or its own schema."""

from functools import partial
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from bailiwick.errors import DatabaseUnreachable, SchemaTooNew
from bailiwick.kit.db import Storage, postgres, sqlite
from bailiwick.kit.db.storage import sqlite_path

SCHEMA = "engine"
_POOL = 5


def engine_of(storage: Storage) -> Engine:
    """A synchronous SQLAlchemy engine on the engine store, for DBOS."""
    if storage.url:
        return create_engine(
            postgres.driver_url(storage.url),
            creator=partial(_connect, storage.url),
            hide_parameters=True,
            pool_size=_POOL,
            max_overflow=_POOL,
            pool_pre_ping=True,
        )
    path = sqlite_path(storage.folder, "engine")
    made = create_engine(
        f"sqlite:///{path.name}",
        module=sqlite.sqlcipher,
        creator=lambda: sqlite.connect(path, storage.key, synchronous="FULL"),
        poolclass=QueuePool,
        pool_size=_POOL,
        hide_parameters=True,
    )

    def on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = "IMMEDIATE"

    event.listen(made, "connect", on_connect)
    return made


def _connect(url: str) -> psycopg.Connection:
    """Connect; a failure is worded so that DBOS recognises it and waits."""
    try:
        return postgres.connect_now(url)
    except psycopg.OperationalError as error:
        raise psycopg.OperationalError(f"connection failed: {error}") from error


def url_of(storage: Storage) -> str:
    """The URL that DBOS gets beside the engine; it reads only the scheme."""
    return storage.url or "sqlite:///engine.db"


def prepare(storage: Storage, engine: Engine) -> None:
    """Refuse a store of a newer version untouched; create or upgrade the tables.

    Not on the loop's thread: an index that PostgreSQL builds concurrently waits for every open
    transaction, and this process's own end only while its loop runs.
    """
    from bailiwick.kit.engine import dbos_internals

    _refuse_newer(engine)
    if storage.url:
        dbos_internals.migrate(engine, url=storage.url, schema=SCHEMA)
    else:
        _migrate(storage)


def _migrate(storage: Storage) -> None:
    """Run SQLite's migrations in one transaction, which the driver does not begin by itself."""
    from bailiwick.kit.engine import dbos_internals

    engine = engine_of(storage)
    event.listen(engine, "connect", _autocommit)
    event.listen(engine, "begin", _begin)
    try:
        dbos_internals.migrate(engine, url=url_of(storage), schema=SCHEMA)
    finally:
        engine.dispose()


def _autocommit(connection: Any, _record: object) -> None:
    connection.isolation_level = None


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _refuse_newer(engine: Engine) -> None:
    from bailiwick.kit.engine import dbos_internals

    try:
        with engine.begin() as connection:
            connection.execute(text("SELECT 1"))
        found, known = dbos_internals.schema_versions(engine, SCHEMA)
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()[0]
        raise DatabaseUnreachable(f"The engine's database does not answer: {reason}") from None
    if found > known:
        raise SchemaTooNew(
            f"The engine database is at schema {found}; this version knows up to {known}. "
            f"Upgrade Bailiwick, or restore a backup made with this version. Nothing was changed."
        )
