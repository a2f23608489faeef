"""Texts of documents as people have them, and of those that somebody made to do harm."""

import io
import json
import os
import shutil
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from sqlalchemy import select

from bailiwick.kit.extraction import Extractor
from bailiwick.library.index.indexer import LibraryIndexer
from bailiwick.library.index.models import IndexedFile
from bailiwick.library.index.texts import TextReader
from bailiwick.library.models import Notebook
from library.test_index import followed, indexed, scan_of, text_of, write
from library.toolbox import Toolbox
from support.office import API, Office

pytestmark = pytest.mark.req("LIB-02")
DOCUMENTS = Path(__file__).parent / "documents"
HERON = "The heron waits by the millpond"
PAGE = f"<html><head><style>p{{}}</style></head><p>{HERON}<script>alert(1)</script></html>"
MAIL = f"From: ann@example.org\r\nSubject: Birds\r\n\r\n{HERON}\r\n"


def put(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    return path


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return out.getvalue()


def document(paragraphs: int) -> bytes:
    """A document of a word processor with so many paragraphs, all alike."""
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = b"<w:p><w:r><w:t>heron </w:t></w:r></w:p>" * paragraphs
    begin = f'<?xml version="1.0"?><w:document xmlns:w="{space}"><w:body>'.encode()
    with zipfile.ZipFile(DOCUMENTS / "report.docx") as real:
        parts = {name: real.read(name) for name in real.namelist()}
    parts["word/document.xml"] = begin + body + b"</w:body></w:document>"
    return zipped(**parts)


async def test_office_files_pages_mails_and_archives_are_found_by_what_they_say(tools: Toolbox):
    shutil.copytree(DOCUMENTS, tools.folder, dirs_exist_ok=True)
    write(tools.folder, **{"page.html": PAGE, "mail.eml": MAIL})
    put(tools.folder, "papers.zip", zipped(heron__plan_txt=b"a kingfisher"))
    put(tools.folder, "tune.wav", b"RIFF\x00\x00\x00\x00WAVEfmt ")
    found = await followed(tools)
    read = {path for path, row in found.items() if row.text_state == "ready"}
    assert read == {
        *("report.docx", "counts.xlsx", "talk.pptx", "letter.odt", "counts.ods"),
        *("note.pdf", "page.html", "mail.eml", "papers.zip"),
    }
    asked = {"virtualRoot": "", "query": "millpond", "mode": "keyword", "limit": 50}
    hits = (await tools.use("filesystem_search", **asked)).data["files"]
    assert {hit["path"] for hit in hits} == {f"Papers/{path}" for path in read - {"papers.zip"}}
    assert "alert" not in (await text_of(tools, found["page.html"]))["kreuzberg"]
    assert await text_of(tools, found["papers.zip"]) == {"listing": "heron/plan_txt"}
    assert found["note.pdf"].media_type == "application/pdf"
    locked, tune = found["locked.pdf"], found["tune.wav"]
    assert (locked.text_state, locked.problem) == (
        "failed",
        "It is encrypted: without its password there is no text to be had.",
    )
    assert tune.text_state == "skipped"
    assert "no speech model is configured" in (tune.problem or "")


async def test_what_stalls_or_bursts_the_extractor_is_marked_once_and_the_next_is_read(
    tools: Toolbox,
):
    put(tools.folder, "1 stall.docx", document(1_250_000))
    put(tools.folder, "2 bomb.docx", document(8_000_000))
    put(tools.folder, "3 bomb.zip", zipped(zeros=bytes(400_000_000)))
    write(tools.folder, **{"4 next.txt": HERON})
    async with tools.storage.app.read() as session:
        notebook = await session.get_one(Notebook, "ntb-papers")
    scanner = await tools.office[LibraryIndexer].scans(notebook)
    await scanner.scan()
    extractor = Extractor(seconds=1.0)
    reader = TextReader(tools.storage.app, extractor)
    try:
        while await reader.read_some(scanner) is not None:
            pass
        found = await indexed(tools)
        told = {path: (row.text_state, row.problem) for path, row in found.items()}
        assert told == {
            "1 stall.docx": ("failed", "Reading it took too long."),
            "2 bomb.docx": ("skipped", "It unpacks to more than 300 MB, so it is not opened."),
            "3 bomb.zip": ("ready", None),
            "4 next.txt": ("ready", None),
        }
        assert await reader.read_some(scanner) is None, "it is not tried again"
        put(tools.folder, "1 stall.docx", document(1))
        await scanner.scan()
        await reader.read_some(scanner)
        assert (await indexed(tools))["1 stall.docx"].text_state == "ready"
    finally:
        extractor.close()


async def test_a_file_that_changes_while_it_is_read_is_read_as_it_is_in_the_end(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch
):
    write(tools.folder, **{"a.txt": "the first words"})
    real, turns = Extractor.answers, [0]

    async def slow(self: Extractor, *args: object, **more: object) -> object:
        # While the process reads, somebody saves another text under the name.
        if not turns[0]:
            turns[0] = 1
            put(tools.folder, "fresh", b"the second words").replace(tools.folder / "a.txt")
        return await real(self, *args, **more)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Extractor, "answers", slow)
    await followed(tools)
    found = await followed(tools)
    assert await text_of(tools, found["a.txt"]) == {"plain": "the second words"}


@pytest.mark.req("LIB-01")
async def test_names_that_differ_in_case_alone_are_two_files(tools: Toolbox):
    write(
        tools.folder, **{"Plan.txt": "capital", "plan.txt": "small", "DIR__x": "1", "dir__x": "2"}
    )
    found = await followed(tools)
    assert set(found) == {"Plan.txt", "plan.txt", "DIR/x", "dir/x"}
    assert await text_of(tools, found["Plan.txt"]) == {"plain": "capital"}
    (tools.folder / "Plan.txt").rename(tools.folder / "PLAN.txt")
    after = await followed(tools)
    assert after["PLAN.txt"].id == found["Plan.txt"].id
    assert after["plan.txt"].id == found["plan.txt"].id


async def test_a_notebook_inside_another_has_its_files_in_both(tools: Toolbox):
    write(tools.folder, **{"outer.txt": "outer", "inner__deep.txt": "deep"})
    async with tools.storage.app.write() as session:
        outer = await session.get_one(Notebook, "ntb-papers")
        session.add(
            Notebook(
                id="ntb-inner",
                workspace_id=outer.workspace_id,
                name="Inner",
                path=str((tools.folder / "inner").resolve()),
                trusted=False,
                created_at=outer.created_at,
            )
        )
    assert set(await followed(tools)) == {"outer.txt", "inner/deep.txt"}
    async with tools.storage.app.read() as session:
        rows = await session.scalars(
            select(IndexedFile.path).where(IndexedFile.notebook_id == "ntb-inner")
        )
        assert list(rows) == ["deep.txt"]
    found = await tools.use("filesystem_search", virtualRoot="Inner", query="deep")
    assert [file["path"] for file in found.data["files"]] == ["Inner/deep.txt"]
    (tools.folder / "inner" / "deep.txt").unlink()
    assert set(await followed(tools)) == {"outer.txt"}
    assert (await scan_of(tools)).state == "done"


class SpeechServer(BaseHTTPRequestHandler):
    """A server of OpenAI's API that hears the same in every recording."""

    asked: ClassVar[list[tuple[str, str, bytes]]] = []

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, self.headers["Authorization"], content))
        body = json.dumps({"text": f"{HERON}, says the voice."}).encode()
        self.send_response(500 if b"broken" in content else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def speech_url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), SpeechServer)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.req("LIB-06")
async def test_sound_is_transcribed_once_a_speech_model_is_named(
    office: Office, tmp_path: Path, speech_url: str
):
    owner = await office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    folder = tmp_path / "opened"
    folder.mkdir()
    wave = b"RIFF\x00\x00\x00\x00WAVEfmt "
    put(folder, "talk.wav", wave + b"voices")
    put(folder, "noise.wav", wave + b"broken")
    body = {"name": "Papers", "path": str(folder)}
    assert (await owner.post(f"{API}/workspaces/{space}/notebooks", json=body)).is_success
    indexer = office.product[LibraryIndexer]

    async def read() -> dict[str, Any]:
        indexer.due_now()
        await indexer.scan_due()
        while (wait := await indexer.read_all()) is not None and wait < 1:
            pass
        files = (await owner.get(f"{API}/search", params={"kinds": "file"})).json()["files"]
        return {each["name"]: each for each in files}

    before = await read()
    assert {each["textState"] for each in before.values()} == {"skipped"}
    assert "no speech model is configured" in before["talk.wav"]["problem"]
    model = {"name": "Ears", "provider": "compatible", "model": "whisper-1", "key": "sk-ears"}
    made = await owner.post(f"{API}/models", json={**model, "baseUrl": speech_url})
    assert made.status_code == 201, made.text
    await office.set(speech_model="Ears")
    after = await read()
    assert after["talk.wav"]["textState"] == "ready"
    assert after["noise.wav"]["textState"] == "failed"
    assert "answered with status 500" in after["noise.wav"]["problem"]
    (hit,) = (await owner.get(f"{API}/search", params={"q": "millpond"})).json()["files"]
    assert hit["name"] == "talk.wav"
    path, key, content = next(one for one in SpeechServer.asked if b"voices" in one[2])
    assert (path, key) == ("/v1/audio/transcriptions", "Bearer sk-ears")
    assert b"whisper-1" in content
    asked = len(SpeechServer.asked)
    await read()
    assert len(SpeechServer.asked) == asked, "what failed is not tried in a loop"
    await office.set(speech_model="Nobody")
    put(folder, "late.wav", wave)
    assert "no model “Nobody”" in (await read())["late.wav"]["problem"]
