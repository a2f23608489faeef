"""Files over REST: through the gate as the person, with undo, versions and etags."""

import hashlib
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.office import API, Office

pytestmark = pytest.mark.req("LIB-08")


class Drive:
    """The files of a workspace, in someone's hands."""

    def __init__(self, person: httpx.AsyncClient, workspace: str) -> None:
        self.person = person
        self.at = f"{API}/workspaces/{workspace}/files"

    async def get(self, what: str = "", **query: Any) -> httpx.Response:
        return await self.person.get(f"{self.at}{what}", params=query)

    async def put(self, path: str, content: bytes, etag: str | None = None) -> httpx.Response:
        headers = {"Content-Type": "application/octet-stream"}
        headers |= {"If-Match": f'"{etag}"'} if etag else {}
        params = {"path": path}
        return await self.person.put(
            f"{self.at}/content", params=params, content=content, headers=headers
        )

    async def undo(self, answer: httpx.Response) -> int:
        action = answer.json()["actionId"]
        return (await self.person.post(f"{API}/actions/{action}/undo")).status_code


async def drive_of(office: Office) -> Drive:
    owner = await office.owner()
    return Drive(owner, (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"])


async def test_a_file_is_put_listed_read_moved_and_deleted_and_all_of_it_can_be_undone(
    any_office: Office,
):
    drive = await drive_of(any_office)
    made = await drive.put("Files/notes/June é.md", b"---\nstatus: draft\n---\nBody")
    assert made.status_code == 200, made.text
    listed = (await drive.get(path="Files/notes")).json()
    assert [(file["name"], file["kind"]) for file in listed["files"]] == [("June é.md", "file")]
    text = (await drive.get("/text", path="Files/notes/June é.md")).json()
    assert text["properties"] == {"status": "draft"}
    assert text["etag"] == made.json()["etag"]
    changed = await drive.person.patch(
        f"{drive.at}/properties",
        params={"path": "Files/notes/June é.md"},
        json={"properties": {"status": "done"}},
        headers={"If-Match": text["etag"]},
    )
    assert changed.json()["status"] == "done", changed.text
    move = {"path": "Files/notes/June é.md", "to": "Files/archive/June.md"}
    moved = await drive.person.post(f"{drive.at}/move", json=move)
    assert moved.json()["path"] == "Files/archive/June.md"
    gone = await drive.person.delete(drive.at, params={"path": "Files/archive/June.md"})
    assert (await drive.get("/text", path="Files/archive/June.md")).status_code == 404
    for done in (gone, moved, changed):
        assert await drive.undo(done) == 200
    back = (await drive.get("/text", path="Files/notes/June é.md")).json()
    assert back["content"] == "---\nstatus: draft\n---\nBody"


async def test_nothing_is_overwritten_unseen_and_versions_are_compared_and_restored(
    office: Office,
):
    drive = await drive_of(office)
    first = (await drive.put("Files/a.txt", b"one\n")).json()
    assert (await drive.put("Files/a.txt", b"two\n")).status_code == 409
    second = await drive.put("Files/a.txt", b"two\n", first["etag"])
    late = await drive.put("Files/a.txt", b"three\n", first["etag"])
    assert late.status_code == 409
    assert first["etag"] in late.text
    assert second.json()["etag"] in late.text
    assert set(late.json()["errors"]) == {"etag"}
    newest, oldest = (await drive.get("/versions", path="Files/a.txt")).json()["versions"]
    assert (newest["isCurrent"], oldest["isCurrent"]) == (True, False)
    diff = (await drive.get("/diff", path="Files/a.txt", version=oldest["id"])).json()
    assert "-one" in diff["text"]
    assert "+two" in diff["text"]
    old = await drive.get("/content", path="Files/a.txt", version=oldest["id"])
    assert old.content == b"one\n"
    restored = await drive.person.post(
        f"{drive.at}/restore", params={"path": "Files/a.txt"}, json={"version": oldest["id"]}
    )
    assert (await drive.get("/content", path="Files/a.txt")).content == b"one\n"
    assert await drive.undo(restored) == 200
    assert (await drive.get("/content", path="Files/a.txt")).content == b"two\n"
    other = await drive.get("/diff", path="Files/b.txt", version=oldest["id"])
    assert other.status_code == 404


async def test_a_browser_can_run_nothing_of_a_file_and_a_program_gets_no_bytes(office: Office):
    drive = await drive_of(office)
    files = {
        "page.html": ("text/plain", "inline"),
        "picture.svg": ("text/plain", "inline"),
        "picture.png": ("image/png", "inline"),
        "paper.pdf": ("application/pdf", "inline"),
        "other.bin": ("application/octet-stream", "attachment"),
    }
    for name, (kind, way) in files.items():
        content = b"\x00\x01" if name.endswith("bin") else b"<script>alert(1)</script>"
        assert (await drive.put(f"Files/{name}", content)).status_code == 200
        shown = await drive.get("/content", path=f"Files/{name}")
        assert shown.headers["content-type"].startswith(kind), name
        assert shown.headers["content-disposition"].startswith(way), name
        assert shown.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in shown.headers["content-security-policy"]
        kept = await drive.get("/content", path=f"Files/{name}", download=True)
        assert kept.headers["content-disposition"].startswith("attachment")
    program = Drive(await office.token(drive.person, "read", "write"), drive.at.split("/")[4])
    assert (await program.get("/content", path="Files/page.html")).status_code == 403
    assert (await program.get("/text", path="Files/page.html")).status_code == 200


@pytest.mark.req("GATE-03")
async def test_no_path_leads_out_and_large_uploads_are_counted_as_they_come(
    office: Office, tmp_path: Path
):
    drive = await drive_of(office)
    for path in (
        "../x",
        "Files/../../x",
        "/etc/passwd",
        "Files/a\x00b",
        "Files",
        "",
        "Files/\u2215x",
    ):
        for answer in (await drive.put(path, b"x"), await drive.get("/text", path=path)):
            assert answer.status_code == 400, (path, answer.text)
            assert "path" in answer.json()["errors"]
    large = b"x" * 12_000_000
    assert (await drive.put("Files/large.bin", large)).status_code == 200

    async def endless():
        for _ in range(120):
            yield b"x" * 1_000_000

    refused = await drive.person.put(
        f"{drive.at}/content", params={"path": "Files/huge.bin"}, content=endless()
    )
    assert refused.status_code == 413
    assert "100 MB" in refused.json()["detail"]
    names = [file["name"] for file in (await drive.get(path="Files")).json()["files"]]
    assert names == ["large.bin"]


@pytest.mark.req("LIB-07")
async def test_what_a_scope_covers_is_counted_while_it_is_written(office: Office):
    drive = await drive_of(office)
    for name in ("notes/a.md", "notes/deep/b.md", "experiments/c.md", "experiments/x/d.md", "e.py"):
        await drive.put(f"Files/{name}", b"x")

    async def covered(*folders: str, **more: str) -> list[str]:
        answer = (await drive.get("/coverage", folders=list(folders), **more)).json()
        assert answer["files"] == len(answer["examples"])
        return [each.removeprefix("Files/") for each in answer["examples"]]

    assert await covered("/notes") == ["notes/a.md", "notes/deep/b.md"]
    assert await covered("/experiments/*", "/notes") == [
        "experiments/c.md",
        "notes/a.md",
        "notes/deep/b.md",
    ]
    assert await covered("**", fileTypes="*.py") == ["e.py"]
    assert await covered("nothing") == []
    assert await covered("**", notebooks="Other") == []


async def test_to_know_what_anothers_content_is_called_is_no_right_to_it(office: Office):
    drive = await drive_of(office)
    assert (await drive.put("Files/secret.txt", b"The plan.")).is_success
    name = hashlib.sha256(b"The plan.").hexdigest()
    sam = await office.member("sam")
    made = await sam.post(f"{API}/workspaces", json={"name": "Sam's"})
    tools = f"{API}/workspaces/{made.json()['id']}/tools/upload_file"
    for upload in (name, f"{name}.{'0' * 32}"):
        answer = await sam.post(
            tools, json={"arguments": {"path": "Files/mine.txt", "upload": upload}}
        )
        assert answer.status_code == 400, answer.text
        assert "no upload of yours" in answer.text
