"""Sending over Gmail: once, to whom it is meant for, and knowing afterwards whether."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bailiwick.connectors.contract import letter, opened
from bailiwick.connectors.errors import SubmissionFailed
from bailiwick.connectors.mail import OutgoingMessage
from support.gmail_rig import GmailRig
from support.gmail_server import ME, Fault, serving_gmail

pytestmark = pytest.mark.req("ACC-02")
SEND = f"POST {ME}/messages/send"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[GmailRig]:
    with serving_gmail() as server:
        yield GmailRig(server, tmp_path)


def outgoing(raw: bytes | None = None, **more: object) -> OutgoingMessage:
    raw = letter("out@example.org", sender="me@gmail.example") if raw is None else raw
    message = OutgoingMessage(raw, "out@example.org", "me@gmail.example", ("someone@example.org",))
    return replace(message, **more)


async def failed(rig: GmailRig, message: OutgoingMessage) -> SubmissionFailed:
    async with opened(rig) as mailbox:
        with pytest.raises(SubmissionFailed) as caught:
            await mailbox.submit(message)
    return caught.value


@pytest.mark.parametrize(
    ("fault", "sent", "permanent"),
    [
        (Fault(SEND, 400, reason="invalidArgument"), "no", True),
        (Fault(SEND, 403, reason="insufficientPermissions"), "no", True),
        (Fault(SEND, 429, {"Retry-After": "30"}), "no", False),
        (Fault(SEND, 403, reason="rateLimitExceeded"), "no", False),
        (Fault(SEND, 500), "unknown", False),
        (Fault(SEND, 0), "unknown", False),
    ],
)
async def test_a_failure_says_whether_it_was_sent(
    rig: GmailRig, fault: Fault, sent: str, *, permanent: bool
):
    rig.server.faults.append(replace(fault, times=100))
    error = await failed(rig, outgoing())
    assert (error.sent, error.permanent) == (sent, permanent)
    assert error.retry_after == (30 if fault.headers else None)
    assert len(rig.server.asked(SEND)) == 1
    async with opened(rig) as mailbox:
        assert (await mailbox.find_sent("out@example.org")).sent == "no"


async def test_a_message_whose_answer_was_lost_is_found(rig: GmailRig):
    rig.server.faults.append(Fault(SEND, 0, after=True))
    error = await failed(rig, outgoing())
    assert error.sent == "unknown"
    async with opened(rig) as mailbox:
        found = await mailbox.find_sent("<out@example.org>")
    assert found.sent == "yes"
    assert found.remote_id == rig.server.account.of("out@example.org").id
    assert len(rig.server.account.outbox) == 1


async def test_a_server_that_cannot_be_reached_has_sent_nothing(rig: GmailRig, silent_port: int):
    rig.server.url = f"http://127.0.0.1:{silent_port}"
    error = await failed(rig, outgoing())
    assert (error.problem, error.sent, error.permanent) == ("network", "no", False)


async def test_a_draft_or_a_received_mail_of_that_id_was_not_sent(rig: GmailRig):
    await rig.deliver(letter("out@example.org"))
    async with opened(rig) as mailbox:
        await mailbox.save_draft(letter("out@example.org"))
        assert (await mailbox.find_sent("out@example.org")).sent == "no"


async def test_it_goes_to_the_recipients_and_to_nobody_else(rig: GmailRig):
    async with opened(rig) as mailbox:
        await mailbox.submit(outgoing(recipients=("Someone@example.org", "hidden@example.org")))
    raw, to = rig.server.account.outbox[0]
    assert to == ["hidden@example.org", "someone@example.org"]
    assert b"Bcc: hidden@example.org\r\nFrom:" in raw
    for wrong in (
        outgoing(recipients=("anna@example.org",)),
        outgoing(recipients=("someone@example.org", "x@y.org\r\nBcc: z@y.org")),
        outgoing(recipients=("someone@example.org", "x@y.org, z@y.org")),
    ):
        error = await failed(rig, wrong)
        assert (error.sent, error.permanent) == ("no", True)
    assert len(rig.server.account.outbox) == 1


async def test_an_address_with_other_letters_than_ascii_is_known_in_the_headers(rig: GmailRig):
    raw = letter("out@example.org").replace(b"To: ", "To: jörg@example.org, ".encode(), 1)
    recipients = ("jörg@example.org", "someone@example.org", "me@example.org")
    async with opened(rig) as mailbox:
        await mailbox.submit(outgoing(raw, recipients=recipients))
    assert b"j\xc3\xb6rg@example.org" in rig.server.account.outbox[0][0]


async def test_an_answer_stays_in_its_thread_while_there_is_one(rig: GmailRig):
    await rig.deliver(letter("first@example.org"))
    thread = rig.server.account.of("first@example.org").thread
    async with opened(rig) as mailbox:
        await mailbox.submit(outgoing(thread=thread))
        assert rig.server.account.of("out@example.org").thread == thread
        again = letter("again@example.org")
        await mailbox.submit(outgoing(again, message_id="again@example.org", thread="gone"))
    assert len(rig.server.account.outbox) == 2


@pytest.mark.parametrize("uploads", [True, False])
async def test_a_large_message_is_sent_whole_and_once(rig: GmailRig, *, uploads: bool):
    rig.server.has_uploads = uploads
    raw = letter("out@example.org") + b"0123456789abcdef" * 300_000
    async with opened(rig) as mailbox:
        await mailbox.submit(outgoing(raw))
    assert [one for one, _ in rig.server.account.outbox] == [raw]
    assert len(rig.server.asked(SEND)) == (0 if uploads else 1)


async def test_without_the_permission_nothing_is_sent(rig: GmailRig):
    access = replace(rig.access, permissions=frozenset(("read", "drafts")))
    async with opened(rig, access) as mailbox:
        with pytest.raises(SubmissionFailed) as caught:
            await mailbox.submit(outgoing())
    assert (caught.value.sent, caught.value.permanent) == ("no", True)
    assert rig.server.requests == []


async def test_a_draft_is_not_made_twice(rig: GmailRig):
    rig.server.faults.append(Fault(f"POST {ME}/drafts", 0, after=True))
    async with opened(rig) as mailbox:
        with pytest.raises(Exception, match="cannot be reached"):
            await mailbox.save_draft(letter("draft@example.org"))
    assert len(rig.server.account.drafts) == 1
