"""SQLite files at rest: unreadable without the key, and untouched by a start that fails."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from pydantic import SecretStr

from bailiwick.config import Settings
from bailiwick.errors import DatabaseCorrupt, StartupError, WrongDataKey
from bailiwick.library.index.indexer import LibraryIndexer
from bailiwick.office import opened
from support.mailroom import Mailroom, letter
from support.office import API, Office, opened_office

pytestmark = pytest.mark.req("ACC-06")
KEY, OTHER = "ab" * 32, "cd" * 32
MARKER = "Marguerite Unmistakable"
Made = Callable[[str | None], Path]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but what SQLite makes anew at will: its index, and an empty write-ahead log."""
    found = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {
        str(path.relative_to(folder)): content
        for path, content in found.items()
        if content and not path.name.endswith("-shm")
    }


def settings(folder: Path, key: str | None) -> Settings:
    return Settings(data=folder, data_key=SecretStr(key) if key else None)


async def make(folder: Path, key: str | None) -> None:
    async with opened_office(settings(folder, key)) as office:
        owner = await office.owner()
        await owner.patch(f"{API}/users/me", json={"name": MARKER})
        await fill(office, owner)


async def fill(office: Office, owner: httpx.AsyncClient) -> None:
    """One word of everything that is kept, each in a place of its own."""
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    workspace = f"{API}/workspaces/{space}"
    task = {"arguments": {"title": "quagmire"}}
    earlier = {"arguments": {"path": "Files/a.txt", "content": "thingamajig"}}
    later = {"arguments": {"path": "Files/a.txt", "content": "for all to see"}}
    tagged = "---\ntags: [brouhaha]\n---\nflibbertigibbet"
    indexed = {"arguments": {"path": "Files/skedaddle.md", "content": tagged}}
    blocked = {"==": [{"var": "args.title"}, "gossamer"]}
    prompt = [{"role": "system", "content": "vellichor"}]
    local = {"workspaceId": space, "connector": "local", "label": "mulberry"}
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("PATCH", workspace, {"name": "petrichor"}),
        ("POST", f"{workspace}/tools/create_task", task),
        ("POST", f"{workspace}/tools/create_file", earlier),
        ("POST", f"{workspace}/tools/write_file", later),
        ("POST", f"{workspace}/tools/create_file", indexed),
        ("POST", f"{API}/memory?workspaceId={space}", {"content": "kerfuffle"}),
        ("POST", f"{API}/prompts", {"workspaceId": space, "name": "x", "messages": prompt}),
        ("POST", f"{API}/rules", {"name": "hullabaloo", "action": "BLOCK", "condition": blocked}),
        ("POST", f"{workspace}/contacts", {"address": "zephyr@example.org", "name": "Z"}),
        ("POST", f"{API}/accounts", local | {"settings": {"address": "me@office.example"}}),
    ]
    for method, path, body in requests:
        answer = await owner.request(method, path, json=body)
        assert answer.is_success, (path, answer.text)
    refused = await owner.post(
        f"{workspace}/tools/create_task", json={"arguments": {"title": "gossamer"}}
    )
    assert refused.status_code == 403, refused.text
    account = (await owner.get(f"{API}/accounts")).json()["items"][0]["id"]
    room = Mailroom(office, owner, "", space, Path())
    await room.got(account, letter(subject="borogove", text="jabberwock " * 400))
    await index_files(office, owner)


async def index_files(office: Office, owner: httpx.AsyncClient) -> None:
    """The files are in the index, with their names, texts, tags and embeddings."""
    indexer = office.product[LibraryIndexer]
    indexer.due_now()
    await indexer.scan_due()
    while (wait := await indexer.read_all()) is not None and wait < 1:
        pass
    asked = {"q": "flibbertigibbet", "tag": "brouhaha"}
    (found,) = (await owner.get(f"{API}/search", params=asked)).json()["files"]
    assert found["name"] == "skedaddle.md"


# Each is kept in another table, in the index of one, in the audit, or in a blob.
WORDS = (
    *("unmistakable", "petrichor", "quagmire", "kerfuffle", "vellichor", "hullabaloo"),
    *("zephyr", "mulberry", "gossamer", "borogove", "jabberwock", "thingamajig"),
    *("skedaddle", "brouhaha", "flibbertigibbet"),
)


def readable(files: dict[str, bytes]) -> set[str]:
    """The words that can be read in any of the files."""
    return {word for word in WORDS for each in files.values() if word.encode() in each.lower()}


async def crash(running: Path, folder: Path, key: str | None) -> None:
    """A folder as a killed server leaves it: with committed changes in the write-ahead log."""
    async with opened_office(settings(running, key)) as office:
        await office.set(session_hours=99)
        shutil.copytree(running, folder)
    assert (folder / "app.db-wal").stat().st_size > 0


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Offices made once: plain or encrypted, stopped or killed."""
    base = tmp_path_factory.mktemp("offices")
    for name, key in (("plain", None), ("encrypted", KEY)):
        await make(base / f"{name}-stopped", key)
        shutil.copytree(base / f"{name}-stopped", running := base / f"{name}-running")
        await crash(running, base / f"{name}-killed", key)
    return base


@pytest.fixture(params=["stopped", "killed"])
def ended(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def made(templates: Path, ended: str, tmp_path: Path) -> Made:
    """A data folder with an office under this key, that was stopped or killed."""

    def make_copy(key: str | None) -> Path:
        name = "encrypted" if key else "plain"
        return Path(shutil.copytree(templates / f"{name}-{ended}", tmp_path / "data"))

    return make_copy


async def refused(folder: Path, key: str | None) -> StartupError:
    """The error of a start that fails, and proof that it changed nothing."""
    before = contents(folder)
    with pytest.raises(StartupError) as error:
        async with opened(settings(folder, key)):
            pass
    after = contents(folder)
    assert [name for name in before | after if before.get(name) != after.get(name)] == []
    return error.value


@pytest.mark.req("ACC-10")
async def test_with_a_data_key_nothing_stored_can_be_read_in_any_file(made: Made, ended: str):
    folder = made(KEY)
    at_rest = contents(folder)
    assert ("app.db-wal" in at_rest) == (ended == "killed")
    assert readable(at_rest) == set()
    assert not any(b"olive@example.com" in content for content in at_rest.values())
    assert not any(content.startswith(b"SQLite format 3") for content in at_rest.values())
    async with opened_office(settings(folder, KEY)) as office:
        assert MARKER in (await office.operator.get(f"{API}/users")).text
        await office.set(session_hours=50)
        backup = await office.operator.post(f"{API}/backups", json={})
        assert backup.status_code == 201, backup.text
        running = contents(folder)
        assert "app.db-wal" in running
        assert any(name.startswith("backups/") for name in running)
        assert readable(running) == set()


async def test_without_a_data_key_the_same_search_finds_all_of_it(made: Made):
    at_rest = contents(made(None))
    assert readable(at_rest) == set(WORDS)
    assert "gossamer" in readable({"audit": at_rest["audit.db"]})


@pytest.mark.parametrize(
    ("right", "given"), [(KEY, OTHER), (KEY, None), (None, KEY)], ids=["other", "missing", "extra"]
)
async def test_a_key_that_does_not_fit_is_refused_and_nothing_is_changed(
    made: Made, right: str | None, given: str | None
):
    folder = made(right)
    error = await refused(folder, given)
    assert type(error) is WrongDataKey
    assert str(folder / "app.db") in error.detail
    assert all(key not in error.detail for key in (KEY, OTHER))
    async with opened_office(settings(folder, right)) as office:
        assert MARKER in (await office.operator.get(f"{API}/users")).text


async def test_a_lost_key_file_is_not_replaced_where_there_is_data(tmp_path: Path):
    folder, file = tmp_path / "data", tmp_path / "data.key"
    await make(folder, f"file:{file}")
    kept = file.rename(tmp_path / "kept.key")
    assert type(await refused(folder, f"file:{file}")) is WrongDataKey
    assert not file.exists()
    kept.rename(file)
    async with opened(settings(folder, f"file:{file}")):
        pass


def scratched(content: bytes) -> bytes:
    return content[:8192] + b"\xa5" * (len(content) - 8192)


def halved(content: bytes) -> bytes:
    return content[: len(content) // 2]


def cut_in_the_header(content: bytes) -> bytes:
    return content[:50]


def emptied(content: bytes) -> bytes:
    return content[:0]


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
@pytest.mark.parametrize("store", ["app", "audit"])
@pytest.mark.parametrize("damage", [scratched, halved])
async def test_a_damaged_or_cut_file_is_refused_and_nothing_is_changed(
    made: Made, key: str | None, store: str, damage: Callable[[bytes], bytes]
):
    folder = made(key)
    file = folder / f"{store}.db"
    file.write_bytes(damage(file.read_bytes()))
    error = await refused(folder, key)
    assert type(error) is DatabaseCorrupt
    assert str(file) in error.detail
    assert "bailiwick restore" in error.detail


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
@pytest.mark.parametrize("damage", [cut_in_the_header, emptied])
async def test_a_file_cut_to_next_to_nothing_does_not_become_a_new_office(
    made: Made, key: str | None, damage: Callable[[bytes], bytes]
):
    folder = made(key)
    file = folder / "app.db"
    file.write_bytes(damage(file.read_bytes()))
    assert isinstance(await refused(folder, key), DatabaseCorrupt | WrongDataKey)


async def test_a_lost_database_file_does_not_become_a_new_office(made: Made):
    folder = made(None)
    (folder / "app.db").unlink()
    assert isinstance(await refused(folder, None), DatabaseCorrupt)
    assert not (folder / "app.db").exists()
