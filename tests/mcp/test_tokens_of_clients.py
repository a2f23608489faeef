"""Who may come in: only a client's own token, for as long as it and its owner may."""

from datetime import timedelta

import pytest
from mcp_support import CLIENTS, EVERYTHING, made, program, workspace_id
from sqlalchemy import update

from bailiwick.kit import clock
from bailiwick.mcp.clients import passes
from bailiwick.mcp.clients.directory import ClientDirectory
from bailiwick.mcp.clients.models import Client
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("MCP-02")
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


async def comes_in(robot) -> bool:
    answer = await robot.post(LIST)
    assert answer.status_code in (200, 401), answer.text
    if answer.status_code == 401:
        assert answer.headers["www-authenticate"] == 'Bearer realm="bailiwick"'
        assert "client" in answer.json()["error"]["message"]
    return answer.status_code == 200


async def test_only_a_clients_token_opens_it(house: Office):
    robot = await program(house)
    assert await comes_in(robot)
    owner = await house.owner()
    api = await owner.post(f"{API}/tokens", json={"name": "t", "scopes": ["read", "write"]})
    operator = house.product.operator_token.get_secret_value()
    for token in (
        *("", "bwc_", "bwc_" + "x" * 43, robot.token + "x", robot.token[:-1]),
        *(api.json()["secret"], operator, "bwc_pass_", "bwc_pass_a_b_c", f"{robot.token}, x"),
        f"bwc_pass_{robot.id}_99999999999_{'0' * 64}",
    ):
        robot.http = house.program(token)
        assert not await comes_in(robot), token
    robot.http = owner
    assert not await comes_in(robot)
    robot.http = house.browser()
    assert not await comes_in(robot)
    answer = await robot.http.post(
        f"/mcp?token={robot.token}&access_token={robot.token}", json=LIST
    )
    assert answer.status_code == 401


async def test_a_revoked_client_is_refused_at_once(any_house: Office):
    robot, owner = await program(any_house), await any_house.owner()
    assert await comes_in(robot)
    assert (await owner.delete(f"{CLIENTS}/{robot.id}")).status_code == 204
    assert not await comes_in(robot)


async def test_a_client_that_is_switched_off_comes_in_again_when_it_is_on(any_house: Office):
    robot, owner = await program(any_house), await any_house.owner()
    one = f"{CLIENTS}/{robot.id}"
    assert await comes_in(robot)
    await owner.patch(one, json={"enabled": False})
    assert not await comes_in(robot)
    await owner.patch(one, json={"enabled": True})
    assert await comes_in(robot)


async def test_a_new_token_ends_the_old_one_and_every_pass(any_house: Office):
    robot, owner = await program(any_house), await any_house.owner()
    one = f"{CLIENTS}/{robot.id}"
    given = (await owner.post(f"{one}/pass")).json()
    bearer = any_house.program(given["token"])
    old, robot.http = robot.http, bearer
    assert await comes_in(robot)
    fresh = (await owner.post(f"{one}/token")).json()["token"]
    assert not await comes_in(robot)
    robot.http = old
    assert not await comes_in(robot)
    robot.http = any_house.program(fresh)
    assert await comes_in(robot)


async def test_a_pass_ends_and_cannot_be_prolonged_or_lent(house: Office):
    robot, owner = await program(house), await house.owner()
    other = await made(owner, name="Other")
    token = (await owner.post(f"{CLIENTS}/{robot.id}/pass")).json()["token"]
    end = token.split("_")[3]
    for forged in (token.replace(end, str(int(end) + 9)), token.replace(robot.id, other["id"])):
        robot.http = house.program(forged)
        assert not await comes_in(robot)
    async with house.product.storage.app.read() as session:
        row = await session.get_one(Client, robot.id)
    earlier = clock.now() - passes.LASTS - timedelta(seconds=1)
    seal = passes._seal(
        row.id, int(earlier.timestamp()), row.token_hash, hasher=house.product.hasher
    )
    robot.http = house.program(f"bwc_pass_{row.id}_{int(earlier.timestamp())}_{seal}")
    assert not await comes_in(robot)


async def test_a_client_ends_when_it_was_to_end(any_house: Office):
    robot = await program(any_house, expiresInDays=1)
    assert await comes_in(robot)
    async with any_house.product.storage.app.write() as session:
        values = {"expires_at": clock.now() - timedelta(seconds=1)}
        await session.execute(update(Client).where(Client.id == robot.id).values(**values))
    any_house.product[ClientDirectory].forget()
    assert not await comes_in(robot)
    assert await any_house.gate.find_caller("client", robot.id, "any", None) is None


async def test_what_is_remembered_ends_in_time_too(house: Office, monkeypatch):
    robot = await program(house, expiresInDays=1)
    assert await comes_in(robot)
    real = clock.now
    monkeypatch.setattr(clock, "now", lambda: real() + timedelta(days=2))
    assert not await comes_in(robot)


async def test_a_client_goes_with_its_owner(any_house: Office):
    owner, sam = await any_house.owner(), await any_house.member("sam")
    home, id = await workspace_id(owner), await user_id(sam)
    member = f"{API}/workspaces/{home}/members/{id}"
    await owner.put(member, json={"role": "write"})
    robot = await program(any_house)
    client = await made(sam, scope={**EVERYTHING})
    robot.id, robot.http = client["id"], any_house.program(client["token"])
    names = {tool["name"] for tool in (await robot.ask("tools/list"))["result"]["tools"]}
    assert "shred" in names
    await owner.put(member, json={"role": "read"})
    names = {tool["name"] for tool in (await robot.ask("tools/list"))["result"]["tools"]}
    assert "echo" in names
    assert not names & {"shred", "post", "slow_note"}
    await owner.delete(member)
    assert not await comes_in(robot)
    assert await any_house.gate.find_caller("client", robot.id, home, None) is None
    await owner.put(member, json={"role": "write"})
    assert await comes_in(robot)
    await owner.patch(f"{API}/users/{id}", json={"active": False})
    assert not await comes_in(robot)


async def test_a_hot_client_is_not_looked_up_again(house: Office, monkeypatch):
    from bailiwick.mcp.clients import repository

    robot = await program(house)
    assert await comes_in(robot)
    monkeypatch.setattr(repository, "by_token", None)
    assert await comes_in(robot)


async def test_what_was_read_before_a_change_is_not_kept_after_it(house: Office, monkeypatch):
    from bailiwick.mcp.clients import repository

    robot, clients = await program(house), house.product[ClientDirectory]
    real = repository.by_token

    async def overtaken(session, token_hash):
        found = await real(session, token_hash)
        clients.forget()
        return found

    monkeypatch.setattr(repository, "by_token", overtaken)
    assert await comes_in(robot)
    assert not clients._known


async def test_the_office_remembers_when_a_client_was_here_and_what_it_called_itself(
    any_house: Office,
):
    robot, owner = await program(any_house), await any_house.owner()
    one = f"{CLIENTS}/{robot.id}"
    assert (await owner.get(one)).json()["lastSeenAt"] is None
    async with robot.session("legacy") as client:
        await client.list_tools()
    shown = (await owner.get(one)).json()
    assert shown["lastSeenAt"] is not None
    assert shown["agentName"] == "mcp"
    assert shown["protocol"] == "2025-11-25"
    async with robot.session("2026-07-28") as client:
        await client.list_tools()
    # Two programs with one token may alternate; the office does not write at every call.
    assert (await owner.get(one)).json()["protocol"] == "2025-11-25"
