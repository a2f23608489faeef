"""Reading mail over IMAP: from new servers and old ones, and when the line is cut."""

import asyncio
import imaplib
from collections.abc import Iterator
from typing import Any

import pytest

from bailiwick.connectors.contract import MailboxCopy, letter
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.imap import boxes
from bailiwick.connectors.imap.mailbox import ImapMailbox
from connectors.imap_rig import ImapRig, opened
from support.dovecot import Dovecot, dovecot
from support.meddler import meddled
from support.smtp import SmtpServer, serving_smtp

__all__ = ["dovecot"]
pytestmark = pytest.mark.req("MAIL-01")

CONDSTORE = {"QRESYNC"}
BARE = {"QRESYNC", "CONDSTORE", "ESEARCH", "LIST-STATUS", "LIST-EXTENDED", "SPECIAL-USE", "ENABLE"}
NO_PLUS = {"MOVE", "UIDPLUS", "LITERAL+", "SASL-IR", *BARE}


@pytest.fixture(scope="module")
def smtp() -> Iterator[SmtpServer]:
    with serving_smtp() as server:
        yield server


@pytest.fixture
def rig(dovecot: Dovecot, smtp: SmtpServer) -> ImapRig:
    return ImapRig(dovecot, smtp)


async def synced(
    rig: ImapRig, copy: MailboxCopy | None = None, port: int | None = None
) -> MailboxCopy:
    made = copy.twin() if copy else MailboxCopy()
    await take_in(made, {**rig.settings, **({"imap_port": port} if port else {})})
    return made


async def take_in(copy: MailboxCopy, settings: dict[str, Any]) -> None:
    mailbox = opened(settings)
    try:
        async for page in mailbox.changes(copy.cursor):
            copy.take_in(page)
    finally:
        await mailbox.close()


@pytest.mark.parametrize("missing", [set(), CONDSTORE, BARE, NO_PLUS], ids=len)
async def test_changes_are_seen_whatever_the_server_offers(rig: ImapRig, missing: set[str]) -> None:
    for name in ("stays", "read", "gone", "labelled"):
        rig.dovecot.deliver(rig.user, letter(f"{name}@x.org"))
    async with meddled(rig.dovecot.plain_port, without=missing) as (port, said):
        copy = await synced(rig, port=port)
        await rig.mark_seen("read@x.org")
        await rig.destroy("gone@x.org")
        await rig.deliver(letter("new@x.org"))
        with rig.at("labelled@x.org") as (other, number):
            other.store(number, "+FLAGS", "Taxes_2026")
        copy = await synced(rig, copy, port)
        assert copy.in_role("inbox") == ["labelled@x.org", "new@x.org", "read@x.org", "stays@x.org"]
        assert copy.one("read@x.org")[1].flags == {"seen"}
        assert copy.labels("labelled@x.org") == {"Taxes 2026"}

        said.clear()
        quiet = opened({**rig.settings, "imap_port": port})
        pages = [page async for page in quiet.changes(copy.cursor)]
        await quiet.close()
    assert not any(page.arrived or page.changed or page.gone or page.voided for page in pages)
    assert b"BODY.PEEK" not in said


async def test_folders_in_all_languages_and_with_odd_names_are_read(rig: ImapRig) -> None:
    odd = ['"Kunden/M&APw-ller"', '"a \\"quoted\\" name"', '"50% &- more"', "&ZeVnLIqe-"]
    with rig.dovecot.signed_in(rig.user) as other:
        for number, name in enumerate(odd):
            assert other.create(name)[0] == "OK"
            other.append(name, "", imaplib.Time2Internaldate(0), letter(f"{number}@odd.org"))
    copy = await synced(rig)
    titles = {
        next(copy.folders[remote].title for remote in kept.folders): kept.message_id
        for kept in copy.messages.values()
    }
    assert titles == {
        "Kunden/Müller": "0@odd.org",
        'a "quoted" name': "1@odd.org",
        "50% & more": "2@odd.org",
        "日本語": "3@odd.org",
    }
    mailbox = opened(rig.settings)
    id, _ = copy.one("2@odd.org")
    target = next(one.remote for one in copy.folders.values() if one.title == "日本語")
    moved = await mailbox.move(id, to=target)
    await mailbox.close()
    copy = await synced(rig, copy)
    assert copy.one("2@odd.org")[0] == moved


async def test_a_folder_made_anew_is_voided_and_given_again(rig: ImapRig) -> None:
    with rig.dovecot.signed_in(rig.user) as other:
        other.create("Work")
    rig.dovecot.deliver(rig.user, letter("before@x.org"), folder="Work", flags="Rent")
    copy = await synced(rig)
    assert copy.labels("before@x.org") == {"Rent"}
    with rig.dovecot.signed_in(rig.user) as other:
        other.delete("Work")
        other.create("Work")
    rig.dovecot.deliver(rig.user, letter("after@x.org"), folder="Work")
    mailbox = opened(rig.settings)
    pages = [page async for page in mailbox.changes(copy.cursor)]
    await mailbox.close()
    assert [page.voided for page in pages if page.voided] == [("folder:Work",)]
    for page in pages:
        copy.take_in(page)
    assert [kept.message_id for kept in copy.messages.values()] == ["after@x.org"]


async def test_what_was_in_a_folder_that_is_deleted_is_gone(rig: ImapRig) -> None:
    with rig.dovecot.signed_in(rig.user) as other:
        other.create("Work")
    rig.dovecot.deliver(rig.user, letter("one@x.org"), letter("two@x.org"), folder="Work")
    copy = await synced(rig)
    assert len(copy.messages) == 2
    with rig.dovecot.signed_in(rig.user) as other:
        other.delete("Work")
    copy = await synced(rig, copy)
    assert copy.messages == {}
    assert "folder:Work" not in copy.folders


async def test_a_connection_that_breaks_in_the_midst_of_a_message_loses_and_cuts_none(
    rig: ImapRig,
) -> None:
    wanted = {f"{n:03}@cut.org": letter(f"{n:03}@cut.org") + b"x" * n for n in range(120)}
    rig.dovecot.deliver(rig.user, *wanted.values())
    copy = MailboxCopy()
    for cut in (2_000, 20_000, 40_000):
        async with meddled(rig.dovecot.plain_port, cut_after=cut) as (port, _):
            with pytest.raises(ConnectorFailed) as failed:
                await take_in(copy, {**rig.settings, "imap_port": port})
            assert failed.value.problem == "network"
    assert 0 < len(copy.messages) < len(wanted)
    pages: list[int] = []
    mailbox = opened(rig.settings)
    async for page in mailbox.changes(copy.cursor):
        copy.take_in(page)
        pages.append(len(page.arrived))
    await mailbox.close()
    assert {kept.message_id: kept.raw for kept in copy.messages.values()} == wanted
    assert sum(pages) < len(wanted), "what was given before the cut was given again"


async def test_the_newest_come_first_and_pages_say_what_is_left(rig: ImapRig) -> None:
    rig.dovecot.deliver(rig.user, *(letter(f"{n:03}@x.org") for n in range(70)))
    mailbox = opened(rig.settings)
    pages = [page async for page in mailbox.changes(None) if page.arrived]
    await mailbox.close()
    assert [len(page.arrived) for page in pages] == [50, 20]
    assert [page.left for page in pages] == [20, 0]
    assert b"069@x.org" in b"".join(one.raw for one in pages[0].arrived)
    assert b"000@x.org" in b"".join(one.raw for one in pages[1].arrived)


async def test_of_a_huge_message_only_the_headers_are_fetched(
    rig: ImapRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes, "LARGEST_MESSAGE", 10_000)
    raw = letter("huge@x.org") + b"a line of it\r\n" * 1000
    rig.dovecot.deliver(rig.user, raw, letter("small@x.org"))
    mailbox = opened(rig.settings)
    found = [one async for page in mailbox.changes(None) for one in page.arrived]
    await mailbox.close()
    huge, small = sorted(found, key=lambda one: one.cut_size is None)
    assert huge.cut_size == len(raw)
    assert b"huge@x.org" in huge.raw
    assert b"a line of it" not in huge.raw
    assert small.cut_size is None
    assert small.raw == letter("small@x.org")


async def test_moving_on_an_old_server_expunges_nothing_else(rig: ImapRig) -> None:
    rig.dovecot.deliver(rig.user, letter("moves@x.org"), letter("kept@x.org"))
    with rig.at("kept@x.org") as (other, number):
        other.store(number, "+FLAGS", "\\Deleted")
    async with meddled(rig.dovecot.plain_port, without=NO_PLUS) as (port, _):
        copy = await synced(rig, port=port)
        mailbox = opened({**rig.settings, "imap_port": port})
        there = await mailbox.move(copy.one("moves@x.org")[0], to="archive")
        draft = await mailbox.save_draft(letter("draft@x.org"))
        await mailbox.close()
        copy = await synced(rig, copy, port)
    assert copy.in_role("inbox") == ["kept@x.org"]
    assert copy.one("moves@x.org")[0] == there
    assert copy.one("draft@x.org")[0] == draft
    with rig.at("kept@x.org") as (other, number):
        assert b"\\Deleted" in other.fetch(number, "(FLAGS)")[1][0]


async def test_a_message_that_was_moved_elsewhere_is_said_to_be_gone(rig: ImapRig) -> None:
    await rig.deliver(letter("here@x.org"))
    copy = await synced(rig)
    id, _ = copy.one("here@x.org")
    await rig.destroy("here@x.org")
    mailbox = opened(rig.settings)
    with pytest.raises(ConnectorFailed, match="not there any more"):
        await mailbox.move(id, to="archive")
    with pytest.raises(ConnectorFailed, match="not there any more"):
        await mailbox.relabel(id, add=["Work"])
    await mailbox.close()


async def test_labels_of_people_are_shown_and_those_of_programs_are_not(rig: ImapRig) -> None:
    rig.dovecot.deliver(rig.user, letter("l@x.org"), flags="$label1 NonJunk $Forwarded")
    copy = await synced(rig)
    assert copy.labels("l@x.org") == {"Important"}
    mailbox = opened(rig.settings)
    id, _ = copy.one("l@x.org")
    await mailbox.relabel(id, add=["Müller & Söhne (alt)"], remove=["important"])
    await mailbox.close()
    copy = await synced(rig, copy)
    assert copy.labels("l@x.org") == {"Müller & Söhne (alt)"}


async def test_idle_wakes_for_new_mail_and_for_what_came_just_before(rig: ImapRig) -> None:
    mailbox: ImapMailbox = opened(rig.settings)
    _ = [page async for page in mailbox.changes(None)]
    await rig.deliver(letter("between@x.org"))
    assert await mailbox.wait(60)
    assert not await mailbox.wait(0.05)
    waiting = asyncio.create_task(mailbox.wait(60))
    while not waiting.done():
        await asyncio.to_thread(rig.dovecot.deliver, rig.user, letter("during@x.org"))
        await asyncio.wait([waiting], timeout=0.5)
    assert waiting.result()
    await mailbox.close()


async def test_a_server_without_idle_says_so_at_once(rig: ImapRig) -> None:
    async with meddled(rig.dovecot.plain_port, without={"IDLE"}) as (port, _):
        mailbox = opened({**rig.settings, "imap_port": port})
        assert not await mailbox.wait(600)
        await mailbox.close()
