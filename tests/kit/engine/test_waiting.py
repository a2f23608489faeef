"""2,000 jobs that wait for a person outlive restarts and new versions."""

from contextlib import closing

import psycopg
import pytest

from bailiwick.kit.db import sqlite
from bailiwick.kit.db.storage import sqlite_path
from bailiwick.kit.keys import Key
from support.jobs import Place
from support.server import wait_for

REAL = 20
EACH = 100
TABLES = ("workflow_status", "workflow_input", "workflow_output", "operation_outputs")


def multiply(place: Place) -> None:
    """A hundred of each waiting job, row for row: beginning them all would take a minute."""
    copies = (
        f"WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < {EACH - 1})"
    )
    if place.url:
        with psycopg.connect(place.url) as connection:
            for table in TABLES:
                found = connection.execute(f"SELECT * FROM engine.{table} LIMIT 0").description
                connection.execute(_copy(f"engine.{table}", [c.name for c in found or ()], copies))
            connection.execute(
                f"{copies} INSERT INTO app.waiting SELECT name || '-' || i FROM app.waiting, n"
            )
        return
    assert place.key
    key = Key(bytes.fromhex(place.key))
    with closing(sqlite.connect(sqlite_path(place.folder, "engine"), key)) as connection:
        for table in TABLES:
            columns = [
                c[0] for c in connection.execute(f"SELECT * FROM {table} LIMIT 0").description
            ]
            connection.execute(_copy(table, columns, copies))
    with closing(sqlite.connect(sqlite_path(place.folder, "app"), key)) as connection:
        connection.execute(f"{copies} INSERT INTO waiting SELECT name || '-' || i FROM waiting, n")


def _copy(table: str, columns: list[str], copies: str) -> str:
    changed = {"workflow_uuid": "workflow_uuid || '-' || i", "creator_xid": "creator_xid || i"}
    values = ", ".join(changed.get(name, name) for name in columns)
    return f"{copies} INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table}, n"


@pytest.mark.req("RUN-05")
def test_two_thousand_waiting_jobs_survive_a_new_version_and_go_on(place: Place):
    first = place.start()
    first.ask("begin_all", job="wait", ids=[f"job{number}" for number in range(REAL)])
    first.wait_done()
    first.kill()
    multiply(place)
    second = place.start(edition=2)
    assert second.ask("waiting") == REAL * EACH
    assert len(second.jobs()) == REAL * EACH
    chosen = [f"job{number}-{copy}" for number in range(5) for copy in range(1, 11)]
    for name in chosen:
        second.begin("answer", name, id=f"{name}:2")
    wait_for(lambda: second.ask("waiting") == REAL * EACH - len(chosen))
    jobs = second.wait_done(*(f"{name}:2" for name in chosen))
    assert {jobs[f"{name}:2"]["output"] for name in chosen} == {"answered in edition 2"}
    assert sum(place.runs().values()) == REAL + len(chosen), "what waits is not run again"
