"""`bailiwick library`: files of the notebooks from a terminal."""

import json
from pathlib import Path

import pytest

from support.server import cli, running


@pytest.mark.req("LIB-08")
def test_files_are_put_listed_printed_moved_restored_and_removed(tmp_path: Path):
    data, mine = tmp_path / "data", tmp_path / "mine.txt"
    with running(data) as server:
        server.owner()

        def library(*words: str, input: str = "") -> str:
            done = cli("library", *words, data=data, input=input)
            assert done.returncode == 0, done.stderr
            return done.stdout

        mine.write_text("one\n")
        assert "To take it back: bailiwick undo act-" in library(
            "put", str(mine), "Files/notes/a.txt"
        )
        again = cli("library", "put", str(mine), "Files/notes/a.txt", data=data)
        assert again.returncode == 2
        assert "Nothing was overwritten" in again.stderr
        [version] = json.loads(library("versions", "Files/notes/a.txt", "--json"))["versions"]
        library("put", "-", "Files/notes/a.txt", "--etag", version["etag"], input="two\n")
        assert library("cat", "Files/notes/a.txt") == "two\n"
        library("restore", "Files/notes/a.txt", version["id"])
        assert library("cat", "Files/notes/a.txt") == "one\n"
        library("mv", "Files/notes/a.txt", "Files/b.txt")
        assert "b.txt" in library("ls", "Files")
        assert "restored by" in library("versions", "Files/b.txt")
        library("rm", "Files/b.txt")
        assert "b.txt" not in library("ls", "Files")
        gone = cli("library", "put", str(tmp_path / "none"), "Files/c.txt", data=data)
        assert "cannot be read" in gone.stderr
