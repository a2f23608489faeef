"""Accounts that are connected with a form: connect, list, change, primary, probe, disconnect."""

import socket
from datetime import datetime
from typing import Any

import httpx
import pytest
from sqlalchemy import delete

from accounts.connecting import connected, form, home
from accounts.postbox import PASSWORD
from bailiwick.accounts.models import Account, AccountCredential
from bailiwick.instance import changes
from bailiwick.operations import keys
from support.oauth_server import Provider
from support.office import API, Office, user_id

pytestmark = [pytest.mark.req("ACC-01")]


async def accounts(person: httpx.AsyncClient) -> list[dict[str, Any]]:
    return (await person.get(f"{API}/accounts")).json()["items"]


async def test_the_first_account_is_primary_and_its_secret_is_sealed(
    any_office: Office, provider: Provider
):
    owner = await any_office.owner()
    made = await connected(owner, provider)
    assert made["isPrimary"]
    assert (made["label"], made["address"]) == ("olive@pillar.example", "olive@pillar.example")
    assert made["permissions"] == ["read", "send"]
    assert "password" not in made["settings"]
    second = await connected(owner, provider)
    assert (second["label"], second["isPrimary"]) == ("olive@pillar.example (2)", False)
    shown = await owner.get(f"{API}/accounts")
    assert [item["id"] for item in shown.json()["items"]] == [made["id"], second["id"]]
    everything = shown.text + (await owner.get(f"{API}/changes")).text
    assert PASSWORD not in everything
    async with any_office.product.storage.app.read() as session:
        row = await session.get(AccountCredential, made["id"])
    assert row
    assert PASSWORD.encode() not in row.secret


async def test_the_primary_can_be_changed_and_passes_on_when_it_goes(
    any_office: Office, provider: Provider
):
    owner = await any_office.owner()
    first = await connected(owner, provider)
    second = await connected(owner, provider)
    third = await connected(owner, provider)
    answer = await owner.post(f"{API}/accounts/{third['id']}/primary")
    assert answer.json()["isPrimary"]
    assert [each["isPrimary"] for each in await accounts(owner)] == [True, False, False]
    gone = await owner.delete(f"{API}/accounts/{third['id']}")
    assert gone.status_code == 200
    assert gone.json() == {"revoked": None}
    assert [(each["id"], each["isPrimary"]) for each in await accounts(owner)] == [
        (first["id"], True),
        (second["id"], False),
    ]
    async with any_office.product.storage.app.read() as session:
        assert await session.get(AccountCredential, third["id"]) is None
        assert await session.get(Account, third["id"]) is None


async def test_what_does_not_work_is_not_kept_and_the_field_is_named(
    office: Office, provider: Provider, monkeypatch: pytest.MonkeyPatch
):
    real = socket.getaddrinfo

    def nowhere(host: Any, *given: Any, **named: Any) -> Any:
        if host == "nowhere.invalid":
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return real(host, *given, **named)

    # To ask for a name is to talk to the world, which may take its time.
    monkeypatch.setattr(socket, "getaddrinfo", nowhere)
    owner = await office.owner()
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"password": "canary-wrong"}, "settings.password", "password is wrong"),
        ({"host": "nowhere.invalid"}, "settings.host", "nowhere.invalid"),
        ({"user": "broken"}, "settings", "pillar broke"),
        ({"port": "often"}, "settings.port", "integer"),
        ({"host": ""}, "settings.host", "empty"),
        ({"surprise": 1}, "settings.surprise", "no such field"),
        ({"user": "a\nb"}, "settings.user", "cannot be used"),
    ]
    for settings, field, words in wrong:
        body = form(await home(owner), provider, settings=settings)
        refused = await owner.post(f"{API}/accounts", json=body)
        assert refused.status_code == 400, refused.text
        (said,) = refused.json()["errors"][field]
        assert words in said
        assert "canary" not in refused.text
    assert await accounts(owner) == []
    folder = office.product.settings.data / "accounts"
    assert not folder.exists() or list(folder.iterdir()) == []


@pytest.mark.req("ACC-09")
async def test_only_an_admin_of_the_office_names_private_addresses(
    office: Office, provider: Provider
):
    owner, sam = await office.owner(), await office.member("sam")
    for host in ("127.0.0.1", "localhost", "169.254.169.254", "10.0.0.1", "[::1]", "::1"):
        body = form(await home(sam), provider, settings={"host": host})
        refused = await sam.post(f"{API}/accounts", json=body)
        assert refused.status_code == 400, refused.text
    assert await accounts(sam) == []
    metadata = form(await home(owner), provider, settings={"host": "169.254.169.254"})
    refused = await owner.post(f"{API}/accounts", json=metadata)
    assert "link-local" in refused.text, "not even they"


@pytest.mark.req("ACC-09")
async def test_whoever_gives_the_settings_answers_for_where_they_lead(
    office: Office, provider: Provider
):
    owner, sam = await office.owner(), await office.member("sam")
    made = await connected(owner, provider)
    workspace, path = await home(owner), f"{API}/accounts/{made['id']}/credentials"
    members = f"{API}/workspaces/{workspace}/members"
    await owner.post(members, json={"email": "sam@example.com", "role": "admin"})
    given = {"settings": form(workspace, provider)["settings"]}
    assert (await sam.put(path, json=given)).status_code == 404, "it is not sam's"
    own = await sam.post(f"{API}/accounts", json=form(workspace, provider))
    assert own.status_code == 400, "sam is no admin of the office"
    given["settings"].pop("password")
    refused = await owner.put(path, json=given)
    assert "settings.password" in refused.json()["errors"], "settings are given whole"
    given["settings"] |= {"password": PASSWORD, "user": "other"}
    other = await owner.put(path, json=given)
    assert other.status_code == 409
    assert "olive@pillar.example" in other.text
    assert "other@pillar.example" in other.text
    given["settings"]["user"] = "olive"
    assert (await owner.put(path, json=given)).status_code == 200


@pytest.mark.req("ACC-07")
async def test_a_signature_is_the_providers_or_ones_own(office: Office, provider: Provider):
    owner = await office.owner()
    made = await connected(owner, provider)
    path = f"{API}/accounts/{made['id']}"
    assert made["signature"]["source"] == "provider"
    assert made["signature"]["text"] == "Olive\nOwner"
    assert made["signature"]["html"] == "<b>Olive</b><br>Owner"
    own = {"source": "own", "text": "Best,\nOlive <3"}
    changed = (await owner.patch(path, json={"signature": own})).json()["signature"]
    assert changed == {"source": "own", "text": "Best,\nOlive <3", "html": None}
    back = await owner.patch(path, json={"signature": {"source": "provider"}})
    assert back.json()["signature"] == made["signature"]
    none = await owner.patch(path, json={"signature": {"source": "none"}})
    assert none.json()["signature"]["text"] == ""


async def test_an_account_is_renamed_limited_and_switched_off(office: Office, provider: Provider):
    owner = await office.owner()
    made = await connected(owner, provider, label="Work", routeFrom="all")
    assert made["routeFrom"] is None
    other = await connected(owner, provider, label="Home")
    taken = await owner.patch(f"{API}/accounts/{other['id']}", json={"label": "wORK"})
    assert "label" in taken.json()["errors"]
    path = f"{API}/accounts/{made['id']}"
    body = {"label": "Office", "permissions": ["read"], "enabled": False, "routeFrom": "new"}
    changed = (await owner.patch(path, json=body | {"authservId": "mx.example"})).json()
    assert (changed["label"], changed["permissions"], changed["authservId"]) == (
        "Office",
        ["read"],
        "mx.example",
    )
    # Servers tell whole seconds, and what comes within this one is new.
    assert datetime.fromisoformat(changed["routeFrom"]).microsecond == 0
    assert changed["unusedBecause"] == "This account is switched off."
    unknown = await owner.patch(path, json={"permissions": ["fly"]})
    assert "permissions" in unknown.json()["errors"]


@pytest.mark.req("ACC-04")
async def test_a_probe_says_what_is_wrong_and_that_it_is_well_again(
    office: Office, provider: Provider
):
    owner = await office.owner()
    made = await connected(owner, provider)
    path = f"{API}/accounts/{made['id']}"
    well = {"ok": True, "error": None, "detail": None, "authorizeUrl": None}
    assert (await owner.get(f"{path}/test")).json().items() >= well.items()
    async with office.product.storage.app.write() as session:
        account = await session.get_one(Account, made["id"])
        account.settings = {**account.settings, "port": 1}
    answer = (await owner.get(f"{path}/test")).json()
    assert (answer["ok"], answer["error"], answer["authorizeUrl"]) == (False, "network", None)
    shown = (await owner.get(path)).json()
    assert (shown["problem"], shown["problemDetail"]) == ("network", answer["detail"])
    async with office.product.storage.app.write() as session:
        account = await session.get_one(Account, made["id"])
        account.settings = made["settings"]
    assert (await owner.get(f"{path}/test")).json()["ok"]
    assert (await owner.get(path)).json()["problem"] is None
    events = (await owner.get(f"{API}/events", params={"types": "account.*"})).json()["items"]
    assert [each["type"].partition(".")[2] for each in events] == [
        *("connected", "failed", "recovered"),
    ]


async def test_disconnecting_removes_the_files_that_are_not_the_users(
    office: Office, provider: Provider
):
    owner = await office.owner()
    made = await connected(owner, provider)
    kept = office.product.settings.data / "accounts" / made["id"] / "kept"
    assert kept.exists()
    await owner.delete(f"{API}/accounts/{made['id']}")
    assert not kept.parent.exists()


@pytest.mark.req("ACC-11")
async def test_an_account_is_its_owners_alone_until_it_is_shared(
    office: Office, provider: Provider
):
    owner, rita = await office.owner(), await office.member("rita")
    made = await connected(owner, provider)
    path = f"{API}/accounts/{made['id']}"
    for route in ("", "/test"):
        assert (await rita.get(path + route)).status_code == 404
    members = f"{API}/workspaces/{made['workspaceId']}/members"
    await owner.post(members, json={"email": "rita@example.com", "role": "admin"})
    assert (await rita.get(path)).status_code == 404, "an admin of the workspace, and no more"
    assert await accounts(rita) == []
    share = f"{path}/shares/{await user_id(rita)}"
    for right in ("read", "send"):
        assert (await owner.put(share, json={"right": right})).json()["right"] == right
        seen = (await rita.get(path)).json()
        assert (seen["right"], seen["ownerName"]) == (right, "Olive Owner")
        assert (seen["settings"], seen["authorizeUrl"]) == ({}, None), "how it is opened"
        assert [each["id"] for each in await accounts(rita)] == [made["id"]]
        program = await office.token(owner, "read", "write", "admin")
        for who in (rita, program):
            assert (await who.patch(path, json={"label": "x"})).status_code == 403
            assert (await who.delete(path)).status_code == 403
            assert (await who.post(f"{path}/primary")).status_code == 403
            assert (await who.get(f"{path}/shares")).status_code == 403
            assert (await who.put(share, json={"right": "send"})).status_code == 403
    assert (await owner.delete(share)).status_code == 204
    assert (await rita.get(path)).status_code == 404
    everyone = f"{path}/shares/*"
    assert (await owner.put(everyone, json={"right": "read"})).json()["name"] == "Everyone here"
    assert (await rita.get(path)).json()["right"] == "read"
    assert (await owner.delete(everyone)).status_code == 204
    assert (await owner.delete(everyone)).status_code == 404
    stranger = await user_id(await office.member("tim"))
    refused = await owner.put(f"{path}/shares/{stranger}", json={"right": "read"})
    assert refused.json()["errors"] == {
        "memberId": ["there is no such member of the account's workspace"]
    }
    recorded = (await owner.get(f"{API}/changes", params={"subject": made["id"]})).json()["items"]
    assert [each["action"] for each in recorded][:2] == ["account.unshared", "account.shared"]
    await owner.patch(f"{API}/users/{await user_id(rita)}", json={"role": "admin"})
    assert (await rita.get(f"{API}/changes", params={"subject": made["id"]})).json()["items"] == []


@pytest.mark.req("ACC-05")
async def test_accounts_survive_new_keys_and_say_so_when_their_secrets_are_lost(
    office: Office, provider: Provider
):
    owner, runtime = await office.owner(), office.product
    made = await connected(owner, provider)
    test = f"{API}/accounts/{made['id']}/test"
    await keys.rotate(runtime.storage, runtime.vault, changes.SYSTEM)
    await keys.prune(runtime.storage, runtime.vault, changes.SYSTEM)
    assert (await owner.get(test)).json()["ok"]
    async with runtime.storage.app.write() as session:
        await session.execute(delete(AccountCredential))
    lost = (await owner.get(test)).json()
    assert (lost["ok"], lost["error"]) == (False, "invalid_grant")
    again = {"settings": form(made["workspaceId"], provider)["settings"]}
    await owner.put(f"{API}/accounts/{made['id']}/credentials", json=again)
    assert (await owner.get(test)).json()["ok"]
