"""The index follows the disk: scans, renames, what is gone, and what is wrong with a folder."""

import errno
import itertools
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from sqlalchemy import select

from bailiwick.library.index.indexer import LibraryIndexer
from bailiwick.library.index.models import FileText, IndexedFile, NotebookScan
from bailiwick.library.index.scan import ScanStopped
from bailiwick.library.models import Notebook
from library.toolbox import Toolbox

pytestmark = pytest.mark.req("LIB-02")


async def followed(box: Toolbox) -> dict[str, IndexedFile]:
    """Scan, read all texts, forget what is gone; the index by path."""
    indexer = box.office[LibraryIndexer]
    indexer.due_now()
    await indexer.scan_due()
    while (wait := await indexer.read_all()) is not None and wait < 1:
        pass
    return await indexed(box)


async def indexed(box: Toolbox) -> dict[str, IndexedFile]:
    statement = select(IndexedFile).where(
        IndexedFile.notebook_id == "ntb-papers", IndexedFile.gone_at.is_(None)
    )
    async with box.storage.app.read() as session:
        return {row.path: row for row in await session.scalars(statement)}


async def text_of(box: Toolbox, file: IndexedFile) -> Mapping[str, str]:
    async with box.storage.app.read() as session:
        rows = await session.scalars(select(FileText).where(FileText.number == file.number))
        return {row.extractor: row.text for row in rows}


async def scan_of(box: Toolbox) -> NotebookScan:
    async with box.storage.app.read() as session:
        return await session.get_one(NotebookScan, "ntb-papers")


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (1_700_000_000, 1_700_000_000))


async def test_a_scan_finds_every_file_with_its_text_and_front_matter(any_tools: Toolbox):
    write(any_tools.folder, a="one", deep__er__b="two")
    (any_tools.folder / "c.md").write_text("---\ntags: [roof, Rent]\ndue: 2026-01-02\n---\nthree")
    os.utime(any_tools.folder / "c.md", (1, 1))
    found = await followed(any_tools)
    assert set(found) == {"a", "deep/er/b", "c.md"}
    assert await text_of(any_tools, found["deep/er/b"]) == {"plain": "two"}
    assert found["c.md"].properties == {"tags": ["roof", "Rent"], "due": "2026-01-02"}
    assert found["c.md"].media_type == "text/markdown"
    assert {row.text_state for row in found.values()} == {"ready"}
    scan = await scan_of(any_tools)
    assert (scan.state, scan.scanned, scan.problem) == ("done", 3, None)


async def test_a_renamed_file_a_moved_folder_and_a_copy_that_replaced_its_source_keep_their_ids(
    any_tools: Toolbox,
):
    write(any_tools.folder, a="one", old__b="two", c="three", stays="stays")
    before = await followed(any_tools)
    (any_tools.folder / "a").rename(any_tools.folder / "renamed")
    (any_tools.folder / "old").rename(any_tools.folder / "new")
    shutil.copyfile(any_tools.folder / "c", any_tools.folder / "copied")
    os.utime(any_tools.folder / "copied", (2, 2))
    (any_tools.folder / "c").unlink()
    after = await followed(any_tools)
    assert {path: row.id for path, row in after.items()} == {
        "renamed": before["a"].id,
        "new/b": before["old/b"].id,
        "copied": before["c"].id,
        "stays": before["stays"].id,
    }
    assert {row.text_state for row in after.values()} == {"ready"}


async def test_what_is_gone_leaves_the_index_and_what_changed_is_read_anew(any_tools: Toolbox):
    write(any_tools.folder, a="one", b="two", whole__folder="three")
    before = await followed(any_tools)
    (any_tools.folder / "a").unlink()
    shutil.rmtree(any_tools.folder / "whole")
    (any_tools.folder / "b").write_text("twice")
    os.utime(any_tools.folder / "b", (5, 5))
    after = await followed(any_tools)
    assert {path: row.id for path, row in after.items()} == {"b": before["b"].id}
    assert await text_of(any_tools, after["b"]) == {"plain": "twice"}


async def test_a_folder_that_is_moved_away_is_a_problem_and_nothing_is_forgotten(
    any_tools: Toolbox,
):
    write(any_tools.folder, a="one")
    await followed(any_tools)
    aside = any_tools.folder.with_name("aside")
    any_tools.folder.rename(aside)
    assert set(await followed(any_tools)) == {"a"}
    scan = await scan_of(any_tools)
    assert scan.state == "failed"
    assert "cannot be opened" in (scan.problem or "")
    any_tools.folder.mkdir()
    assert set(await followed(any_tools)) == {"a"}
    assert "another one than before" in ((await scan_of(any_tools)).problem or "")
    any_tools.folder.rmdir()
    aside.rename(any_tools.folder)
    assert set(await followed(any_tools)) == {"a"}
    assert (await scan_of(any_tools)).state == "done"


async def test_odd_files_are_told_of_and_never_followed_out(any_tools: Toolbox, tmp_path: Path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "x").write_text("outside")
    write(any_tools.folder, empty="", locked="no")
    write(any_tools.folder, **{"new\nline": "n", "right\u202eleft.txt": "r", "🙂.txt": "smile"})
    (any_tools.folder / "link").symlink_to(secret)
    (any_tools.folder / "one").symlink_to(secret / "x")
    os.mkfifo(any_tools.folder / "pipe")
    with (any_tools.folder / "huge.bin").open("wb") as huge:
        huge.truncate(4_000_000_000)
    os.utime(any_tools.folder / "huge.bin", (1, 1))
    found = await followed(any_tools)
    assert set(found) == {
        "empty",
        "locked",
        "new\nline",
        "right\u202eleft.txt",
        "🙂.txt",
        "huge.bin",
    }
    states = {path: row.text_state for path, row in found.items()}
    assert states["empty"] == states["🙂.txt"] == "ready"
    assert states["huge.bin"] == states["new\nline"] == states["right\u202eleft.txt"] == "skipped"
    assert "larger than 50 MB" in (found["huge.bin"].problem or "")


async def test_a_stopped_scan_goes_on_where_it_was(any_tools: Toolbox):
    for number in range(450):
        write(any_tools.folder, **{f"d{number:03}__f": "x"})
    async with any_tools.storage.app.read() as session:
        notebook = await session.get_one(Notebook, "ntb-papers")
    scanner = await any_tools.office[LibraryIndexer].scans(notebook)
    looks = itertools.count()
    with pytest.raises(ScanStopped):
        await scanner.scan(goes_on=lambda: next(looks) < 300)
    half = await scan_of(any_tools)
    assert 0 < half.scanned < 450
    assert half.position
    assert len(await followed(any_tools)) == 450
    whole = await scan_of(any_tools)
    assert whole.state == "done"
    assert whole.began_at == half.began_at
    assert whole.scanned == 450


async def test_a_file_that_nobody_may_read_is_marked(
    any_tools: Toolbox, monkeypatch: pytest.MonkeyPatch
):
    write(any_tools.folder, locked="no")
    (any_tools.folder / "locked").chmod(0)
    real = os.open

    def refused(path: str, *args: int, **more: int) -> int:
        # Root may read everything, so that the disk has to be spoken for.
        if path == "locked":
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *args, **more)

    monkeypatch.setattr(os, "open", refused)
    monkeypatch.setattr(os, "supports_dir_fd", {*os.supports_dir_fd, refused})
    found = await followed(any_tools)
    assert found["locked"].problem == "The server may not read it."
