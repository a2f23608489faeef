"""PostgreSQL through psycopg 3: one database, a schema for each store."""

import os
import shutil
import subprocess
import time
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import IO, Any

import psycopg
from psycopg.rows import TupleRow
from sqlalchemy import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bailiwick.errors import Conflict, DatabaseUnreachable
from bailiwick.kit.db.base import StoreName

_APPLICATION = "bailiwick"
CONNECT: dict[str, Any] = {"connect_timeout": 10, "application_name": _APPLICATION}
_LET_GO_SECONDS = 5.0
_PIECE = 1 << 16

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


def dump(url: str) -> Iterator[bytes]:
    """All three schemas in one snapshot, with pg_dump, piece by piece: the disk sees none of it."""
    arguments = (
        "--format=custom",
        "--no-owner",
        "--no-privileges",
        "--schema=app",
        "--schema=engine",
        "--schema=audit",
    )
    with _running("pg_dump", url, *arguments) as (_, out):
        yield from iter(lambda: out.read(_PIECE), b"")


def load(url: str, pieces: Iterable[bytes]) -> None:
    """Replace all three schemas in one transaction by what was dumped."""
    arguments = (
        "--single-transaction",
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--exit-on-error",
    )
    # A program that ends early leaves a broken pipe; why it ended is what it says itself.
    with _running("pg_restore", url, *arguments) as (given, _), suppress(BrokenPipeError):
        for piece in pieces:
            given.write(piece)


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


@contextmanager
def _running(tool: str, url: str, *arguments: str) -> Generator[tuple[IO[bytes], IO[bytes]]]:
    """A client program at work: what it is given, and what it gives."""
    if not shutil.which(tool):
        raise Conflict(
            f"{tool} is not installed. Install PostgreSQL's client programs (Debian: "
            f"postgresql-client), of the server's version or newer."
        )
    # The URL may hold a password, and command lines are public: it is passed by environment.
    service = make_url(_plain(url))
    environment = {"PGPASSWORD": service.password or "", "PATH": os.environ["PATH"]}
    public = service.set(password=None).render_as_string(hide_password=False)
    pipe = subprocess.PIPE
    with (
        ThreadPoolExecutor(1) as aside,
        subprocess.Popen(  # noqa: S603
            [tool, f"--dbname={public}", *arguments],
            env=environment,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
        ) as program,
    ):
        assert program.stdin
        assert program.stdout
        assert program.stderr
        # Read meanwhile: a full pipe would stop the program.
        reading = aside.submit(program.stderr.read)
        try:
            yield program.stdin, program.stdout
        except BaseException:
            program.kill()  # what was not given whole must not be taken for the whole
            raise
        finally:
            with suppress(BrokenPipeError):
                program.stdin.close()
            said = reading.result().decode(errors="replace")
        failed = program.wait()
    if failed:
        raise Conflict(f"{tool} failed: {' '.join(said.split())[:300]}")
