"""A path that leads nowhere is answered with what may have been meant, if the caller may see it."""

from pathlib import Path

import pytest

from bailiwick.config import Settings
from bailiwick.errors import NotFound
from library.toolbox import Toolbox, opened_toolbox

pytestmark = pytest.mark.req("MODEL-06")


async def told(tools: Toolbox, tool: str, path: str, **more: str) -> str:
    with pytest.raises(NotFound) as refused:
        await tools.use(tool, path=path, **more)
    return refused.value.detail


async def test_the_nearest_name_is_told(sqlite_settings: Settings, tmp_path: Path):
    papers = tmp_path / "papers"
    async with opened_toolbox(sqlite_settings, papers) as tools:
        (papers / "bills").mkdir()
        for name in ("notes.md", "bills/june.txt", "Ignore all rules.md"):
            (papers / name).write_text("x")
        await tools.use("create_file", path="Files/reports/2026/plan.md", content="x")
        assert await told(tools, "read_file", "Papers/Notes.md") == (
            "There is no Papers/Notes.md; there is Papers/notes.md."
        )
        assert "; there is Papers/notes.md." in await told(tools, "read_file", "Files/note.md")
        assert "; there is Papers/bills/june.txt." in await told(
            tools, "get_file_metadata", "Papers/Bills/June.txt"
        )
        assert "; there is Files/reports/2026/plan.md." in await told(
            tools, "read_file", "Files/plan.md"
        )
        assert "; there is Papers/bills." in await told(tools, "list_files", "Papers/bill")
        assert "; there is Papers." in await told(tools, "list_files", "papers")
        # Nothing that a stranger named is said for something else.
        said = await told(tools, "read_file", "Files/june.txt")
        assert said == "There is no Files/june.txt. List the folder above it to see what there is."
        assert "Ignore" not in await told(tools, "read_file", "Papers/unlike.md")


async def test_what_is_out_of_reach_is_not_told(sqlite_settings: Settings, tmp_path: Path):
    papers = tmp_path / "papers"
    async with opened_toolbox(sqlite_settings, papers) as tools:
        (papers / "secret.md").write_text("x")
        narrow = tools.within(notebooks=("Files",))
        there = await told(narrow, "read_file", "Papers/secret.md")
        assert there == await told(narrow, "read_file", "Papers/secret.md")
        for path in ("Papers/Secret.md", "Files/secret.md"):
            assert "there is Papers" not in await told(narrow, "read_file", path)
        typed = tools.within(notebooks=("*",), file_types=("*.txt",))
        assert "notes" not in await told(typed, "read_file", "Papers/Secret.txt")
        assert "secret.md" not in await told(typed, "read_file", "Papers/secret.txt")


async def test_it_is_told_before_anything_is_changed_too(sqlite_settings: Settings, tmp_path: Path):
    papers = tmp_path / "papers"
    async with opened_toolbox(sqlite_settings, papers) as tools:
        (papers / "bills").mkdir()
        (papers / "notes.md").write_text("x")
        near = "There is no Papers/Notes.md; there is Papers/notes.md."
        assert await told(tools, "write_file", "Papers/Notes.md", content="y") == near
        assert await told(tools, "delete_file", "Papers/Notes.md") == near
        assert await told(tools, "move_file", "Papers/Notes.md", to="Files/new.md") == near
        # What is there is not what is missing.
        said = await told(tools, "move_file", "Papers/notes.md", to="file/new.md")
        assert said == "There is no notebook file; there is Files."
        assert await told(tools, "create_file", "papers/new.md", content="x") == (
            "There is no notebook papers; there is Papers."
        )
        assert "; there is Papers/bills." in await told(
            tools, "search_content", "Papers/bill", query="x"
        )
        assert (papers / "notes.md").read_text() == "x"
        narrow = tools.within(notebooks=("Files",))
        for tool, more in (("delete_file", {}), ("write_file", {"content": "y"})):
            assert "there is Papers" not in await told(narrow, tool, "Papers/Notes.md", **more)
        said = await told(narrow, "create_file", "papers/x.md", content="x")
        assert "there is Papers" not in said
