"""Outside clients through the API: who may make them, what they may have, what is never shown."""

import json
import re

import pytest
from mcp_support import CLIENTS, EVERYTHING, made, program, workspace_id

from support.office import API, Office, user_id

pytestmark = pytest.mark.req("MCP-02")


async def test_a_client_is_made_shown_changed_and_revoked(any_house: Office):
    owner = await any_house.owner()
    client = await made(owner, scope={"create": True, "notebooks": ["Papers"]}, expiresInDays=30)
    token = client.pop("token")
    assert re.fullmatch(r"bwc_[A-Za-z0-9_-]{43}", token)
    assert client["hint"] == token[:8]
    assert client["userId"] == await user_id(owner)
    assert client["scope"]["create"] is True
    assert client["scope"]["write"] is False
    assert client["scope"]["notebooks"] == ["Papers"]
    assert client["limits"]["requestsPerHour"] == 1000
    assert client["expiresAt"] is not None
    one = f"{CLIENTS}/{client['id']}"
    assert (await owner.get(one)).json() == client
    assert (await owner.get(CLIENTS)).json()["items"] == [client]
    patch = {"name": "Clerk", "askWrites": True, "askTools": ["create_task"], "expiresInDays": None}
    changed = (await owner.patch(one, json=patch)).json()
    assert (changed["name"], changed["askWrites"], changed["expiresAt"]) == ("Clerk", True, None)
    assert changed["scope"] == client["scope"]
    assert (await owner.delete(one)).status_code == 204
    assert (await owner.get(one)).status_code == 404


async def test_every_change_is_recorded_and_told_without_the_token(any_house: Office):
    owner = await any_house.owner()
    client = await made(owner)
    one = f"{CLIENTS}/{client['id']}"
    await owner.patch(one, json={"limits": {"requestsPerHour": 5}})
    await owner.patch(one, json={"limits": {"requestsPerHour": 5}})
    renewed = (await owner.post(f"{one}/token")).json()["token"]
    assert (await owner.post(f"{one}/fresh")).status_code == 204
    await owner.delete(one)
    lines = await owner.get(f"{API}/changes", params={"subject": client["id"]})
    assert [line["action"] for line in lines.json()["items"]][::-1] == [
        *("client.created", "client.changed", "client.changed", "client.fresh", "client.revoked")
    ]
    events = (await owner.get(f"{API}/events", params={"types": "client.*"})).text
    for token in (client["token"], renewed):
        assert token not in lines.text + events


async def test_programs_cannot_make_or_change_clients(house: Office):
    owner = await house.owner()
    client = await made(owner)
    one = f"{CLIENTS}/{client['id']}"
    token = await house.token(owner, "read", "write", "admin")
    body = {"name": "Robot", "workspaceId": await workspace_id(owner)}
    for answer in (
        await token.post(CLIENTS, json=body),
        await token.patch(one, json={"name": "Mine"}),
        await token.delete(one),
        await token.post(f"{one}/token"),
        await token.post(f"{one}/pass"),
        await token.post(f"{one}/fresh"),
    ):
        assert answer.status_code == 403, answer.text
        assert "Sign in" in answer.json()["detail"]
    assert (await token.get(CLIENTS)).status_code == 200


async def test_a_clients_own_token_opens_nothing_of_the_api(house: Office):
    robot = await program(house, scope=EVERYTHING)
    for path in ("/clients", "/workspaces", "/users/me", f"/clients/{robot.id}"):
        assert (await robot.http.get(f"{API}{path}")).status_code == 401


async def test_strangers_do_not_see_a_client_and_admins_only_end_it(any_house: Office):
    owner, sam = await any_house.owner(), await any_house.member("sam")
    home = await workspace_id(owner)
    members = f"{API}/workspaces/{home}/members"
    await owner.post(members, json={"email": "sam@example.com", "role": "write"})
    client = await made(sam, scope={"write": True})
    assert client["workspaceId"] == home
    adam = await any_house.member("adam", role="admin")
    one = f"{CLIENTS}/{client['id']}"
    assert (await adam.get(one)).status_code == 404
    assert (await adam.delete(one)).status_code == 404
    assert (await owner.get(one)).json()["ownerName"] == "Sam"
    found = (await owner.get(CLIENTS, params={"workspaceId": home})).json()["items"]
    assert [item["id"] for item in found] == [client["id"]]
    for answer in (
        await owner.patch(one, json={"scope": {"delete": True}}),
        await owner.patch(one, json={"enabled": True}),
        await owner.patch(one, json={"enabled": False, "name": "x"}),
        await owner.post(f"{one}/token"),
        await owner.post(f"{one}/pass"),
        await owner.post(f"{one}/fresh"),
    ):
        assert answer.status_code == 403, answer.text
        assert "owner" in answer.json()["detail"]
    assert (await owner.patch(one, json={"enabled": False})).json()["enabled"] is False
    assert (await owner.delete(one)).status_code == 204


async def test_a_client_never_has_more_than_its_owner(any_house: Office):
    owner, sam = await any_house.owner(), await any_house.member("sam")
    home = await workspace_id(owner)
    members = f"{API}/workspaces/{home}/members"
    await owner.post(members, json={"email": "sam@example.com", "role": "read"})
    body = {"name": "Robot", "workspaceId": home}
    for flag in ("write", "create", "delete", "execute", "integrations"):
        refused = await sam.post(CLIENTS, json={**body, "scope": {flag: True}})
        assert refused.status_code == 403, flag
        assert flag in refused.json()["detail"]
    reader = await made(sam)
    refused = await sam.patch(f"{CLIENTS}/{reader['id']}", json={"scope": {"write": True}})
    assert refused.status_code == 403
    other = await sam.post(CLIENTS, json={**body, "userId": await user_id(owner)})
    assert other.status_code == 400
    assert "own name" in other.json()["errors"]["userId"][0]


async def test_the_operator_makes_clients_in_a_members_name(house: Office):
    owner = await house.owner()
    home = await workspace_id(owner)
    client = await made(house.operator, workspaceId=home)
    assert client["userId"] == await user_id(owner)
    sam = await user_id(await house.member("sam"))
    body = {"name": "Robot", "workspaceId": home, "userId": sam}
    refused = await house.operator.post(CLIENTS, json=body)
    assert refused.status_code == 400
    assert "not a member" in refused.json()["errors"]["userId"][0]
    assert len((await house.operator.get(CLIENTS)).json()["items"]) == 1


async def test_wrong_values_are_refused_by_name(house: Office):
    owner = await house.owner()
    body = {"name": "Robot", "workspaceId": await workspace_id(owner)}
    for given, field in (
        ({"scope": {"fly": True}}, "scope.fly"),
        ({"scope": {"write": "yes"}}, "scope.write"),
        ({"scope": {"tools": ["a\x00"]}}, "scope.tools.0"),
        ({"scope": {"folders": ["x" * 201]}}, "scope.folders.0"),
        ({"limits": {"requestsPerHour": 0}}, "limits.requestsPerHour"),
        ({"expiresInDays": 0}, "expiresInDays"),
        ({"name": ""}, "name"),
    ):
        refused = await owner.post(CLIENTS, json={**body, **given})
        assert refused.status_code == 400, given
        assert field in refused.json()["errors"], refused.json()
    missing = await owner.post(CLIENTS, json={**body, "workspaceId": "wsp-000000000000"})
    assert missing.status_code == 404


async def test_there_is_an_end_to_how_many_clients_one_has(house: Office, monkeypatch):
    from bailiwick.mcp.clients import service

    monkeypatch.setattr(service, "MOST", 1)
    owner = await house.owner()
    await made(owner)
    body = {"name": "Robot", "workspaceId": await workspace_id(owner)}
    refused = await owner.post(CLIENTS, json=body)
    assert refused.status_code == 422
    assert "Remove one" in refused.json()["detail"]


async def test_configurations_can_be_pasted(house: Office):
    owner = await house.owner()
    client = await made(owner)
    answer = await owner.get(f"{CLIENTS}/{client['id']}/configuration")
    shown = answer.json()
    assert shown["url"] == f"{house.origin}/mcp"
    programs = [item["program"] for item in shown["items"]]
    assert set(programs) >= {"Claude Code", "Claude Desktop", "Cursor", "A program on the web"}
    for item in shown["items"]:
        if item["format"] == "json":
            [server] = json.loads(item["text"])["mcpServers"].values()
            assert shown["placeholder"] in str(server)
    assert client["token"] not in answer.text
    assert (await (await house.member("sam")).get(answer.url)).status_code == 404
