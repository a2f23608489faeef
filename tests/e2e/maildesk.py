"""A desk for the tests of the mail office's pages: an account, a director, a scripted model."""

import base64
import json
import struct
import zlib
from email.message import EmailMessage
from email.policy import SMTP
from mailbox import Maildir
from typing import Any

from e2e.sample import Furnished
from support.model_server import Call, ModelServer, Request, Turn, calls, fails, says
from support.office import API
from support.server import wait_for

HOSTILE = """<p>Dear <b>office</b></p><script>parent.location = "/hijacked"</script>
<img src="x" onerror="parent.document.title = 'owned'"><a href="javascript:alert(1)">go</a>"""
DRAFT = "Dear Cleo,\n\nanother **lamp** is on its way:\n\n- by post\n- on Monday"
FACTS = {"order": 4711, "broken": True, "parts": [{"name": "lamp"}, {"name": "bulb"}]}
CSV = "part,price\nlamp,20\nbulb,3\ncable,100\n"


def picture(width: int = 160, height: int = 90) -> str:
    """A PNG that is blue from left to right."""
    line = b"\0" + b"".join(bytes((40, 90 + n % 120, 200)) for n in range(width))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(line * height)),
        (b"IEND", b""),
    )
    made = b"\x89PNG\r\n\x1a\n"
    for name, data in chunks:
        made += struct.pack(">I", len(data)) + name + data
        made += struct.pack(">I", zlib.crc32(name + data))
    return base64.b64encode(made).decode()


def item(label: str, mime: str, data: str, **more: object) -> Call:
    return Call("workspace_add_item", {"label": label, "mimeType": mime, "data": data, **more})


ITEMS = (
    item("Summary", "text/markdown", "The **lamp** of order 4711 is broken.", tags=["summary"]),
    item("Reply draft", "text/markdown", DRAFT, tags=["reply"]),
    item("Facts", "application/json", json.dumps(FACTS), tags=["facts"]),
    item("Parts", "text/csv", CSV),
    item("Page", "text/html", HOSTILE),
    item("Lamp", "image/png", picture(), encoding="base64"),
    item("Archive", "application/zip", "UEsFBgAAAAA=", encoding="base64"),
)


def work(request: Request) -> Turn:
    """By what the mail says, so that one model serves all tests."""
    said = "\n".join(str(message["content"]) for message in request.messages)
    if "broken model" in said:
        return fails(401)
    if request.results:
        return says("The last words, which are no result.")
    if "nothing to do" in said:
        return says("The last words, which are no result.")
    if "answer at once" in said:
        id = said.partition("Id: ")[2].split()[0]
        return calls("reply_email", {"email_id": id, "body": "All our secrets."})
    return Turn("Let me see.", calls=ITEMS)


class Desk:
    """An account whose mail goes to a director."""

    def __init__(self, office: Furnished, model: ModelServer) -> None:
        self.office, self.owner = office, office.owner
        made = {"name": "For cases", "provider": "compatible", "model": "scripted-1"}
        self.model_id = self.post("models", **made, baseUrl=model.base_url, key="sk-test")["id"]
        self.director = self.post(
            "agents",
            workspaceId=office.workspace_id,
            name="Support",
            kind="director",
            modelId=self.model_id,
            scope={"accounts": ["*"], "tools": ["read_email", "workspace_*", "reply_email"]},
            canWrite=True,
            canCreate=True,
            canAccessIntegrations=True,
        )["id"]
        account = self.post(
            "accounts",
            workspaceId=office.workspace_id,
            connector="local",
            label="Desk",
            settings={"address": "desk@example.com"},
        )
        self.account_id = account["id"]
        signed = {"signature": {"source": "own", "text": "Kim of the office"}}
        self.owner.patch(f"{API}/accounts/{self.account_id}", json=signed).raise_for_status()
        self.folder = Maildir(office.server.data / "accounts" / self.account_id / "Maildir")
        self.filter = self.post(
            "filters",
            workspaceId=office.workspace_id,
            name="All to Support",
            field="Subject",
            regex=".",
            directorId=self.director,
        )["id"]
        # What is sent must not be out before a test has looked.
        self.owner.patch(f"{API}/settings", json={"outbox_delay_seconds": 600})

    def post(self, path: str, **body: object) -> dict[str, Any]:
        answer = self.owner.post(f"{API}/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def cases(self, **query: object) -> list[dict[str, Any]]:
        found = self.owner.get(f"{API}/cases", params={"accountId": self.account_id, **query})
        assert found.is_success, found.text
        return found.json()["items"]

    def got(self, subject: str, text: str = "The lamp is broken.") -> dict[str, Any]:
        """A mail comes in, and the director has gone as far with it as it can: its case."""
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"] = "Cleo Client <cleo@example.org>", "desk@example.com"
        mail["Subject"], mail["Message-ID"] = subject, f"<{subject.replace(' ', '.')}@example.org>"
        mail.set_content(text)
        self.folder.add(mail.as_bytes())
        self.post("fetcher/run", accountId=self.account_id)
        return self.settled(subject)

    def settled(self, subject: str) -> dict[str, Any]:
        def found() -> dict[str, Any] | None:
            cases = [one for one in self.cases() if one["mail"]["subject"] == subject]
            return next((one for one in cases if one["state"] != "working"), None)

        wait_for(found)
        one = found()
        assert one
        return one

    def items(self, case: dict[str, Any]) -> dict[str, dict[str, Any]]:
        found = self.owner.get(f"{API}/cases/{case['id']}/items").json()["items"]
        return {one["label"]: one for one in found}

    def outbox(self) -> list[dict[str, Any]]:
        query = {"workspaceId": self.office.workspace_id}
        items = self.owner.get(f"{API}/outbox", params=query).json()["items"]
        return [one for one in items if one["to"] == ["cleo@example.org"]]

    def close(self) -> None:
        self.owner.delete(f"{API}/filters/{self.filter}")
        self.owner.delete(f"{API}/agents/{self.director}")
        self.owner.delete(f"{API}/accounts/{self.account_id}", params={"removeFiles": True})
        self.owner.delete(f"{API}/models/{self.model_id}")
        self.owner.patch(f"{API}/settings", json={"outbox_delay_seconds": None})
