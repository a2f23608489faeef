"""Files in messages: the sender's own, shown as the document shows them, read by agents."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
from sqlalchemy import update

from bailiwick.files import previews, service
from bailiwick.files.models import StoredFile
from bailiwick.kit import clock
from files.test_downloads import happened, member, shared
from support.model_server import says
from support.office import API
from support.talk import talk_in
from support.uploading import linked, png, sent
from support.workshop import Workshop, scripted


@pytest.mark.req("CHAT-02", "EVT-04")
async def test_a_message_has_the_files_that_its_sender_attached(any_shop: Workshop):
    with scripted(says("Read.")) as server:
        talk = await talk_in(any_shop, server)
        file = await sent(talk.owner, "report.txt", b"growth is 7 percent")
        thread = await talk.thread()
        attached = [{"file_id": file["file_id"], "title": "Q4_Market_Report.txt"}]
        said = await talk.post(thread, "Analyze this", attachments=attached)
        heard = json.dumps(server.requests[-1].messages)
    (shown,) = said["attachments"]
    fields = ("file_id", "size", "mime_type", "checksum", "preview_available")
    assert {name: shown[name] for name in fields} == {name: file[name] for name in fields}
    assert shown["title"] == "Q4_Market_Report.txt"
    assert said["metadata"]["hasAttachments"] is True
    assert "growth is 7 percent" in heard, "the agent reads it"
    (told,) = await happened(talk.owner, "attachment.stored")
    assert told["data"] == {
        "threadId": thread["id"],
        "messageId": said["id"],
        "fileId": file["file_id"],
    }
    assert len(await happened(talk.owner, "file.uploaded")) == 1


@pytest.mark.req("CHAT-02")
async def test_another_persons_file_cannot_be_attached(shop: Workshop):
    sam = await member(shop, "sam")
    his = await sent(sam, "secret.txt", b"quetzal")
    with scripted(says("Read.")) as server:
        talk = await talk_in(shop, server)
        mine = await sent(talk.owner, "a.txt", b"mine")
        thread = await talk.thread()
        for id in (his["file_id"], "file-0000000000000000"):
            attached = [{"file_id": mine["file_id"]}, {"file_id": id}]
            body = {"content": "Read it", "attachments": attached}
            path = f"{API}/threads/{thread['id']}/messages"
            refused = await talk.owner.post(path, json=body)
            assert refused.status_code == 400
            assert list(refused.json()["errors"]) == ["attachments.1.file_id"]
            assert "quetzal" not in refused.text
            assert "secret" not in refused.text
        assert await talk.messages(thread) == []


def sheet() -> bytes:
    """A workbook with one sheet and one cell."""
    made = io.BytesIO()
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    rels = "http://schemas.openxmlformats.org/package/2006/relationships"
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
        'content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-'
        'package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-'
        'officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{rels}"><Relationship Id="r1" Type="{office}/'
        'officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet '
        'name="Rent" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{rels}"><Relationship Id="r1" '
        f'Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData><row r="1"><c r="A1" '
        't="inlineStr"><is><t>quarterly rent</t></is></c></row></sheetData></worksheet>',
    }
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return made.getvalue()


@pytest.mark.req("CHAT-02")
async def test_of_sheets_an_agent_reads_the_words_and_of_films_it_hears_that_they_are_there(
    shop: Workshop,
):
    with scripted(says("Read."), says("Read.")) as server:
        talk = await talk_in(shop, server)
        rent = await sent(talk.owner, "rent.xlsx", sheet())
        film = await sent(talk.owner, "film.mp4", b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 50)
        picture = await sent(talk.owner, "a.png", png())
        odd = await sent(talk.owner, "%PDF-x.pdf", b"%PDF-1.4")
        thread = await talk.thread()
        ids = [{"file_id": file["file_id"]} for file in (rent, film, picture, odd)]
        said = await talk.post(thread, "What is in them?", attachments=ids)
        heard = json.dumps(server.requests[-1].messages)
    assert "quarterly rent" in heard
    assert "[video/mp4, 62 bytes: what is in this file cannot be read here.]" in heard
    assert [one["mime_type"] for one in said["attachments"]] == [
        rent["mime_type"],
        "video/mp4",
        "image/png",
        "application/pdf",
    ]
    titles = [one["title"] for one in said["attachments"]]
    assert titles == ["rent.xlsx", "film.mp4", "a.png", "%PDF-x.pdf"]


async def test_files_go_when_nothing_has_them_any_more(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
):
    product = shop.office.product
    with scripted(says("Seen.")) as server:
        talk = await talk_in(shop, server)
        file, thread = await shared(talk, "plan.png", png())
    loose = await sent(talk.owner, "loose.txt", b"loose")
    gone = await sent(talk.owner, "gone.txt", b"gone")
    assert await previews.make(product, file["file_id"]) == "generated"
    await talk.owner.delete(f"{API}/files/{gone['file_id']}")
    before = set(product.blobs.names())
    await service.forget_unused(product)
    assert set(product.blobs.names()) == before, "what is fresh is spared"
    late = clock.now() + timedelta(days=2)
    monkeypatch.setattr("bailiwick.files.service.clock.now", lambda: late)
    await service.forget_unused(product)
    after = set(product.blobs.names())
    assert len(before - after) == 1, "the content that no file has"
    assert (await linked(talk.owner, file, thread)).status_code == 200
    monkeypatch.undo()
    await aged(shop, timedelta(days=31))
    await service.forget_unused(product)
    where = f"{API}/files/"
    assert (await talk.owner.get(where + loose["file_id"])).status_code == 404, "in no message"
    assert (await talk.owner.get(where + file["file_id"])).status_code == 200
    (said,) = [one for one in await talk.messages({"id": thread}) if one["attachments"]]
    await talk.owner.delete(f"{API}/threads/{thread}/messages/{said['id']}")
    await service.forget_unused(product)
    assert (await talk.owner.get(where + file["file_id"])).status_code == 200, "not at once"
    await aged(shop, timedelta(days=31))
    await service.forget_unused(product)
    assert (await talk.owner.get(where + file["file_id"])).status_code == 404


async def aged(shop: Workshop, by: timedelta) -> None:
    async with shop.office.product.storage.app.write() as session:
        await session.execute(update(StoredFile).values(unused_since=clock.now() - by))


async def test_what_only_a_workspace_had_goes_with_it(shop: Workshop):
    with scripted(says("Seen.")) as server:
        talk = await talk_in(shop, server)
        file, _ = await shared(talk, "plan.txt", b"x")
        loose = await sent(talk.owner, "mine.txt", b"y")
    space = f"{API}/workspaces/{shop.workspace_id}"
    await talk.owner.post(f"{API}/workspaces", json={"name": "Another"})
    removed = await talk.owner.delete(space)
    assert removed.is_success, removed.text
    await service.forget_unused(shop.office.product)
    assert (await talk.owner.get(f"{API}/files/{file['file_id']}")).status_code == 404
    assert (await talk.owner.get(f"{API}/files/{loose['file_id']}")).status_code == 200
