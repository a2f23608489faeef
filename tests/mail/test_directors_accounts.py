"""Only mail of its own accounts reaches a director."""

from typing import Any

import pytest

from support.mailroom import Mailroom, letter
from support.office import API
from support.workshop import workshop_in


def filtered(room: Mailroom, director: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {"workspaceId": room.workspace_id, "field": "Subject", "regex": "rent"}
    return body | {"directorId": director["id"]} | more


async def routed(room: Mailroom, message: str) -> list[str]:
    found = (await room.owner.get(f"{API}/mail/{message}")).json()
    return [each["directorId"] for each in found["routings"]]


@pytest.mark.req("DIR-06")
async def test_only_mail_of_its_own_accounts_reaches_a_director(room: Mailroom):
    shop = await workshop_in(room.office)
    work = await room.connect("Work", "me@office.example", routeFrom="all")
    home = await room.connect("Home", "me@home.example", routeFrom="all")
    one = await shop.agent(name="One", kind="director", accounts=[work])
    both = await shop.agent(name="Both", kind="director")
    assert (one["accounts"], both["accounts"]) == ([work], [])
    for director in (one, both):
        made = await room.owner.post(f"{API}/filters", json=filtered(room, director))
        assert made.status_code == 201, made.text
    at_work = await room.got(work, letter(subject="The rent"))
    at_home = await room.got(home, letter(subject="The rent again"))
    assert {*await routed(room, at_work)} == {one["id"], both["id"]}
    assert await routed(room, at_home) == [both["id"]]


@pytest.mark.req("DIR-06")
async def test_a_filter_for_an_account_that_its_director_does_not_have_is_refused(room: Mailroom):
    shop = await workshop_in(room.office)
    work = await room.connect("Work", "me@office.example", routeFrom="all")
    home = await room.connect("Home", "me@home.example", routeFrom="all")
    director = await shop.agent(name="One", kind="director", accounts=[work])
    refused = await room.owner.post(f"{API}/filters", json=filtered(room, director, accountId=home))
    assert refused.status_code == 400
    assert refused.json()["errors"] == {"accountId": ["its director does not have this account"]}
    allowed = await room.owner.post(f"{API}/filters", json=filtered(room, director, accountId=work))
    assert allowed.status_code == 201


@pytest.mark.req("DIR-06")
async def test_nobodys_mail_goes_to_another_persons_director_unless_it_is_shared(room: Mailroom):
    shop = await workshop_in(room.office)
    await room.connect("Work", "me@office.example", routeFrom="all")
    sam = await room.office.member("sam")
    path = f"{API}/workspaces/{room.workspace_id}/members"
    await room.owner.post(path, json={"email": "sam@example.com", "role": "write"})
    body = {"workspaceId": room.workspace_id, "name": "Sam's", "kind": "director"}
    theirs = (await sam.post(f"{API}/agents", json=body)).json()
    refused = await room.owner.post(f"{API}/filters", json=filtered(room, theirs))
    assert refused.status_code == 400, refused.text
    assert refused.json()["errors"] == {"directorId": ["this director has none of your accounts"]}
    shared = await shop.agent(name="For all", kind="director", shared=True)
    made = await room.owner.post(f"{API}/filters", json=filtered(room, shared))
    assert made.status_code == 201, made.text
    ours = (await room.owner.get(f"{API}/accounts")).json()["items"][0]["id"]
    taken = await sam.post(f"{API}/agents", json=body | {"name": "Spy", "accounts": [ours]})
    assert taken.status_code == 400
    assert "accounts" in taken.json()["errors"]
