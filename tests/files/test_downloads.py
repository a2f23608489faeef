"""Links to files: for one person, by way of one thread, for an hour; and who had what."""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from bailiwick.kit import clock
from support.model_server import says
from support.office import API, every, user_id
from support.talk import Talk, talk_in
from support.uploading import linked, png, sent
from support.workshop import Workshop, scripted


async def shared(talk: Talk, name: str, content: bytes, *readers: httpx.AsyncClient, **about: Any):
    """A file in a thread that others may read."""
    file = await sent(talk.owner, name, content, **about)
    thread = await talk.thread()
    await talk.post(thread, "Look", attachments=[{"file_id": file["file_id"], "title": name}])
    for reader in readers:
        body = {"userId": await user_id(reader)}
        made = await talk.owner.post(f"{API}/threads/{thread['id']}/shares", json=body)
        assert made.is_success, made.text
    return file, thread["id"]


async def happened(who: httpx.AsyncClient, type: str) -> list[dict[str, Any]]:
    told = (await who.get(f"{API}/events", params={"PageSize": 200})).json()["items"]
    return [one for one in told if one["type"] == type]


async def member(shop: Workshop, name: str) -> httpx.AsyncClient:
    someone = await shop.office.member(name)
    body = {"email": f"{name}@example.com", "role": "read"}
    await shop.owner.post(f"{API}/workspaces/{shop.workspace_id}/members", json=body)
    return someone


@pytest.mark.req("FILE-02")
async def test_a_link_works_for_whom_it_was_made_and_for_nobody_else(any_shop: Workshop):
    rita, mo = await member(any_shop, "rita"), await member(any_shop, "mo")
    with scripted(says("Seen.")) as server:
        talk = await talk_in(any_shop, server)
        file, thread = await shared(talk, "plan.txt", b"the plan", rita)
    owner = talk.owner
    link = (await linked(rita, file, thread)).json()
    assert link["file_id"] == file["file_id"]
    url = link["download_url"]
    got = await rita.get(url)
    assert (got.status_code, got.content) == (200, b"the plan")
    for someone in (mo, owner):
        assert (await someone.get(url)).status_code == 403, "another's link"
    assert (await any_shop.office.browser().get(url)).status_code == 401
    assert (await linked(mo, file, thread)).status_code == 403, "in no thread of theirs"
    assert (await linked(rita, file)).status_code == 403, "not by way of the thread"
    other = (await talk.thread())["id"]
    assert (await linked(owner, file, other)).status_code == 403, "it is not in that thread"
    given = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    path = urlsplit(url).path
    elsewhere = await sent(owner, "b.txt", b"other")
    for forged in (
        given | {"expires": str(int(given["expires"]) + 1)},
        given | {"token": "0" * 64},
        given | {"thread": ""},
        given | {"thread": other},
    ):
        assert (await rita.get(path, params=forged)).status_code == 403, forged
    replayed = path.replace(file["file_id"], elsewhere["file_id"])
    assert (await rita.get(replayed, params=given)).status_code == 403, "for another file"
    share = f"{API}/threads/{thread}/shares/{await user_id(rita)}"
    assert (await owner.delete(share)).is_success
    assert (await rita.get(url)).status_code == 403, "the right to it is gone, and so is the link"


@pytest.mark.req("FILE-02")
async def test_a_link_ends_after_an_hour(shop: Workshop, monkeypatch: pytest.MonkeyPatch):
    file = await sent(shop.owner, "a.txt", b"words")
    url = (await linked(shop.owner, file)).json()["download_url"]
    assert (await shop.owner.get(url)).status_code == 200
    late = clock.now() + timedelta(minutes=61)
    monkeypatch.setattr("bailiwick.files.links.clock.now", lambda: late)
    assert (await shop.owner.get(url)).status_code == 403


@pytest.mark.req("FILE-02")
async def test_each_access_is_logged_for_the_owner_once_a_link(shop: Workshop):
    rita = await member(shop, "rita")
    with scripted(says("Seen.")) as server:
        talk = await talk_in(shop, server)
        file, thread = await shared(talk, "plan.txt", b"the plan", rita)
    url = (await linked(rita, file, thread)).json()["download_url"]
    for range in ("bytes=1-2", "bytes=3-"):
        headers = {"Range": range, "User-Agent": "Player/1"}
        assert (await rita.get(url, headers=headers)).status_code == 206
    where = f"/files/{file['file_id']}/accesses"
    (line,) = await every(talk.owner, where)
    assert (line["event_type"], line["action"]) == ("file.accessed", "download")
    assert (line["file_id"], line["user_id"]) == (file["file_id"], await user_id(rita))
    assert line["metadata"] == {
        "client_ip": "127.0.0.1",
        "user_agent": "Player/1",
        "thread_id": thread,
    }
    assert (await rita.get(API + where)).status_code == 404, "the log is the owner's"
    told = await happened(talk.owner, "file.accessed")
    assert [one["data"]["metadata"] for one in told] == [line["metadata"]]
    assert await happened(rita, "file.accessed") == []


@pytest.mark.req("FILE-05")
async def test_players_ask_for_ranges(shop: Workshop):
    content = b"\x00\x00\x00\x18ftypmp42" + bytes(range(256)) * 2000
    file = await sent(shop.owner, "film.mp4", content)
    url = (await linked(shop.owner, file)).json()["download_url"]
    whole = await shop.owner.get(url)
    assert (whole.content, whole.headers["accept-ranges"]) == (content, "bytes")
    assert whole.headers["content-type"] == "video/mp4"
    size = len(content)
    for asked, start, end in (
        ("bytes=0-0", 0, 1),
        ("bytes=300000-", 300_000, size),
        ("bytes=-5", size - 5, size),
        (f"bytes=10-{size + 99}", 10, size),
    ):
        part = await shop.owner.get(url, headers={"Range": asked})
        assert (part.status_code, part.content) == (206, content[start:end]), asked
        assert part.headers["content-range"] == f"bytes {start}-{end - 1}/{size}"
    beyond = await shop.owner.get(url, headers={"Range": f"bytes={size}-"})
    assert (beyond.status_code, beyond.headers["content-range"]) == (416, f"bytes */{size}")
    for odd in ("bytes=5-2", "bytes=-0"):
        assert (await shop.owner.get(url, headers={"Range": odd})).status_code == 416
    for odd in ("bytes=0-1,3-4", "lines=1-2", "bytes=-"):
        assert (await shop.owner.get(url, headers={"Range": odd})).status_code == 200


@pytest.mark.req("FILE-02")
@pytest.mark.parametrize(
    ("name", "content", "kind", "way"),
    [
        ("a.svg", b'<svg onload="alert(1)"/>', "application/octet-stream", "attachment"),
        ("a.html", b"<html><script>alert(1)</script>", "text/plain; charset=utf-8", "inline"),
        ("a.pdf", b"%PDF-1.4", "application/pdf", "attachment"),
        ("a.xml", b"<?xml version='1.0'?><a/>", "application/octet-stream", "attachment"),
        ('a";x=".png', png(), "image/png", "inline"),
    ],
)
async def test_nothing_that_could_act_is_shown_in_its_place(
    shop: Workshop, name: str, content: bytes, kind: str, way: str
):
    file = await sent(shop.owner, name, content)
    url = (await linked(shop.owner, file)).json()["download_url"]
    got = await shop.owner.get(url)
    assert got.headers["content-type"] == kind
    assert got.headers["content-disposition"].startswith(f'{way}; filename="')
    assert got.headers["content-disposition"].count(";") == 2
    assert "sandbox" in got.headers["content-security-policy"]
    assert got.headers["x-content-type-options"] == "nosniff"
    kept = await shop.owner.get(f"{url}&keep=true")
    assert kept.headers["content-disposition"].startswith("attachment")


@pytest.mark.req("FILE-05")
async def test_what_is_private_is_its_owners_even_in_a_shared_thread(shop: Workshop):
    rita = await member(shop, "rita")
    with scripted(says("Seen.")) as server:
        talk = await talk_in(shop, server)
        file, thread = await shared(talk, "plan.txt", b"x", rita, visibility="private")
    assert (await linked(rita, file, thread)).status_code == 403
    where = f"{API}/files/{file['file_id']}"
    seen = await rita.get(where, headers={"X-Thread-ID": thread})
    assert seen.status_code == 404
    await talk.owner.patch(where, json={"visibility": "thread"})
    assert (await linked(rita, file, thread)).status_code == 200
    assert (await rita.patch(where, json={"tags": []})).status_code == 404
    assert (await rita.delete(where)).status_code == 404


async def test_a_program_is_told_of_a_file_and_gets_no_bytes(shop: Workshop):
    file = await sent(shop.owner, "a.txt", b"words")
    program = await shop.office.token(shop.owner, "read")
    link = await linked(program, file)
    assert link.status_code == 200
    refused = await program.get(link.json()["download_url"])
    assert refused.status_code == 403
