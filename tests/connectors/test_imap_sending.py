"""Sending over SMTP: to all or to none, and knowing which."""

import asyncio
from collections.abc import Iterator

import pytest
import uvloop

from bailiwick.connectors.contract import letter
from bailiwick.connectors.errors import ConnectorFailed, SubmissionFailed
from bailiwick.connectors.imap import providers
from bailiwick.connectors.mail import OutgoingMessage, SubmittedMessage
from connectors.imap_rig import IMAP, IMAP_OAUTH, ImapRig, access_of, opened
from support.dovecot import PASSWORD, Dovecot, dovecot
from support.office import API, Office
from support.smtp import TOKEN, SmtpServer, serving_smtp

__all__ = ["dovecot"]
pytestmark = pytest.mark.req("ACC-02")


@pytest.fixture
def smtp() -> Iterator[SmtpServer]:
    with serving_smtp() as server:
        yield server


@pytest.fixture
def rig(dovecot: Dovecot, smtp: SmtpServer) -> ImapRig:
    return ImapRig(dovecot, smtp)


def outgoing(rig: ImapRig, *recipients: str, raw: bytes | None = None) -> OutgoingMessage:
    raw = raw or letter("out@x.org", sender=rig.user)
    return OutgoingMessage(raw, "out@x.org", rig.user, recipients or ("anna@example.org",))


async def submitted(rig: ImapRig, message: OutgoingMessage, **others: object) -> SubmittedMessage:
    mailbox = opened({**rig.settings, **others})
    try:
        return await mailbox.submit(message)
    finally:
        await mailbox.close()


async def failure(rig: ImapRig, message: OutgoingMessage | None = None) -> SubmissionFailed:
    with pytest.raises(SubmissionFailed) as failed:
        await submitted(rig, message or outgoing(rig))
    return failed.value


def in_sent(rig: ImapRig) -> int:
    with rig.dovecot.signed_in(rig.user) as other:
        return int(other.select("Sent", readonly=True)[1][0])


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_it_is_sent_encrypted_signed_in_and_without_bcc(
    dovecot: Dovecot,
    security: str,
) -> None:
    files = (dovecot.folder / "cert.pem", dovecot.folder / "key.pem")
    raw = (
        b"From: a@x.org\nBcc: hidden@example.org,\n secret@example.org\nSubject: Dots\n\n"
        b".\nQUIT\n..two\nBcc: not a header\n"
    )
    with serving_smtp(security, certificate=files) as server:  # pyright: ignore[reportArgumentType]
        rig = ImapRig(dovecot, server)
        message = outgoing(rig, "anna@example.org", "hidden@example.org", raw=raw)
        done = await submitted(rig, message, smtp_security=security)
        [taken] = server.received
    assert done.note is None
    assert done.remote_id
    assert taken.is_encrypted
    assert taken.username == rig.user
    assert taken.recipients == ["anna@example.org", "hidden@example.org"]
    assert taken.raw == (
        b"From: a@x.org\r\nSubject: Dots\r\n\r\n.\r\nQUIT\r\n..two\r\nBcc: not a header\r\n"
    )


async def test_one_refused_recipient_keeps_it_from_all(rig: ImapRig) -> None:
    rig.smtp.refuse = {"wrong@example.org": "550 5.1.1 No such user"}
    message = outgoing(rig, "anna@example.org", "wrong@example.org")
    failed = await failure(rig, message)
    assert (failed.sent, failed.permanent, failed.problem) == ("no", True, "other")
    assert "wrong@example.org: 550 5.1.1 No such user" in failed.detail
    assert "anna" not in failed.detail
    assert rig.smtp.received == []
    assert rig.smtp.resets == 1
    assert in_sent(rig) == 0


@pytest.mark.parametrize(
    ("replies", "permanent", "problem"),
    [
        ({"MAIL": "451 4.3.0 Later"}, False, "other"),
        ({"MAIL": "553 5.1.8 Not you"}, True, "other"),
        ({"DATA": "452 4.3.1 Full"}, False, "other"),
        ({"DATA": "554 5.7.1 Spam"}, True, "other"),
        ({"DATA": "421 4.3.2 Going down"}, False, "network"),
    ],
    ids=lambda each: next(iter(each.values()))[:3] if isinstance(each, dict) else "",
)
async def test_a_refusal_is_for_now_or_for_good(
    rig: ImapRig,
    replies: dict[str, str],
    permanent: bool,  # noqa: FBT001
    problem: str,
) -> None:
    rig.smtp.replies = replies
    failed = await failure(rig)
    assert (failed.sent, failed.permanent, failed.problem) == ("no", permanent, problem)
    assert next(iter(replies.values())) in failed.detail


async def test_a_password_that_is_refused_is_not_the_messages_fault(rig: ImapRig) -> None:
    rig.smtp.password = "changed at the provider"
    failed = await failure(rig)
    assert (failed.sent, failed.permanent, failed.problem) == ("no", False, "invalid_grant")
    rig.smtp.password = PASSWORD
    await submitted(rig, outgoing(rig))
    assert len(rig.smtp.received) == 1


async def test_a_line_cut_before_the_final_dot_leaves_it_unsent(rig: ImapRig) -> None:
    rig.smtp.drop = "DATA"
    failed = await failure(rig)
    assert (failed.sent, failed.permanent, failed.problem) == ("no", False, "network")
    rig.smtp.drop = "354"
    large = letter("out@x.org") + b"a long line of text\r\n" * 600_000
    failed = await failure(rig, outgoing(rig, raw=large))
    assert (failed.sent, failed.problem) == ("no", "network")


def test_a_cut_line_is_the_same_to_the_event_loop_that_the_server_runs_on(rig: ImapRig) -> None:
    rig.smtp.drop = "354"
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        failed = runner.run(failure(rig))
    assert failed.problem == "network", failed


async def test_a_line_cut_after_the_final_dot_leaves_it_unknown(rig: ImapRig) -> None:
    rig.smtp.drop = "."
    failed = await failure(rig)
    assert (failed.sent, failed.permanent, failed.problem) == ("unknown", False, "network")
    assert "may have been sent or not" in failed.detail
    mailbox = opened(rig.settings)
    assert (await mailbox.find_sent("out@x.org")).sent == "unknown"
    await mailbox.close()


async def test_a_copy_that_cannot_be_kept_is_a_note_and_no_failure(
    rig: ImapRig, silent_port: int
) -> None:
    done = await submitted(rig, outgoing(rig), imap_port=silent_port)
    assert done.remote_id is None
    assert done.note
    assert "no copy is in Sent" in done.note
    assert len(rig.smtp.received) == 1


async def test_a_copy_that_the_server_made_itself_is_not_made_twice(rig: ImapRig) -> None:
    rig.dovecot.deliver(rig.user, letter("out@x.org"), folder="Sent")
    done = await submitted(rig, outgoing(rig))
    assert done.remote_id
    assert in_sent(rig) == 1


async def test_a_draft_is_no_proof_that_it_was_sent(rig: ImapRig) -> None:
    mailbox = opened(rig.settings)
    await mailbox.save_draft(letter("out@x.org"))
    assert (await mailbox.find_sent("out@x.org")).sent == "unknown"
    rig.dovecot.deliver(rig.user, letter("out@x.org"), folder="Archive")
    found = await mailbox.find_sent("<out@x.org>")
    await mailbox.close()
    assert found.sent == "yes"
    assert found.remote_id
    assert found.remote_id.endswith(".Archive")


@pytest.mark.parametrize(
    "address",
    ["a@b.c>\r\nRCPT TO:<evil@example.org", "a b@example.org", "no-at-sign", "<a@b.c>", "a@b\n.c"],
)
async def test_an_address_cannot_smuggle_a_command(rig: ImapRig, address: str) -> None:
    failed = await failure(rig, outgoing(rig, "anna@example.org", address))
    assert (failed.sent, failed.permanent) == ("no", True)
    assert rig.smtp.received == []


async def test_a_message_cannot_smuggle_another(rig: ImapRig) -> None:
    raw = b"Subject: one\r\n\r\nHi\n.\r\nMAIL FROM:<x@y.z>\r\n\r.\r\nend\r\n"
    await submitted(rig, outgoing(rig, raw=raw))
    [taken] = rig.smtp.received
    assert taken.raw.endswith(b"\r\n.\r\nMAIL FROM:<x@y.z>\r\n\r\n.\r\nend\r\n")


async def test_letters_that_a_server_does_not_take_are_said(
    dovecot: Dovecot,
) -> None:
    with serving_smtp(offers_utf8=False) as server:
        rig = ImapRig(dovecot, server)
        failed = await failure(rig, outgoing(rig, "jürgen@example.org"))
        assert (failed.sent, failed.permanent) == ("no", True)
        assert "SMTPUTF8" in failed.detail
        await submitted(rig, outgoing(rig, "anna@bücher.example"))
        assert server.received[-1].recipients == ["anna@xn--bcher-kva.example"]


async def test_other_letters_go_to_a_server_that_takes_them(rig: ImapRig) -> None:
    raw = "Subject: Grüße\r\n\r\nSchön\r\n".encode()
    await submitted(rig, outgoing(rig, "jürgen@example.org", raw=raw))
    [taken] = rig.smtp.received
    assert taken.recipients == ["jürgen@example.org"]
    assert {"BODY=8BITMIME", "SMTPUTF8"} <= set(taken.options)


async def test_a_wrong_password_at_the_smtp_server_is_found_when_connecting(rig: ImapRig) -> None:
    rig.smtp.password = "another one"
    mailbox = opened(rig.settings)
    with pytest.raises(ConnectorFailed, match="sending does not") as failed:
        await mailbox.probe()
    await mailbox.close()
    assert failed.value.problem == "invalid_grant"


async def test_an_smtp_server_that_does_not_answer_is_told_at_its_own_field(
    rig: ImapRig, office: Office, silent_port: int
) -> None:
    owner = await office.owner()
    workspace = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    settings = {**rig.settings, "smtp_port": silent_port, "password": PASSWORD}
    body = {"workspaceId": workspace, "connector": "imap", "settings": settings}
    answer = await owner.post(f"{API}/accounts", json=body)
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == ["settings.smtp_host"]


async def test_a_token_opens_the_smtp_server(rig: ImapRig, silent_port: int) -> None:
    settings = {**rig.settings, "imap_port": silent_port}
    assert IMAP_OAUTH.open_mail
    mailbox = IMAP_OAUTH.open_mail(access_of(settings, secret={"access_token": TOKEN}))
    await mailbox.submit(outgoing(rig))
    assert rig.smtp.received[0].username == rig.user
    mailbox = IMAP_OAUTH.open_mail(access_of(settings, secret={"access_token": "spent"}))
    with pytest.raises(SubmissionFailed) as failed:
        await mailbox.submit(outgoing(rig))
    assert failed.value.problem == "invalid_grant"
    assert "spent" not in failed.value.detail


def test_an_address_suggests_servers() -> None:
    assert IMAP.suggest
    known = IMAP.suggest("Ann@Gmail.com")
    assert known
    assert known["imap_host"] == "imap.gmail.com"
    assert known["known"] is True
    assert "app password" in known["note"]
    assert known["help"].startswith("https://support.google.com/")
    bridge = IMAP.suggest("ann@proton.me")
    assert bridge
    assert (bridge["imap_host"], bridge["imap_port"]) == ("127.0.0.1", 1143)
    guess = IMAP.suggest("ann@example.org")
    assert guess
    assert (guess["imap_host"], guess["smtp_host"]) == ("imap.example.org", "smtp.example.org")
    assert guess["known"] is False
    assert "guess" in guess["note"]
    assert IMAP.suggest("nonsense") is None
    assert providers.authserv_id("imap.gmail.com") == "mx.google.com"


def test_it_talks_to_its_two_servers_and_no_other() -> None:
    values = {"imap_host": "IMAP.Example.org", "smtp_host": "smtp.example.org", "smtp_port": 587}
    assert IMAP.hosts({}, values) == ["imap.example.org:993", "smtp.example.org:587"]
    assert IMAP.hosts({}, {}) == []
    options = {"token_url": "https://login.example.org/token"}
    assert "login.example.org:443" in IMAP_OAUTH.hosts(options, values)
