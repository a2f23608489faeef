"""Where jobs run: an encrypted folder, or a PostgreSQL database."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.jobs import Place


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An installation, once on each database."""
    made = Place(tmp_path / "data", key=secrets.token_hex(32))
    if request.param == "postgresql":
        made = Place(tmp_path / "data", url=request.getfixturevalue("postgresql_database"))
    yield made
    made.end()


@pytest.fixture
def shared_place(postgresql_database: str, tmp_path: Path) -> Iterator[Place]:
    """An installation that several processes share."""
    made = Place(tmp_path / "data", url=postgresql_database)
    yield made
    made.end()
