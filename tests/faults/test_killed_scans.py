"""kill -9 in the middle of a first scan: it goes on, and every file is indexed once."""

from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from bailiwick.kit.db import sqlite
from support.office import API
from support.server import Server, free_port, wait_for

FOLDERS, IN_EACH = 250, 8
COUNT = FOLDERS * IN_EACH


def fill(folder: Path) -> None:
    for number in range(COUNT):
        place = folder / f"folder{number % FOLDERS}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"note{number}.md").write_text(f"this note says word{number}")


@pytest.mark.req("LIB-02", "OPS-03")
def test_a_scan_that_is_killed_twice_goes_on_and_indexes_every_file_once(tmp_path: Path):
    fill(tmp_path / "papers")
    port = free_port()
    server = Server(tmp_path / "data", port).wait_ready()
    try:
        owner = server.owner()
        space = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
        body = {"name": "Papers", "path": str(tmp_path / "papers")}
        made = owner.post(f"{API}/workspaces/{space}/notebooks", json=body)
        at = f"{API}/workspaces/{space}/notebooks/{made.json()['id']}/index"
        ready = 0
        for enough in (1, 300):
            wait_for(lambda enough=enough: _ready(owner, at) >= enough)
            server.kill()
            cut = kept_in(tmp_path / "data")
            assert ready <= cut["ready"] < COUNT
            ready = cut["ready"]
            server = Server(tmp_path / "data", port).wait_ready()
        wait_for(lambda: _ready(owner, at) == COUNT)
        wait_for(lambda: owner.get(at).json()["state"] == "done")
        asked = {"workspaceId": space, "q": "word1234", "mode": "keyword"}
        (hit,) = owner.get(f"{API}/search", params=asked).json()["files"]
        assert hit["name"] == "note1234.md"
    finally:
        server.kill()
        owner.close()
    whole = kept_in(tmp_path / "data")
    assert whole == {"files": COUNT, "paths": COUNT, "ready": COUNT, "texts": COUNT, "found": COUNT}


def _ready(owner: httpx.Client, at: str) -> int:
    found: dict[str, Any] = owner.get(at).json()
    return found["files"] - found["waiting"]


def kept_in(data: Path) -> dict[str, int]:
    """What the database holds, read while no server runs."""
    asked = {
        "files": "SELECT count(*) FROM indexed_files",
        "paths": "SELECT count(DISTINCT path) FROM indexed_files",
        "ready": "SELECT count(*) FROM indexed_files WHERE text_state = 'ready'",
        "texts": "SELECT count(*) FROM file_texts",
        "found": "SELECT count(*) FROM search_files WHERE search_files MATCH 'note'",
    }
    with closing(sqlite.connect(data / "app.db", None)) as connection:
        return {name: connection.execute(sql).fetchone()[0] for name, sql in asked.items()}
