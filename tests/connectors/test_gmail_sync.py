"""Reading Gmail: what is exact in what we ask, and what we put up with in the answers."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path

import pytest

from bailiwick.connectors.connector import AccountAccess
from bailiwick.connectors.contract import letter, opened, paged, refused, synced
from bailiwick.connectors.gmail.client import Patience
from bailiwick.connectors.gmail.mailbox import GmailMailbox
from support.gmail_rig import GmailRig
from support.gmail_server import ME, READ, Asked, Fault, serving_gmail
from support.server import PATIENCE

pytestmark = pytest.mark.req("MAIL-01")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[GmailRig]:
    with serving_gmail() as server:
        yield GmailRig(server, tmp_path)


async def filled(rig: GmailRig, count: int) -> list[str]:
    ids = [f"{n:03}@example.org" for n in range(count)]
    for id in ids:
        await rig.deliver(letter(id))
    return ids


async def test_a_forgotten_history_leads_to_all_again_and_says_what_went(rig: GmailRig):
    ids = await filled(rig, 60)
    copy = await synced(rig)
    await rig.destroy(ids[0])
    await rig.mark_seen(ids[1])
    await rig.deliver(letter("new@example.org"))
    rig.server.account.forgotten = rig.server.account.history - 1
    pages = await paged(rig, copy.cursor)
    half = copy.twin()
    half.take_in(pages[0])
    await rig.destroy(ids[2])
    resumed = await synced(rig, await synced(rig, half))
    for page in pages:
        copy.take_in(page)
    assert copy.in_role("inbox") == sorted([*ids[1:], "new@example.org"])
    assert copy.one(ids[1])[1].flags == {"seen"}
    assert resumed.in_role("inbox") == sorted([ids[1], *ids[3:], "new@example.org"])


async def test_a_deletion_in_the_midst_of_the_list_hides_no_message(rig: GmailRig):
    ids = await filled(rig, 30)
    rig.server.page = 10
    doomed = iter(ids[-3:])

    def meanwhile(asked: Asked) -> None:
        if asked.path == f"{ME}/messages" and "pageToken" in asked.query:
            for id in doomed:
                account = rig.server.account
                account.remove(account.of(id).id)
                return

    rig.server.meanwhile = meanwhile
    copy = await synced(rig)
    assert copy.in_role("inbox") == ids[:-3]


async def test_history_is_read_page_by_page(rig: GmailRig):
    copy = await synced(rig)
    rig.server.page = 5
    ids = await filled(rig, 12)
    for id in ids[::2]:
        await rig.mark_seen(id)
    await rig.destroy(ids[3])
    pages = await paged(rig, copy.cursor)
    assert len(pages) > 3
    left = [id for id in ids if id != ids[3]]
    for page in pages:
        copy.take_in(page)
        resumed = await synced(rig, copy)
        assert resumed.in_role("inbox") == left
        assert [id for id in left if resumed.one(id)[1].flags] == ids[::2]
    assert copy == resumed


async def test_places_flags_and_threads_are_those_of_gmail(rig: GmailRig):
    account = rig.server.account
    label = account.make_label("Clients/Big")["id"]
    kinds = {
        "read@x.org": {"INBOX", "CATEGORY_UPDATES"},
        "archived@x.org": set(),
        "starred@x.org": {"STARRED", "UNREAD", label},
        "sent@x.org": {"SENT"},
        "draft@x.org": {"DRAFT"},
        "trash@x.org": {"TRASH", "UNREAD"},
        "junk@x.org": {"SPAM", "UNREAD"},
    }
    made = {id: account.add(letter(id), labels) for id, labels in kinds.items()}
    pages = await paged(rig, None)
    arrived = {one.remote_id: one for page in pages for one in page.arrived}
    first = arrived[made["read@x.org"].id]
    assert first.thread == made["read@x.org"].thread
    assert first.received_at == datetime.fromtimestamp(made["read@x.org"].date / 1000, UTC)
    copy = await synced(rig)
    roles = ("inbox", "sent", "drafts", "trash", "junk")
    assert [copy.in_role(role) for role in roles] == [
        [f"{one}@x.org"] for one in ("read", "sent", "draft", "trash", "junk")
    ]
    assert copy.in_role("archive") == ["archived@x.org", "starred@x.org"]
    assert copy.labels("starred@x.org") == {"Clients/Big"}
    assert copy.labels("read@x.org") == {"Updates"}
    assert copy.one("starred@x.org")[1].flags == {"flagged"}
    assert copy.one("draft@x.org")[1].flags == {"seen", "draft"}


async def test_a_label_that_was_made_meanwhile_is_known(rig: GmailRig):
    await rig.deliver(letter("a@example.org"))
    copy = await synced(rig)

    def meanwhile(asked: Asked) -> None:
        account = rig.server.account
        if asked.path == f"{ME}/history" and not account.labels:
            id = account.make_label("Late")["id"]
            account.relabel(account.of("a@example.org").id, [id], [])

    rig.server.meanwhile = meanwhile
    copy = await synced(rig, copy)
    assert copy.labels("a@example.org") == {"Late"}


@pytest.mark.parametrize("padded", [True, False])
async def test_a_server_without_batches_is_asked_for_each_message(rig: GmailRig, *, padded: bool):
    ids = await filled(rig, 60)
    rig.server.has_batches, rig.server.account.padded = False, padded
    copy = await synced(rig)
    assert copy.in_role("inbox") == ids
    assert len(rig.server.asked("POST /batch")) == 1


async def test_what_a_batch_leaves_out_is_asked_for_again(rig: GmailRig):
    ids = await filled(rig, 20)
    rig.server.faults.append(Fault(f"BATCHED GET {ME}/messages/", 429, times=5))
    rig.server.faults.append(Fault(f"BATCHED GET {ME}/messages/", 500, times=2))
    copy = await synced(rig)
    assert copy.in_role("inbox") == ids
    assert len(rig.server.asked(f"GET {ME}/messages/")) == 7


@pytest.mark.parametrize(
    "fault",
    [
        Fault(f"GET {ME}/history", 429, {"Retry-After": "0"}),
        Fault(f"GET {ME}/history", 403, reason="userRateLimitExceeded"),
        Fault(f"GET {ME}/history", 503),
        Fault(f"GET {ME}/history", 0),
    ],
)
async def test_a_busy_server_is_asked_again(rig: GmailRig, fault: Fault):
    copy = await synced(rig)
    await rig.deliver(letter("a@example.org"))
    rig.server.faults.append(replace(fault, times=2))
    copy = await synced(rig, copy)
    assert copy.in_role("inbox") == ["a@example.org"]


async def test_who_wants_to_be_left_alone_for_long_is(rig: GmailRig):
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    for told, least in (("120", 120), (later, 3000)):
        before = len(rig.server.requests)
        rig.server.faults.append(Fault(f"GET {ME}/labels", 429, {"Retry-After": told}))
        error = await refused(lambda: synced(rig))
        assert error.problem == "network"
        assert error.retry_after is not None
        assert error.retry_after >= least
        assert len(rig.server.requests) == before + 1


async def test_patience_with_a_failing_server_ends(rig: GmailRig):
    rig.server.faults.append(Fault(f"GET {ME}/labels", 500, times=100))
    error = await refused(lambda: synced(rig))
    assert error.problem == "network"
    assert len(rig.server.requests) == 4


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("labels", b"<html>Log in to this network</html>"),
        ("messages", b"<html>Log in to this network</html>"),
        ("messages/", b"<html>Log in to this network</html>"),
        ("history", b"[1, 2]"),
        ("profile", b""),
    ],
)
async def test_the_page_of_a_hotspot_is_not_taken_for_an_empty_mailbox(
    rig: GmailRig, path: str, body: bytes
):
    await rig.deliver(letter("a@example.org"))
    copy = await synced(rig)
    rig.server.account.forgotten = rig.server.account.history
    rig.server.account.add(letter("b@example.org"), {"INBOX"})
    rig.server.has_batches = False
    rig.server.faults.append(Fault(f"GET {ME}/{path}", 200, body=body, times=99))
    error = await refused(lambda: synced(rig, copy))
    assert error.problem == "network"


async def test_a_stand_in_without_a_profile_serves_as_well(rig: GmailRig):
    rig.server.faults.append(Fault(f"GET {ME}/profile", 404, times=99))
    await rig.deliver(letter("a@example.org"))
    async with opened(rig) as mailbox:
        assert (await mailbox.probe()).address == rig.server.account.address
    copy = await synced(rig)
    await rig.deliver(letter("b@example.org"))
    copy = await synced(rig, copy)
    assert sorted(copy.in_role("inbox")) == ["a@example.org", "b@example.org"]


async def test_answers_that_make_no_sense_are_said_to(rig: GmailRig):
    for body in (b'{"messages": [1]}', b'{"messages": [{}]}', b'{"messages": {"id": 1}}'):
        rig.server.faults = [Fault(f"GET {ME}/messages", 200, body=body)]
        assert (await refused(lambda: synced(rig))).problem == "other"


async def test_a_list_that_never_ends_is_ended(rig: GmailRig):
    await rig.deliver(letter("a@example.org"))
    again = b'{"messages": [], "nextPageToken": "again"}'
    rig.server.faults.append(Fault(f"GET {ME}/messages", 200, body=again, times=9))
    copy = await synced(rig)
    assert copy.messages == {}


@pytest.mark.req("ACC-04")
async def test_a_token_that_ran_out_is_renewed_once(rig: GmailRig):
    await rig.deliver(letter("a@example.org"))
    rig.server.tokens.clear()
    copy = await synced(rig)
    assert copy.in_role("inbox") == ["a@example.org"]
    assert rig.renewed == 1


@pytest.mark.req("ACC-04")
async def test_of_many_requests_whose_token_ran_out_at_once_one_renews_it(rig: GmailRig):
    ids = await filled(rig, 5)
    rig.server.has_batches = False
    together = threading.Barrier(5)

    def meanwhile(asked: Asked) -> None:
        if asked.path.startswith(f"{ME}/messages/") and not rig.renewed:
            rig.server.tokens.clear()
            together.wait(PATIENCE)  # all of them are refused before any of them has another one

    rig.server.meanwhile = meanwhile
    copy = await synced(rig)
    assert copy.in_role("inbox") == ids
    assert rig.renewed == 1


@pytest.mark.req("ACC-09")
async def test_a_missing_scope_is_said_without_googles_words(rig: GmailRig):
    await rig.deliver(letter("a@example.org"))
    rig.token = rig.server.token(frozenset((READ,)))
    id = rig.server.account.of("a@example.org").id
    async with opened(rig) as mailbox:
        error = await refused(lambda: mailbox.move(id, to="trash"))
    assert error.problem == "other"
    assert "authorise again" in error.detail
    assert "Google's own" not in error.detail
    assert rig.token not in error.detail


@pytest.mark.req("ACC-09")
async def test_what_the_user_did_not_switch_on_is_not_even_asked_for(rig: GmailRig):
    access = replace(rig.access, permissions=frozenset(("read",)))
    async with opened(rig, access) as mailbox:
        for act in (
            lambda: mailbox.move("x", to="trash"),
            lambda: mailbox.set_flags("x", add=["seen"]),
            lambda: mailbox.relabel("x", add=["A"]),
            lambda: mailbox.save_draft(b""),
            lambda: mailbox.remove_draft("x"),
        ):
            error = await refused(act)
            assert "switch on" in error.detail
        assert await mailbox.signature() is None
    assert rig.server.requests == []


async def test_a_label_is_never_a_way_to_move_mail(rig: GmailRig):
    await rig.deliver(letter("a@example.org"))
    id = rig.server.account.of("a@example.org").id
    async with opened(rig) as mailbox:
        for title in ("Trash", "TRASH", " spam", "Inbox", "UNREAD", "Sent"):
            await refused(lambda title=title: mailbox.relabel(id, add=[title]))
            await refused(lambda title=title: mailbox.relabel(id, remove=[title]))
    assert rig.server.account.messages[id].labels == {"INBOX", "UNREAD"}


async def test_of_a_message_that_is_too_large_the_headers_are_kept(rig: GmailRig):
    await rig.deliver(letter("small@example.org"))
    await rig.deliver(letter("large@example.org") + b"x" * 50_000)
    rig.server.has_batches = False

    def small(access: AccountAccess) -> GmailMailbox:
        return GmailMailbox(access, Patience(0.01, 100, 4), largest=20_000)

    rig.connector = replace(rig.connector, open_mail=partial(small))
    arrived = [one for page in await paged(rig, None) for one in page.arrived]
    cut = {one.cut_size is not None: one for one in arrived}
    assert b"large@example.org" in cut[True].raw
    assert b"xxx" not in cut[True].raw
    assert (cut[True].cut_size or 0) > 50_000
    assert b"Words of small" in cut[False].raw


@pytest.mark.req("ACC-07")
async def test_the_signature_is_the_one_of_the_own_address(rig: GmailRig):
    rig.server.account.signature = "<i>Jane</i>"
    async with opened(rig) as mailbox:
        assert await mailbox.signature() == "<i>Jane</i>"
    rig.server.account.signature = ""
    async with opened(rig) as mailbox:
        assert await mailbox.signature() is None
