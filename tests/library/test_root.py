"""Attempts to leave a notebook, or to reach through it what is neither a file nor a folder."""

import os
import shutil
import socket
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bailiwick.errors import BailiwickError, Conflict, Invalid, NotFound, RuleViolated, Unavailable
from bailiwick.library import changes
from bailiwick.library.root import FileFacts, Root, spelled
from bailiwick.tools.paths import VirtualPath

pytestmark = pytest.mark.req("GATE-03")
SECRET = b"the secret outside"


@pytest.fixture
def root(tmp_path: Path) -> Root:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_bytes(SECRET)
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (inside / "sub" / "a.txt").write_text("a")
    return Root(inside, "Papers")


def outside(root: Root) -> Path:
    return root.path.parent / "outside"


def everything(root: Root, names: tuple[str, ...]) -> Iterator[Callable[[], object]]:
    """Every way to touch a path; whatever they raise, nothing outside may be read or changed."""
    seen = FileFacts.of(root.path.stat())
    assert seen
    yield lambda: root.read(names, most=100)[0]
    yield lambda: root.entries(names, most=100)
    yield lambda: root.facts(names)
    yield lambda: changes.digest_of(root, names)
    yield lambda: changes.create(root, names, [b"new"])
    yield lambda: changes.replace(root, names, [b"new"], seen=seen)
    yield lambda: changes.remove(root, names, seen=seen)
    yield lambda: changes.move(root, ("sub", "a.txt"), root, names, seen=sub_facts(root))
    yield lambda: changes.move(root, names, root, ("sub", "b.txt"), seen=seen)


def sub_facts(root: Root) -> FileFacts:
    return root.facts(("sub", "a.txt"))


def assert_closed(root: Root, names: tuple[str, ...]) -> None:
    for attempt in everything(root, names):
        with pytest.raises(BailiwickError):
            attempt()
    assert [path.name for path in outside(root).iterdir()] == ["secret.txt"]
    assert (outside(root) / "secret.txt").read_bytes() == SECRET
    assert (root.path / "sub/a.txt").read_text() == "a"


def test_a_link_to_a_file_is_not_followed(root: Root):
    (root.path / "link.txt").symlink_to(outside(root) / "secret.txt")
    assert_closed(root, ("link.txt",))
    assert (root.path / "link.txt").is_symlink()


def test_a_link_to_a_folder_is_not_followed_at_the_end_or_in_the_middle(root: Root):
    (root.path / "link").symlink_to(outside(root))
    assert_closed(root, ("link",))
    assert_closed(root, ("link", "secret.txt"))
    assert_closed(root, ("link", "..", "outside", "secret.txt"))
    (root.path / "up").symlink_to("..")
    assert_closed(root, ("up", "outside", "secret.txt"))


def test_a_link_within_the_notebook_or_to_nowhere_is_not_followed_either(root: Root):
    (root.path / "inner").symlink_to("sub")
    assert_closed(root, ("inner", "a.txt"))
    (root.path / "dangling").symlink_to(outside(root) / "new.txt")
    assert_closed(root, ("dangling",))
    (root.path / "round").symlink_to("round")
    assert_closed(root, ("round",))


def test_links_and_special_files_are_not_listed(root: Root):
    (root.path / "link").symlink_to(outside(root))
    os.mkfifo(root.path / "fifo")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(root.path / "socket"))
        (root.path / ".bailiwick-1234").write_text("half")
        (root.path / "a:b").write_text("no such name here")
        (root.path / os.fsdecode(b"\xff.txt")).write_text("no such name either")
        assert [name for name, _ in root.entries((), most=100)] == ["sub"]
        for name in ("fifo", "socket"):
            with pytest.raises(RuleViolated, match="neither a file nor a folder"):
                root.read((name,), most=10)
    with pytest.raises(NotFound):
        root.read((".bailiwick-1234",), most=10)
    assert len(root.entries((), most=1)) <= 1


def test_a_fifo_swapped_in_after_the_look_is_refused_at_once(
    root: Root, monkeypatch: pytest.MonkeyPatch
):
    os.mkfifo(root.path / "fifo")
    real = FileFacts.of((root.path / "sub/a.txt").stat())
    assert real
    monkeypatch.setattr(root, "found", lambda folder, names: (names[-1], real))
    with pytest.raises(RuleViolated):
        root.read(("fifo",), most=10)
    (root.path / "link").symlink_to(outside(root) / "secret.txt")
    with pytest.raises(RuleViolated):
        root.read(("link",), most=10)


def test_a_device_is_refused(tmp_path: Path):
    devices = Root(Path("/dev"), "Devices")
    with pytest.raises(RuleViolated):
        devices.read(("null",), most=10)


def test_a_hard_link_cannot_be_changed(root: Root):
    os.link(outside(root) / "secret.txt", root.path / "hard.txt")
    seen = root.facts(("hard.txt",))
    for attempt in (
        lambda: changes.replace(root, ("hard.txt",), [b"new"], seen=seen),
        lambda: changes.remove(root, ("hard.txt",), seen=seen),
        lambda: changes.move(root, ("hard.txt",), root, ("b.txt",), seen=seen),
    ):
        with pytest.raises(RuleViolated, match="hard link"):
            attempt()
    assert (outside(root) / "secret.txt").read_bytes() == SECRET


def test_a_second_name_that_a_crash_of_ours_left_is_taken_away(root: Root):
    os.link(root.path / "sub/a.txt", root.path / "sub/.bailiwick-0123")
    changes.replace(root, ("sub", "a.txt"), [b"new"], seen=sub_facts(root))
    assert [path.name for path in (root.path / "sub").iterdir()] == ["a.txt"]


def rename(source: Path, target: Path) -> None:
    """Rename, even when a folder was made in the place meanwhile."""
    while True:
        try:
            source.rename(target)
        except OSError:
            shutil.rmtree(target, ignore_errors=True)
        else:
            return


@contextmanager
def swapping(path: Path, target: Path) -> Iterator[None]:
    """A folder that is a link half of the time, and back."""
    aside = path.with_name("aside")
    link = path.with_name("link")
    link.symlink_to(target)
    ended = threading.Event()

    def swap() -> None:
        while not ended.is_set():
            rename(path, aside)
            rename(link, path)
            rename(path, link)
            rename(aside, path)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_a_folder_swapped_for_a_link_in_a_race_leads_nowhere(root: Root):
    (outside(root) / "a.txt").write_bytes(SECRET)
    with swapping(root.path / "sub", outside(root)):
        for number in range(400):
            for attempt in (
                lambda: root.read(("sub", "a.txt"), most=100)[0],
                lambda: changes.create(root, ("sub", f"new{number}.txt"), [b"new"]),  # noqa: B023
                lambda: changes.remove(root, ("sub", "a.txt"), seen=_wrong(root)),
            ):
                try:
                    assert attempt() != SECRET
                except BailiwickError:
                    continue
    assert sorted(path.name for path in outside(root).iterdir()) == ["a.txt", "secret.txt"]


def _wrong(root: Root) -> FileFacts:
    seen = FileFacts.of((outside(root) / "a.txt").stat())
    assert seen
    return seen


def test_a_file_swapped_for_a_link_in_a_race_is_not_read(root: Root):
    with swapping(root.path / "sub" / "a.txt", outside(root) / "secret.txt"):
        for _ in range(1000):
            try:
                assert root.read(("sub", "a.txt"), most=100)[0] == b"a"
            except BailiwickError:
                continue


def test_a_root_that_became_a_link_or_is_gone_is_not_opened(root: Root):
    root.path.rename(root.path.with_name("aside"))
    with pytest.raises(Unavailable, match="cannot be opened"):
        root.entries((), most=10)
    root.path.symlink_to(outside(root))
    with pytest.raises(Unavailable):
        root.read(("secret.txt",), most=100)


def test_a_name_in_another_normal_form_is_found_and_not_made_twice(root: Root):
    composed = unicodedata.normalize("NFC", "Café.txt")
    (root.path / unicodedata.normalize("NFD", "Café.txt")).write_text("one")
    assert [name for name, _ in root.entries((), most=10)] == [composed, "sub"]
    assert root.read((composed,), most=10)[0] == b"one"
    with pytest.raises(Conflict):
        changes.create(root, (composed,), [b"two"])
    changes.replace(root, (composed,), [b"two"], seen=root.facts((composed,)))
    assert len([*root.path.iterdir()]) == 2
    (root.path / composed).write_text("exact")
    assert root.read((composed,), most=10)[0] == b"exact"


def test_a_name_that_could_be_one_of_two_is_none(root: Root):
    composed = "\u1ec7"  # two marks: there are several ways to write it
    (root.path / "e\u0323\u0302").write_text("one")
    (root.path / "\u1eb9\u0302").write_text("two")
    with pytest.raises(NotFound):
        root.read((composed,), most=10)


def test_an_alias_that_the_disk_does_not_list_is_not_taken(
    root: Root, monkeypatch: pytest.MonkeyPatch
):
    """As on a disk that ignores case, or has short names."""
    (root.path / "README~1").write_text("long")
    (root.path / "a.txt").write_text("a")
    real, aliases = os.stat, {"A.TXT": "a.txt", "LONGNA~1": "README~1"}

    def stat(path: object, **named: object) -> os.stat_result:
        return real(aliases.get(path, path), **named)  # pyright: ignore

    monkeypatch.setattr(os, "stat", stat)
    with root.folder(()) as folder:
        assert spelled(folder, "a.txt") == "a.txt"
        assert spelled(folder, "A.TXT") is None
        assert spelled(folder, "README~1") == "README~1"
        assert spelled(folder, "LONGNA~1") is None


def test_very_long_names_and_paths_are_refused_in_words(root: Root):
    with pytest.raises(BailiwickError):
        root.read(("x" * 300,), most=10)
    with pytest.raises(Invalid, match="too long"):
        changes.create(root, ("x" * 300,), [b""])
    deep = ("d" * 200,) * 5
    changes.create(root, (*deep, "a.txt"), [b"deep"])
    assert root.read((*deep, "a.txt"), most=10)[0] == b"deep"


def test_what_the_disk_refuses_is_said_in_words(root: Root):
    for number, kind in ((13, RuleViolated), (28, Unavailable), (5, Unavailable), (2, NotFound)):
        assert isinstance(root.fault(OSError(number, "no"), ("a",)), kind)


@pytest.mark.req("LIB-03")
def test_a_full_disk_leaves_the_old_content(root: Root, monkeypatch: pytest.MonkeyPatch):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    seen = sub_facts(root)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unavailable, match="no room"):
        changes.replace(root, ("sub", "a.txt"), [b"new"], seen=seen)
    with pytest.raises(Unavailable, match="no room"):
        changes.create(root, ("b.txt",), [b"new"])
    with pytest.raises(Unavailable, match="no room"):
        changes.create(root, ("x", "y", "b.txt"), [b"new"])
    assert sorted(path.name for path in root.path.rglob("*")) == ["a.txt", "sub"]
    assert (root.path / "sub/a.txt").read_text() == "a"


def test_a_file_changed_at_the_same_moment_is_not_replaced(root: Root):
    seen = sub_facts(root)
    (root.path / "sub/a.txt").write_text("mine, and longer")
    for attempt in (
        lambda: changes.replace(root, ("sub", "a.txt"), [b"new"], seen=seen),
        lambda: changes.remove(root, ("sub", "a.txt"), seen=seen),
    ):
        with pytest.raises(Conflict, match="at this very moment"):
            attempt()
    assert (root.path / "sub/a.txt").read_text() == "mine, and longer"


def test_a_system_that_cannot_keep_a_folder_closed_says_so(
    root: Root, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(os, "supports_dir_fd", set[object]())
    with pytest.raises(Unavailable, match="Linux or macOS"):
        Root(root.path, "Papers")


PIECES = st.sampled_from(
    [
        *("..", ".", "", "/", "sub", "a.txt", "outside", "secret.txt", "inside", "link", "~"),
        *("..\\", "\\", "\x00", "\uff0e\uff0e", "\u2024\u2024", "\u2025", "\u2026", "%2e%2e"),
        *("\u2215", "\u2044", "\uff0f", "\u29f5", "\uff3c", "\u20e5", "\u2571", "\u3002"),
        *("SUB", "A.TXT", "con", "NUL.txt", "COM¹", "a.txt.", " sub", "sub ", "a.txt::$DATA"),
        *("\u202e", "\u200b", "\ufeff", "\ud800", "e\u0301", "é", "x" * 256, "\n", "\x7f"),
    ]
)


@settings(
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=6), st.sampled_from(["/", ""]))
def test_no_path_leaves_the_root(root: Root, pieces: list[str], joint: str):
    link = root.path / "link"
    if not link.is_symlink():
        link.symlink_to(outside(root))
    try:
        path = VirtualPath.parse(joint.join(["Papers", *pieces]))
    except Invalid:
        return
    assert not {"..", ".", ""}.intersection(path.names)
    for attempt in (
        lambda: root.read(path.inner, most=100)[0],
        lambda: changes.create(root, path.inner, [b"new"]),
    ):
        try:
            if path.inner:
                assert attempt() != SECRET
        except BailiwickError:
            continue
    assert [each.name for each in outside(root).iterdir()] == ["secret.txt"]
    assert sorted(each.name for each in root.path.parent.iterdir()) == ["inside", "outside"]
