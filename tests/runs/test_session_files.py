"""Files in sessions: attached by people, read by tools, seen by models, kept and forgotten."""

import base64
import io
import json
import zlib
from datetime import timedelta
from typing import Any

import httpx
import pytest
from PIL import Image
from pypdf import PdfWriter
from sqlalchemy import delete

from bailiwick.kit import clock
from bailiwick.runs.files import store
from bailiwick.runs.models import Run
from runs.test_outgoing import received
from support.model_server import calls, says
from support.office import API
from support.workshop import Workshop, scripted

pytestmark = pytest.mark.req("MODEL-06")


def png(width: int = 60, height: int = 40, colour: str = "teal") -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(made, "PNG")
    return made.getvalue()


def pdf(text: str) -> bytes:
    """A document of one page that says something."""
    said = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode()
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(said), said),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(parts) + 1
    xref = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, len(out))
    return out + xref + end


def in_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


async def upload(who: httpx.AsyncClient, name: str, content: bytes) -> httpx.Response:
    headers = {"Content-Type": "application/octet-stream"}
    path = f"{API}/sessions/uploads"
    return await who.post(path, params={"name": name}, content=content, headers=headers)


async def uploaded(who: httpx.AsyncClient, name: str, content: bytes) -> dict[str, Any]:
    made = await upload(who, name, content)
    assert made.status_code == 201, made.text
    return made.json()


async def started(shop: Workshop, agent: dict[str, Any], words: str, *files: str) -> dict[str, Any]:
    body = {"content": words, "files": list(files)}
    made = await shop.owner.post(f"{API}/agents/{agent['id']}/sessions", json=body)
    assert made.status_code == 201, made.text
    await shop.drive()
    return await shop.read(made.json()["id"])


async def test_what_is_attached_is_seen_by_the_model_and_stays_with_the_session(
    any_workshop: Workshop,
):
    shop, picture = any_workshop, png()
    with scripted(says("It is teal."), says("Still.")) as server:
        agent = await shop.agent(modelId=await shop.model(server, seesImages=True))
        file = await uploaded(shop.owner, "photo.jpg", picture)
        facts = (file["mediaType"], file["size"], file["width"], file["height"])
        assert facts == ("image/png", len(picture), 60, 40), "by its content, not by its name"
        session = await started(shop, agent, "Which colour?", file["id"])
        assert in_base64(picture) in str(server.requests[0].messages[-1])
        (said,) = [each for each in session["messages"] if each["files"]]
        assert (said["content"], said["files"][0]["saw"]) == ("Which colour?", "image")
        path = f"{API}/sessions/{session['id']}/files/{said['position']}/0"
        shown = await shop.owner.get(path)
        assert (shown.content, shown.headers["content-type"]) == (picture, "image/png")
        assert "sandbox" in shown.headers["content-security-policy"]
        await shop.say(session["id"], "And now?")
        assert in_base64(picture) in str(server.requests[1].messages), "it is still there"
        again = {"content": "Once more.", "files": [file["id"]]}
        used = await shop.owner.post(f"{API}/sessions/{session['id']}/message", json=again)
        assert used.status_code == 400, "an upload is for one message"


async def test_who_cannot_see_is_given_the_text_and_the_transcript_says_so(workshop: Workshop):
    with scripted(says("800.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        lease = await uploaded(workshop.owner, "lease.pdf", pdf("The rent is 800."))
        photo = await uploaded(workshop.owner, "roof.png", png())
        notes = await uploaded(workshop.owner, "notes.md", b"Call Ada.")
        assert (lease["mediaType"], lease["pages"]) == ("application/pdf", 1)
        ids = (lease["id"], photo["id"], notes["id"])
        session = await started(workshop, agent, "How much?", *ids)
    told = server.requests[0].messages[-1]["content"]
    assert "[document lease.pdf, 1 page: this model cannot see documents; its text follows]" in told
    assert "The rent is 800." in told
    assert "[image roof.png, 60x40: this model cannot see images; no text was found]" in told
    assert "[document notes.md]\nCall Ada." in told
    (said,) = [each for each in session["messages"] if each["files"]]
    assert [each["saw"] for each in said["files"]] == ["text", "nothing", "text"]


@pytest.mark.req("GATE-28")
async def test_a_document_with_a_card_number_goes_as_redacted_text_to_who_could_see_it(
    workshop: Workshop,
):
    card = "4111 1111 1111 1111"
    document = pdf(f"Card {card} of Ada")
    with scripted(says("Seen.")) as server:
        model = await workshop.model(server, seesImages=True, seesDocuments=True)
        agent = await workshop.agent(modelId=model)
        file = await uploaded(workshop.owner, "bill.pdf", document)
        session = await started(workshop, agent, "What is it?", file["id"])
    assert card not in received(server)
    assert in_base64(document)[:40] not in received(server)
    assert "something in it was redacted" in received(server)
    assert "of Ada" in received(server)
    (said,) = [each for each in session["messages"] if each["files"]]
    assert said["files"][0]["saw"] == "redacted"


async def test_a_picture_that_a_tool_reads_is_shown_with_its_label(
    workshop: Workshop, tmp_path_factory
):
    folder = await workshop.folder("Books", tmp_path_factory.mktemp("books"))
    (folder / "plan.png").write_bytes(png())
    with scripted(calls("read_file", {"path": "Books/plan.png"}), says("A plan.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server, seesImages=True))
        session = await workshop.ask(agent, "Look at the plan.")
    assert in_base64(png()) in str(server.requests[1].messages)
    (answer,) = [each for each in session["messages"] if each["role"] == "tool"]
    assert (answer["files"][0]["name"], answer["files"][0]["saw"]) == ("plan.png", "image")
    (call,) = session["calls"]
    assert call["label"] == "stranger"
    assert session["strangers"], "what is in a picture is its maker's words, as with a text"


async def test_a_picture_whose_reading_was_allowed_by_a_person_is_shown(
    any_workshop: Workshop, tmp_path_factory, monkeypatch
):
    shop, product = any_workshop, any_workshop.office.product
    folder = await shop.folder("Books", tmp_path_factory.mktemp("books"))
    (folder / "plan.png").write_bytes(png())
    with scripted(calls("read_file", {"path": "Books/plan.png"}), says("A plan.")) as server:
        model = await shop.model(server, seesImages=True)
        agent = await shop.agent(modelId=model, askTools=["read_file"])
        session = await shop.ask(agent, "Look at the plan.")
        assert session["status"] == "waiting"
        session = await shop.answer(session, yes=True)
    assert in_base64(png()) in str(server.requests[1].messages)
    (answer,) = [each for each in session["messages"] if each["role"] == "tool"]
    assert (answer["files"][0]["name"], answer["files"][0]["saw"]) == ("plan.png", "image")
    assert session["strangers"]
    later = clock.now() + timedelta(days=2)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert await store.forget_unused(product.storage, product.blobs) == 0, "the session has it"


async def test_a_rule_that_takes_something_out_of_results_lets_no_picture_through(
    workshop: Workshop, tmp_path_factory
):
    folder = await workshop.folder("Books", tmp_path_factory.mktemp("books"))
    (folder / "plan.png").write_bytes(png())
    rule = {
        "name": "No content",
        "action": "REDACT",
        "priority": 10_000,
        "condition": {"==": [{"var": "tool"}, "read_file"]},
        "fields": ["result.content"],
    }
    made = await workshop.owner.post(f"{API}/rules", json=rule)
    assert made.status_code == 201, made.text
    with scripted(calls("read_file", {"path": "Books/plan.png"}), says("Hm.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server, seesImages=True))
        await workshop.ask(agent, "Look at the plan.")
    assert in_base64(png()) not in str(server.requests[1].messages)


async def test_a_retry_and_a_replay_see_the_same_files(workshop: Workshop):
    with scripted(says("One."), says("Two."), says("Three.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server, seesImages=True))
        file = await uploaded(workshop.owner, "photo.png", png())
        session = await started(workshop, agent, "Which colour?", file["id"])
        for verb, body in (("retry", {"step": 1}), ("replay", {})):
            made = await workshop.owner.post(f"{API}/runs/{session['id']}/{verb}", json=body)
            assert made.status_code == 201, made.text
            await workshop.drive()
            assert in_base64(png()) in str(server.requests[-1].messages), verb
    assert len(server.requests) == 3


async def test_a_large_photo_is_made_smaller_for_the_model(workshop: Workshop):
    made = io.BytesIO()
    Image.effect_noise((3000, 1500), 80).convert("RGB").save(made, "JPEG", quality=95)
    file = await uploaded(workshop.owner, "photo.jpg", made.getvalue())
    assert (file["mediaType"], file["width"], file["height"]) == ("image/jpeg", 2048, 1024)
    assert file["size"] < len(made.getvalue())


def _bomb() -> bytes:
    """A small PNG that says it has 100 000 by 100 000 points."""
    head = (100_000).to_bytes(4) * 2 + b"\x08\x00\x00\x00\x00"
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(1_000))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(body).to_bytes(4) + kind + body + zlib.crc32(kind + body).to_bytes(4)
        for kind, body in chunks
    )


def _locked() -> bytes:
    writer, made = PdfWriter(), io.BytesIO()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(made)
    return made.getvalue()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (_bomb(), "million pixels"),
        (png()[:60], "cannot be read"),
        (b"%PDF-1.7 and nothing else", "cannot be read"),
        (_locked(), "password"),
        (b"MZ\x90\x00\x03", "neither a picture"),
    ],
    ids=["bomb", "half a picture", "no document", "locked", "program"],
)
async def test_what_is_no_good_file_is_refused_in_words(
    workshop: Workshop, content: bytes, why: str
):
    refused = await upload(workshop.owner, "file", content)
    assert refused.status_code == 400, refused.text
    assert why in refused.text


async def test_an_svg_is_a_text_and_no_picture(workshop: Workshop):
    drawing = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    assert (await uploaded(workshop.owner, "a.svg", drawing))["mediaType"] == "text/plain"


async def test_files_are_their_owners_alone(workshop: Workshop):
    other = await workshop.office.member("sam")
    file = await uploaded(other, "photo.png", png())
    with scripted(says("Hm.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server), shared=True)
        path = f"{API}/agents/{agent['id']}/sessions"
        body = {"content": "Look.", "files": [file["id"]]}
        stolen = await workshop.owner.post(path, json=body)
        assert stolen.status_code == 400, stolen.text
        mine = await uploaded(workshop.owner, "photo.png", png())
        session = await started(workshop, agent, "Look.", mine["id"])
    (said,) = [each for each in session["messages"] if each["files"]]
    path = f"{API}/sessions/{session['id']}/files/{said['position']}/0"
    assert (await other.get(path)).status_code == 404
    program = await workshop.office.token(workshop.owner, "read", "write")
    assert (await program.get(path)).status_code == 403


async def test_files_go_with_the_last_session_that_has_them(any_workshop: Workshop, monkeypatch):
    shop, product = any_workshop, any_workshop.office.product
    with scripted(says("Seen.")) as server:
        agent = await shop.agent(modelId=await shop.model(server))
        file = await uploaded(shop.owner, "photo.png", png())
        unused = await uploaded(shop.owner, "other.png", png(colour="red"))
        session = await started(shop, agent, "Look.", file["id"])
    assert unused["id"]
    later = clock.now() + timedelta(days=2)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert await store.forget_unused(product.storage, product.blobs) == 1, "what was never used"
    assert await store.forget_unused(product.storage, product.blobs) == 0
    async with product.storage.app.write() as db:
        await db.execute(delete(Run).where(Run.id == session["id"]))
    assert await store.forget_unused(product.storage, product.blobs) == 1
    assert list(store.own(product.blobs).names()) == []


async def test_an_estimate_counts_what_is_attached(workshop: Workshop):
    agent = await workshop.agent()
    file = await uploaded(workshop.owner, "photo.png", png(1500, 1000))
    path = f"{API}/agents/{agent['id']}/estimate"
    plain = (await workshop.owner.post(path, json={"content": "Look."})).json()
    body = {"content": "Look.", "files": [file["id"]]}
    more = (await workshop.owner.post(path, json=body)).json()
    assert more["inputTokens"] - plain["inputTokens"] > 1_000


async def test_a_summary_of_a_long_session_tells_of_its_files(workshop: Workshop):
    with scripted(says("word " * 900)) as server:
        server.usual = says("word " * 900)
        agent = await workshop.agent(modelId=await workshop.model(server, window=12_000))
        session = await started(workshop, agent, "Begin.")
        file = await uploaded(workshop.owner, "lease.pdf", pdf("The rent is 800."))
        body = {"content": "Look.", "files": [file["id"]]}
        await workshop.owner.post(f"{API}/sessions/{session['id']}/message", json=body)
        await workshop.drive()
        for _ in range(8):
            session = await workshop.say(session["id"], "Go on. " + "word " * 300)
    asked = [json.dumps(request.body) for request in server.requests]
    assert any("Summarise" in one and "[document lease.pdf, 1 page]" in one for one in asked)
