"""The outbox: mail is held, handed over once, and never twice, whatever the other side does."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from bailiwick.config import Settings
from bailiwick.connectors.mail import ChangedMessage, MailPage
from bailiwick.gate.call import Call, Denied, Result
from bailiwick.kit.eventlog.models import EventRow
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.intake import Intake
from bailiwick.mail.outbox import sender as senders
from support import post
from support.mailroom import Mailroom, letter, mailroom_in
from support.office import API, opened_office, user_id
from support.server import PATIENCE

pytestmark = pytest.mark.req("MAIL-06")
MINUTE = timedelta(minutes=1)
NO = {"problem": "network", "detail": "Try later.", "sent": "no"}


@pytest.fixture
async def room(room: Mailroom) -> Mailroom:
    await room.connect()
    return room


@pytest.fixture
async def either_room(opened_settings: Settings, tmp_path: Path) -> AsyncIterator[Mailroom]:
    """Once on each database."""
    with post.installed():
        async with opened_office(opened_settings) as office:
            made = await mailroom_in(office, tmp_path / "post")
            await made.connect()
            yield made


async def told(room: Mailroom) -> list[str]:
    async with room.office.product.storage.app.read() as session:
        found = await session.scalars(select(EventRow.type).order_by(EventRow.position))
        return [type for type in found if type.startswith("outbox.") and type != "outbox.due"]


@pytest.mark.req("GATE-19")
async def test_mail_is_held_for_the_settable_time_and_then_goes_out_once(room: Mailroom):
    await room.office.set(outbox_delay_seconds=90)
    held = await room.send(bcc=["bo@example.org"])
    row = await room.row(held["outbox_id"])
    assert (row.status, row.due_at - row.created_at) == ("held", timedelta(seconds=90))
    assert room.post.sent == []
    assert (await room.go(row.id)).status == "sent"
    for turn in range(row.turn + 2):
        await room.sender.attend(row.id, turn)
    (sent,) = room.post.sent
    assert str(sent["To"]) == "ada@example.org"
    assert sent["Bcc"] is None
    assert await told(room) == ["outbox.held", "outbox.sent"]


@pytest.mark.req("GATE-19")
async def test_undoing_a_send_takes_it_back_while_it_is_held_and_says_so_afterwards(room: Mailroom):
    await room.send()
    actions = f"{API}/actions"
    (action,) = (await room.owner.get(actions)).json()["items"]
    undone = await room.owner.post(f"{actions}/{action['id']}/undo")
    assert undone.status_code == 200, undone.text
    (row,) = await room.rows()
    assert (await room.go(row.id)).status == "cancelled"
    assert room.post.begun == 0
    second = await room.send(subject="Second")
    await room.go(second["outbox_id"])
    (action, *_) = [
        each
        for each in (await room.owner.get(actions)).json()["items"]
        if each["arguments"].get("subject") == "Second"
    ]
    refused = await room.owner.post(f"{actions}/{action['id']}/undo")
    assert refused.status_code == 409
    assert "It was sent at" in refused.json()["detail"]
    assert len(room.post.sent) == 1


async def test_the_same_call_twice_is_one_message(room: Mailroom):
    caller = room.agent(approves_itself=True)
    given = {"to": ["ada@example.org"], "subject": "Once", "body": "x"}
    call = Call(caller, "send_email", given, idempotency_key="k-1")
    first, second = [await room.office.gate.call(call) for _ in range(2)]
    assert isinstance(first, Result), first
    assert isinstance(second, Result)
    assert first.data["outbox_id"] == second.data["outbox_id"]
    other = Call(caller, "send_email", {**given, "subject": "Other"}, idempotency_key="k-1")
    assert isinstance(await room.office.gate.call(other), Denied)
    assert len(await room.rows()) == 1


async def test_what_was_answered_stays_so_whatever_the_provider_knows_of_it(room: Mailroom):
    account = (await room.owner.get(f"{API}/accounts")).json()["items"][0]["id"]
    id = await room.got(account, letter())
    (mail,) = (await room.done("list_emails"))["emails"]
    held = await room.done("reply_email", email_id=mail["id"], body="Yes.")
    assert (await room.go(held["outbox_id"])).status == "sent"
    assert (await room.message(id)).answered
    runtime = room.office.product
    page = MailPage(cursor={"n": 2}, changed=(ChangedMessage("r1", flags=frozenset({"seen"})),))
    await Intake(runtime.storage, runtime.blobs, FilterCache(), runtime.extractor).take_in(
        account, page
    )
    row = await room.message(id)
    assert (row.seen, row.answered) == (True, True)


async def test_what_was_surely_not_sent_is_tried_again_ever_later_and_then_given_up(room: Mailroom):
    room.post.say("fail", [NO] * 5)
    id = (await room.send())["outbox_id"]
    waits = []
    for _ in range(4):
        row = await room.go(id)
        assert (row.status, row.problem) == ("held", "Try later.")
        waits.append(round((row.due_at - row.updated_at) / MINUTE))
    assert waits == [1, 5, 30, 30]
    assert (await room.go(id)).status == "failed"
    assert await told(room) == ["outbox.held", "outbox.failed"]
    again = await room.owner.post(f"{API}/outbox/{id}/send-now")
    assert again.json()["status"] == "held"
    assert (await room.go(id)).status == "sent"
    assert len(room.post.sent) == 1


async def test_what_the_server_refuses_for_good_is_not_tried_again(room: Mailroom):
    room.post.say("fail", [{**NO, "problem": "other", "permanent": True}])
    row = await room.go((await room.send())["outbox_id"])
    assert (row.status, row.problem, room.post.begun) == ("failed", "Try later.", 1)


async def test_a_lost_answer_is_looked_up_and_not_sent_again(room: Mailroom):
    room.post.say("lost")
    row = await room.go((await room.send())["outbox_id"])
    assert row.status == "sending"
    room.post.hush("lost")
    assert (await room.go(row.id)).status == "sent"
    assert (len(room.post.sent), room.post.begun) == (1, 1)


async def test_a_no_is_believed_only_after_a_copy_would_show(room: Mailroom):
    room.post.say("fail", [{**NO, "sent": "unknown"}])
    id = (await room.send())["outbox_id"]
    first = (await room.go(id)).message_id
    row = await room.go(id)
    assert (row.status, room.post.begun) == ("sending", 1)
    await room.age(id, 2 * MINUTE)
    assert (await room.go(id)).status == "held"
    assert (await room.go(id)).status == "sent"
    (sent,) = room.post.sent
    assert str(sent["Message-ID"]) == f"<{first}>"


async def test_what_nobody_can_tell_waits_for_a_person(room: Mailroom):
    room.post.say("lost")
    room.post.say("answer", "unknown")
    ids = [(await room.send(subject=subject))["outbox_id"] for subject in ("One", "Two")]
    for id in ids:
        await room.go(id)
        assert (await room.go(id)).status == "unknown"
    room.post.hush("lost")
    await room.sender.sweep()
    assert [row.status for row in await room.rows()] == ["unknown", "unknown"]
    for id, sent in zip(ids, (True, False), strict=True):
        answer = await room.owner.post(f"{API}/outbox/{id}/resolve", json={"sent": sent})
        assert answer.json()["status"] == ("sent" if sent else "held")
    assert (await room.owner.post(f"{API}/outbox/{ids[0]}/resolve", json={"sent": False})).json()[
        "status"
    ] == 409
    await room.go(ids[1])
    assert [str(sent["Subject"]) for sent in room.post.sent].count("One") == 1
    assert "outbox.unknown" in await told(room)


@pytest.mark.parametrize("answer", ["away", "broken"])
async def test_a_mailbox_that_cannot_be_asked_is_asked_for_an_hour_and_then_a_person(
    room: Mailroom, answer: str
):
    room.post.say("lost")
    room.post.say("answer", answer)
    id = (await room.send())["outbox_id"]
    await room.go(id)
    row = await room.go(id)
    assert row.status == "sending"
    assert row.due_at > row.updated_at + MINUTE / 2
    await room.age(id, 61 * MINUTE)
    row = await room.go(id)
    assert row.status == "unknown"
    assert "canary" not in (row.problem or "")
    assert room.post.begun == 1


async def test_a_connection_that_breaks_after_it_was_taken_changes_nothing(room: Mailroom):
    id = (await room.send())["outbox_id"]
    room.post.say("break on close")
    assert (await room.go(id)).status == "sent"
    assert len(room.post.sent) == 1


async def test_a_process_that_finds_it_begun_asks_before_it_does_anything(room: Mailroom):
    id = (await room.send())["outbox_id"]
    room.post.say("block")
    turn = (await room.row(id)).turn
    first = asyncio.create_task(room.sender.attend(id, turn))
    async with asyncio.timeout(PATIENCE):
        while not room.post.begun:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    await room.sender.attend(id, turn)
    assert (await room.row(id)).status == "sending"
    room.post.hush("block")
    await first
    assert (await room.row(id)).status == "sent"
    assert (room.post.begun, len(room.post.sent)) == (1, 1)
    assert any("asked" in each for each in room.post.done)


@pytest.mark.req("GATE-20")
async def test_while_everything_is_stopped_it_stays_and_says_why_and_goes_afterwards(
    room: Mailroom,
):
    id = (await room.send())["outbox_id"]
    await room.owner.post(f"{API}/halt", json={"reason": "stop"})
    row = await room.go(id)
    assert (row.status, room.post.begun) == ("held", 0)
    assert "stopped" in (await room.owner.get(f"{API}/outbox/{id}")).json()["problem"]
    await room.owner.delete(f"{API}/halt")
    assert [route.job for route in senders.WAKES] == [senders.SEND, senders.SWEEP]
    await room.office.set(outbox_delay_seconds=0)
    now = (await room.send(subject="Later"))["outbox_id"]
    await room.sender.sweep()
    assert (await room.row(now)).turn == 2
    assert (await room.go(id)).status == "sent"


async def test_an_account_that_is_switched_off_or_may_not_send_sends_nothing(room: Mailroom):
    id = (await room.send())["outbox_id"]
    accounts = (await room.owner.get(f"{API}/accounts")).json()["items"]
    path = f"{API}/accounts/{accounts[0]['id']}"
    assert (await room.owner.patch(path, json={"enabled": False})).status_code == 200
    row = await room.go(id)
    assert (row.status, room.post.begun) == ("held", 0)
    assert "switched off" in (row.problem or "")
    await room.owner.patch(path, json={"enabled": True})
    await room.connect("Quiet", "quiet@office.example", permissions=["read"])
    refused = await room.use("send_email", to=["a@b.example"], subject="", body="", account="Quiet")
    assert refused.status_code >= 400
    assert "Send mail" in refused.json()["detail"]


@pytest.mark.req("ID-03")
async def test_others_see_nothing_those_it_is_shared_with_read_and_programs_cannot_hasten(
    room: Mailroom,
):
    id = (await room.send())["outbox_id"]
    path = f"{API}/outbox/{id}"
    sam = await room.office.member("sam")
    assert (await sam.get(f"{API}/outbox")).json()["items"] == []
    assert (await sam.get(path)).status_code == 404
    assert (await sam.post(f"{path}/cancel")).status_code == 404
    members = f"{API}/workspaces/{room.workspace_id}/members"
    await room.owner.post(members, json={"email": "sam@example.com", "role": "admin"})
    assert (await sam.get(path)).status_code == 404, "an admin of the workspace, and no more"
    assert (await sam.get(f"{API}/outbox")).json()["items"] == []
    account = (await room.owner.get(path)).json()["accountId"]
    shares = f"{API}/accounts/{account}/shares/{await user_id(sam)}"
    assert (await room.owner.put(shares, json={"right": "read"})).status_code == 200
    shown = (await sam.get(path)).json()
    assert (shown["text"].strip(), shown["to"]) == ("Good morning.", ["ada@example.org"])
    for verb in ("cancel", "send-now"):
        assert (await sam.post(f"{path}/{verb}")).status_code == 403
    program = await room.office.token(room.owner)
    assert (await program.post(f"{path}/send-now")).status_code == 403
    assert (await program.post(f"{path}/resolve", json={"sent": False})).status_code == 403
    assert (await program.post(f"{path}/cancel")).status_code == 200
    listed = (await room.owner.get(f"{API}/outbox", params={"status": "cancelled"})).json()
    assert [item["id"] for item in listed["items"]] == [id]
    assert (await room.owner.post(f"{path}/send-now")).status_code == 409


async def test_a_job_that_comes_while_another_has_the_message_is_not_lost(room: Mailroom):
    await room.office.set(outbox_delay_seconds=0)
    id = (await room.send())["outbox_id"]
    sender = room.sender
    await sender.sweep()
    # The first was begun before the sweep, and leaves it to the second.
    await asyncio.gather(sender.attend(id, 1), sender.attend(id, 2))
    assert (await room.row(id)).status == "sent"
    assert (room.post.begun, len(room.post.sent)) == (1, 1)


async def test_of_many_who_want_it_at_once_one_has_it(either_room: Mailroom):
    room = either_room
    await room.office.set(outbox_delay_seconds=0)
    sent, back = [(await room.send(subject=subject))["outbox_id"] for subject in ("Go", "Back")]
    one, other = room.sender, room.sender
    await asyncio.gather(one.sweep(), other.sweep())
    turns = range(1, (await room.row(sent)).turn + 1)
    await room.owner.post(f"{API}/outbox/{back}/cancel")
    await asyncio.gather(
        *(each.attend(id, turn) for each in (one, other) for id in (sent, back) for turn in turns)
    )
    assert (await room.row(sent)).status in ("sent", "sending")
    assert (await room.row(back)).status == "cancelled"
    assert [str(message["Subject"]) for message in room.post.sent] == ["Go"]


@pytest.mark.req("GATE-14")
async def test_what_a_person_does_in_the_outbox_is_in_the_audit(room: Mailroom):
    id = (await room.send())["outbox_id"]
    assert (await room.owner.post(f"{API}/outbox/{id}/send-now")).status_code == 200
    listed = (await room.owner.get(f"{API}/audit?tool=send_outgoing_now")).json()["items"]
    assert {(line["caller"]["id"], line["effect"]) for line in listed} == {(room.owner_id, "send")}
    assert sorted(line["status"] for line in listed) == ["done", "open"]
    tools = await room.owner.get(f"{API}/workspaces/{room.workspace_id}/tools?PageSize=200")
    assert "send_outgoing_now" not in tools.text
    by_name = await room.use("send_outgoing_now", outbox_id=id)
    assert by_name.status_code == 404


@pytest.mark.req("GATE-14")
@pytest.mark.parametrize("by", ["a person", "a program", "a person while all is stopped"])
async def test_mail_that_is_taken_back_is_in_the_audit(room: Mailroom, by: str):
    id = (await room.send())["outbox_id"]
    who = await room.office.token(room.owner) if by == "a program" else room.owner
    if by == "a person while all is stopped":
        await room.owner.post(f"{API}/halt", json={})
    cancelled = await who.post(f"{API}/outbox/{id}/cancel")
    assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelled")
    listed = (await room.owner.get(f"{API}/audit?tool=cancel_outgoing")).json()["items"]
    assert {(line["caller"]["id"], line["effect"]) for line in listed} == {(room.owner_id, "edit")}
    assert sorted(line["status"] for line in listed) == ["done", "open"]


@pytest.mark.req("GATE-20")
async def test_while_everything_is_stopped_nothing_is_sent_at_once(room: Mailroom):
    id = (await room.send())["outbox_id"]
    due = (await room.row(id)).due_at
    await room.owner.post(f"{API}/halt", json={})
    assert (await room.owner.post(f"{API}/outbox/{id}/send-now")).status_code == 503
    assert (await room.row(id)).due_at == due
