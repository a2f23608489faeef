"""Schema migrations: Alembic, up and down, on both databases, one transaction a store."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bailiwick.errors import BadConfiguration, DatabaseCorrupt, DatabaseUnreachable, SchemaTooNew
from bailiwick.kit.db.base import AuditBase, Base, StoreName
from bailiwick.kit.db.storage import STORES, Storage, Store

MIGRATED: dict[StoreName, MetaData] = {"app": Base.metadata, "audit": AuditBase.metadata}
_ADVISORY_LOCK = 0x6261696C
# Search indexes differ between the databases, so only migrations know them.
_SEARCH = "search_"


def folder() -> Path:
    """The folder of migrations: inside the wheel, or at the top of the source tree."""
    packaged = Path(str(files("bailiwick"))) / "migrations"
    return packaged if packaged.is_dir() else Path(__file__).parents[4] / "migrations"


def config(name: StoreName) -> Config:
    """Alembic's configuration for one store."""
    made = Config()
    made.set_main_option("script_location", str(folder()).replace("%", "%%"))
    made.set_main_option("version_locations", str(folder() / name).replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    return made


def known(name: StoreName) -> list[str]:
    """The revisions that this version of the code knows, newest first."""
    return list(_revisions(folder(), name))


@cache
def _revisions(_: Path, name: StoreName) -> tuple[str, ...]:
    """The revisions, cached: each migration is a module that Python has to load."""
    scripts = ScriptDirectory.from_config(config(name))
    return tuple(item.revision for item in scripts.walk_revisions())


def head(name: StoreName) -> str:
    """The newest revision."""
    return known(name)[0]


async def upgrade(storage: Storage) -> None:
    """Bring every store to the newest schema; refuse one that is newer still."""
    for name in STORES:
        async with _migrating(storage, storage[name]) as connection:
            if name in MIGRATED and (newest_first := known(name)):
                at = await connection.run_sync(_refuse_newer, name, newest_first)
                if at != newest_first[0]:
                    await connection.run_sync(_run, name, command.upgrade, "head")


async def to(storage: Storage, name: StoreName, revision: str) -> None:
    """Take one store up or down to a revision, to `head` or to `base`."""
    async with _migrating(storage, storage[name]) as connection:
        await connection.run_sync(_refuse_newer, name, known(name))
        goes_up = await connection.run_sync(_goes_up, name, revision)
        await connection.run_sync(
            _run, name, command.upgrade if goes_up else command.downgrade, revision
        )


def is_mapped(name: str | None, type_: str, _parents: object) -> bool:
    """Whether a table is in the models; Alembic asks before it compares."""
    return not (type_ == "table" and name is not None and name.startswith(_SEARCH))


async def revision(store: Store) -> str | None:
    """The revision a store is at; None if it is empty."""
    async with store.readers.connect() as connection:
        return await connection.run_sync(_current)


@asynccontextmanager
async def _migrating(storage: Storage, store: Store) -> AsyncGenerator[AsyncConnection]:
    engine = store.migrator()
    try:
        async with engine.begin() as connection:
            if storage.kind == "postgresql":
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
                await connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {store.name}"))
            yield connection
            if storage.kind == "sqlite":
                await _check_foreign_keys(connection, store.name)
    except (DBAPIError, OSError) as error:
        reason = str(getattr(error, "orig", error)).strip().splitlines()[0]
        raise DatabaseUnreachable(
            f"The schema of {store.name} could not be set: {reason}"
        ) from error
    finally:
        await engine.dispose()


async def _check_foreign_keys(connection: AsyncConnection, name: StoreName) -> None:
    broken = (await connection.execute(text("PRAGMA foreign_key_check"))).first()
    if broken:
        raise DatabaseCorrupt(
            f"{name}: the row {broken.rowid} of {broken.table} points to nothing."
        )


def _current(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _goes_up(connection: Connection, name: StoreName, revision: str) -> bool:
    newest_first = known(name)
    if revision not in ("head", "base", *newest_first):
        raise BadConfiguration(
            f"There is no revision {revision!r} of {name}: {', '.join(newest_first)}."
        )
    at = _current(connection)
    if revision in ("head", "base"):
        return revision == "head"
    return at is None or newest_first.index(revision) <= newest_first.index(at)


def _refuse_newer(connection: Connection, name: StoreName, known: list[str]) -> str | None:
    at = _current(connection)
    if at and at not in known:
        raise SchemaTooNew(
            f"The {name} database is at schema {at}, which this version does not know. "
            f"Upgrade Bailiwick, or restore a backup made with this version. Nothing was changed."
        )
    return at


def _run(
    connection: Connection, name: StoreName, verb: Callable[[Config, str], Any], target: str
) -> None:
    alembic = config(name)
    alembic.attributes["connection"] = connection
    alembic.attributes["metadata"] = MIGRATED[name]
    verb(alembic, target)
