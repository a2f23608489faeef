"""Files are uploaded as the document shows, stored once, and taken for what they are."""

import hashlib
import io
import re
import zipfile
from typing import Any

import pytest

from bailiwick.files.schemas import LARGEST
from support.office import API, Office, user_id
from support.uploading import ABOUT, png, send, sent


def blobs_of(office: Office) -> list[str]:
    return list(office.product.blobs.names())


@pytest.mark.req("FILE-01", "FILE-05")
async def test_an_upload_answers_with_what_the_document_shows(any_office: Office):
    owner = await any_office.owner()
    content = b"%PDF-1.4 canary" + b"\x00" * 100
    file = await sent(owner, "Q4_Financial_Report.pdf", content, **ABOUT)
    assert re.fullmatch(r"file-[a-zA-Z0-9]{16}", file["file_id"])
    assert (file["title"], file["size"]) == ("Q4_Financial_Report.pdf", len(content))
    assert (file["mime_type"], file["preview_available"]) == ("application/pdf", True)
    assert file["checksum"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    about = file["metadata"]
    assert {name: about[name] for name in ABOUT} == ABOUT
    assert about["uploaded_by"] == await user_id(owner)
    where = f"{API}/files/{file['file_id']}"
    assert (await owner.get(where)).json() == file
    assert file["upload_url"].endswith(where)
    changed = await owner.patch(where, json={"tags": ["paid"], "visibility": "private"})
    assert changed.json()["metadata"]["tags"] == ["paid"]
    assert changed.json()["metadata"]["description"] == ABOUT["description"]
    listed = (await owner.get(f"{API}/files?q=financial")).json()["items"]
    assert [one["file_id"] for one in listed] == [file["file_id"]]
    assert (await owner.delete(where)).status_code == 204
    assert (await owner.get(where)).status_code == 404


@pytest.mark.req("FILE-01")
async def test_the_same_content_is_stored_once_and_is_each_persons_own(office: Office):
    owner, sam = await office.owner(), await office.member("sam")
    content = b"the same words\n" * 1000
    mine = await sent(owner, "a.txt", content)
    his = await sent(sam, "b.txt", content)
    assert len(blobs_of(office)) == 1
    assert mine["file_id"] != his["file_id"]
    assert (await sam.get(f"{API}/files/{mine['file_id']}")).status_code == 404


def office_file(folder: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("_rels/.rels", "<x/>")
        archive.writestr(f"{folder}/document.xml", "<x/>")
    return made.getvalue()


_OFFICE = "application/vnd.openxmlformats-officedocument"


@pytest.mark.req("FILE-01")
async def test_what_a_file_is_comes_from_its_content_and_not_from_its_name(office: Office):
    owner = await office.owner()
    await office.set(rate_limit_percent=100_000)
    for name, content, kind in (
        ("picture.pdf", png(), "image/png"),
        ("report.png", b"%PDF-1.7\n...", "application/pdf"),
        ("a.jpg", b"<html><script>alert(1)</script>", "text/html"),
        ("a.png", b'<?xml version="1.0"?><svg onload="x()"/>', "image/svg+xml"),
        ("a.txt", office_file("word"), f"{_OFFICE}.wordprocessingml.document"),
        ("a.zip", office_file("xl"), f"{_OFFICE}.spreadsheetml.sheet"),
        ("a.docx", office_file("other"), "application/zip"),
        ("a", b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 20, "video/mp4"),
        ("a", b"RIFF\x00\x00\x00\x00AVI LIST\x00", "video/x-msvideo"),
        ("sheet.csv", "Größe;1\n".encode(), "text/csv"),
        ("old.txt", "Größe".encode("cp1252"), "text/plain"),
        ("empty", b"", "application/x-empty"),
    ):
        file = await sent(owner, name, content)
        assert file["mime_type"] == kind, name


@pytest.mark.req("FILE-01")
@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\olive\\report.txt", "report.txt"),
        ("/", "file"),
        ("..", "file"),
        ("a" * 400 + ".txt", "a" * 251 + ".txt"),
        (" spaced  out .txt ", "spaced out .txt"),
    ],
)
async def test_a_name_that_is_a_path_is_only_a_name(office: Office, name: str, title: str):
    file = await sent(await office.owner(), name, b"words")
    assert file["title"] == title
    assert all(re.fullmatch("[0-9a-f]{64}", blob) for blob in blobs_of(office))


@pytest.mark.req("FILE-01")
async def test_what_cannot_be_taken_is_refused_before_it_has_all_come(office: Office):
    owner, sent_bytes = await office.owner(), 0

    async def body(start: bytes, size: int):
        nonlocal sent_bytes
        sent_bytes = 0
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        yield start
        while sent_bytes < size:
            sent_bytes += 2**20
            yield b"\x00" * 2**20

    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    many = LARGEST + 50 * 2**20
    program = await owner.post(f"{API}/files", content=body(b"\x7fELF", many), headers=headers)
    assert (program.status_code, list(program.json()["errors"])) == (400, ["file"])
    assert sent_bytes < 10 * 2**20
    large = await owner.post(
        f"{API}/files", content=body(b"RIFF\x00\x00\x00\x00WAVE", many), headers=headers
    )
    assert (large.status_code, list(large.json()["errors"])) == (413, ["file"])
    assert sent_bytes <= LARGEST + 2 * 2**20
    announced = {**headers, "Content-Length": str(LARGEST + 2**20)}
    told = await owner.post(f"{API}/files", content=b"x", headers=announced)
    assert told.status_code == 413
    cut = await owner.post(
        f"{API}/files", content=body(b"RIFF\x00\x00\x00\x00WAVE", 1), headers=headers
    )
    assert (cut.status_code, list(cut.json()["errors"])) == (400, ["file"])
    assert blobs_of(office) == []
    assert not list(office.product.blobs.folder.glob(".incoming*")), "nothing is left behind"


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"visibility": "world"}, "metadata.visibility"),
        ({"tags": ["x" * 51]}, "metadata.tags.0"),
        ({"secret": 1}, "metadata.secret"),
        ({"description": "\x00"}, "metadata.description"),
    ],
)
async def test_what_is_said_of_a_file_is_checked_and_named(
    office: Office, about: dict[str, Any], field: str
):
    refused = await send(await office.owner(), "a.txt", b"words", **about)
    assert (refused.status_code, list(refused.json()["errors"])) == (400, [field])
    assert blobs_of(office) == []


async def test_a_request_sent_twice_under_one_key_makes_one_file(office: Office):
    owner = await office.owner()
    headers = {"Idempotency-Key": "one"}
    form = {"file": ("a.txt", b"words")}
    first = await owner.post(f"{API}/files", files=form, headers=headers)
    again = await owner.post(f"{API}/files", files=form, headers=headers)
    assert first.json() == again.json()
    assert (await owner.get(f"{API}/files")).json()["totalItems"] == 1
