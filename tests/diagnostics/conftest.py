"""A mail office for the tests of diagnostics."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bailiwick.config import Settings
from support import post
from support.mailroom import Mailroom, mailroom_in
from support.office import opened_office


@pytest.fixture
async def room(
    sqlite_settings: Settings, opened_folder: Path, tmp_path: Path
) -> AsyncIterator[Mailroom]:
    """An office with a scripted provider, and no account yet."""
    shutil.copytree(opened_folder, sqlite_settings.data)
    with post.installed():
        async with opened_office(sqlite_settings) as office:
            yield await mailroom_in(office, tmp_path / "post")
