"""Whether a database is in use is told by who is connected, and a leaving server is let go."""

from collections.abc import Iterator
from threading import Timer

import psycopg
import pytest

from bailiwick.kit.db import postgres
from support.server import PATIENCE

pytestmark = pytest.mark.req("OPS-03")


@pytest.fixture
def served(postgresql_database: str) -> Iterator[psycopg.Connection]:
    """A connection such as a server has."""
    with postgres.connect_now(postgresql_database) as connection:
        yield connection


def test_a_server_that_is_just_leaving_is_waited_for(
    postgresql_database: str, served: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(postgres, "_LET_GO_SECONDS", PATIENCE)
    leaving = Timer(0.3, served.close)
    leaving.start()
    assert postgres.in_use(postgresql_database) == (False, False)
    leaving.join()


def test_a_server_that_stays_is_told(
    postgresql_database: str, served: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(postgres, "_LET_GO_SECONDS", 0.3)
    assert postgres.in_use(postgresql_database) == (False, True)
    assert not served.closed
