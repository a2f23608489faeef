"""Pictures: known by their content, harmless when shown, and encrypted when stored."""

import zlib
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from bailiwick.config import Settings
from support.office import API, Office, opened_office, user_id

ME = f"{API}/users/me/avatar"
MEGABYTE = 1024 * 1024


def chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return len(content).to_bytes(4) + kind + content + checksum.to_bytes(4)


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", b"\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00")
    + chunk(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
    + chunk(b"IEND", b"")
)


async def put(person: httpx.AsyncClient, content: bytes, type: str = "image/png") -> httpx.Response:
    return await person.put(ME, content=content, headers={"Content-Type": type})


@pytest.mark.req("ID-03")
async def test_a_picture_is_shown_to_colleagues_and_to_nobody_else(any_office: Office):
    owner, kim = await any_office.owner(), await any_office.member("kim")
    path = f"{API}/users/{await user_id(kim)}/avatar"
    assert (await owner.get(path)).status_code == 404
    assert (await put(kim, PNG, "text/html")).status_code == 204
    shown = await owner.get(path)
    assert (shown.status_code, shown.content) == (200, PNG)
    assert shown.headers["Content-Type"] == "image/png"
    assert (await kim.get(f"{API}/users/me")).json()["hasAvatar"] is True
    assert (await any_office.browser().get(path)).status_code == 401
    assert (await kim.delete(ME)).status_code == 204
    assert (await owner.get(path)).status_code == 404


@pytest.mark.req("ID-05")
async def test_a_picture_can_run_nothing(office: Office):
    owner = await office.owner()
    await put(owner, PNG + b"<script>alert(1)</script>", "text/html")
    shown = await owner.get(f"{API}/users/{await user_id(owner)}/avatar")
    assert shown.headers["Content-Type"] == "image/png"
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    policy = shown.headers["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


@pytest.mark.req("ID-05")
async def test_what_is_no_picture_is_refused_whatever_it_is_called(office: Office):
    owner = await office.owner()
    for content in (
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><script>alert(1)</script>",
        b"GIF89a",
        b"RIFF\x00\x00\x00\x00WAVE",
        b"\n" + PNG,
        b"",
    ):
        refused = await put(owner, content)
        assert refused.status_code == 400, content
    assert (await owner.get(f"{API}/users/me")).json()["hasAvatar"] is False


@pytest.mark.req("ID-05")
async def test_a_picture_of_more_than_two_megabytes_is_refused(office: Office):
    owner = await office.owner()
    assert (await put(owner, PNG.ljust(2 * MEGABYTE, b"\x00"))).status_code == 204
    assert (await put(owner, PNG.ljust(2 * MEGABYTE + 1, b"\x00"))).status_code == 413

    async def endless():
        for _ in range(3):
            yield PNG.ljust(MEGABYTE, b"\x00")

    assert (await owner.put(ME, content=endless())).status_code == 413


@pytest.mark.req("ACC-10")
async def test_with_a_data_key_the_stored_picture_is_encrypted(tmp_path: Path):
    marked = PNG + b"recognisable content of a picture"
    for name, key in (("plain", None), ("sealed", SecretStr("ab" * 32))):
        settings = Settings(data=tmp_path / name, data_key=key)
        async with opened_office(settings) as office:
            owner = await office.owner()
            assert (await put(owner, marked)).status_code == 204
            shown = await owner.get(f"{API}/users/{await user_id(owner)}/avatar")
            assert shown.content == marked
    kept = {
        name: b"".join(p.read_bytes() for p in (tmp_path / name).rglob("*") if p.is_file())
        for name in ("plain", "sealed")
    }
    assert marked in kept["plain"]
    assert b"recognisable content" not in kept["sealed"]
    assert b"olive@example.com" not in kept["sealed"]
