"""The part of the walk that is about accounts and connectors."""

import shutil

from bailiwick.kit.correlation import HEADER
from notify.gate_walk import workspace
from notify.walking import Told, Walk, part
from support.office import API, user_id


@part(
    "PATCH /connectors/{connector_id}",
    "PUT /connectors/active/{category}",
    "POST /connectors/{connector_id}/oauth/start",
    tells="connector.changed",
)
async def connectors(walk: Walk) -> None:
    owner = await walk.office.owner()
    changed = [Told("connector.changed", {"admins", "everyone"}, await user_id(owner), "gmail")]
    route = "PATCH /connectors/{connector_id}"
    for patch in ({"enabled": False}, {"enabled": True}, {"options": {"client_id": "canary"}}):
        assert (await walk(owner, route, "gmail", json=patch))[1] == changed
    assert (await walk(owner, route, "gmail", json=patch))[1] == []
    secret = {"options": {"client_id": "canary", "client_secret": "canary-secret"}}
    assert (await walk(owner, route, "gmail", json=secret))[1] == changed
    begin = {"workspaceId": await workspace(walk)}
    assert (await walk(owner, "POST /connectors/{connector_id}/oauth/start", "gmail", json=begin))[
        1
    ] == []
    route = "PUT /connectors/active/{category}"
    assert (await walk(owner, route, "mail", json={"connector": "gmail"}))[1] == changed
    assert (await walk(owner, route, "mail", json={"connector": "gmail"}))[1] == []
    assert (await walk(owner, route, "mail", json={"connector": None}))[1] == changed


@part(
    "POST /accounts",
    "PATCH /accounts/{account_id}",
    "DELETE /accounts/{account_id}",
    "PUT /accounts/{account_id}/credentials",
    "POST /accounts/{account_id}/primary",
    "PUT /accounts/{account_id}/shares/{member_id}",
    "DELETE /accounts/{account_id}/shares/{member_id}",
    tells="account.connected account.changed account.disconnected account.failed account.recovered"
    " account.shared account.unshared",
)
async def accounts(walk: Walk) -> None:
    office, owner = walk.office, await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    path = office.product.settings.data.parent / "canary-mail"
    settings = {"address": "canary@example.com", "path": str(path)}
    body = {"workspaceId": space, "connector": "local", "settings": settings}
    ids: list[str] = []

    def mine(id: str) -> set[str]:
        return {f"user:{me}", f"account:{id}"}

    for _ in range(2):
        made, told = await walk(owner, "POST /accounts", json=body | {"label": f"canary-{_}"})
        ids.append(made["id"])
        assert told == [Told("account.connected", mine(made["id"]), me, made["id"], space)]

    def changed(id: str) -> Told:
        return Told("account.changed", mine(id), me, id, space)

    first, second = ids
    rename = {"label": "canary-other"}
    assert (await walk(owner, "PATCH /accounts/{account_id}", second, json=rename))[1] == [
        changed(second)
    ]
    assert (await walk(owner, "PATCH /accounts/{account_id}", second, json=rename))[1] == []
    route = "PUT /accounts/{account_id}/credentials"
    assert (await walk(owner, route, second, json={"settings": settings}))[1] == [changed(second)]
    route = "POST /accounts/{account_id}/primary"
    assert (await walk(owner, route, second))[1] == [changed(second)]
    assert (await walk(owner, route, second))[1] == []
    shutil.move(path, path.with_name("away"))
    path.write_text("in the way")
    test, trace = f"{API}/accounts/{second}/test", {HEADER: "trace-of-a-failure"}
    assert not (await owner.get(test, headers=trace)).json()["ok"]
    failed = Told(
        "account.failed", {f"account:{second}"}, None, second, space, {"problem": "other"}
    )
    assert await walk.told(trace[HEADER]) == [failed]
    path.unlink()
    shutil.move(path.with_name("away"), path)
    trace = {HEADER: "trace-of-a-recovery"}
    assert (await owner.get(test, headers=trace)).json()["ok"]
    well = Told("account.recovered", {f"account:{second}"}, None, second, space)
    assert await walk.told(trace[HEADER]) == [well]
    route = "/accounts/{account_id}/shares/{member_id}"
    sam = await user_id(await office.member("sam"))
    await owner.put(f"{API}/workspaces/{space}/members/{sam}", json={"role": "read"})
    for who, told_too, about in (
        (sam, f"user:{sam}", {"userId": sam}),
        ("*", f"workspace:{space}", {}),
    ):
        heard = {*mine(second), told_too}
        _, told = await walk(owner, f"PUT {route}", second, who, json={"right": "read"})
        assert told == [Told("account.shared", heard, me, second, space, about)]
        _, told = await walk(owner, f"DELETE {route}", second, who)
        assert told == [Told("account.unshared", heard, me, second, space, about)]
    _, told = await walk(owner, "DELETE /accounts/{account_id}", second)
    gone = Told("account.disconnected", mine(second), me, second, space)
    assert told == [gone, changed(first)], "the other one is the primary one now"
