"""An inbox for the tests."""

from pathlib import Path

import pytest

from support.office import Office
from support.tray import Tray, tray_in


@pytest.fixture
async def tray(office: Office, tmp_path: Path) -> Tray:
    """A folder with an inbox, and an office that organises it."""
    return await tray_in(office, tmp_path / "papers")
