"""Blobs: kept once, whole or not at all, and unreadable without the data key."""

import hashlib
import io
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from bailiwick.config import Settings
from bailiwick.errors import NotFound
from bailiwick.kit import keys
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.keys import Key
from bailiwick.kit.streamcipher import CipherBroken
from support.office import API, opened_office, user_id

pytestmark = pytest.mark.req("ACC-10")
SIZES = (0, 1, 65_535, 65_536, 65_537, 200_000)
KEYS = pytest.mark.parametrize("key", [None, keys.generate()], ids=["plain", "encrypted"])
MARKER = b"the quarterly figures of the office "
PNG = b"\x89PNG\r\n\x1a\n" + MARKER * 3000


def content(size: int) -> bytes:
    return (MARKER * (size // len(MARKER) + 1))[:size]


def files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


@KEYS
@pytest.mark.parametrize("size", SIZES)
def test_a_blob_comes_back_as_it_was(tmp_path: Path, key: Key | None, size: int):
    blobs = BlobFolder(tmp_path, key)
    name = blobs.put(content(size))
    assert b"".join(blobs.get(name)) == content(size)
    assert blobs.put(io.BytesIO(content(size))) == name
    (only,) = files(tmp_path)
    assert stat.S_IMODE(only.stat().st_mode) == 0o600


@KEYS
def test_the_same_content_is_kept_once_and_other_content_beside_it(tmp_path: Path, key: Key | None):
    blobs = BlobFolder(tmp_path, key)
    first, other = blobs.put(content(900)), blobs.put(content(901))
    kept = blobs.path(first)
    before = (kept.stat().st_ino, kept.read_bytes())
    assert blobs.put(content(900)) == first != other
    assert (kept.stat().st_ino, kept.read_bytes()) == before
    assert sorted(blobs.names()) == sorted({first, other})
    assert len(files(tmp_path)) == 2


def test_with_a_key_neither_the_content_nor_its_plain_digest_is_in_the_folder(tmp_path: Path):
    BlobFolder(tmp_path, keys.generate()).put(content(200_000))
    (only,) = files(tmp_path)
    digest = hashlib.sha256(content(200_000)).hexdigest()
    assert MARKER not in only.read_bytes()
    assert digest not in str(only)
    assert digest.encode() not in only.read_bytes()


def test_with_another_key_the_same_content_has_another_name_and_does_not_open(tmp_path: Path):
    name = BlobFolder(tmp_path, keys.generate()).put(content(900))
    other = BlobFolder(tmp_path, keys.generate())
    assert other.put(content(900)) != name
    with pytest.raises(CipherBroken):
        list(other.get(name))


@KEYS
@pytest.mark.parametrize(
    "name",
    [
        "",
        "../x",
        "../" * 3 + "etc/passwd",
        "/etc/passwd",
        "a" * 63,
        "a" * 65,
        "A" * 64,
        "a" * 64 + "\n",
        "a" * 63 + "\x00",
        "aa/" + "a" * 61,
        "..%2f" + "a" * 59,
        "\N{FULLWIDTH DIGIT ONE}" * 64,
    ],
)
def test_a_name_that_is_no_digest_is_refused(tmp_path: Path, key: Key | None, name: str):
    (tmp_path / "x").write_text("beside the folder")
    blobs = BlobFolder(tmp_path / "blobs", key)
    with pytest.raises(NotFound):
        blobs.get(name)
    with pytest.raises(NotFound):
        blobs.path(name)


@KEYS
def test_a_digest_that_is_not_stored_is_not_found(tmp_path: Path, key: Key | None):
    with pytest.raises(NotFound):
        BlobFolder(tmp_path, key).get("a" * 64)


@KEYS
def test_a_crash_while_writing_leaves_no_blob_and_the_next_try_succeeds(
    tmp_path: Path, key: Key | None, monkeypatch: pytest.MonkeyPatch
):
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    blobs = BlobFolder(tmp_path, key)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            blobs.put(content(900))
    assert files(tmp_path) == []
    assert list(blobs.names()) == []
    assert b"".join(blobs.get(blobs.put(content(900)))) == content(900)


def test_what_a_killed_writer_left_behind_is_not_a_blob(tmp_path: Path):
    blobs = BlobFolder(tmp_path, None)
    name = blobs.put(content(900))
    (blobs.path(name).parent / ".new-abc123").write_bytes(b"half")
    assert list(blobs.names()) == [name]


async def test_an_uploaded_picture_is_encrypted_on_disk_and_shown_in_the_browser(tmp_path: Path):
    settings = Settings(data=tmp_path / "data", data_key=SecretStr("ab" * 32))
    async with opened_office(settings) as office:
        owner = await office.owner()
        sent = await owner.put(f"{API}/users/me/avatar", content=PNG)
        assert sent.status_code == 204, sent.text
        shown = await owner.get(f"{API}/users/{await user_id(owner)}/avatar")
        assert shown.content == PNG
        (blob,) = files(settings.data / "blobs")
        assert not any(MARKER in path.read_bytes() for path in files(settings.data))
        assert hashlib.sha256(PNG).hexdigest() != blob.name


@KEYS
def test_blobs_kept_apart_are_removed_without_touching_others(tmp_path: Path, key: Key | None):
    everyones, mine = BlobFolder(tmp_path, key), BlobFolder(tmp_path, key).apart("mine")
    shared, own = everyones.put(content(900)), mine.put(content(900))
    assert shared != own
    assert everyones.put(b"mine\0" + content(900)) not in (shared, own)
    now = datetime.now(UTC)
    assert not mine.remove(own, unless_put_since=now - timedelta(hours=1)), "it was put just now"
    assert b"".join(mine.get(own)) == content(900)
    assert mine.remove(own, unless_put_since=now + timedelta(hours=1))
    assert mine.remove(own, unless_put_since=now), "it is gone, which is what was wanted"
    assert b"".join(everyones.get(shared)) == content(900)
    with pytest.raises(NotFound):
        mine.get(own)
