"""A yes holds for what is attached as it was on the card: the same bytes, or it is asked again."""

from typing import Any

import httpx
import pytest

from bailiwick.errors import Conflict
from bailiwick.gate.approvals.job import ApprovalJobs
from bailiwick.tools.registry import Registry
from bailiwick.tools.scope import ALL
from bailiwick.tools.tool import ToolContext
from support.mailroom import Mailroom, letter
from support.office import API

pytestmark = pytest.mark.req("GATE-09")


class Waiting:
    """A mail that a program wants sent, and the owner is asked about."""

    def __init__(self, room: Mailroom, program: httpx.AsyncClient, id: str) -> None:
        self.room, self.program, self.id = room, program, id

    async def card(self) -> dict[str, Any]:
        return (await self.room.owner.get(f"{API}/approvals/{self.id}")).json()

    async def answer(self, **body: Any) -> httpx.Response:
        return await self.room.owner.post(f"{API}/approvals/{self.id}/allow", json=body)

    async def run(self) -> str:
        return await self.room.office.product[ApprovalJobs].call(self.id)

    async def file(self, number: int, who: httpx.AsyncClient | None = None) -> httpx.Response:
        path = f"{API}/approvals/{self.id}/attachments/{number}"
        return await (who or self.room.owner).get(path)


async def asked(room: Mailroom, tool: str = "send_email", **more: Any) -> Waiting:
    program = await room.office.token(room.owner, "read", "write")
    path = f"{API}/workspaces/{room.workspace_id}/tools/{tool}"
    given = {"to": ["ada@example.org"], "subject": "Hi", "body": "Here it is."}
    if tool == "reply_email":
        del given["to"], given["subject"]
    answer = (await program.post(path, json={"arguments": {**given, **more}})).json()
    assert answer["status"] == "pending", answer
    return Waiting(room, program, answer["approvalId"])


async def attached(room: Mailroom, content: str = "Quarter: 12 EUR") -> Waiting:
    await room.connect()
    await room.done("create_file", path="Files/report.txt", content=content)
    return await asked(room, attach_files=["Files/report.txt"])


async def test_the_card_shows_what_is_attached_and_hands_out_just_those_bytes(room: Mailroom):
    waiting = await attached(room)
    (shown,) = (await waiting.card())["preview"]["attachments"]
    assert (shown["name"], shown["type"], shown["size"]) == ("report.txt", "text/plain", 15)
    assert shown["text"] == "Quarter: 12 EUR"
    file = await waiting.file(0)
    assert (file.status_code, file.content) == (200, b"Quarter: 12 EUR")
    assert "sandbox" in file.headers["content-security-policy"]
    assert (await waiting.file(1)).status_code == 404
    assert (await waiting.file(0, waiting.program)).status_code == 403
    await room.done("write_file", path="Files/report.txt", content="Salaries of everyone")
    assert (await waiting.file(0)).status_code == 409


async def test_a_file_that_changed_before_the_answer_is_shown_again_first(room: Mailroom):
    waiting = await attached(room)
    await room.done("write_file", path="Files/report.txt", content="Salaries of everyone")
    stale = await waiting.answer()
    assert stale.status_code == 409
    assert "report.txt changed" in stale.json()["detail"]
    (shown,) = (await waiting.card())["preview"]["attachments"]
    assert shown["text"] == "Salaries of everyone"
    assert (await waiting.answer()).status_code == 200
    assert await waiting.run() == "done"


async def test_a_file_that_changed_after_the_yes_is_not_sent_but_asked_about(room: Mailroom):
    waiting = await attached(room)
    assert (await waiting.answer()).status_code == 200
    await room.done("write_file", path="Files/report.txt", content="Salaries of everyone")
    assert await waiting.run() == "pending"
    assert await room.rows() == []
    card = await waiting.card()
    assert (card["status"], card["canAnswer"], card["answeredBy"]) == ("pending", True, None)
    assert "report.txt changed" in card["reason"]
    # Whoever says yes now has the new content before them.
    assert card["preview"]["attachments"][0]["text"] == "Salaries of everyone"
    assert (await waiting.answer()).status_code == 200
    assert await waiting.run() == "done"
    (row,) = await room.rows()
    sent = await room.go(row.id)
    assert sent.status == "sent"
    (message,) = room.post.sent
    assert [part.get_content() for part in message.iter_attachments()] == ["Salaries of everyone"]


async def test_the_same_call_with_another_content_is_bound_to_another(room: Mailroom):
    before = await attached(room)
    again = await asked(room, attach_files=["Files/report.txt"])
    await room.done("write_file", path="Files/report.txt", content="Salaries of everyone")
    after = await asked(room, attach_files=["Files/report.txt"])
    known = (await before.card())["binding"]
    assert (await again.card())["binding"] == known
    assert (await after.card())["binding"] != known


@pytest.mark.parametrize("change", ["moved away", "deleted", "swapped with another"])
async def test_however_a_file_is_exchanged_it_does_not_go_out(room: Mailroom, change: str):
    waiting = await attached(room)
    assert (await waiting.answer()).status_code == 200
    if change == "deleted":
        await room.done("delete_file", path="Files/report.txt")
    else:
        await room.done("move_file", path="Files/report.txt", to="Files/old.txt")
    if change == "swapped with another":
        await room.done("create_file", path="Files/report.txt", content="x" * 15)
    assert await waiting.run() == "pending"
    assert await room.rows() == []


async def test_a_file_that_appears_only_after_the_yes_is_asked_about(room: Mailroom):
    await room.connect()
    waiting = await asked(room, attach_files=["Files/later.txt"])
    assert (await waiting.answer()).status_code == 200
    await room.done("create_file", path="Files/later.txt", content="Salaries")
    assert await waiting.run() == "pending"
    assert await room.rows() == []


async def test_a_file_that_a_person_names_instead_is_bound_as_it_is_then(room: Mailroom):
    waiting = await attached(room)
    await room.done("create_file", path="Files/other.txt", content="Public")
    given = (await waiting.card())["arguments"]
    edited = {**given, "attach_files": ["Files/other.txt"]}
    assert (await waiting.answer(arguments=edited)).status_code == 200
    await room.done("write_file", path="Files/other.txt", content="Secret")
    assert await waiting.run() == "pending"
    card = await waiting.card()
    assert card["arguments"]["attach_files"] == ["Files/other.txt"]
    assert card["preview"]["attachments"][0]["text"] == "Secret"
    assert await room.rows() == []


async def test_what_is_forwarded_from_a_mail_is_on_the_card_too(room: Mailroom):
    account = await room.connect()
    raw = letter(subject="Plan")
    boundary = (
        b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: text/plain\r\n\r\nSee below\r\n"
        b"--b\r\nContent-Type: application/pdf\r\n"
        b'Content-Disposition: attachment; filename="plan.pdf"\r\n\r\n%PDF-1\x00\r\n--b--\r\n'
    )
    head = b"\r\n".join(
        line for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n") if b"ontent-" not in line
    ).replace(b"MIME-Version: 1.0\r\n", b"")
    await room.got(account, head + b"\r\n" + boundary)
    program = await room.office.token(room.owner, "read", "write")
    path = f"{API}/workspaces/{room.workspace_id}/tools/list_emails"
    (mail,) = (await program.post(path, json={"arguments": {}})).json()["result"]["emails"]
    waiting = await asked(room, attach_from=mail["id"])
    (shown,) = (await waiting.card())["preview"]["attachments"]
    assert (shown["name"], shown["type"], shown["text"]) == ("plan.pdf", "application/pdf", None)
    file = await waiting.file(0)
    assert file.content.startswith(b"%PDF-1")
    assert file.headers["content-disposition"].startswith("attachment")


async def test_the_tool_itself_refuses_what_is_not_what_the_card_showed(room: Mailroom):
    waiting = await attached(room)
    card = (await waiting.card())["preview"]
    await room.done("write_file", path="Files/report.txt", content="Salaries of everyone")
    tool = room.office.product[Registry].get("send_email")
    assert tool
    context = ToolContext(
        workspace_id=room.workspace_id,
        user_id=room.owner_id,
        actor_id=room.owner_id,
        actor_name="Owner",
        scope=ALL,
        label="owner",
        key="at the last moment",
        card=card,
    )
    given = {"to": ["ada@example.org"], "subject": "Hi", "body": "Here it is."}
    arguments = tool.arguments.checked({**given, "attach_files": ["Files/report.txt"]})
    with pytest.raises(Conflict, match="Nothing was sent"):
        await tool.run(context, arguments)
    assert await room.rows() == []
