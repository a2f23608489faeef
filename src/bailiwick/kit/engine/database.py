"""Where the engine keeps its state: its own encrypted file, or its own schema."""

from typing import Any

from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from bailiwick.errors import DatabaseUnreachable, SchemaTooNew
from bailiwick.kit.db import Storage, postgres, sqlite
from bailiwick.kit.db.storage import sqlite_path

SCHEMA = "engine"
_POOL = 5


def engine_of(storage: Storage) -> Engine:
    """A synchronous engine on the engine store, as DBOS wants it."""
    if storage.url:
        return create_engine(
            postgres.driver_url(storage.url),
            connect_args=postgres.CONNECT,
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


def url_of(storage: Storage) -> str:
    """The address that goes with the engine; only its kind is looked at."""
    return storage.url or "sqlite:///engine.db"


def refuse_newer(engine: Engine) -> None:
    """Stop before the file of a newer version is touched."""
    from dbos._migration import (  # the version is nowhere in its public interface
        get_migration_versions,
        get_sqlite_migration_versions,
    )

    try:
        if engine.dialect.name == "sqlite":
            found, known = get_sqlite_migration_versions(engine)
        else:
            with engine.begin() as connection:
                connection.execute(text("SELECT 1"))
            found, known = get_migration_versions(engine, SCHEMA, use_listen_notify=True)
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()[0]
        raise DatabaseUnreachable(f"The engine's database does not answer: {reason}") from None
    if found > known:
        raise SchemaTooNew(
            f"The engine database is at schema {found}; this version knows up to {known}. "
            f"Upgrade Bailiwick, or restore a backup made with this version. Nothing was changed."
        )
