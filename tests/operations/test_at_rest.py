"""Used through every feature, an office with a data key leaves no readable word on the disk."""

import base64
import os
import tempfile
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest

from bailiwick.connectors.connector import seal_of
from bailiwick.connectors.local.maildir import INBOX, Maildir
from bailiwick.kit.keys import Key
from support.office import API, PASSWORD
from support.processes import Forked, bailiwick
from support.server import Server, free_port, wait_for

HEX = "a7" * 32
# In every word, name and address that goes into the office.
STEM = "vexmoor"
SAMPLES = (b"willowpost", b"Helen Marsh")  # words of the sample office
LOOPBACK = {"BAILIWICK_ALLOWED_NETWORKS": "127.0.0.0/8"}  # for a webhook
MCP = {"Accept": "application/json", "MCP-Protocol-Version": "2025-11-25"}


class TidyServer(Server):
    """A server that has a folder for temporary files of its own."""

    def _started(self, env: dict[str, str]) -> Forked:
        return Forked(tidy, env=env, out=self.log)


def tidy() -> None:
    tempfile.tempdir = os.environ["TMPDIR"]
    bailiwick("serve")


def forms(stem: str) -> Iterator[bytes]:
    """A word as a file may hold it: in any case, wide, as hex, and in base64 at any offset."""
    for text in (stem, stem.upper(), stem.capitalize()):
        plain = text.encode()
        yield from (plain, text.encode("utf-16-le"), text.encode("utf-16-be"))
        yield from (plain.hex().encode(), plain.hex().upper().encode())
        for before in range(3):
            # Only what depends on the word alone, not on what is before and after it.
            coded = base64.b64encode(b"-" * before + plain)
            yield coded[(before * 4 + 2) // 3 : len(coded) // 4 * 4 - 4]


FORMS = (*dict.fromkeys(forms(STEM)), *SAMPLES)


def readable(folder: Path) -> set[str]:
    """The files in which a word, or whose name, can be read; by their first folder."""
    found: set[str] = set()
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        content = path.read_bytes() if path.is_file() else b""
        if any(form in content or form in os.fsencode(name) for form in FORMS):
            found.add(name.parts[0])
    return found


class Owner:
    """The owner of an office, who uses all of it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.browser = server.browser()
        self.post(
            "/auth/setup",
            link=server.owner_link(),
            email="olive@vexmoor.example",
            name="Olive Vexmoor",
            password=PASSWORD,
        )
        self.browser.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
        self.space = self.get("/workspaces")["items"][0]["id"]

    def post(self, path: str, /, **body: Any) -> dict[str, Any]:
        answer = self.browser.post(f"{API}{path}", json=body)
        assert answer.is_success, (path, answer.text)
        return answer.json() if answer.content else {}

    def get(self, path: str) -> dict[str, Any]:
        answer = self.browser.get(f"{API}{path}")
        assert answer.is_success, (path, answer.text)
        return answer.json()

    def use(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        done = self.post(f"/workspaces/{self.space}/tools/{tool}", arguments=arguments)
        assert done["status"] == "done", done
        return done

    def people(self) -> None:
        self.post("/users", email="sam@vexmoor.example", name="Sam Vexmoor", role="user")
        self.post("/tokens", name="Vexmoor token", scopes=["read"])
        provider = {"issuer": "https://vexmoor.example", "clientId": "vexmoor", "clientSecret": "x"}
        self.post("/login-providers", name="Vexmoor log-in", **provider)
        nobody = self.server.browser()
        wrong = {"email": "intruder@vexmoor.example", "password": "vexmoor vexmoor"}
        assert nobody.post(f"{API}/auth/login", json=wrong).status_code == 401
        avatar = b"\x89PNG\r\n\x1a\n" + b"picture of vexmoor" * 10
        assert self.browser.put(f"{API}/users/me/avatar", content=avatar).is_success
        self.post("/workspaces", name="Vexmoor House")

    def mail(self, key: Key | None) -> None:
        settings = {"address": "olive@vexmoor.example", "name": "Olive Vexmoor"}
        given = {"workspaceId": self.space, "connector": "local", "routeFrom": "all"}
        account = self.post("/accounts", **given, label="Vexmoor mail", settings=settings)["id"]
        director = self.post("/agents", workspaceId=self.space, name="Dana", kind="director")
        body = {"field": "Subject", "regex": "vexmoor", "directorId": director["id"]}
        self.post("/filters", workspaceId=self.space, name="Vexmoor filter", **body)
        folder = self.server.data / "accounts" / account
        Maildir.kept(folder, seal_of(account, key)).deliver(INBOX, incoming())
        mails = f"/mail?workspaceId={self.space}"
        wait_for(lambda: self.get(mails)["items"])
        (found,) = self.use("search_emails", query="vexmoor")["result"]["emails"]
        self.use("read_email", email_id=found["id"])
        self.use("label_email", email_id=found["id"], add=["Vexmoor label"])
        self.use("draft_email", to=["ann@vexmoor.example"], subject="Vexmoor draft", body="Vexmoor")
        self.use("create_file", path="Files/Vexmoor/vexmoor.txt", content="Vexmoor attachment")
        self.use(
            "send_email",
            to=["olive@vexmoor.example", "ann@vexmoor.example"],
            subject="Sent to Vexmoor",
            body="Vexmoor body",
            attach_files=["Files/Vexmoor/vexmoor.txt"],
        )
        for waiting in self.get(f"/outbox?workspaceId={self.space}")["items"]:
            self.browser.post(f"{API}/outbox/{waiting['id']}/send-now")
        wait_for(lambda: len(self.get(mails)["items"]) > 1)
        contact = {"address": "bea@vexmoor.example", "name": "Bea Vexmoor"}
        self.post(f"/workspaces/{self.space}/contacts", **contact)
        lines = ("BEGIN:VCARD", "VERSION:4.0", "FN:Cy Vexmoor", "EMAIL:cy@vexmoor.example")
        card = "".join(f"{line}\r\n" for line in (*lines, "END:VCARD"))
        headers = {"Content-Type": "text/vcard"}
        path = f"{API}/workspaces/{self.space}/contacts/import"
        assert self.browser.post(path, content=card, headers=headers).is_success

    def papers(self) -> None:
        path = "Files/Vexmoor Papers/Vexmoor minutes.md"
        self.use("create_file", path=path, content="Vexmoor met.")
        self.use("write_file", path=path, content="Vexmoor met again. " * 10_000)
        self.use("move_file", path=path, to="Files/vexmoor moved.md")
        gone = self.use("delete_file", path="Files/vexmoor moved.md")
        self.post(f"/actions/{gone['actionId']}/undo")
        self.use("search_content", query="vexmoor")
        self.post(f"/workspaces/{self.space}/notebooks", name="Vexmoor notebook")
        self.use("memory_add", content="Vexmoor likes quince.")
        self.use("memory_search", query="vexmoor")
        self.use("create_task", title="Vexmoor task", notes="Vexmoor notes")

    def agents(self) -> None:
        messages = [{"role": "system", "content": "You serve Vexmoor."}]
        self.post("/prompts", workspaceId=self.space, name="Vexmoor prompt", messages=messages)
        asked = {"workspaceId": self.space, "name": "Vexmoor agent", "description": "For Vexmoor"}
        may = {"canWrite": True, "canCreate": True, "askWrites": True, "prompt": messages}
        agent = self.post("/agents", **asked, **may, scope={"notebooks": ["*"]})["id"]
        self.post(f"/agents/{agent}/credentials", keyName="api_key", value="vexmoor-secret")
        words = "Create a task called Pay Vexmoor."
        session = self.post(f"/agents/{agent}/sessions", content=words)["id"]
        wait_for(lambda: self.get(f"/sessions/{session}")["status"] not in ("pending", "running"))
        pending = self.get(f"/sessions/{session}")["pendingActions"]
        assert pending
        for waiting in pending:
            body = {"actionId": waiting["id"], "confirmed": True}
            self.post(f"/sessions/{session}/confirm", **body)
        timing = {"timing": "every weekday at 8", "words": "Look after Vexmoor."}
        self.post("/schedules", workspaceId=self.space, agentId=agent, name="Vexmoor", **timing)

    def rules(self) -> None:
        condition = {"==": [{"var": "tool"}, "vexmoor"]}
        self.post("/rules", name="Vexmoor rule", action="BLOCK", condition=condition)
        self.post("/redactions", name="Vexmoor words", pattern="vexmoor[0-9]+")
        hook = {"url": f"{self.server.origin}/vexmoor", "types": ["*"]}
        self.post("/webhooks", name="Vexmoor hook", **hook)
        client = self.post("/clients", name="Vexmoor client", workspaceId=self.space)
        token = client.get("token") or self.post(f"/clients/{client['id']}/token")["token"]
        call = {"name": "memory_search", "arguments": {"query": "vexmoor"}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        headers = {**MCP, "Authorization": f"Bearer {token}"}
        answer = httpx.post(f"{self.server.origin}/mcp", json=body, headers=headers, timeout=60)
        assert "memories" in answer.text, answer.text
        self.post("/halt", reason="Vexmoor said so")
        assert self.browser.delete(f"{API}/halt").is_success
        assert self.browser.get(f"{API}/audit/export").is_success

    def sample_office(self) -> None:
        space = self.post("/workspaces", name="Sample Vexmoor")["id"]
        self.post(f"/workspaces/{space}/demo")


def incoming() -> bytes:
    made = EmailMessage()
    made["From"], made["To"] = "Ann Vexmoor <ann@vexmoor.example>", "olive@vexmoor.example"
    made["Subject"], made["Message-ID"] = "About Vexmoor", "<1@vexmoor.example>"
    made["Date"] = "Mon, 02 Nov 2026 10:00:00 +0000"
    made.set_content("Dear Olive, Vexmoor is well.")
    made.add_alternative("<p>Vexmoor is <b>well</b>.</p>", subtype="html")
    attached = ("Vexmoor, in figures\n" * 20_000).encode()
    made.add_attachment(attached, maintype="text", subtype="csv", filename="vexmoor.csv")
    return made.as_bytes().replace(b"\n", b"\r\n")


def used(server: Server, key: Key | None) -> None:
    owner = Owner(server)
    owner.people()
    owner.mail(key)
    owner.papers()
    owner.agents()
    owner.rules()
    owner.sample_office()
    owner.post("/vault/rotate")
    owner.post("/backups")


@pytest.mark.req("ACC-06", "ACC-10")
def test_no_word_that_went_through_any_feature_can_be_read_in_the_data_folder(tmp_path: Path):
    data, temporary = tmp_path / "data", tmp_path / "temporary"
    temporary.mkdir()
    given = {"BAILIWICK_DATA_KEY": HEX, "TMPDIR": str(temporary), **LOOPBACK}
    server = TidyServer(data, free_port(), **given).wait_ready()
    try:
        used(server, Key(bytes.fromhex(HEX)))
        assert readable(data) == set()
        assert readable(temporary) == set()
    finally:
        server.kill()
        server.stop()
    assert readable(data) == set()
    again = TidyServer(data, free_port(), **given).wait_ready()
    again.stop()
    assert readable(data) == set()
    assert readable(temporary) == set()
    assert list(data.glob("backups/*"))


@pytest.mark.req("ACC-06")
def test_without_a_data_key_the_same_search_finds_the_words(tmp_path: Path):
    server = TidyServer(tmp_path / "data", free_port(), TMPDIR=str(tmp_path), **LOOPBACK)
    server.wait_ready()
    try:
        used(server, None)
    finally:
        server.stop()
    found = readable(tmp_path / "data")
    assert {"accounts", "app.db", "audit.db", "backups", "blobs", "notebooks"} <= found
