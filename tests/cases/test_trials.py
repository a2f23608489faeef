"""Trying a director on a mail: what its model would read, and a run that has no effect."""

from typing import Any

import pytest

from support.desk import Desk, desk_in
from support.mailroom import Mailroom, letter
from support.model_server import Request, Turn, calls, says
from support.office import API
from support.workshop import scripted, texts

SUMMARY = {"label": "Summary", "mimeType": "text/markdown", "data": "A lamp is **broken**."}


def working(request: Request) -> Turn:
    """Asks an agent, adds an item, answers the mail, and is done."""
    done = len(request.results)
    if "Clerk" in request.system:
        return says("Noted.") if done else calls("create_task", {"title": "Send a lamp"})
    id = str(request.messages).split("Id: ")[1].split("\\n")[0]
    steps: list[Turn] = [
        calls("agent__clerk", {"input": "Note that a lamp is to be sent."}),
        calls("workspace_add_item", SUMMARY),
        calls("reply_email", {"email_id": id, "body": "A new lamp is on its way."}),
        calls("workspace_list_items", {}),
    ]
    return steps[done] if done < len(steps) else says("All done.")


async def tried(desk: Desk, director: dict[str, Any], mail: str, **more: Any) -> dict[str, Any]:
    """Try a director on a mail, until the trial is over."""
    path = f"{API}/agents/{director['id']}/trials"
    made = await desk.room.owner.post(path, json={"mailId": mail, **more})
    assert made.status_code == 201, made.text
    await desk.shop.drive()
    return await desk.shop.read(made.json()["id"])


@pytest.mark.req("DIR-04")
async def test_a_trial_says_what_it_would_have_done_and_does_nothing(room: Mailroom):
    with scripted(working) as server:
        server.usual = working
        desk = await desk_in(room, server)
        clerk = await desk.shop.agent(
            name="Clerk",
            modelId=desk.model_id,
            canCreate=True,
            prompt=[{"role": "system", "content": "You are the Clerk."}],
        )
        director = await desk.director(colleagues=[clerk["id"]], canCreate=True)
        mail = await desk.got()
        run = await tried(desk, director, mail)
        child = await desk.shop.read(run["children"][0]["id"])
        tasks = f"{API}/workspaces/{room.workspace_id}/tools/list_tasks"
        noted = (await room.owner.post(tasks, json={"arguments": {}})).json()["result"]["tasks"]
        assert await desk.cases() == []
        waiting = (await room.owner.get(f"{API}/approvals")).json()["items"]
    assert run["status"] == "completed", run["errorMessage"]
    assert (run["kind"], run["canSpeak"]) == ("trial", False)
    by_tool = {call["tool"]: call for call in run["calls"]}
    added = by_tool["workspace_add_item"]
    assert (added["status"], added["verdict"]) == ("rehearsed", "allowed")
    replied = by_tool["reply_email"]
    assert (replied["status"], replied["verdict"]) == ("rehearsed", "asked")
    assert "The lamp is broken" in replied["reason"]
    assert by_tool["agent__clerk"]["status"] == "done"
    assert [call["status"] for call in child["calls"]] == ["rehearsed"]
    assert "nothing was changed" in texts(child, "tool")[0]
    assert (noted, waiting, room.post.sent) == ([], [], [])


async def test_a_trial_of_what_is_not_saved_leaves_the_director_as_it_is(room: Mailroom):
    with scripted(says("Read.")) as server:
        desk = await desk_in(room, server)
        saved = [{"role": "system", "content": "Saved words."}]
        director = await desk.director(prompt=saved)
        mail = await desk.got()
        draft = [{"role": "system", "content": "Typed for {{email.from}}."}]
        run = await tried(desk, director, mail, prompt=draft)
        again = await room.owner.get(f"{API}/agents/{director['id']}")
        wrong = await room.owner.post(
            f"{API}/agents/{director['id']}/trials", json={"mailId": mail, "modelId": "mod-none"}
        )
    assert "Typed for Cleo Client <cleo@client.example>." in texts(run, "system")
    assert "Saved words." not in str(run["messages"])
    assert again.json()["prompt"] == saved
    assert wrong.status_code == 400
    assert "modelId" in wrong.text


@pytest.mark.req("DIR-04")
async def test_a_prompt_is_shown_with_a_real_mail_in_it_and_redacted(room: Mailroom):
    with scripted(says("Read.")) as server:
        desk = await desk_in(room, server)
        director = await desk.director()
        mail = await desk.got(letter(subject="My card", text="It is 4111 1111 1111 1111."))
        path = f"{API}/agents/{director['id']}"
        (line,) = (await room.owner.get(f"{path}/mails")).json()["items"]
        messages = [{"role": "system", "content": "{{email.subject}}: {{email.body}} {{other}}"}]
        body = {"mailId": mail, "messages": messages}
        seen = (await room.owner.post(f"{path}/preview", json=body)).json()
        plain = (await room.owner.post(f"{path}/preview", json={"mailId": mail})).json()
    assert line["id"] == mail
    assert line["subject"] == "My card"
    said = [each["content"] for each in seen["messages"]]
    assert said[0].startswith("My card: It is")
    assert "4111" not in str(seen)
    assert seen["missing"] == ["other"]
    assert said[1].startswith("A mail has come in for you.")
    assert "It is" in plain["messages"][-1]["content"], "where the prompt does not say it"


@pytest.mark.req("DIR-06")
async def test_only_mail_of_its_own_accounts_that_one_may_read_is_tried(room: Mailroom):
    with scripted(says("Read.")) as server:
        desk = await desk_in(room, server)
        other = await room.connect("Other", "other@office.example", routeFrom="all")
        director = await desk.director(accounts=[desk.account_id], shared=True)
        mail = await desk.got()
        elsewhere = await desk.got(letter(subject="Elsewhere"), account_id=other)
        member = await room.office.member("mia")
        joins = {"email": "mia@example.com", "role": "write"}
        path = f"{API}/workspaces/{room.workspace_id}/members"
        assert (await room.owner.post(path, json=joins)).status_code == 201
        path = f"{API}/agents/{director['id']}"
        listed = (await room.owner.get(f"{path}/mails")).json()["items"]
        for verb in ("preview", "trials"):
            refused = await room.owner.post(f"{path}/{verb}", json={"mailId": elsewhere})
            assert refused.status_code == 400
            assert "reaches the director" in refused.text
            theirs = await member.post(f"{path}/{verb}", json={"mailId": mail})
            assert theirs.status_code == 404, theirs.text
        assert (await member.get(f"{path}/mails")).json()["items"] == []
        assistant = await desk.shop.agent(name="Assistant")
        path = f"{API}/agents/{assistant['id']}"
        assert (await room.owner.get(f"{path}/mails")).json()["items"] == []
        no_director = await room.owner.post(f"{path}/trials", json={"mailId": mail})
    assert [line["id"] for line in listed] == [mail]
    assert no_director.status_code == 409
    assert server.requests == []
