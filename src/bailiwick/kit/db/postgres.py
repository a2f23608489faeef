"""PostgreSQL through psycopg 3: one database, a schema for each store."""

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import TupleRow
from sqlalchemy import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bailiwick.errors import Conflict, DatabaseUnreachable
from bailiwick.kit.db.base import StoreName

_APPLICATION = "bailiwick"
CONNECT: dict[str, Any] = {"connect_timeout": 10, "application_name": _APPLICATION}
_LET_GO_SECONDS = 5.0

# One channel for all processes, so that each of them gets every notification.
LISTEN = "LISTEN bailiwick"
NOTIFY = "SELECT pg_notify('bailiwick', %s)"


def driver_url(url: str) -> URL:
    """The URL for SQLAlchemy with psycopg."""
    return make_url(url).set(drivername="postgresql+psycopg")


def engine(url: str, store: StoreName, *, pool_size: int) -> AsyncEngine:
    """An engine that sees one store's schema and no other."""
    return create_async_engine(
        driver_url(url),
        connect_args={**CONNECT, "options": f"-csearch_path={store}"},
        hide_parameters=True,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_pre_ping=True,
    )


def snapshots(engine: AsyncEngine) -> AsyncEngine:
    """The same connections, for read-only transactions on one snapshot."""
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


async def connect(url: str) -> psycopg.AsyncConnection[TupleRow]:
    """A connection outside the pool, for locks and notifications, which outlive transactions."""
    return await psycopg.AsyncConnection.connect(_plain(url), autocommit=True, **CONNECT)


def connect_now(url: str) -> psycopg.Connection[TupleRow]:
    """A connection for synchronous code."""
    return psycopg.connect(_plain(url), **CONNECT)


def dump(url: str, target: Path) -> None:
    """Dump all three schemas in one snapshot, with pg_dump."""
    _run(
        "pg_dump",
        url,
        "--format=custom",
        "--no-owner",
        "--no-privileges",
        "--schema=app",
        "--schema=engine",
        "--schema=audit",
        f"--file={target}",
    )


def load(url: str, source: Path) -> None:
    """Replace all three schemas in one transaction."""
    _run(
        "pg_restore",
        url,
        "--single-transaction",
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--exit-on-error",
        str(source),
    )


def in_use(url: str) -> tuple[bool, bool]:
    """Whether the database holds an installation, and whether one of our servers uses it."""
    try:
        with connect_now(url) as connection:
            connection.autocommit = True
            held = connection.execute("SELECT to_regclass('app.instance') IS NOT NULL").fetchone()
            served = _served(connection)
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[0]
        raise DatabaseUnreachable(f"The database does not answer: {reason}") from None
    return bool(held and held[0]), served


def _served(connection: psycopg.Connection[TupleRow]) -> bool:
    """Whether a server is connected, allowing for connections that are just closing."""
    deadline = time.monotonic() + _LET_GO_SECONDS
    while True:
        others = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s "
            "AND datname = current_database() AND pid <> pg_backend_pid()",
            (_APPLICATION,),
        ).fetchone()
        if not others or not others[0]:
            return False
        if time.monotonic() > deadline:
            return True
        time.sleep(0.1)


def _plain(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _run(tool: str, url: str, *arguments: str) -> None:
    if not shutil.which(tool):
        raise Conflict(
            f"{tool} is not installed. Install PostgreSQL's client programs (Debian: "
            f"postgresql-client), of the server's version or newer."
        )
    # The URL may hold a password, and command lines are public: it is passed by environment.
    service = make_url(_plain(url))
    environment = {"PGPASSWORD": service.password or "", "PATH": os.environ["PATH"]}
    public = service.set(password=None).render_as_string(hide_password=False)
    done = subprocess.run(  # noqa: S603
        [tool, f"--dbname={public}", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Conflict(f"{tool} failed: {' '.join(done.stderr.split())[:300]}")
