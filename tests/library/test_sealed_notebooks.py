"""Notebooks that the office keeps, under a data key: sealed on the disk, and the same to use."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bailiwick.config import Settings
from bailiwick.kit.keys import Key
from bailiwick.library import sealing
from support.office import API, Office, opened_office

pytestmark = pytest.mark.req("ACC-10")
HEX = "5e" * 32
KEY = Key(bytes.fromhex(HEX))
WORDS = (b"Lanternfish", b"Quince", b"report", b"TGFudGVybmZpc2g")


@pytest.fixture
def keyed(tmp_path: Path) -> Settings:
    return Settings.model_validate({"data": tmp_path / "data", "data_key": HEX})


@pytest.fixture
async def sealed_office(keyed: Settings) -> AsyncIterator[Office]:
    async with opened_office(keyed) as office:
        yield office


async def home(person: httpx.AsyncClient) -> str:
    spaces = (await person.get(f"{API}/workspaces")).json()["items"]
    return f"{API}/workspaces/{spaces[0]['id']}"


async def use(person: httpx.AsyncClient, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await person.post(f"{await home(person)}/tools/{tool}", json={"arguments": arguments})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def undo(person: httpx.AsyncClient, done: dict[str, Any]) -> None:
    answer = await person.post(f"{API}/actions/{done['actionId']}/undo")
    assert answer.status_code == 200, answer.text


async def text(person: httpx.AsyncClient, path: str) -> str:
    return (await use(person, "read_file", path=path))["result"]["content"]


async def listed(person: httpx.AsyncClient) -> set[str]:
    found = await use(person, "list_files", path="Files", recursive=True)
    return {item["path"] for item in found["result"]["files"] if item["kind"] == "file"}


def everything(folder: Path) -> Iterator[bytes]:
    """Every name and every content beneath a folder."""
    for path in folder.rglob("*"):
        yield os.fsencode(path.relative_to(folder))
        if path.is_file():
            yield path.read_bytes()


def assert_sealed(folder: Path) -> None:
    contents = list(everything(folder))
    assert len(contents) > 2
    assert [word for content in contents for word in WORDS if word in content] == []


async def test_files_are_written_moved_found_and_undone_and_nothing_is_readable_on_the_disk(
    sealed_office: Office,
):
    owner = await sealed_office.owner()
    path, moved = "Files/Quince/report.txt", "Files/Lanternfish/second report.txt"
    made = await use(owner, "create_file", path=path, content="Lanternfish one")
    written = await use(owner, "write_file", path=path, content="Lanternfish two")
    await undo(owner, written)
    assert await text(owner, path) == "Lanternfish one"
    move = await use(owner, "move_file", path=path, to=moved)
    assert await listed(owner) == {moved}
    found = (await use(owner, "search_content", query="lanternfish ONE"))["result"]["files"]
    assert [(item["path"], item["size"]) for item in found] == [(moved, 15)]
    assert_sealed(sealed_office.product.data / "notebooks")
    await undo(owner, move)
    assert await listed(owner) == {path}
    gone = await use(owner, "delete_file", path=path)
    assert await listed(owner) == set()
    await undo(owner, gone)
    await undo(owner, made)
    assert await listed(owner) == set()


async def test_large_and_empty_files_come_out_as_they_went_in(sealed_office: Office):
    owner = await sealed_office.owner()
    for size in (0, 1, 65_536, 65_537, 131_072, 200_000):
        content = ("Lanternfish " * (size // 12 + 1))[:size]
        await use(owner, "create_file", path=f"Files/{size}.txt", content=content)
        facts = (await use(owner, "get_file_metadata", path=f"Files/{size}.txt"))["result"]
        assert facts["size"] == size
        part = {"path": f"Files/{size}.txt", "offset": max(0, size - 100), "limit": 1000}
        assert (await use(owner, "read_file", **part))["result"]["content"] == content[-100:]
    assert_sealed(sealed_office.product.data / "notebooks")


async def test_a_file_that_was_changed_cut_or_moved_on_the_disk_does_not_open(
    sealed_office: Office,
):
    owner = await sealed_office.owner()
    for name in "ab":
        await use(owner, "create_file", path=f"Files/{name}.txt", content=name * 70_000)
    (folder,) = (sealed_office.product.data / "notebooks").glob("ntb-*.*[0-9a-f]")
    one, other = sorted(folder.iterdir())
    whole = one.read_bytes()
    url = f"{await home(owner)}/tools/search_content"
    read = f"{await home(owner)}/tools/read_file"
    for wrong in (other.read_bytes(), whole[:-1], whole[:65_580], whole[:-1] + b"\0", b""):
        one.write_bytes(wrong)
        answers = [
            await owner.post(read, json={"arguments": {"path": f"Files/{name}.txt"}})
            for name in "ab"
        ]
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        (bad,) = (answer.json() for answer in answers if answer.status_code == 409)
        assert "does not open" in bad["detail"]
        assert (await owner.post(url, json={"arguments": {"query": "aaa"}})).status_code == 200


async def test_a_name_that_is_too_long_once_it_is_sealed_is_refused_in_words(
    sealed_office: Office,
):
    owner = await sealed_office.owner()
    url = f"{await home(owner)}/tools/create_file"
    for path in (f"Files/{'n' * 200}", f"Files/{'n' * 200}/a.txt"):
        body = {"arguments": {"path": path, "content": "x"}}
        answer = await owner.post(url, json=body)
        assert answer.status_code == 400
        assert "too long" in answer.text
    await use(owner, "create_file", path=f"Files/{'n' * 175}", content="x")


async def plain_files(keyed: Settings) -> tuple[Path, dict[str, str]]:
    """A notebook as a version left it that sealed nothing."""
    async with opened_office(keyed) as office:
        await use(await office.owner(), "create_file", path="Files/first.txt", content="first")
    (sealed,) = (keyed.data / "notebooks").glob("ntb-*.*[0-9a-f]")
    notebook_id = sealed.name.partition(".")[0]
    sealing.reseal(keyed.data / "notebooks", notebook_id, KEY, None)
    plain = keyed.data / "notebooks" / notebook_id
    long = "Lanternfish" * 20
    (plain / "Quince").mkdir()
    (plain / "empty").mkdir()
    (plain / "Quince/report.txt").write_text("Lanternfish")
    (plain / "Cafe\u0301.txt").write_text("decomposed")
    (plain / "Caf\u00e9.txt").write_text("composed")
    (plain / f"{long}.txt").write_text("a long name")
    (plain / ".bailiwick-0123").write_text("Lanternfish left by a crash")
    os.utime(plain / "Quince/report.txt", (1_000_000_000, 1_000_000_000))
    return plain, {"Files/first.txt": "first", "Files/Quince/report.txt": "Lanternfish"}


async def assert_whole(office: Office, wanted: dict[str, str]) -> None:
    browser = office.browser()
    body = {"email": "olive@example.com", "password": "four unrelated garden words"}
    assert (await browser.post(f"{API}/auth/login", json=body)).status_code == 200
    for path, content in wanted.items():
        assert await text(browser, path) == content
    contents = [await text(browser, path) for path in sorted(await listed(browser))]
    assert len(contents) == 5
    assert {"composed", "decomposed", "a long name"} <= set(contents)
    facts = (await use(browser, "get_file_metadata", path="Files/Quince/report.txt"))["result"]
    assert facts["modified"].startswith("2001-09-09")


async def test_plain_notebooks_of_an_office_with_a_data_key_are_sealed_at_the_next_start(
    keyed: Settings,
):
    plain, wanted = await plain_files(keyed)
    async with opened_office(keyed) as office:
        assert not plain.exists()
        assert_sealed(keyed.data / "notebooks")
        await assert_whole(office, wanted)


async def test_sealing_that_was_cut_short_anywhere_goes_on_at_the_next_start(
    keyed: Settings, monkeypatch: pytest.MonkeyPatch
):
    plain, wanted = await plain_files(keyed)
    for left in (0, 1, 2):
        with monkeypatch.context() as broken:
            cut_after(broken, left)
            with pytest.raises(KeyboardInterrupt):
                sealing.reseal(plain.parent, plain.name, None, KEY)
    async with opened_office(keyed) as office:
        assert not plain.exists()
        assert_sealed(keyed.data / "notebooks")
        await assert_whole(office, wanted)


def cut_after(monkeypatch: pytest.MonkeyPatch, files: int) -> None:
    """The process ends when it has removed so many files and is about to remove another."""
    unlink, left = Path.unlink, [files]

    def cut(self: Path, *, missing_ok: bool = False) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        unlink(self, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", cut)


async def test_without_a_data_key_the_files_are_as_they_are_on_the_disk(office: Office):
    await use(await office.owner(), "create_file", path="Files/report.txt", content="plain")
    (found,) = (office.product.data / "notebooks").glob("*/report.txt")
    assert found.read_text() == "plain"


async def test_a_notebook_under_another_key_is_not_taken_for_an_empty_one(keyed: Settings):
    async with opened_office(keyed) as office:
        owner = await office.owner()
        await use(owner, "create_file", path="Files/a.txt", content="x")
        (sealed,) = (keyed.data / "notebooks").glob("ntb-*.*[0-9a-f]")
        sealed.rename(sealed.with_name(f"{sealed.name.partition('.')[0]}.{'0' * 16}"))
        body = {"arguments": {"path": "Files/a.txt"}}
        answer = await owner.post(f"{await home(owner)}/tools/read_file", json=body)
        assert answer.status_code == 409
        assert "0" * 16 in answer.json()["detail"]
