"""IMAP servers that lie, flood, or put words into our mouth; and how we sign in to them."""

import base64
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.imap import wire
from bailiwick.connectors.imap.wire import Server
from bailiwick.connectors.mail import ArrivedMessage, MailPage
from connectors.imap_rig import IMAP_OAUTH, access_of, opened
from support.dovecot import PASSWORD, Dovecot, certificate, dovecot
from support.meddler import meddled
from support.scripted_imap import Script

__all__ = ["dovecot"]
pytestmark = pytest.mark.req("ACC-02")

USER = "ann@example.org"
RAW = "Subject: x\r\n\r\nHello\r\n"
SIZE, BODY = "UID FETCH 7 (RFC822.SIZE)", "UID FETCH 7 (FLAGS INTERNALDATE"
ONE_MESSAGE = {
    "EXAMINE": ["* 1 EXISTS", "* OK [UIDVALIDITY 1] ", "* OK [UIDNEXT 8] "],
    "UID SEARCH": ["* SEARCH 7"],
    SIZE: [f"* 1 FETCH (UID 7 RFC822.SIZE {len(RAW)})"],
    BODY: [
        f'* 1 FETCH (UID 7 FLAGS (\\Seen) INTERNALDATE "01-Nov-2026 10:00:00 +0100" '
        f"BODY[] {{{len(RAW)}}}\r\n{RAW})"
    ],
}


def settings(port: int, **others: Any) -> dict[str, Any]:
    return {
        "address": USER,
        "imap_host": "127.0.0.1",
        "imap_port": port,
        "imap_security": "none",
        "smtp_host": "127.0.0.1",
        "smtp_port": 25,
        "smtp_security": "none",
        **others,
    }


async def pages_of(script: Script, cursor: dict[str, Any] | None = None) -> list[MailPage]:
    async with script.serving() as port:
        mailbox = opened(settings(port))
        try:
            return [page async for page in mailbox.changes(cursor)]
        finally:
            await mailbox.close()


async def failure_of(script: Script) -> ConnectorFailed:
    with pytest.raises(ConnectorFailed) as failed:
        await pages_of(script)
    return failed.value


async def test_a_plain_old_server_is_read() -> None:
    pages = await pages_of(Script(ONE_MESSAGE))
    [one] = [one for page in pages for one in page.arrived]
    assert isinstance(one, ArrivedMessage)
    assert one.raw.decode() == RAW
    assert one.flags == {"seen"}
    assert one.received_at.isoformat() == "2026-11-01T09:00:00+00:00"


async def test_roles_come_from_names_where_the_server_gives_none() -> None:
    names = [
        "INBOX",
        '"INBOX.&AMk-l&AOk-ments envoy&AOk-s"',
        '"INBOX.Entw&APw-rfe"',
        '"INBOX.&BBAEQARFBDgEMg-"',
        '"INBOX.Clients.Archive"',
    ]
    folders = (await pages_of(Script({"LIST": [f'* LIST () "." {name}' for name in names]})))[
        0
    ].folders
    assert {one.title.rpartition("/")[2]: one.role for one in folders or ()} == {
        "Inbox": "inbox",
        "Éléments envoyés": "sent",
        "Entwürfe": "drafts",
        "Архив": "archive",
        "Archive": None,
    }


async def test_a_folder_called_nil_is_one() -> None:
    script = Script({"LIST": ['* LIST () "/" INBOX', '* LIST () "/" NIL', '* LIST () NIL "nil"']})
    folders = (await pages_of(script))[0].folders
    assert [one.title for one in folders or ()] == ["Inbox", "NIL", "nil"]


async def test_folders_that_repeat_others_are_left_out_but_archived_mail_is_not() -> None:
    virtual = [
        '* LIST (\\All) "/" "All Mail"',
        '* LIST (\\Flagged) "/" Starred',
        '* LIST (\\Noselect) "/" Top',
        '* LIST (\\NonExistent) "/" Ghost',
    ]
    alone = Script({"LIST": ['* LIST () "/" INBOX', *virtual]})
    folders = {one.title: one.role for one in (await pages_of(alone))[0].folders or ()}
    assert folders == {"Inbox": "inbox", "All Mail": "archive"}
    beside = Script({"LIST": ['* LIST () "/" INBOX', '* LIST () "/" Archive', *virtual]})
    folders = {one.title: one.role for one in (await pages_of(beside))[0].folders or ()}
    assert folders == {"Inbox": "inbox", "Archive": "archive"}


@pytest.mark.parametrize(
    "answers",
    [
        {BODY: ["* 1 FETCH (UID 7 BODY[] {99999999999}"]},
        {BODY: [b"* 1 FETCH (UID 7 BODY[] {20000000}\r\n" + b"x" * 20_000_000]},
        {SIZE: ["* 1 FETCH (UID 7 RFC822.SIZE 10 X {80000000}"]},
        {"LIST": [b"* LIST () " + b"x" * 17_000_000]},
        {"LIST": [f'* LIST () "/" f{n}' for n in range(20_001)]},
        {"LIST": ["* LIST " + "(" * 1000]},
        {"LIST": ['* LIST () "/" "no end']},
        {"LIST": ["* LIST () "]},
        {"UID SEARCH": ["* SEARCH 1 two 3"]},
        {"UID SEARCH": ["* ESEARCH UID ALL 1:4294967295"]},
        {"EXAMINE": ["* 4000000000 EXISTS"]},
        {"NOOP": [], "EXAMINE": ["* 1 FETCH nothing", "garbage without a tag"]},
    ],
    ids=[str(number) for number in range(12)],
)
async def test_floods_and_nonsense_end_the_sync_and_become_no_mail(
    answers: Mapping[str, Any],
) -> None:
    failed = await failure_of(Script({**ONE_MESSAGE, **answers}))
    assert failed.problem == "other"
    assert "127.0.0.1" in failed.detail


async def test_half_a_message_is_no_message() -> None:
    half = b"* 1 FETCH (UID 7 FLAGS () BODY[] {500}\r\nSubject: half"
    script = Script({**ONE_MESSAGE, BODY: [half, None]})
    given: list[MailPage] = []
    async with script.serving() as port:
        mailbox = opened(settings(port))
        with suppress(ConnectorFailed):
            async for page in mailbox.changes(None):
                given.append(page)  # noqa: PERF401  (what came before it broke)
        await mailbox.close()
    assert given
    assert not any(page.arrived for page in given)
    pages = await pages_of(Script(ONE_MESSAGE), given[-1].cursor)
    assert [one.raw.decode() for page in pages for one in page.arrived] == [RAW]


async def test_messages_that_were_not_asked_for_are_not_taken_in() -> None:
    other = f"* 2 FETCH (UID 99 FLAGS () BODY[] {{{len(RAW)}}}\r\n{RAW})"
    answers = ONE_MESSAGE[BODY]
    script = Script({**ONE_MESSAGE, BODY: [other, *answers]})
    pages = await pages_of(script)
    assert [one.remote_id for page in pages for one in page.arrived] == ["7.1.INBOX"]


async def test_a_message_that_the_server_cannot_give_is_asked_for_again() -> None:
    empty = Script({**ONE_MESSAGE, BODY: ["NO it is broken"]})
    pages = await pages_of(empty)
    assert not any(page.arrived for page in pages)
    pages = await pages_of(Script(ONE_MESSAGE), pages[-1].cursor)
    assert [one.raw.decode() for page in pages for one in page.arrived] == [RAW]


async def test_a_folder_that_the_server_cannot_read_keeps_no_other_from_being_read() -> None:
    script = Script(
        {
            **ONE_MESSAGE,
            "LIST": ['* LIST () "/" INBOX', '* LIST () "/" Archive', '* LIST () "/" Work'],
            "STATUS": ["* STATUS"],
            "UID FETCH 1:5 (FLAGS)": ["NO [SERVERBUG] Internal error occurred"],
        }
    )
    known = {"uidvalidity": 1, "uidnext": 6, "modseq": None, "known": "5", "complete": True}
    cursor = {"version": 1, "labels": [], "folders": {"Archive": {**known, "flags": {}}}}
    pages: list[MailPage] = []
    async with script.serving() as port:
        mailbox = opened(settings(port))

        async def read() -> None:
            async for page in mailbox.changes(cursor):
                pages.append(page)  # noqa: PERF401

        with pytest.raises(ConnectorFailed, match="Internal error"):
            await read()
        await mailbox.close()
    arrived = [each.remote_id for page in pages for each in page.arrived]
    assert arrived == ["7.1.INBOX", "7.1.Work"]
    assert pages[-1].cursor["folders"]["Archive"]["known"] == "5", "nothing of it is forgotten"


async def test_a_folder_cannot_smuggle_a_command_in_its_name() -> None:
    evil = b'x"\r\nA DELETE INBOX\r\n'
    listed = b'* LIST () "/" {%d}\r\n%s\r\n' % (len(evil), evil)
    script = Script({"LIST": ['* LIST () "/" INBOX', listed]})
    pages = await pages_of(script)
    assert not any(each.startswith("DELETE") for each in script.heard)
    assert f"EXAMINE {evil.decode().rstrip()}" in script.heard
    titles = [one.title for one in pages[0].folders or ()]
    assert all(title.isprintable() for title in titles)


async def test_a_server_that_repeats_the_password_does_not_get_it_into_our_words() -> None:
    said = (
        "NO [AUTHENTICATIONFAILED] wrong: hunter-2-hunter "
        + base64.b64encode(b"hunter-2-hunter").decode()
    )
    async with Script({"LOGIN": [said]}).serving() as port:
        mailbox = opened(settings(port), password="hunter-2-hunter")
        with pytest.raises(ConnectorFailed, match="user name or password was refused") as failed:
            await mailbox.probe()
    assert failed.value.problem == "invalid_grant"
    assert "hunter" not in failed.value.detail
    assert base64.b64encode(b"hunter-2-hunter").decode() not in failed.value.detail


async def test_a_server_that_takes_no_password_is_not_given_it() -> None:
    script = Script(capabilities="IMAP4rev1 LOGINDISABLED")
    failed = await failure_of(script)
    assert failed.problem == "other"
    assert not any("LOGIN " in each for each in script.heard)


async def test_a_password_with_quotes_and_other_letters_is_sent_whole() -> None:
    script = Script()
    async with script.serving() as port:
        mailbox = opened(settings(port), password='q"uo\\te ü')
        _ = [page async for page in mailbox.changes(None)]
        await mailbox.close()
    assert f'LOGIN "{USER}" q"uo\\te ü' in script.heard


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("NO [UNAVAILABLE] later", "network"),
        ("NO [ALERT] Too many simultaneous connections. (Failure)", "network"),
        ("NO [OVERQUOTA] Account exceeded command or bandwidth limits.", "network"),
        ("NO Temporary authentication failure.", "network"),
        ("NO User is authenticated but not connected.", "network"),
        ("NO [AUTHENTICATIONFAILED] Too many people have this password.", "invalid_grant"),
        ("NO [ALERT] Application-specific password required", "invalid_grant"),
        ("NO Login failed, please try again.", "invalid_grant"),
    ],
)
async def test_a_busy_server_is_no_wrong_password(answer: str, problem: str) -> None:
    failed = await failure_of(Script({"LOGIN": [answer]}))
    assert failed.problem == problem


@pytest.mark.parametrize("greeting", ["* PREAUTH welcome", "* BYE go away", "HTTP/1.1 400 Bad"])
async def test_what_does_not_greet_as_it_should_is_left(greeting: str) -> None:
    script = Script(greeting=greeting)
    await failure_of(script)
    assert script.heard == []


@pytest.mark.parametrize(
    "script",
    [
        Script(greeting="* PREAUTH welcome"),
        Script({"STARTTLS": ["NO not here"]}),
    ],
    ids=["preauth", "refused"],
)
async def test_without_encryption_nobody_gets_the_password(script: Script) -> None:
    async with script.serving() as port:
        mailbox = opened(settings(port, imap_security="starttls"))
        with pytest.raises(ConnectorFailed) as failed:
            await mailbox.probe()
    assert failed.value.problem == "network"
    assert not any("LOGIN" in each or PASSWORD in each for each in script.heard)


async def test_words_put_before_encryption_are_not_heard_after_it(
    dovecot: Dovecot,
) -> None:
    given = dovecot.settings(USER, security="starttls")
    async with meddled(dovecot.plain_port) as (port, _):
        mailbox = opened({**given, "imap_port": port})
        assert [page async for page in mailbox.changes(None)]
        await mailbox.close()
    evil = b"* CAPABILITY IMAP4rev1 LOGINDISABLED\r\nB1 OK done\r\n"
    async with meddled(dovecot.plain_port, injected=evil) as (port, _):
        mailbox = opened({**given, "imap_port": port})
        with pytest.raises(ConnectorFailed, match="TLS") as failed:
            await mailbox.probe()
    assert failed.value.problem == "network"


async def test_another_machine_is_not_talked_to_without_encryption() -> None:
    far = SimpleNamespace(getpeername=lambda: ("192.0.2.7", 143))
    with pytest.raises(ConnectorFailed, match="Choose TLS"):
        wire._only_here(far, Server("mail.example.org", 143, "none"))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_a_certificate_is_checked(dovecot: Dovecot, security: str) -> None:
    given = dovecot.settings(USER, security=security)
    mailbox = opened(given)
    assert [page async for page in mailbox.changes(None)]
    await mailbox.close()
    in_one_line = {**given, "certificate": " ".join(dovecot.certificate.split("\n"))}
    mailbox = opened(in_one_line)
    assert [page async for page in mailbox.changes(None)]
    await mailbox.close()
    for wrong in ("", certificate("127.0.0.1")[0]):
        mailbox = opened({**given, "certificate": wrong})
        with pytest.raises(ConnectorFailed, match="certificate") as failed:
            await mailbox.probe()
        assert failed.value.problem == "network"
    with pytest.raises(ConnectorFailed, match="cannot be read"):
        await opened({**given, "certificate": "-----BEGIN"}).probe()


async def test_tls_on_a_port_without_it_says_what_to_try(dovecot: Dovecot) -> None:
    mailbox = opened({**dovecot.settings(USER), "imap_port": dovecot.plain_port})
    with pytest.raises(ConnectorFailed, match="STARTTLS") as failed:
        await mailbox.probe()
    assert failed.value.problem == "network"


async def test_a_token_is_renewed_once_when_it_is_refused() -> None:
    tokens = ["old", "new"]
    good = base64.b64encode(f"user={USER}\x01auth=Bearer new\x01\x01".encode()).decode()
    script = Script(
        {
            "AUTHENTICATE XOAUTH2": ["NO [AUTHENTICATIONFAILED] old"],
            f"AUTHENTICATE XOAUTH2 {good}".upper(): [],
        },
        capabilities="IMAP4rev1 SASL-IR AUTH=XOAUTH2",
    )

    async def secret() -> Mapping[str, str]:
        return {"access_token": tokens[0]}

    async def renew() -> None:
        tokens.pop(0)

    async with script.serving() as port:
        access = access_of(settings(port), connector=IMAP_OAUTH)
        assert IMAP_OAUTH.open_mail
        mailbox = IMAP_OAUTH.open_mail(replace(access, secret=secret, renew=renew))
        assert [page async for page in mailbox.changes(None)]
        await mailbox.close()
    assert tokens == ["new"]
    assert not any("PLAIN" in each or "LOGIN" in each for each in script.heard)
