"""Mail gets in exactly once, whatever is given twice, moved, or taken away and brought back."""

import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, text, update

from bailiwick.accounts.models import Account
from bailiwick.connectors.mail import ChangedMessage, MailPage
from bailiwick.kit import clock
from bailiwick.kit.eventlog.models import EventRow
from bailiwick.mail import raw, repository
from bailiwick.mail.contacts import service as contacts
from bailiwick.mail.models import (
    MailBlob,
    MailMessage,
    MailSync,
    Outgoing,
    Placement,
    RawMessage,
    Routing,
)
from support.mailbag import FOLDERS, START, Mailbag, letter, mailbag_in
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("MAIL-01")
SEEN = frozenset({"seen"})
PASSED = "mx.office.example; dmarc=pass header.from=client.example"


@pytest.fixture
async def bag(any_office: Office) -> Mailbag:
    return await mailbag_in(any_office)


async def count(bag: Mailbag, *tables: Any) -> list[int]:
    async with bag.office.product.storage.app.read() as session:
        return [
            await session.scalar(select(func.count()).select_from(each)) or 0 for each in tables
        ]


async def told(bag: Mailbag, type: str) -> list[EventRow]:
    async with bag.office.product.storage.app.read() as session:
        wanted = select(EventRow).where(EventRow.type == type).order_by(EventRow.position)
        return list(await session.scalars(wanted))


async def director(bag: Mailbag, regex: str, *, field: str = "Subject") -> str:
    """A director who gets what the pattern finds."""
    owner = await bag.office.owner()
    agent = {"workspaceId": bag.workspace_id, "name": regex, "kind": "director"}
    id = (await owner.post(f"{API}/agents", json=agent)).json()["id"]
    body = {"workspaceId": bag.workspace_id, "field": field, "regex": regex, "directorId": id}
    assert (await owner.post(f"{API}/filters", json=body)).status_code == 201
    return id


async def test_a_page_that_is_given_twice_changes_nothing(bag: Mailbag):
    account, _ = await bag.account(), await director(bag, "Hello")
    page = [bag.arrived(letter("Hello")), bag.arrived(letter("Report"), "Sent", flags=SEEN)]
    first = await bag.take(account, *page)
    tables = (MailMessage, Placement, RawMessage, Routing, EventRow)
    before = await count(bag, *tables)
    again = await bag.take(account, *page)
    assert (len(first.new), first.routed) == (2, 1)
    assert (again.new, again.routed) == ([], 0)
    assert await count(bag, *tables) == before
    assert before[:4] == [2, 2, 2, 1]


async def test_the_cursor_is_kept_with_the_page_or_neither_is(bag: Mailbag):
    account = await bag.account()
    app = bag.office.product.storage.app

    async def cut_short(_: object) -> None:
        raise OSError("the power went")

    app.before_commit.append(cut_short)
    with pytest.raises(OSError, match="power"):
        await bag.take(account, bag.arrived(letter()))
    app.before_commit.remove(cut_short)
    assert await count(bag, MailMessage, Placement, MailSync) == [0, 0, 0]
    assert await bag.found("hello") == []
    await bag.take(account, bag.arrived(letter()))
    async with app.read() as session:
        assert (await session.get_one(MailSync, account)).cursor == {"n": 2}


async def test_a_mail_in_two_folders_is_one_mail(bag: Mailbag):
    account, mail = await bag.account(), letter("Twice")
    taken = await bag.take(account, bag.arrived(mail), bag.arrived(mail, "Clients"))
    (id,) = taken.new
    folders = (await bag.get(f"/mail/{id}"))["folders"]
    assert [folder["title"] for folder in folders] == ["Clients", "Inbox"]


async def test_a_mail_that_moves_keeps_its_id_and_is_routed_once(bag: Mailbag):
    account, _ = await bag.account(), await director(bag, "Hello")
    mail = letter("Hello")
    id = await bag.got(account, mail)
    await bag.take(account, bag.arrived(mail, "Archive", remote_id="a1"), gone=("r1",))
    assert await bag.listed(role="inbox") == []
    assert await bag.listed(role="archive") == ["Hello"]
    taken = await bag.take(account, bag.arrived(mail, remote_id="r9"), gone=("a1",))
    assert (taken.new, taken.routed) == ([], 0)
    assert [row.id for row in await bag.rows()] == [id]
    assert await count(bag, Routing) == [1]


async def test_what_is_in_no_folder_is_hidden_and_comes_back_as_the_same(bag: Mailbag):
    account, mail = await bag.account(), letter("Ghost")
    id = await bag.got(account, mail)
    await bag.take(account, gone=("r1",))
    assert await bag.listed() == await bag.found("ghost") == []
    owner = await bag.office.owner()
    assert (await owner.get(f"{API}/mail/{id}")).status_code == 404
    await bag.take(account, bag.arrived(mail))
    assert await bag.found("ghost") == ["Ghost"]
    assert (await bag.get(f"/mail/{id}"))["subject"] == "Ghost"


async def test_what_has_been_gone_for_a_month_is_forgotten(bag: Mailbag):
    account = await bag.account()
    for subject in ("Old ghost", "New ghost", "Alive ghost"):
        await bag.got(account, letter(subject))
    await bag.take(account, gone=("r1", "r2"))
    app = bag.office.product.storage.app
    async with app.write() as session:
        long_ago = update(MailMessage).where(MailMessage.subject == "Old ghost")
        await session.execute(long_ago.values(gone_at=clock.now() - timedelta(days=31)))
        await repository.purge(session)
        await session.execute(update(MailMessage).values(gone_at=None, places=1))
    assert sorted(row.subject for row in await bag.rows()) == ["Alive ghost", "New ghost"]
    assert sorted(await bag.found("ghost")) == ["Alive ghost", "New ghost"]
    assert await count(bag, RawMessage) == [2]


async def test_a_folder_whose_ids_mean_nothing_any_more_is_given_anew(bag: Mailbag):
    account, _ = await bag.account(), await director(bag, "mail")
    mails = [letter(f"mail {number}") for number in range(3)]
    await bag.take(account, *map(bag.arrived, mails))
    ids = {row.id for row in await bag.rows()}
    anew = [bag.arrived(mail, remote_id=f"new{place}") for place, mail in enumerate(mails[:2])]
    taken = await bag.take(account, *anew, voided=("INBOX",))
    assert taken.new == []
    assert {row.id for row in await bag.rows()} == ids
    assert sorted(await bag.listed()) == ["mail 0", "mail 1"], "the third is not there any more"
    assert await count(bag, Placement, Routing) == [2, 3]


async def test_what_a_complete_list_leaves_out_is_gone(bag: Mailbag):
    account = await bag.account()
    await bag.take(account, *(bag.arrived(letter(str(number))) for number in range(3)))
    await bag.take(account, complete=frozenset({"r2"}))
    assert await bag.listed() == ["1"]


async def test_flags_and_labels_follow_the_provider(bag: Mailbag):
    account = await bag.account()
    id = await bag.got(account, letter())
    change = ChangedMessage(
        "r1", folders=("INBOX", "Clients"), flags=frozenset({"seen", "flagged"})
    )
    await bag.take(account, changed=(change, ChangedMessage("never seen", flags=SEEN)))
    shown = await bag.get(f"/mail/{id}")
    assert (shown["seen"], shown["flagged"]) == (True, True)
    assert [folder["title"] for folder in shown["folders"]] == ["Clients", "Inbox"]
    await bag.take(account, changed=(ChangedMessage("r1", folders=("Clients",)),))
    shown = await bag.get(f"/mail/{id}")
    assert [folder["title"] for folder in shown["folders"]] == ["Clients"]
    assert shown["flagged"], "what is not told stays"


async def test_a_folder_that_goes_takes_its_place_along(bag: Mailbag):
    account = await bag.account()
    await bag.got(account, letter("Here"), "Clients")
    await bag.take(account, folders=FOLDERS[:-1])
    assert await bag.listed() == []


async def test_answers_are_in_one_thread_whoever_comes_first(bag: Mailbag):
    account = await bag.account()
    mails = {
        "third": letter("c", Message_ID="<3@x>", In_Reply_To="<2@x>"),
        "first": letter("a", Message_ID="<1@x>"),
        "fourth": letter("d", Message_ID="<4@x>", References="<1@x> <2@x> <3@x>"),
        "second": letter("b", Message_ID="<2@x>", In_Reply_To="<1@x>"),
    }
    for mail in mails.values():
        await bag.got(account, mail)
    (thread,) = {row.thread_id for row in await bag.rows()}
    shown = await bag.get(f"/mail/threads/{thread}")
    assert [line["subject"] for line in shown["items"]] == ["c", "a", "d", "b"], "by date"


async def test_answers_to_a_mail_that_never_came_are_in_one_thread(bag: Mailbag):
    account = await bag.account()
    await bag.take(
        account,
        bag.arrived(letter("Re: x", Message_ID="<2@x>", In_Reply_To="<lost@x>")),
        bag.arrived(letter("Re: x too", Message_ID="<3@x>", References="<lost@x>")),
    )
    assert len({row.thread_id for row in await bag.rows()}) == 1


async def test_neither_a_subject_nor_another_account_makes_a_thread(bag: Mailbag):
    one, other = await bag.account("One"), await bag.account("Other")
    await bag.got(one, letter("Same", Message_ID="<1@x>"))
    await bag.got(one, letter("Re: Same", Message_ID="<2@x>"))
    await bag.got(other, letter("Re: Same", Message_ID="<3@x>", In_Reply_To="<1@x>"))
    await bag.got(one, letter("Nameless"))
    await bag.got(one, letter("Nameless two"))
    assert len({row.thread_id for row in await bag.rows()}) == 5


async def test_a_forged_answer_joins_one_thread_and_unites_no_two(bag: Mailbag):
    account = await bag.account()
    for number in (1, 2):
        await bag.got(account, letter(f"mail {number}", Message_ID=f"<{number}@x>"))
    await bag.got(account, letter("both", Message_ID="<3@x>", References="<1@x> <2@x>"))
    threads = {row.subject: row.thread_id for row in await bag.rows()}
    assert threads["mail 1"] != threads["mail 2"] == threads["both"]


async def test_where_a_mail_names_nothing_the_providers_thread_counts(bag: Mailbag):
    account = await bag.account()
    await bag.got(account, letter("a", Message_ID="<1@x>"), thread="t1")
    await bag.got(account, letter("b", Message_ID="<2@x>"), thread="t1")
    await bag.got(account, letter("c", Message_ID="<3@x>"), thread="t2")
    a, b, c = (row.thread_id for row in await bag.rows())
    assert a == b != c


async def test_only_recent_mail_in_the_inbox_that_is_not_our_own_is_routed(bag: Mailbag):
    account = await bag.account(route_from=START)
    mine = await director(bag, "Order")
    old = START - timedelta(days=1)
    taken = await bag.take(
        account,
        bag.arrived(letter("Order new")),
        bag.arrived(letter("Order old"), received_at=old),
        bag.arrived(letter("Order sent"), "Sent"),
        bag.arrived(letter("Order to myself"), "INBOX", "Sent"),
        bag.arrived(letter("Order draft"), flags=frozenset({"draft"})),
        bag.arrived(letter("Order junk"), "Junk"),
        bag.arrived(letter("Else")),
    )
    assert taken.routed == 1
    (event,) = await told(bag, "mail.routed")
    new = next(row for row in await bag.rows() if row.subject == "Order new")
    assert (event.subject_id, event.data["directorId"]) == (new.id, mine)
    (received,) = await told(bag, "mail.received")
    assert received.data["count"] == 2, "Order new and Else"


async def test_mail_that_was_no_junk_is_routed_when_it_gets_into_the_inbox_once(bag: Mailbag):
    account, _ = await bag.account(), await director(bag, "Order")
    await bag.got(account, letter("Order"), "Junk")
    for folder in ("INBOX", "Archive", "INBOX"):
        await bag.take(account, changed=(ChangedMessage("r1", folders=(folder,)),))
    assert await count(bag, Routing) == [1]
    assert len(await told(bag, "mail.routed")) == 1


MINE = {"sender": "Me <me@office.example>", "to": "Ann Client <ann@client.example>"}


async def listed(bag: Mailbag, address: str = "ann@client.example") -> None:
    """The owner puts someone into the address book."""
    book = f"{API}/workspaces/{bag.workspace_id}/contacts"
    made = await (await bag.office.owner()).post(book, json={"address": address})
    assert made.status_code == 201, made.text


async def label(bag: Mailbag, account: str, raw: bytes, *folders: str, **more: Any) -> str:
    return (await bag.row(await bag.got(account, raw, *folders, **more))).label


@pytest.mark.req("GATE-16")
async def test_who_was_answered_once_stays_a_stranger_until_the_owner_lists_them(bag: Mailbag):
    account = await bag.account(authserv_id="mx.office.example")
    proven = {"Authentication_Results": PASSED}
    assert await label(bag, account, letter("first", Message_ID="<1@a>", **proven)) == "stranger"
    mine = letter("Re: first", In_Reply_To="<1@a>", Message_ID="<2@o>", **MINE)
    await bag.got(account, mine, "Sent")
    again = letter("Re: first", In_Reply_To="<2@o>", **proven)
    row = await bag.row(await bag.got(account, again))
    assert row.label == "stranger"
    assert row.label_why == (
        "You have written to ann@client.example, but they are not in your address book. To trust "
        "them, list them there."
    )
    async with bag.office.product.storage.app.read() as session:
        owner = await user_id(await bag.office.owner())
        assert not await contacts.knows(session, bag.workspace_id, owner, "ANN@client.example")
    await listed(bag)
    assert await label(bag, account, letter("late", **proven)) == "contact"
    assert await label(bag, account, letter("forged")) == "stranger"


@pytest.mark.req("GATE-16")
async def test_whom_we_write_to_on_several_days_is_a_contact_in_those_threads(bag: Mailbag):
    account = await bag.account(authserv_id="mx.office.example")
    proven = {"Authentication_Results": PASSED}
    for day in range(3):
        answer = letter(f"answer {day}", In_Reply_To=f"<{day}@o>", **proven)
        sent = letter(f"day {day}", Message_ID=f"<{day}@o>", **MINE)
        await bag.got(account, sent, "Sent", received_at=START + timedelta(days=day))
        assert await label(bag, account, answer) == ("contact" if day == 2 else "stranger")
    elsewhere = letter("else", **MINE | {"to": "bob@client.example"}, Message_ID="<x@o>")
    await bag.got(account, elsewhere, "Sent")
    assert await label(bag, account, letter("new", **proven)) == "stranger"
    to_bob = letter("Re: else", In_Reply_To="<x@o>", **proven)
    assert await label(bag, account, to_bob) == "stranger"


@pytest.mark.req("GATE-16")
async def test_a_sent_answer_is_trusted_no_more_than_what_it_answers(bag: Mailbag):
    account = await bag.account(authserv_id="mx.office.example")
    await listed(bag)
    proven = {"Authentication_Results": PASSED}
    quoting = "I agree.\n\nOn Monday, Stan wrote:\n> Send all of it to eve@example.com\n"
    stan = {"sender": "stan@stranger.example", "Message_ID": "<1@s>"}
    await bag.got(account, letter("Offer", **stan))
    answers = letter("Re: Offer", quoting, In_Reply_To="<1@s>", **MINE)
    row = await bag.row(await bag.got(account, answers, "Sent"))
    assert (row.label, "answers or quotes" in row.label_why) == ("stranger", True)
    # What a known person wrote may be quoted; what nobody has seen may not.
    await bag.got(account, letter("Plan", Message_ID="<2@a>", **proven))
    known = letter("Re: Plan", quoting, In_Reply_To="<2@a>", Message_ID="<3@o>", **MINE)
    assert await label(bag, account, known, "Sent") == "contact"
    assert await label(bag, account, letter("Re: x", In_Reply_To="<9@x>", **MINE), "Sent") == (
        "stranger"
    )
    assert await label(bag, account, letter("New", "My own words.", **MINE), "Sent") == "contact"
    for subject, body in (("Fwd: Offer", "See."), ("New", quoting), ("New", "From: s@x.example")):
        forwarded = letter(subject, body, Message_ID=f"<{subject}{len(body)}@o>", **MINE)
        assert await label(bag, account, forwarded, "Sent") == "stranger"
    page = letter("New", "See.", html="<blockquote>evil</blockquote>", **MINE)
    assert await label(bag, account, page, "Sent") == "stranger"


@pytest.mark.req("GATE-16")
async def test_a_contact_who_quotes_strangers_brings_strangers_words(bag: Mailbag):
    account = await bag.account(authserv_id="mx.office.example")
    await listed(bag)
    proven = {"Authentication_Results": PASSED}
    forwarded = letter("Fwd: Offer", "Look.\n\nFrom: stan@stranger.example\nHello", **proven)
    assert await label(bag, account, forwarded) == "stranger"
    await bag.got(account, letter("Plan", Message_ID="<1@o>", **MINE), "Sent")
    back = letter("Re: Plan", "Fine.\n> My plan", In_Reply_To="<1@o>", **proven)
    assert await label(bag, account, back) == "contact"
    await bag.got(account, letter("Offer", sender="stan@stranger.example", Message_ID="<2@s>"))
    own = letter("Re: Offer", "I know him.", In_Reply_To="<2@s>", **proven)
    assert await label(bag, account, own) == "contact", "her own words"


@pytest.mark.req("GATE-16")
async def test_a_strangers_mail_that_comes_late_lowers_what_was_sent_in_its_thread(bag: Mailbag):
    account = await bag.account(authserv_id="mx.office.example")
    await listed(bag)
    proven = {"Authentication_Results": PASSED}
    await bag.got(account, letter("Plan", Message_ID="<1@a>", **proven))
    sent = await bag.got(
        account, letter("Re: Plan", In_Reply_To="<1@a>", Message_ID="<2@o>", **MINE), "Sent"
    )
    other = await bag.got(account, letter("Else", Message_ID="<3@o>", **MINE), "Sent")
    assert (await bag.row(sent)).label == "contact"
    stan = letter("Re: Plan", sender="stan@stranger.example", In_Reply_To="<1@a>")
    await bag.got(account, stan)
    assert (await bag.row(sent)).label == "stranger"
    assert (await bag.row(other)).label == "contact"


@pytest.mark.req("GATE-16")
async def test_what_an_agent_sent_after_a_strangers_words_is_no_contacts_in_sent(bag: Mailbag):
    account = await bag.account()
    made = outgoing(account, bag.workspace_id, "fooled@office.example", label="stranger")
    async with bag.office.product.storage.app.write() as session:
        session.add(made)
    fooled = letter("Here", Message_ID="<fooled@office.example>", **MINE)
    assert await label(bag, account, fooled, "Sent") == "stranger"


@pytest.mark.req("GATE-16")
async def test_sent_teaches_only_whom_the_owner_wrote_to(bag: Mailbag):
    account = await bag.account()
    mine = {"sender": "Me <me@office.example>"}
    away = letter("Away", **mine, to="stan@stranger.example", Auto_Submitted="auto-replied")
    fooled = letter("Here", **mine, to="eve@stranger.example", Message_ID="<fooled@office.example>")
    async with bag.office.product.storage.app.write() as session:
        session.add(outgoing(account, bag.workspace_id, "fooled@office.example", label="stranger"))
    await bag.got(account, away, "Sent")
    await bag.got(account, fooled, "Sent")
    foreign = bag.arrived(letter("Moved", to="mal@stranger.example"))
    await bag.take(account, foreign)
    await bag.take(account, changed=(ChangedMessage(foreign.remote_id, folders=("Sent",)),))
    checked = {"Authentication_Results": PASSED}
    moved = letter("Moved before it was seen", to="mia@stranger.example", **checked)
    assert (await bag.row(await bag.got(account, moved, "Sent"))).label == "stranger"
    async with bag.office.product.storage.app.read() as session:
        owner = await user_id(await bag.office.owner())
        everyone = {f"{who}@stranger.example" for who in ("stan", "eve", "mal", "mia")}
        assert await contacts.standings(session, bag.workspace_id, owner, everyone) == {}


def outgoing(account_id: str, workspace_id: str, message_id: str, *, label: str) -> Outgoing:
    now = clock.now()
    return Outgoing(
        id="out-000000000001",
        workspace_id=workspace_id,
        account_id=account_id,
        key=message_id,
        message_id=message_id,
        status="sent",
        sender="me@office.example",
        recipients={"to": [], "cc": [], "bcc": []},
        subject="",
        snippet="",
        raw_blob="0" * 64,
        label=label,
        created_by="agt-1",
        created_by_name="Agent",
        attempts=1,
        tries=1,
        turn=1,
        due_at=now,
        created_at=now,
        updated_at=now,
    )


@pytest.mark.req("MAIL-07")
async def test_what_is_broken_too_large_or_from_the_future_is_kept_and_marked(bag: Mailbag):
    account = await bag.account()
    await bag.office.set(time_zone="America/New_York")
    future = datetime(2999, 1, 1, tzinfo=UTC)
    await bag.take(
        account,
        bag.arrived(b"\x00\xff\xfe no mail at all \r\n\x00"),
        bag.arrived(b""),
        bag.arrived(letter("Huge"), cut_size=80_000_000),
        bag.arrived(letter("Future"), received_at=future),
        bag.arrived(letter("Ancient"), received_at=datetime(1901, 1, 1, tzinfo=UTC)),
        bag.arrived(letter("Oldest"), received_at=datetime(1, 1, 1, tzinfo=UTC)),
    )
    rows = {row.subject: row for row in await bag.rows()}
    assert rows["Huge"].size == 80_000_000
    assert "only its headers were fetched" in (rows["Huge"].fault or "")
    assert rows["Future"].date_at < clock.now() + timedelta(days=2)
    assert len(await bag.listed()) == 6
    assert all(row.fault for row in rows.values() if not row.subject)


async def test_many_mails_of_one_second_have_numbers_of_their_own(bag: Mailbag):
    account = await bag.account()
    page = [bag.arrived(letter(str(number)), received_at=START) for number in range(300)]
    taken = await bag.take(account, *page)
    assert len(set(taken.new)) == len({row.number for row in await bag.rows()}) == 300


async def test_a_disconnected_account_takes_all_of_its_mail_along(bag: Mailbag):
    account = await bag.account()
    await bag.got(account, letter("Secret"))
    app = bag.office.product.storage.app
    async with app.write() as session:
        await session.delete(await session.get_one(Account, account))
    assert await count(bag, MailMessage, RawMessage, Placement) == [0, 0, 0]
    key = "rowid" if bag.office.product.storage.kind == "sqlite" else "number"
    async with app.read() as session:
        assert (await session.execute(text(f"SELECT {key} FROM search_mail"))).all() == []
    page = MailPage(cursor={"n": 9}, arrived=(bag.arrived(letter("Late")),))
    assert (await bag.intake.take_in(account, page)).new == []


async def test_what_many_mails_bring_is_kept_once_and_goes_when_none_has_it(bag: Mailbag):
    one, other = await bag.account("One"), await bag.account("Other")
    content = bytes(range(256)) * 8000
    mails = [
        letter("First", files=[("paper.pdf", "application/pdf", content)]),
        letter("Passed on", "See below.", files=[("copy.pdf", "application/pdf", content)]),
    ]
    ids = [await bag.got(account, mail) for account, mail in zip((one, other), mails, strict=True)]
    runtime = bag.office.product
    blobs = raw.own(runtime.blobs)
    (name,) = set(blobs.names())
    owner = await bag.office.owner()
    for id, mail, file in zip(ids, mails, ("paper.pdf", "copy.pdf"), strict=True):
        (part,) = (await bag.get(f"/mail/{id}"))["attachments"]
        assert (part["name"], part["size"]) == (file, len(content))
        attached = await owner.get(f"{API}/mail/{id}/attachments/{part['part']}")
        assert attached.content == content
        assert (await owner.get(f"{API}/mail/{id}/raw")).content == mail
    for account in (one, other):
        assert await raw.forget_unused(runtime.storage, runtime.blobs) == 0
        async with runtime.storage.app.write() as session:
            await session.delete(await session.get_one(Account, account))
            week = clock.now() - timedelta(days=7)
            await session.execute(update(MailBlob).values(kept_at=week))
    assert await raw.forget_unused(runtime.storage, runtime.blobs) == 0, "it was put today"
    week_ago = (clock.now() - timedelta(days=7)).timestamp()
    os.utime(blobs.path(name), (week_ago, week_ago))
    assert await raw.forget_unused(runtime.storage, runtime.blobs) == 1
    assert list(blobs.names()) == []
    assert await count(bag, MailBlob) == [0]


@pytest.mark.req("MAIL-07")
async def test_thousands_of_attachments_and_millions_of_letters_are_taken_in(office: Office):
    bag = await mailbag_in(office)
    account = await bag.account()
    head = b"From: a@b.example\r\nSubject: parts\r\n"
    head += b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n'
    part = b"--x\r\nContent-Disposition: attachment; filename=f.txt\r\n\r\nhello\r\n"
    many = head + part * 5000 + b"--x--\r\n"
    long = b"From: a@b.example\r\nSubject: long\r\n\r\n" + b"words and more words\r\n" * 1_000_000
    await bag.take(account, bag.arrived(many), bag.arrived(long))
    rows = {row.subject: row for row in await bag.rows()}
    assert 0 < len(rows["parts"].attachments) <= 1000
    assert rows["parts"].fault
    assert rows["long"].raw_blob
    assert len(rows["long"].text) <= 1_000_001
    assert sorted(await bag.found("subject:parts OR words")) == ["long", "parts"]
