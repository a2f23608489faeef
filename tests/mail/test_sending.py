"""What goes out is what was meant: headers, thread, signature, attachments, and to whom."""

from base64 import b64encode
from email import message_from_bytes, policy
from typing import Any

import pytest

from bailiwick.accounts.models import Account
from bailiwick.gate.call import Denied
from bailiwick.mail.parsing import Address, parse
from support.mailroom import Mailroom, letter
from support.office import API

pytestmark = pytest.mark.req("MAIL-06")


async def sent(room: Mailroom, held: dict[str, Any], label: str = "Work") -> Any:
    """The message as it went out."""
    row = await room.go(held["outbox_id"])
    assert row.status == "sent", row.problem
    ours = [m for m in room.posts[label].sent if row.message_id in str(m["Message-ID"])]
    assert len(ours) == 1
    return ours[0]


def as_sent(room: Mailroom) -> bytes:
    """The only message that went out, byte for byte."""
    (path,) = (room.post.folder / "sent").iterdir()
    return path.read_bytes()


def text_of(part: Any) -> str:
    return part.get_content().replace("\r\n", "\n").strip()


async def seen(room: Mailroom) -> dict[str, str]:
    """The virtual ids of all mails, by subject."""
    listed = await room.done("list_emails", limit=100)
    return {mail["subject"]: mail["id"] for mail in listed["emails"]}


ASTRAY: list[tuple[str, object]] = [
    ("subject", "Hi\r\nBcc: eve@evil.example"),
    ("subject", "Hi\u2028Bcc: eve@evil.example"),
    ("to", ["a@b.example\nBcc: eve@evil.example"]),
    ("to", ["a@b.example, eve@evil.example"]),
    ("to", ["a@b.example eve@evil.example"]),
    ("to", ["Friends: eve@evil.example;"]),
    ("to", ["Ada <eve@evil.example>"]),
    ("to", ['"a@b.example"@evil.example']),
    ("to", ["a@[127.0.0.1]"]),
    ("to", ["a@-b.example"]),
    ("to", ["nobody"]),
    ("to", ["=?utf-8?q?a=0d=0aBcc=3ae=40e=2ee=0d=0aX=3a?=@evil.example"]),
    ("cc", ["a@b.example(eve@evil.example)"]),
    ("bcc", ["@b.example"]),
]


async def test_what_could_lead_it_elsewhere_is_refused_by_the_name_of_the_field(room: Mailroom):
    await room.connect()
    for field, value in ASTRAY:
        given = {"to": ["ada@example.org"], "subject": "Hi", "body": "x", field: value}
        refused = await room.use("send_email", **given)
        assert refused.status_code == 400, (value, refused.text)
        assert any(name.startswith(field) for name in refused.json()["errors"]), value
    assert await room.rows() == []


async def test_too_many_recipients_are_refused(room: Mailroom):
    await room.connect()
    many = [f"a{number}@example.org" for number in range(200)]
    refused = await room.use("send_email", to=many, cc=["b@example.org"], subject="", body="")
    told = ["a message goes to 200 addresses at most"]
    assert refused.json()["errors"] == {"to": told}


async def test_names_and_letters_of_all_kinds_arrive_as_they_were_written(room: Mailroom):
    await room.connect()
    body = "Grüße,\n.\nFrom here on\n" + "lang " * 300
    to = ["ada@Bücher.example", "jörg@example.org", "ADA@xn--bcher-kva.example"]
    got = await sent(room, await room.send(to=to, subject="Über " * 40, body=body))
    # Twice the same is once; the domain is in the form that every server knows.
    assert "\nTo: ada@xn--bcher-kva.example, jörg@example.org\n".encode() in got.as_bytes()
    assert str(got["Subject"]) == ("Über " * 40).strip()
    assert text_of(got) == body.strip()
    assert got["From"].addresses[0].display_name == "Olive Owner"


async def test_an_encoded_word_that_a_stranger_wrote_stays_text_and_adds_no_header(room: Mailroom):
    account = await room.connect()
    evil = "=?utf-8?q?Hi=0d=0aX-Evil:_1=0d=0a=0d=0aMine?="
    name = f'Owner, Olive "{evil}"'
    async with room.office.product.storage.app.write() as session:
        row = await session.get(Account, account)
        assert row
        row.display_name = name
    # Encoded once more, so that it comes in as the text of a subject and of a file's name.
    subject = file = f"=?utf-8?b?{b64encode(evil.encode()).decode()}?="
    reply_to = "=?utf-8?q?a=0d=0aX-Evil=3a1?=@evil.example, bo@example.org"
    raw = letter(Reply_To="bo@example.org")
    mail: Any = message_from_bytes(raw, policy=policy.SMTP)
    mail.add_attachment(b"%PDF-1", maintype="application", subtype="pdf", filename="x")
    raw = mail.as_bytes().replace(b"Subject: Hello", f"Subject: {subject}".encode())
    raw = raw.replace(b"Reply-To: bo@example.org", f"Reply-To: {reply_to}".encode())
    await room.got(account, raw.replace(b'filename="x"', f'filename="{file}"'.encode()))
    id = (await seen(room))[evil]
    await sent(room, await room.done("reply_email", email_id=id, body="x", attach_from=id))
    raw = as_sent(room)
    assert b"X-Evil" not in [line.partition(b":")[0] for line in raw.splitlines()]
    got = parse(raw)
    assert ([one.address for one in got.to], got.subject) == (["bo@example.org"], f"Re: {evil}")
    assert (got.senders, got.sender) == (1, Address(name, "me@office.example"))
    assert [part.type for part in got.attachments] == ["application/pdf"]


async def test_a_long_name_with_commas_is_still_one_sender(room: Mailroom):
    account = await room.connect()
    name = "Owner, Olive, " + "of the department of long names, " * 4 + "eve@evil.example"
    async with room.office.product.storage.app.write() as session:
        row = await session.get(Account, account)
        assert row
        row.display_name = name
    await sent(room, await room.send())
    got = parse(as_sent(room))
    assert (got.senders, got.sender) == (1, Address(name, "me@office.example"))


async def test_a_reply_is_in_the_thread_and_goes_to_whom_the_mail_asks(room: Mailroom):
    account = await room.connect()
    older = " ".join(f"<r{number}@x.example>" for number in range(40))
    raw = letter(subject="Re: RE: Offer", text="One\nTwo", References=older)
    await room.got(account, raw)
    await room.got(account, letter(subject="List", Reply_To="list@lists.example"))
    ids = await seen(room)
    held = await room.done("reply_email", email_id=ids["Re: RE: Offer"], body="Yes.")
    got = await sent(room, held)
    assert (str(got["To"]), str(got["Subject"])) == ("stan@stranger.example", "Re: Offer")
    known = str(got["References"]).split()
    assert known[0] == "<r0@x.example>"
    assert (
        known[-1] == str(got["In-Reply-To"]) == (raw.decode().split("Message-ID: ")[1].split()[0])
    )
    assert len(known) == 21
    assert "> One\n> Two" in text_of(got)
    assert text_of(got).startswith("Yes.\n")
    held = await room.done("reply_email", email_id=ids["List"], body="Yes.")
    assert held["to"] == ["list@lists.example"]


async def test_a_reply_names_the_very_mail_that_it_answers_or_none(room: Mailroom):
    account = await room.connect()
    long = f"{'x' * 500}@stranger.example"
    nameless = letter(subject="Nameless", References="<old@x.example>")
    await room.got(account, nameless.replace(b"Message-ID:", b"X-Was:"))
    named = letter(subject="Named", References="<old@x.example>")
    at = named.index(b"Message-ID:")
    end = named.index(b"\r\n", at)
    await room.got(account, named[:at] + f"Message-ID: <{long}>".encode() + named[end:])
    ids = await seen(room)
    got = await sent(room, await room.done("reply_email", email_id=ids["Nameless"], body="x"))
    assert (got["In-Reply-To"], str(got["References"])) == (None, "<old@x.example>")
    held = await room.done("reply_email", email_id=ids["Named"], body="x")
    row = await room.go(held["outbox_id"])
    raws = [path.read_bytes() for path in (room.post.folder / "sent").iterdir()]
    (raw,) = (raw for raw in raws if row.message_id.encode() in raw)
    answer = parse(raw)
    assert (answer.in_reply_to, answer.references) == (long, ("old@x.example", long))


async def test_a_reply_to_all_leaves_out_oneself_and_doubles(room: Mailroom):
    account = await room.connect()
    await room.connect("Home", "home@office.example")
    to = "Me <ME@office.example>, Bo <bo@example.org>, home@office.example"
    raw = letter(to=to, Cc="bo@example.org, Cy <cy@example.org>, broken@@x, stan@stranger.example")
    await room.got(account, raw)
    id = (await seen(room))["Hello"]
    held = await room.done("reply_email", email_id=id, body="x", all=True, cc=["di@example.org"])
    assert held["to"] == ["stan@stranger.example", "bo@example.org"]
    assert held["cc"] == ["cy@example.org", "di@example.org"]
    held = await room.done("reply_email", email_id=id, body="x")
    assert (held["to"], held["cc"]) == (["stan@stranger.example"], [])


async def test_a_reply_goes_out_from_the_account_that_got_the_mail(room: Mailroom):
    await room.connect()
    home = await room.connect("Home", "home@office.example")
    await room.got(home, letter(), thread="t-1")
    held = await room.done("reply_email", email_id=(await seen(room))["Hello"], body="x")
    got = await sent(room, held, "Home")
    assert got["From"].addresses[0].addr_spec == "home@office.example"
    assert (await room.row(held["outbox_id"])).remote_thread == "t-1"
    assert room.posts["Work"].begun == 0


async def test_the_signature_is_added_in_text_and_in_form_and_nothing_runs_in_it(room: Mailroom):
    account = await room.connect()
    own = "<p>Olive <b>Owner</b></p><script>alert(1)</script>"
    async with room.office.product.storage.app.write() as session:
        row = await session.get(Account, account)
        assert row
        row.signature = own
    got = await sent(room, await room.send(body="Hi <b>there</b>"))
    text, html = text_of(got.get_body(("plain",))), text_of(got.get_body(("html",)))
    assert text.splitlines()[:1] == ["Hi <b>there</b>"]
    assert "-- \nOlive Owner" in text
    assert "<b>Owner</b>" in html
    assert "Hi &lt;b&gt;there&lt;/b&gt;" in html
    assert "script" not in html


async def test_files_and_attachments_of_mails_go_along(room: Mailroom):
    account = await room.connect()
    await room.done("create_file", path="Files/a/report.txt", content="All is well.")
    raw = letter(subject="Papers")
    mail: Any = message_from_bytes(raw, policy=policy.SMTP)
    mail.add_attachment(b"%PDF-1", maintype="application", subtype="pdf", filename="offer.pdf")
    mail.add_attachment(b"second", maintype="image", subtype="png", filename="x.png")
    await room.got(account, mail.as_bytes())
    id = (await seen(room))["Papers"]
    parts = (await room.done("read_email", email_id=id))["attachments"]
    assert [part["name"] for part in parts] == ["offer.pdf", "x.png"]
    held = await room.send(
        attach_files=["Files/a/report.txt"], attach_from=id, attach_parts=[parts[0]["part"]]
    )
    found = {part.get_filename(): part for part in (await sent(room, held)).iter_attachments()}
    assert {name: part.get_content_type() for name, part in found.items()} == {
        "report.txt": "text/plain",
        "offer.pdf": "application/pdf",
    }
    assert found["offer.pdf"].get_content() == b"%PDF-1"
    unknown = await room.use(
        "send_email", to=["a@b.example"], subject="", body="", attach_from=id, attach_parts=["9.9"]
    )
    assert "attach_parts" in unknown.json()["errors"]


@pytest.mark.req("GATE-03")
async def test_what_a_caller_may_not_read_it_cannot_send_either(room: Mailroom):
    work = await room.connect()
    await room.connect("Home", "home@office.example")
    await room.done("create_file", path="Files/a.txt", content="secret")
    await room.got(work, letter(subject="Papers"))
    to_self = {"to": ["ada@example.org"], "subject": "", "body": ""}
    scope = room.agent().scope.model_copy(update={"notebooks": ()})
    blind = room.agent(scope=scope, approves_itself=True)
    for path in ("Files/a.txt", "Files/../../etc/passwd", "/etc/passwd"):
        refused = await room.call(blind, "send_email", **to_self, attach_files=[path])
        assert isinstance(refused, Denied), path
    other = await room.use(
        "send_email",
        **to_self,
        account="Home",
        attach_from=(await seen(room))["Papers"],
    )
    assert "send it on from there" in other.json()["errors"]["attach_from"][0]
    assert await room.rows() == []


async def test_a_draft_is_put_into_the_mailbox_and_nothing_is_sent(room: Mailroom):
    account = await room.connect()
    await room.got(account, letter(subject="Offer"), thread="t-9")
    id = (await seen(room))["Offer"]
    await room.done("draft_email", email_id=id, body="Perhaps.")
    (saved,) = room.post.done
    assert (saved["verb"], saved["thread"]) == ("save_draft", "t-9")
    assert "To: stan@stranger.example" in saved["raw"]
    (action,) = (await room.owner.get(f"{API}/actions")).json()["items"]
    assert (await room.owner.post(f"{API}/actions/{action['id']}/undo")).status_code == 200
    assert room.post.done[-1] == {"verb": "remove_draft", "remote_id": "draft-1"}
    assert room.post.begun == 0


async def test_a_draft_keeps_its_blind_copies_for_whoever_sends_it(room: Mailroom):
    account = await room.connect()
    await room.got(account, letter())
    many = [f"someone{number}@example.org" for number in range(9)]
    await room.done("draft_email", to=["ada@example.org"], bcc=many, subject="Offer", body="x")
    await room.done("draft_email", subject="Later", body="x")
    await room.done("draft_email", email_id=(await seen(room))["Hello"], bcc=many[:1], body="x")
    first, second, answer = (parse(saved["raw"].encode()) for saved in room.post.done)
    assert [one.address for one in first.to] == ["ada@example.org"]
    assert [one.address for one in first.bcc] == many
    assert "undisclosed" not in room.post.done[1]["raw"]
    assert (second.subject, second.to, second.bcc) == ("Later", (), ())
    assert [one.address for one in answer.to] == ["stan@stranger.example"]
    assert [one.address for one in answer.bcc] == many[:1]
