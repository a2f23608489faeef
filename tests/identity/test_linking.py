"""An issuer's word against an account: bound to domains, and never enough for an admin."""

from typing import Any

import httpx
import pytest

from support.issuer import KIM, NAVIGATION, Issuer, provider, sign_in
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("ID-01", "ID-08")
IDENTITIES = f"{API}/users/me/identities"


async def come_in(office: Office, issuer: Issuer, id: str, **said: Any) -> str | None:
    """Sign in as whom the issuer says; the user's id, or None if refused."""
    issuer.person = {**KIM, **said}
    browser = office.browser()
    assert (await sign_in(browser, issuer, id)).status_code == 303
    answer = await browser.get(f"{API}/auth/whoami")
    return answer.json()["user"]["id"] if answer.status_code == 200 else None


async def link(
    person: httpx.AsyncClient, issuer: Issuer, id: str, **said: Any
) -> tuple[httpx.Response, list[dict[str, Any]]]:
    """Link an identity while signed in; the redirect back, and what is linked then."""
    issuer.person = {**KIM, **said}
    begun = await person.post(IDENTITIES, json={"providerId": id, "returnTo": "/settings"})
    assert begun.status_code == 200, begun.text
    back = issuer.authorise(begun.json()["authorizeUrl"])
    answer = await person.get(back, headers=NAVIGATION)
    return answer, (await person.get(IDENTITIES)).json()["items"]


async def test_no_issuer_becomes_the_owner_by_naming_their_address(
    any_office: Office, issuer: Issuer
):
    owner = await any_office.owner()
    id = await provider(any_office, issuer, createUsers=True)
    said = {"sub": "mallory", "email": "olive@example.com"}
    assert await come_in(any_office, issuer, id, **said) is None
    refused = (await any_office.operator.get(f"{API}/sign-ins")).json()["items"][0]
    assert "link the provider in your profile" in refused["reason"]
    answer, linked = await link(owner, issuer, id, sub="olive-at-issuer", email=said["email"])
    assert answer.headers["Location"] == "/settings"
    assert [each["providerName"] for each in linked] == ["Example"]
    me = await user_id(owner)
    assert await come_in(any_office, issuer, id, sub="olive-at-issuer") == me
    assert await come_in(any_office, issuer, id, **said) is None, "another subject is another"


async def test_a_provider_vouches_for_the_domains_that_it_was_given_alone(
    office: Office, issuer: Issuer
):
    kim = await user_id(await office.member("kim"))
    id = await provider(office, issuer, createUsers=True, allowedDomains=[])
    assert await come_in(office, issuer, id) is None
    change = {"allowedDomains": ["example.org", "example.com"]}
    await office.operator.patch(f"{API}/login-providers/{id}", json=change)
    assert await come_in(office, issuer, id) == kim


async def test_an_identity_is_unlinked_and_then_opens_nothing(office: Office, issuer: Issuer):
    owner = await office.owner()
    id = await provider(office, issuer)
    _, linked = await link(owner, issuer, id, email="olive@example.com")
    assert (await owner.delete(f"{IDENTITIES}/{linked[0]['id']}")).status_code == 204
    assert await come_in(office, issuer, id, email="olive@example.com") is None
    assert (await owner.get(IDENTITIES)).json()["items"] == []


async def test_one_identity_belongs_to_one_person(office: Office, issuer: Issuer):
    owner, kim = await office.owner(), await office.member("kim")
    id = await provider(office, issuer)
    _, linked = await link(kim, issuer, id)
    assert len(linked) == 1
    answer, linked = await link(owner, issuer, id)
    assert (answer.headers["Location"], linked) == ("/login", [])
    other = (await kim.get(IDENTITIES)).json()["items"][0]["id"]
    assert (await owner.delete(f"{IDENTITIES}/{other}")).status_code == 404


async def test_a_link_is_ended_only_in_the_browser_that_began_it(office: Office, issuer: Issuer):
    kim, owner = await office.member("kim"), await office.owner()
    id = await provider(office, issuer)
    issuer.person = {**KIM, "sub": "kim-at-issuer"}
    begun = await kim.post(IDENTITIES, json={"providerId": id})
    back = issuer.authorise(begun.json()["authorizeUrl"])
    assert (await owner.get(back, headers=NAVIGATION)).headers["Location"] == "/login"
    assert (await kim.get(IDENTITIES)).json()["items"] == []
    token = await office.token(kim, "read", "write")
    assert (await token.post(IDENTITIES, json={"providerId": id})).status_code == 403


async def test_the_only_way_in_stays(office: Office, issuer: Issuer):
    await office.owner()
    id = await provider(office, issuer, createUsers=True)
    issuer.person = KIM
    browser = office.browser()
    await sign_in(browser, issuer, id)
    identity = (await browser.get(IDENTITIES)).json()["items"][0]["id"]
    refused = await browser.delete(f"{IDENTITIES}/{identity}")
    assert (refused.status_code, "only way in" in refused.text) == (409, True)
