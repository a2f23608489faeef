"""Previews are made in the background, whatever a file holds."""

import io
import zipfile

import pytest
from PIL import Image
from pypdf import PdfWriter

from bailiwick.files import previews
from files.test_attachments import sheet
from files.test_downloads import member, shared
from runs.test_session_files import pdf
from support.model_server import says
from support.office import API
from support.talk import talk_in
from support.uploading import png, sent
from support.workshop import Workshop, scripted


async def previewed(shop: Workshop, name: str, content: bytes) -> dict:
    file = await sent(shop.owner, name, content)
    await previews.make(shop.office.product, file["file_id"])
    seen = await shop.owner.get(f"{API}/files/{file['file_id']}/preview")
    assert seen.status_code == 200, seen.text
    assert seen.json()["file_id"] == file["file_id"]
    return seen.json()["preview"]


@pytest.mark.req("FILE-03")
async def test_a_document_a_picture_a_sheet_and_a_text_have_previews(shop: Workshop):
    paper = await previewed(shop, "a.pdf", pdf("Q3 Financial Results Summary"))
    assert (paper["status"], paper["page_count"]) == ("generated", 1)
    assert paper["text_excerpt"] == "Q3 Financial Results Summary"
    photo = await previewed(shop, "a.png", png(3000, 1500))
    for one, shape in ((paper, 2.0), (photo, 2.0)):
        got = await shop.owner.get(one["thumbnail_url"])
        assert (got.status_code, got.headers["content-type"]) == (200, "image/webp")
        made = Image.open(io.BytesIO(got.content))
        assert max(made.size) <= 480
        assert made.size[0] / made.size[1] == pytest.approx(shape, abs=0.05)
    table = await previewed(shop, "a.xlsx", sheet())
    assert "quarterly rent" in table["text_excerpt"]
    assert table["thumbnail_url"] is None
    note = await previewed(shop, "a.md", "# Größe\n\nwords ".encode() * 500)
    assert note["text_excerpt"].startswith("# Größe words # Größe")
    assert len(note["text_excerpt"]) <= 600


def closed_pdf() -> bytes:
    made, writer = io.BytesIO(), PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(made)
    return made.getvalue()


def bomb_picture() -> bytes:
    made = io.BytesIO()
    Image.new("1", (30_000, 30_000)).save(made, "PNG")
    return made.getvalue()


def bomb_sheet() -> bytes:
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(sheet())) as plain,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name in plain.namelist():
            text = plain.read(name)
            if name.endswith("sheet1.xml"):
                text = text.replace(b"quarterly rent", b"x" * 300_000_000)
            archive.writestr(name, text)
    return made.getvalue()


@pytest.mark.req("FILE-03")
@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("closed.pdf", closed_pdf),
        ("broken.pdf", lambda: b"%PDF-1.4 nothing"),
        ("bomb.png", bomb_picture),
        ("cut.png", lambda: png(2000, 2000)[:500]),
    ],
)
async def test_what_cannot_be_read_has_no_preview_and_harms_nothing(shop: Workshop, name, make):
    seen = await previewed(shop, name, make())
    assert seen == {
        "status": "failed",
        "thumbnail_url": None,
        "page_count": None,
        "text_excerpt": None,
    }


@pytest.mark.req("FILE-03")
async def test_an_archive_that_would_fill_the_memory_stays_in_the_other_process(shop: Workshop):
    seen = await previewed(shop, "bomb.xlsx", bomb_sheet())
    assert seen["status"] in ("failed", "generated")
    assert len(seen["text_excerpt"] or "") <= 600
    assert (await previewed(shop, "after.txt", b"words"))["text_excerpt"] == "words"


@pytest.mark.req("FILE-03")
async def test_of_sounds_and_archives_there_is_no_preview(shop: Workshop):
    seen = await previewed(shop, "a.zip", b"PK\x05\x06" + b"\x00" * 18)
    assert seen["status"] == "unavailable"
    script = await previewed(shop, "a.svg", b"<svg><script>alert(1)</script><text>Hi</text></svg>")
    assert script["thumbnail_url"] is None
    assert "<script" not in script["text_excerpt"]


@pytest.mark.req("FILE-03")
async def test_readers_of_the_thread_see_the_preview_and_nobody_else(shop: Workshop):
    rita, mo = await member(shop, "rita"), await member(shop, "mo")
    with scripted(says("Seen.")) as server:
        talk = await talk_in(shop, server)
        file, thread = await shared(talk, "plan.png", png(), rita)
    await previews.make(shop.office.product, file["file_id"])
    where, headers = f"{API}/files/{file['file_id']}", {"X-Thread-ID": thread}
    seen = await rita.get(f"{where}/preview", headers=headers)
    picture = seen.json()["preview"]["thumbnail_url"]
    assert (await rita.get(picture)).status_code == 200
    for refused in (
        await rita.get(f"{where}/preview"),
        await rita.get(f"{where}/thumbnail"),
        await mo.get(f"{where}/preview", headers=headers),
        await mo.get(picture),
    ):
        assert refused.status_code == 404
