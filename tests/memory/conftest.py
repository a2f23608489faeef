"""Tools to try."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bailiwick.config import Settings
from library.toolbox import Toolbox, opened_toolbox


@pytest.fixture
async def tools(migrated_folder: Path, tmp_path: Path) -> AsyncIterator[Toolbox]:
    """The tools of an installation on SQLite."""
    data = shutil.copytree(migrated_folder, tmp_path / "data")
    async with opened_toolbox(Settings(data=data), tmp_path / "papers") as made:
        yield made


@pytest.fixture
async def any_tools(migrated_settings: Settings, tmp_path: Path) -> AsyncIterator[Toolbox]:
    """The tools of an installation, once on each database."""
    async with opened_toolbox(migrated_settings, tmp_path / "papers") as made:
        yield made
