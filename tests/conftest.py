"""Fixtures for the whole suite, and the map from requirements to tests."""

import asyncio
import gc
import os
import secrets
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from itertools import chain, islice
from pathlib import Path
from typing import Any

import certifi
import psycopg
import pytest
import structlog
from hypothesis import HealthCheck
from hypothesis import settings as examples
from psycopg.conninfo import conninfo_to_dict
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from bailiwick import features
from bailiwick.config import Settings
from bailiwick.identity import password
from bailiwick.kit.db import migrate
from bailiwick.office import storage_of
from support import coverage, routes, statements
from support.office import Office, opened_office
from support.postgres import postgres_at

LOOPBACK = ("127.0.0.1", "::1", "localhost", "testserver")
CHEAP = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
CHEAP_DUMMY = CHEAP.hash("nobody has this password")
ABOUT_HTTP = (
    "agents/",
    "gate/audit/",
    "gate/redactions/",
    "gate/rules/",
    "identity/",
    "kit/http/",
    "mcp/",
    "memory/test_memory_rest",
    "notify/test_deliveries",
    "notify/test_events",
    "notify/test_streams",
    "notify/test_webhooks",
    "operations/test_upkeep",
    "runs/test_task_queue",
    "workspaces/",
)
END_OF_ROOT = "-----END CERTIFICATE-----\n"
LONGEST = ("tests/e2e/", "tests/faults/", "tests/test_schemathesis")

# Generated examples take as long as they take, and are the same every time; `EVERYTHING=1` looks
# further.
examples.register_profile(
    "steady",
    deadline=None,
    derandomize=not os.environ.get("EVERYTHING"),
    suppress_health_check=[HealthCheck.too_slow],
)
examples.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--coverage-map", action="store_true", help="print requirements and their tests"
    )


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, Any, Any]:
    made = yield
    coverage.refuse_unknown(made if isinstance(made, list) else [made] if made else [])
    return made


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    proofs = coverage.proofs(items)
    if not os.environ.get("EVERYTHING"):
        known = {item.nodeid for item in items}
        items[:] = [
            item
            for item in items
            if not _is_second_time(item, known) and not item.get_closest_marker("long")
        ]
    items[:] = _longest_first(items)
    if config.getoption("--coverage-map"):
        coverage.print_map(proofs)
        items.clear()


def pytest_sessionfinish(session: pytest.Session) -> None:
    nothing_ran = session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
    if nothing_ran and session.config.getoption("--coverage-map"):
        session.exitstatus = pytest.ExitCode.OK


def pytest_collection_finish() -> None:
    """What is here now stays: it need not be looked through for rubbish again and again."""
    gc.collect()
    gc.freeze()


def _longest_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """The long ones begin each worker's share: at the end, the others would wait for them.

    The first share has all that need a browser, so that one worker has one and not all of them.
    """
    long = {name: [item for item in items if name in item.nodeid] for name in LONGEST}
    others = iter([item for item in items if not any(name in item.nodeid for name in LONGEST)])
    share = len(items) // 4
    shares = ([*some, *islice(others, max(0, share - len(some)))] for some in long.values())
    return [*chain(*shares), *others]


def _is_second_time(item: pytest.Item, known: set[str]) -> bool:
    """Whether it says on PostgreSQL what it has said on SQLite, and is not about storage.

    `make test EVERYTHING=1` runs these too.
    """
    path = item.path.relative_to(Path(__file__).parent).as_posix()
    twin = item.nodeid.replace("[postgresql", "[sqlite")
    return twin != item.nodeid and twin in known and path.startswith(ABOUT_HTTP)


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test talks to the world."""
    real = socket.socket.connect

    def connect(self: socket.socket, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK:
            raise AssertionError(f"a test tried to connect to {address}")
        return real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session", autouse=True)
def _plain_tracebacks() -> None:
    """Until logging is configured, structlog would paint each one with every local variable."""
    *before, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*before, plain])


@pytest.fixture(scope="session", autouse=True)
def _quick_apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is the same in every office is made once."""
    routes.remember()
    statements.remember()
    # Each client of the web reads all roots of trust, and here nobody meets any of them.
    one_root = tmp_path_factory.mktemp("trust") / "root.pem"
    whole = Path(certifi.where()).read_text()
    one_root.write_text(whole[: whole.index(END_OF_ROOT) + len(END_OF_ROOT)])
    with pytest.MonkeyPatch.context() as patch:
        found = cache(lambda group, _: entry_points(group=group))
        # What is installed is what is on the path: a test may put something there.
        patch.setattr(features, "entry_points", lambda *, group: found(group, tuple(sys.path)))
        patch.setenv("SSL_CERT_FILE", str(one_root))
        yield


@pytest.fixture(autouse=True)
def quick_passwords(request: pytest.FixtureRequest) -> Iterator[None]:
    """Argon2id at its least cost, but for tests that are about how passwords are kept."""
    if "recommended_passwords" in request.fixturenames:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(password, "_hasher", lambda: CHEAP)
        patch.setattr(password, "_dummy", lambda: CHEAP_DUMMY)
        yield


@pytest.fixture
def recommended_passwords() -> None:
    """Argon2id as the product uses it."""


@pytest.fixture(scope="session")
def postgresql(testrun_uid: str) -> Iterator[str]:
    """A real PostgreSQL server, shared by all workers of this run."""
    # Not below pytest's folder: as root the server runs as another user, who must reach it.
    shared = Path(tempfile.gettempdir()) / f"bailiwick-postgresql-{testrun_uid}"
    with postgres_at(shared) as server:
        # Processes are killed here, machines are not: nothing has to reach the disk.
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            for care in ("fsync", "synchronous_commit", "full_page_writes"):
                connection.execute(f"ALTER SYSTEM SET {care} = off")
            connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()


@contextmanager
def new_database(server: str, like: str = "template1") -> Iterator[str]:
    """A database, empty or like another one, dropped at the end."""
    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
    yield server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def postgresql_database(postgresql: str) -> Iterator[str]:
    """An empty database of its own."""
    with new_database(postgresql) as url:
        yield url


@pytest.fixture(scope="session")
def migrated_database(postgresql: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a database that has its tables and nothing in them, to be copied."""
    with new_database(postgresql) as url:
        given = {"data": tmp_path_factory.mktemp("migrated"), "database_url": url}
        asyncio.run(migrated(Settings.model_validate(given)))
        yield str(conninfo_to_dict(url)["dbname"])


@pytest.fixture(scope="session")
def migrated_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose databases have their tables and nothing in them, to be copied."""
    folder = tmp_path_factory.mktemp("migrated")
    asyncio.run(migrated(Settings(data=folder)))
    return folder


async def migrated(settings: Settings) -> None:
    storage = storage_of(settings, None)
    await migrate.upgrade(storage)
    await storage.close()


@pytest.fixture(scope="session")
def opened_folder(migrated_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same after its first start: with what every office has, to be copied."""
    folder = tmp_path_factory.mktemp("opened") / "data"
    shutil.copytree(migrated_folder, folder)
    asyncio.run(started_once(Settings(data=folder)))
    return folder


@pytest.fixture(scope="session")
def opened_database(
    postgresql: str, migrated_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """The same on PostgreSQL: the name of the database, and the folder."""
    folder = tmp_path_factory.mktemp("opened") / "data"
    with new_database(postgresql, migrated_database) as url:
        given = {"data": folder, "database_url": url}
        asyncio.run(started_once(Settings.model_validate(given)))
        yield str(conninfo_to_dict(url)["dbname"]), folder


async def started_once(settings: Settings) -> None:
    async with opened_office(settings):
        pass


@pytest.fixture
def another_database(postgresql: str) -> Iterator[str]:
    """A second one, as on another machine."""
    with new_database(postgresql) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings of an installation, once on each database."""
    given: dict[str, object] = {"data": tmp_path / "data"}
    if request.param == "postgresql":
        given["database_url"] = request.getfixturevalue("postgresql_database")
    return Settings.model_validate(given)


@pytest.fixture
def sqlite_settings(tmp_path: Path) -> Settings:
    """Settings of an installation on SQLite."""
    return Settings(data=tmp_path / "data")


@pytest.fixture
async def office(sqlite_settings: Settings, opened_folder: Path) -> AsyncIterator[Office]:
    """A running installation on SQLite, driven through its ASGI app."""
    shutil.copytree(opened_folder, sqlite_settings.data)
    async with opened_office(sqlite_settings) as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def migrated_settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings of an installation whose tables are there already, once on each database."""
    data = tmp_path / "data"
    if request.param == "sqlite":
        shutil.copytree(request.getfixturevalue("migrated_folder"), data)
        yield Settings(data=data)
        return
    like, server = (request.getfixturevalue(name) for name in ("migrated_database", "postgresql"))
    with new_database(server, like) as url:
        yield Settings.model_validate({"data": data, "database_url": url})


@pytest.fixture(params=["sqlite", "postgresql"])
def opened_settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings of an installation that was started once before, on each database."""
    data = tmp_path / "data"
    if request.param == "sqlite":
        shutil.copytree(request.getfixturevalue("opened_folder"), data)
        yield Settings(data=data)
        return
    like, folder = request.getfixturevalue("opened_database")
    shutil.copytree(folder, data)
    with new_database(request.getfixturevalue("postgresql"), like) as url:
        yield Settings.model_validate({"data": data, "database_url": url})


@pytest.fixture
async def any_office(opened_settings: Settings) -> AsyncIterator[Office]:
    """A running installation, once on each database."""
    async with opened_office(opened_settings) as made:
        yield made
