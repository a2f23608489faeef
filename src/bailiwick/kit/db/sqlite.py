"""SQLite through SQLCipher: one driver for plain and for encrypted files."""

import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import aiosqlite
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlcipher3 import dbapi2 as _sqlcipher

from bailiwick.errors import DatabaseCorrupt, DataFolderUnusable, WrongDataKey
from bailiwick.kit.db.driver import Driver
from bailiwick.kit.keys import Key

PLAIN_HEADER = b"SQLite format 3\x00"
_BUSY_MILLISECONDS = 10_000
_QUICK_CHECK_BELOW = 64 * 1024 * 1024

SqliteConnection = sqlite3.Connection
# The binding has no types, but it has the API of the standard library's module.
sqlcipher: Any = _sqlcipher


def connect(path: Path, key: Key | None, *, synchronous: str = "NORMAL") -> SqliteConnection:
    """A synchronous connection in autocommit mode, with our pragmas."""
    connection: SqliteConnection = sqlcipher.connect(
        str(path), isolation_level=None, check_same_thread=False
    )
    try:
        if key:
            connection.execute(f"PRAGMA key = \"x'{key.reveal().hex()}'\"")
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
        # What a query needs for a moment never goes to a file, where it would be plain text.
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
    except BaseException:
        connection.close()
        raise
    return connection


def engine(
    path: Path,
    key: Key | None,
    *,
    synchronous: str,
    writes: bool,
    pool_size: int,
    foreign_keys: bool = True,
) -> AsyncEngine:
    """An engine whose transactions begin IMMEDIATE (writes) or are read-only."""

    async def open_connection() -> aiosqlite.Connection:
        connection = aiosqlite.Connection(
            lambda: connect(path, key, synchronous=synchronous), iter_chunk_size=64
        )
        connection._thread.daemon = True  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return await connection

    made = create_async_engine(
        "sqlite+aiosqlite:///" + path.name,
        module=Driver(_driver(), sqlcipher),
        async_creator=open_connection,
        hide_parameters=True,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=60,
    )
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

    def on_connect(dbapi_connection: Any, _record: object) -> None:
        cursor = dbapi_connection.cursor()
        cursor.execute(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()

    def on_begin(connection: Any) -> None:
        connection.connection.dbapi_connection.begin(begin)

    event.listen(made.sync_engine, "connect", on_connect)
    event.listen(made.sync_engine, "begin", on_begin)
    return made


def _driver() -> Any:
    """aiosqlite's module with SQLCipher's error classes, so that SQLAlchemy knows them."""
    names = (
        "DatabaseError",
        "Error",
        "IntegrityError",
        "NotSupportedError",
        "OperationalError",
        "ProgrammingError",
        "sqlite_version",
        "sqlite_version_info",
    )
    return SimpleNamespace(
        Connection=aiosqlite.Connection,
        __version__=aiosqlite.__version__,
        **{name: getattr(sqlcipher, name) for name in names},
    )


def check(path: Path, key: Key | None) -> None:
    """Open the file with this key, or say exactly why that fails; changes nothing."""
    if not path.exists():
        return
    _check_key_fits(path, key)
    try:
        with closing(_read_only(path, key)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            problems = _quick_check(connection, path)
    except sqlcipher.OperationalError as error:
        raise DataFolderUnusable(f"{path} cannot be opened: {error}.") from None
    except sqlcipher.DatabaseError as error:
        raise _unreadable(path, key, str(error)) from None
    if problems:
        raise corrupt(path, problems[0])


def has_rows(path: Path, key: Key | None, table: str) -> bool:
    """Whether a table exists and has rows; changes nothing."""
    with closing(_read_only(path, key)) as connection:
        try:
            return connection.execute(f"SELECT 1 FROM {table}").fetchone() is not None  # noqa: S608
        except sqlcipher.OperationalError:
            return False


def _read_only(path: Path, key: Key | None) -> SqliteConnection:
    # A writing connection would merge a crashed server's log into the file, or discard it.
    address = f"file:{quote(str(path))}?mode=ro"
    connection: SqliteConnection = sqlcipher.connect(address, uri=True, isolation_level=None)
    if key:
        connection.execute(f"PRAGMA key = \"x'{key.reveal().hex()}'\"")
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    return connection


def integrity(path: Path, key: Key | None) -> list[str]:
    """The faults that SQLite and SQLCipher find in the file; empty if there are none."""
    connection = connect(path, key)
    try:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        if key:
            found += [row[0] for row in connection.execute("PRAGMA cipher_integrity_check")]
        return found
    except sqlcipher.DatabaseError as error:
        return [str(error)]
    finally:
        connection.close()


def copy(source: Path, target: Path, key: Key | None) -> None:
    """A consistent copy in one snapshot, while others read and write."""
    reader, writer = connect(source, key), sqlcipher.connect(str(target))
    try:
        if key:
            writer.execute(f"PRAGMA key = \"x'{key.reveal().hex()}'\"")
        reader.backup(writer, pages=-1)
    finally:
        writer.close()
        reader.close()


def convert(source: Path, target: Path, *, old: Key | None, new: Key | None) -> None:
    """Copy a database that is not in use, under another key or none."""
    connection = connect(source, old)
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        literal = f"\"x'{new.reveal().hex()}'\"" if new else "''"
        connection.execute(f"ATTACH DATABASE ? AS target KEY {literal}", (str(target),))
        connection.execute("SELECT sqlcipher_export('target')")
        connection.execute(f"PRAGMA target.user_version = {int(version)}")
        connection.execute("DETACH DATABASE target")
    finally:
        connection.close()


def _quick_check(connection: SqliteConnection, path: Path) -> list[str]:
    if path.stat().st_size > _QUICK_CHECK_BELOW:
        return []
    return [row[0] for row in connection.execute("PRAGMA quick_check(1)") if row[0] != "ok"]


def _check_key_fits(path: Path, key: Key | None) -> None:
    try:
        with path.open("rb") as file:
            plain = file.read(len(PLAIN_HEADER)) == PLAIN_HEADER
    except OSError as error:
        raise DataFolderUnusable(f"{path} cannot be read: {error.strerror}.") from error
    if path.stat().st_size == 0:
        raise corrupt(path, "it is empty")
    if plain and key:
        raise WrongDataKey(
            f"{path} is not encrypted, but a data key was given. To encrypt it, make a backup "
            f"without the key and restore it with the key set."
        )
    if not plain and not key:
        raise WrongDataKey(
            f"{path} is encrypted (or damaged). Set BAILIWICK_DATA_KEY to the key it was made with."
        )


def _unreadable(path: Path, key: Key | None, why: str) -> WrongDataKey | DatabaseCorrupt:
    if key and "not a database" in why:
        return WrongDataKey(
            f"The data key does not open {path}. Nothing was changed. Set BAILIWICK_DATA_KEY to "
            f"the key it was made with; if that is right, the file is damaged: restore a backup."
        )
    return corrupt(path, why)


def corrupt(path: Path, why: str) -> DatabaseCorrupt:
    """The error for a damaged or missing file."""
    return DatabaseCorrupt(
        f"{path} is damaged ({why}). Nothing was changed. Restore the latest backup with "
        f"`bailiwick restore FILE --replace`; the damaged folder is kept beside it."
    )
