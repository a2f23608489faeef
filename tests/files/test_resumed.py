"""Uploads that go on after a broken connection."""

import hashlib
import os
from typing import Any

import httpx
import pytest

from bailiwick.config import Settings
from support.office import API, Office, opened_office
from support.uploading import linked

UPLOADS = f"{API}/files/uploads"


async def begun(who: httpx.AsyncClient, size: int, title: str = "film.wav") -> str:
    made = await who.post(UPLOADS, json={"title": title, "size": size})
    assert made.status_code == 201, made.text
    assert made.json()["offset"] == 0
    return f"{UPLOADS}/{made.json()['upload_id']}"


async def more(who: httpx.AsyncClient, where: str, offset: int, content: Any) -> httpx.Response:
    return await who.patch(where, content=content, headers={"Upload-Offset": str(offset)})


async def broken(office: Office, who: httpx.AsyncClient, where: str, *pieces: bytes) -> None:
    """A PATCH whose connection breaks after these pieces."""
    cookies = "; ".join(f"{name}={value}" for name, value in who.cookies.items())
    headers = {"host": httpx.URL(office.origin).netloc.decode(), "cookie": cookies}
    headers |= {"origin": office.origin, "upload-offset": "0"}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "PATCH",
        "scheme": "http",
        "path": where,
        "raw_path": where.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8787),
    }
    coming = iter(pieces)

    async def receive() -> dict[str, Any]:
        if (piece := next(coming, None)) is not None:
            return {"type": "http.request", "body": piece, "more_body": True}
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pass

    await office.app(scope, receive, send)


def sound(size: int) -> bytes:
    return b"RIFF\x00\x00\x00\x00WAVE" + os.urandom(size - 12)


@pytest.mark.req("FILE-01")
async def test_an_upload_goes_on_where_the_connection_broke(any_office: Office):
    owner = await any_office.owner()
    content = sound(20 * 2**20)
    where = await begun(owner, len(content))
    came = 13 * 2**20 + 7
    await broken(any_office, owner, where, content[: 9 * 2**20], content[9 * 2**20 : came])
    asked = await owner.head(where)
    assert asked.headers["upload-offset"] == str(came)
    assert (await owner.get(where)).json()["offset"] == came
    wrong = await more(owner, where, 0, content)
    assert (wrong.status_code, wrong.headers["upload-offset"]) == (409, str(came))
    done = await more(owner, where, came, content[came:])
    assert done.status_code == 200, done.text
    file = done.json()["file"]
    assert file["checksum"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    assert (file["title"], file["size"]) == ("film.wav", len(content))
    url = (await linked(owner, file)).json()["download_url"]
    assert (await owner.get(url)).content == content
    assert (await owner.head(where)).status_code == 404
    assert not list((any_office.product.data / "uploads").glob("*/*")), "no piece is left"


@pytest.mark.req("FILE-01")
async def test_an_upload_survives_a_restart_and_is_on_the_disk_under_the_data_key(
    sqlite_settings: Settings,
):
    settings = sqlite_settings.model_copy(update={"data_key": _key()})
    content = sound(300_000)[:-6] + b"canary"
    async with opened_office(settings) as office:
        owner = await office.owner()
        where = await begun(owner, len(content))
        assert (await more(owner, where, 0, content[-200_000:][:0] or content[:200_000])).is_success
        cookies = dict(owner.cookies)
    on_disk = b"".join(path.read_bytes() for path in (settings.data / "uploads").glob("*/*"))
    assert len(on_disk) > 200_000
    assert content[1000:1100] not in on_disk
    async with opened_office(settings) as office:
        owner = office.browser()
        owner.cookies.update(cookies)
        done = await more(owner, where, 200_000, content[200_000:])
        assert done.status_code == 200, done.text
        stored = b"".join(
            office.product.blobs.path(name).read_bytes() for name in office.product.blobs.names()
        )
        assert b"canary" not in stored
        url = (await linked(owner, done.json()["file"])).json()["download_url"]
        part = await owner.get(url, headers={"Range": "bytes=131000-131100"})
        assert part.content == content[131_000:131_101]


def _key() -> Any:
    from pydantic import SecretStr

    return SecretStr("ab" * 32)


@pytest.mark.req("FILE-01")
async def test_an_upload_that_lies_about_its_size_or_is_no_file_of_a_known_kind_is_refused(
    office: Office,
):
    owner = await office.owner()
    large = await owner.post(UPLOADS, json={"title": "a", "size": 100 * 2**20 + 1})
    assert (large.status_code, list(large.json()["errors"])) == (400, ["size"])
    where = await begun(owner, 10, "../../a.txt")
    lies = await more(owner, where, 0, b"x" * 11)
    assert (lies.status_code, list(lies.json()["errors"])) == (400, ["body"])
    done = await more(owner, where, 0, b"x" * 10)
    assert done.json()["file"]["title"] == "a.txt"
    where = await begun(owner, 10 * 2**20, "a.txt")
    program = await more(owner, where, 0, b"\x7fELF" + b"\x00" * 2**20)
    assert (program.status_code, list(program.json()["errors"])) == (400, ["file"])
    assert (await owner.get(where)).json()["offset"] == 0
    small = await begun(owner, 8, "a.txt")
    assert (await more(owner, small, 0, b"\x7fELF")).status_code == 200
    assert (await more(owner, small, 4, b"\x00\x00\x00\x00")).status_code == 400
    assert (await owner.get(small)).status_code == 404, "it is over"


@pytest.mark.req("FILE-01")
async def test_an_upload_is_its_owners_can_be_given_up_and_is_forgotten(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    from datetime import timedelta

    from bailiwick.files import uploads
    from bailiwick.kit import clock

    owner, sam = await office.owner(), await office.member("sam")
    where = await begun(owner, 10)
    for answer in (
        await sam.get(where),
        await sam.head(where),
        await more(sam, where, 0, b"x"),
        await sam.delete(where),
    ):
        assert answer.status_code == 404
    assert (await more(owner, where, 0, b"xyz")).json()["offset"] == 3
    assert (await owner.delete(where)).status_code == 204
    assert (await owner.get(where)).status_code == 404
    other = await begun(owner, 10)
    await more(owner, other, 0, b"xyz")
    await uploads.forget_expired(office.product)
    assert (await owner.get(other)).status_code == 200
    late = clock.now() + timedelta(days=2)
    monkeypatch.setattr("bailiwick.files.uploads.clock.now", lambda: late)
    await uploads.forget_expired(office.product)
    assert (await owner.get(other)).status_code == 404
    assert not list((office.product.data / "uploads").glob("*"))
