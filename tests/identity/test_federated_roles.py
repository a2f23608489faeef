"""Roles that come from a provider's claims."""

from typing import Any

import pytest

from support.issuer import KIM, Issuer, provider, sign_in
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("ID-08", "ID-03")

GROUPS = {"createUsers": True, "adminClaim": "groups", "adminValues": ["office-admins"]}
EMAIL = {"createUsers": True, "adminClaim": "email", "adminValues": ["Boss@example.com"]}


async def role(office: Office, issuer: Issuer, id: str, **said: Any) -> str:
    """The role after a log-in with these claims."""
    issuer.person = {**KIM, **said}
    browser = office.browser()
    await sign_in(browser, issuer, id)
    return (await browser.get(f"{API}/auth/whoami")).json()["user"]["role"]


async def test_a_claim_makes_an_admin_and_its_absence_ends_it_at_the_next_log_in(
    any_office: Office, issuer: Issuer
):
    owner = await any_office.owner()
    id = await provider(any_office, issuer, **GROUPS)
    assert await role(any_office, issuer, id) == "user"
    for said in (["staff", "office-admins"], "office-admins"):
        assert await role(any_office, issuer, id, groups=said) == "admin"
        assert await role(any_office, issuer, id, groups=["staff"]) == "user"
    listed = await owner.get(f"{API}/changes", params={"action": "user.changed"})
    ended, given, *_ = listed.json()["items"]
    assert (given["before"]["role"], given["after"]["role"]) == ("user", "admin")
    assert (ended["before"]["role"], ended["after"]["role"]) == ("admin", "user")
    assert given["actorName"] == "Bailiwick itself"


async def test_a_claim_that_only_resembles_the_right_one_makes_no_admin(
    office: Office, issuer: Issuer
):
    await office.owner()
    id = await provider(office, issuer, **GROUPS)
    for said in ("no-office-admins", "office-admins,x", ["OFFICE-ADMINS"], {"office-admins": 1}):
        assert await role(office, issuer, id, groups=said) == "user"
    assert await role(office, issuer, id, Groups="office-admins") == "user"


async def test_an_address_makes_an_admin_if_it_is_verified(office: Office, issuer: Issuer):
    await office.owner()
    id = await provider(office, issuer, **EMAIL, allowedDomains=[])
    assert await role(office, issuer, id) == "user"
    claimed = {"email": "boss@example.com", "email_verified": False}
    assert await role(office, issuer, id, **claimed) == "user", "anyone can claim an address"
    assert await role(office, issuer, id, email="boss@Example.com") == "admin"


async def test_the_last_admin_keeps_the_role(any_office: Office, issuer: Issuer):
    id = await provider(any_office, issuer, **GROUPS)
    assert await role(any_office, issuer, id, groups="office-admins") == "admin"
    assert await role(any_office, issuer, id) == "admin"
    second = {"sub": "lou", "email": "lou@example.com", "groups": ["office-admins"]}
    assert await role(any_office, issuer, id, **second) == "admin"
    assert await role(any_office, issuer, id) == "user"


async def test_without_a_claim_the_provider_says_nothing_about_roles(
    office: Office, issuer: Issuer
):
    kim = await user_id(await office.member("kim"))
    id = await provider(office, issuer)
    assert await role(office, issuer, id, groups=["staff"]) == "user"
    await (await office.owner()).patch(f"{API}/users/{kim}", json={"role": "admin"})
    assert await role(office, issuer, id, groups=["staff"]) == "admin"


async def test_an_admin_claim_needs_the_values_that_count(office: Office, issuer: Issuer):
    id = await provider(office, issuer)
    path = f"{API}/login-providers/{id}"
    refused = await office.operator.patch(path, json={"adminClaim": "groups"})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["adminValues"])
