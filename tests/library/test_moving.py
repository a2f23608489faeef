"""Moving files: never over another, never between labels, and back again."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from bailiwick.errors import Conflict, Invalid, NotFound, RuleViolated
from bailiwick.library import changes
from library.test_writing import Crash, crash_after, label_of, left_behind
from library.toolbox import Toolbox

pytestmark = pytest.mark.req("LIB-01", "GATE-19")
MOVE = {"path": "Papers/a.txt", "to": "Papers/x/b.txt"}


def one(tools: Toolbox) -> Path:
    made = tools.folder / "a.txt"
    made.write_text("one")
    return made


async def test_a_file_is_moved_and_moved_back(any_tools: Toolbox):
    tools = any_tools
    (tools.folder / "a.txt").write_text("one")
    done = await tools.use("move_file", **MOVE)
    assert done.data["path"] == "Papers/x/b.txt"
    assert [path.name for path in tools.folder.iterdir()] == ["x"]
    assert (tools.folder / "x/b.txt").stat().st_nlink == 1
    back = await tools.undo(done)
    assert back.data == {
        "path": "Papers/a.txt",
        "id": "file:Papers/a.txt",
        "status": "moved back",
    }
    assert [path.name for path in tools.folder.iterdir()] == ["a.txt"]
    await tools.undo(done)
    assert (tools.folder / "a.txt").read_text() == "one"


async def test_nothing_is_overwritten_by_a_move(tools: Toolbox):
    file = one(tools)
    (tools.folder / "b.txt").write_text("two")
    with pytest.raises(Conflict, match=r"already something called Papers/b.txt"):
        await tools.use("move_file", path="Papers/a.txt", to="Papers/b.txt")
    with pytest.raises(Invalid, match="already"):
        await tools.use("move_file", path="Papers/a.txt", to="Papers/a.txt")
    with pytest.raises(NotFound):
        await tools.use("move_file", path="Papers/c.txt", to="Papers/d.txt")
    with pytest.raises(RuleViolated):
        await tools.use("move_file", path="Papers/a.txt", to="Papers/b.txt/c.txt")
    assert (file.read_text(), (tools.folder / "b.txt").read_text()) == ("one", "two")


async def test_a_move_that_was_followed_by_changes_is_not_undone(tools: Toolbox):
    file = one(tools)
    done = await tools.use("move_file", **MOVE)
    file.write_text("another")
    with pytest.raises(Conflict, match=r"another file called Papers/a.txt"):
        await tools.undo(done)
    file.unlink()
    (tools.folder / "x/b.txt").write_text("changed")
    with pytest.raises(Conflict, match="was changed after it was moved"):
        await tools.undo(done)
    (tools.folder / "x/b.txt").unlink()
    with pytest.raises(Conflict, match="no longer there"):
        await tools.undo(done)


@pytest.mark.req("GATE-16")
async def test_a_strangers_words_stay_a_strangers_wherever_they_are_moved(tools: Toolbox):
    await tools.trust()
    (tools.folder / "inbox").mkdir()
    (tools.folder / "inbox/offer.txt").write_text("buy")
    move = {"path": "Papers/inbox/offer.txt", "to": "Papers/offer.txt"}
    done = await tools.use("move_file", **move)
    assert await label_of(tools, "Papers/offer.txt") == "stranger"
    assert (await tools.use("list_files", path="Papers")).label == "stranger"
    await tools.undo(done)
    assert await label_of(tools, "Papers/inbox/offer.txt") == "stranger"
    (tools.folder / "mine.txt").write_text("mine")
    tainted = tools.acting(label="web")
    done = await tainted.use("move_file", path="Papers/mine.txt", to="Papers/m/mine.txt")
    assert await label_of(tools, "Papers/m/mine.txt") == "web"
    await tools.undo(done)
    assert await label_of(tools, "Papers/mine.txt") == "owner"


async def test_a_move_to_another_notebook_may_be_to_another_disk(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch
):
    file = one(tools)

    def elsewhere(*_: Any, **__: Any) -> None:
        raise OSError(errno.EXDEV, "another disk")

    with monkeypatch.context() as patched:
        patched.setattr(changes, "_rename_to_free", _only_between_folders(elsewhere))
        done = await tools.use("move_file", path="Papers/a.txt", to="Files/x/a.txt")
        assert not file.exists()
        assert (await tools.use("read_file", path="Files/x/a.txt")).data["content"] == "one"
        await tools.undo(done)
    assert file.read_text() == "one"
    assert (await tools.use("list_files", path="Files")).data["files"] == []


def _only_between_folders(refuse: Any) -> Any:
    real = changes._rename_to_free  # pyright: ignore[reportPrivateUsage]

    def rename(root: Any, source: Any, target: Any, names: Any) -> None:
        (real if source[0] == target[0] else refuse)(root, source, target, names)

    return rename


async def test_a_disk_without_hard_links_will_do(tools: Toolbox, monkeypatch: pytest.MonkeyPatch):
    file = one(tools)

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.EPERM, "no hard links")

    monkeypatch.setattr(os, "link", refuse)
    await tools.use("create_file", path="Papers/new.txt", content="new")
    done = await tools.use("move_file", **MOVE)
    with pytest.raises(Conflict):
        await tools.use("create_file", path="Papers/new.txt", content="newer")
    await tools.undo(done)
    assert file.read_text() == "one"
    assert not left_behind(tools.folder)


async def test_a_move_cut_short_is_finished(tools: Toolbox, monkeypatch: pytest.MonkeyPatch):
    file = one(tools)
    assert await tools.look_up("move_file", key="k", **MOVE) is None
    with monkeypatch.context() as patched:
        crash_after(patched, "move")
        with pytest.raises(Crash):
            await tools.use("move_file", key="k", **MOVE)
    assert await tools.look_up("move_file", key="another", **MOVE) is None
    found = await tools.look_up("move_file", key="k", **MOVE)
    assert found
    await tools.undo(found)
    assert file.read_text() == "one"


async def test_a_move_cut_short_between_two_names_is_finished(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch
):
    file = one(tools)
    real = os.unlink

    def dying(path: Any, *, dir_fd: int | None = None) -> None:
        if path == "a.txt":
            raise Crash
        real(path, dir_fd=dir_fd)

    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", dying)
        with pytest.raises(Crash):
            await tools.use("move_file", key="k", **MOVE)
    assert file.stat().st_nlink == 2
    found = await tools.look_up("move_file", key="k", **MOVE)
    assert found
    assert not file.exists()
    file.write_text("another has the name")
    assert await tools.look_up("move_file", key="k", **MOVE) is None
    assert file.read_text() == "another has the name"


async def test_what_builds_on_one_another_is_undone_from_its_end_and_not_before(tools: Toolbox):
    done = [
        await tools.use("create_file", path="Papers/x/a.txt", content="one"),
        await tools.use("write_file", path="Papers/x/a.txt", content="two"),
        await tools.use("move_file", path="Papers/x/a.txt", to="Papers/y/b.txt"),
        await tools.use("write_file", path="Papers/y/b.txt", content="three"),
        await tools.use("delete_file", path="Papers/y/b.txt"),
    ]
    for earlier in done[1:-1]:  # what was made first is gone anyway
        with pytest.raises((Conflict, NotFound)):
            await tools.undo(earlier)
    for each in reversed(done):
        await tools.undo(each)
    assert not any(tools.folder.iterdir())
