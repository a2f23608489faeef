"""Fixtures of the event log's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from event_writer import opened_storage

from bailiwick.config import Settings
from bailiwick.kit.db import Storage
from bailiwick.office import storage_of


@pytest.fixture
async def storage(migrated_settings: Settings) -> AsyncIterator[Storage]:
    """The stores of an installation, once on each database."""
    async with opened_storage(migrated_settings) as made:
        yield made


@pytest.fixture
def postgresql_settings(postgresql_database: str, tmp_path: Path) -> Settings:
    """Settings of an installation on PostgreSQL."""
    return Settings.model_validate({"data": tmp_path / "data", "database_url": postgresql_database})


@pytest.fixture
async def shared(postgresql_settings: Settings) -> AsyncIterator[Storage]:
    """The stores of an installation that other processes use too."""
    async with opened_storage(postgresql_settings) as made:
        yield made


@pytest.fixture
async def elsewhere(shared: Storage, postgresql_settings: Settings) -> AsyncIterator[Storage]:
    """The same stores, as another process opens them: nothing wakes us when it commits."""
    made = storage_of(postgresql_settings, None)
    yield made
    await made.close()
