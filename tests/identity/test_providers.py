"""Log-in providers as an admin sets them up."""

from typing import Any

import httpx
import pytest

from support.issuer import CLIENT_ID, CLIENT_SECRET, Issuer, provider, running_issuer, sign_in
from support.office import API, Office

pytestmark = pytest.mark.req("ID-01", "ID-08")

PATH = f"{API}/login-providers"
NEW = {"name": "Example", "clientId": CLIENT_ID}


async def works(office: Office, issuer: Issuer, id: str) -> bool:
    browser = office.browser()
    await sign_in(browser, issuer, id)
    return (await browser.get(f"{API}/auth/whoami")).status_code == 200


async def test_the_client_secret_is_never_shown_and_is_sealed(office: Office, issuer: Issuer):
    owner = await office.owner()
    given = {**NEW, "issuer": issuer.url, "clientSecret": CLIENT_SECRET}
    made = await owner.post(PATH, json=given)
    answers = [
        made,
        await owner.get(PATH),
        await owner.patch(f"{PATH}/{made.json()['id']}", json={"clientSecret": CLIENT_SECRET}),
        await owner.get(f"{API}/changes"),
        await office.browser().get(f"{API}/auth/options"),
    ]
    assert all(answer.is_success and CLIENT_SECRET not in answer.text for answer in answers)
    assert made.json()["hasClientSecret"] is True
    assert made.json()["redirectUri"] == f"{office.origin}/oauth/login/callback"
    kept = b"".join(path.read_bytes() for path in office.product.settings.data.glob("*.db*"))
    assert CLIENT_ID.encode() in kept
    assert CLIENT_SECRET.encode() not in kept


async def test_what_a_change_leaves_out_stays(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True)
    path, operator = f"{PATH}/{id}", office.operator
    renamed = (await operator.patch(path, json={"name": "Renamed"})).json()
    assert (renamed["name"], renamed["issuer"], renamed["createUsers"]) == (
        "Renamed",
        issuer.url,
        True,
    )
    assert renamed["hasClientSecret"] is True
    assert await works(office, issuer, id)
    await operator.patch(path, json={"clientSecret": "another"})
    assert not await works(office, issuer, id)
    await operator.patch(path, json={"clientSecret": CLIENT_SECRET})
    assert await works(office, issuer, id)
    removed = await operator.patch(path, json={"clientSecret": None})
    assert removed.json()["hasClientSecret"] is False
    assert not await works(office, issuer, id)


async def test_a_secret_stays_with_the_issuer_that_it_was_given_for(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True)
    with running_issuer() as thief:
        moved = await office.operator.patch(f"{PATH}/{id}", json={"issuer": thief.url})
        assert moved.status_code == 200
        await sign_in(office.browser(), thief, id)
        assert "/token" in thief.asked
        assert CLIENT_SECRET not in str(thief.forms)


async def test_an_issuer_is_reached_safely_or_not_at_all(office: Office):
    for address in (
        "http://login.example.com",
        "http://localhost.example.com",
        "http://127.0.0.1@login.example.com",
        "http://127.0.0.1.example.com",
        "https://user@login.example.com",
        "https://login.example.com?x=1",
        "https://login.example.com#x",
        "https://",
        "https://login.example.com:99999",
        "ftp://login.example.com",
        "file:///etc/passwd",
        None,
    ):
        refused = await office.operator.post(PATH, json={**NEW, "issuer": address})
        assert refused.status_code == 400, address
        assert list(refused.json()["errors"]) == ["issuer"]


async def test_https_and_this_machine_are_taken(office: Office):
    for address in ("https://login.example.com/realms/office/", "http://localhost:9000"):
        made = await office.operator.post(PATH, json={**NEW, "issuer": address})
        assert made.status_code == 201
        assert made.json()["issuer"] == address.rstrip("/")
    given = {**NEW, "preset": "google", "allowedDomains": ["example.com"]}
    made = await office.operator.post(PATH, json=given)
    assert made.json()["issuer"] == "https://accounts.google.com"


async def test_google_with_new_users_needs_domains(office: Office):
    given = {**NEW, "preset": "google", "createUsers": True}
    refused = await office.operator.post(PATH, json=given)
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["allowedDomains"])


@pytest.mark.req("ID-03")
async def test_only_admins_see_or_change_providers(office: Office, issuer: Issuer):
    kim, id = await office.member("kim"), await provider(office, issuer)
    answers: list[httpx.Response] = [
        await kim.get(PATH),
        await kim.post(PATH, json={**NEW, "issuer": issuer.url}),
        await kim.patch(f"{PATH}/{id}", json={"createUsers": True}),
        await kim.delete(f"{PATH}/{id}"),
    ]
    assert [answer.status_code for answer in answers] == [403] * 4


@pytest.mark.req("ID-07")
async def test_changes_to_providers_are_recorded(office: Office, issuer: Issuer):
    owner, id = await office.owner(), await provider(office, issuer)
    await owner.patch(f"{PATH}/{id}", json={"createUsers": True})
    await owner.patch(f"{PATH}/{id}", json={"clientSecret": "another"})
    await owner.delete(f"{PATH}/{id}")
    listed = await owner.get(f"{API}/changes", params={"subject": id})
    lines: list[dict[str, Any]] = listed.json()["items"]
    actions = ["provider.deleted", "provider.changed", "provider.changed", "provider.created"]
    assert [line["action"] for line in lines] == actions
    assert (lines[2]["before"]["create_users"], lines[2]["after"]["create_users"]) == (False, True)
    assert lines[2]["actorName"] == "Olive Owner"
    assert lines[1]["after"]["new_secret"] is True
    assert "another" not in listed.text


async def test_people_keep_their_accounts_when_their_provider_goes(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True)
    assert await works(office, issuer, id)
    assert (await office.operator.delete(f"{PATH}/{id}")).status_code == 204
    assert (await office.operator.get(f"{API}/users")).json()["totalItems"] == 1
    gone = await office.browser().get(f"{API}/auth/providers/{id}/initiate")
    assert gone.status_code == 404
