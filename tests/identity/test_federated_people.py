"""Whom a provider's word lets in, as which user, and with which role."""

import asyncio
from typing import Any

import httpx
import pytest

from support.issuer import CLIENT_SECRET, KIM, Issuer, provider, running_issuer, sign_in
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("ID-01", "ID-08")

GOOGLE = {"preset": "google", "issuer": None, "allowedDomains": ["example.com"]}


async def come_in(office: Office, issuer: Issuer, id: str, **said: Any) -> dict[str, Any] | None:
    """Sign in as whom the issuer says; returns the user, or None if refused."""
    issuer.person = {**KIM, **said}
    browser = office.browser()
    assert (await sign_in(browser, issuer, id)).status_code == 303
    answer = await browser.get(f"{API}/auth/whoami")
    return answer.json()["user"] if answer.status_code == 200 else None


async def why(office: Office) -> str:
    """Why the last attempt was refused."""
    last = (await office.operator.get(f"{API}/sign-ins")).json()["items"][0]
    assert (last["method"], last["outcome"]) == ("provider:Example", "refused")
    return last["reason"]


async def change(office: Office, id: str, **values: Any) -> httpx.Response:
    return await office.operator.patch(f"{API}/login-providers/{id}", json=values)


async def google(office: Office, issuer: Issuer, **given: Any) -> str:
    """The Google preset, with our issuer in Google's place."""
    id = await provider(office, issuer, **{**GOOGLE, "createUsers": True, **given})
    changed = await change(office, id, issuer=issuer.url, clientSecret=CLIENT_SECRET)
    assert changed.status_code == 200
    return id


async def test_people_without_an_account_are_made_only_if_the_provider_may(
    any_office: Office, issuer: Issuer
):
    await any_office.owner()
    id = await provider(any_office, issuer)
    assert await come_in(any_office, issuer, id) is None
    assert "no account" in await why(any_office)
    await change(any_office, id, createUsers=True)
    made = await come_in(any_office, issuer, id, email="Kim@Example.com")
    assert made is not None
    assert (made["email"], made["name"], made["role"]) == ("kim@example.com", "Kim", "user")
    again = await come_in(any_office, issuer, id, email="renamed@example.com")
    assert again is not None
    assert again["id"] == made["id"], "the subject is the person, not the address"
    assert await come_in(any_office, issuer, id, sub="other", email="lou@example.com") != made


async def test_an_account_is_linked_only_by_a_verified_address(office: Office, issuer: Issuer):
    kim = await user_id(await office.member("kim"))
    id = await provider(office, issuer, createUsers=True)
    for verified in (False, None, "false", "", 0, []):
        assert await come_in(office, issuer, id, email_verified=verified) is None
        assert "did not confirm" in await why(office)
    linked = await come_in(office, issuer, id)
    assert linked is not None
    assert linked["id"] == kim


LOOKALIKES = {
    "lower case only by folding": "\N{KELVIN SIGN}im@example.com",
    "two domains": "kim@evil.example@example.com",
    "good only when cut short": "k" * 242 + "@example.com.evil.example",
    "a NUL": "kim\x00@example.com",
    "a line": "kim\n@example.com",
    "a blank": "kim @example.com",
    "no name": "@example.com",
    "a list": ["kim@example.com"],
}


async def test_an_address_that_only_resembles_a_good_one_is_refused(
    any_office: Office, issuer: Issuer
):
    await any_office.member("kim")
    await any_office.set(rate_limit_percent=1000)
    id = await provider(any_office, issuer, createUsers=True, allowedDomains=["example.com"])
    locations = {}
    for n, (name, email) in enumerate(LOOKALIKES.items()):
        issuer.person = {**KIM, "sub": f"mallory-{n}", "email": email}
        answer = await sign_in(any_office.browser(), issuer, id)
        locations[name] = answer.headers.get("Location", answer.text).partition("#")[0]
    assert locations == dict.fromkeys(LOOKALIKES, "/login")
    listed = await any_office.operator.get(f"{API}/sign-ins")
    refused = [item for item in listed.json()["items"] if item["outcome"] == "refused"]
    assert len(refused) == len(LOOKALIKES)


async def test_a_name_that_cannot_be_kept_does_not_keep_its_owner_out(
    any_office: Office, issuer: Issuer
):
    id = await provider(any_office, issuer, createUsers=True)
    made = await come_in(any_office, issuer, id, name="Kim\x00\n" + "x" * 200)
    assert made is not None
    assert made["name"].isprintable()
    assert len(made["name"]) <= 100


async def test_two_subjects_with_a_long_common_beginning_are_two_people(
    office: Office, issuer: Issuer
):
    id = await provider(office, issuer, createUsers=True)
    first = await come_in(office, issuer, id, sub="s" * 255)
    assert first is not None
    second = await come_in(office, issuer, id, sub="s" * 256, email="mallory@example.com")
    assert second is None or second["id"] != first["id"]


async def test_another_issuer_s_people_do_not_inherit_accounts(office: Office, issuer: Issuer):
    await office.member("kim")
    id = await provider(office, issuer, createUsers=True)
    kim = await come_in(office, issuer, id, sub="1")
    assert kim is not None
    with running_issuer() as other:
        await change(office, id, issuer=other.url, clientSecret=CLIENT_SECRET)
        stranger = await come_in(office, other, id, sub="1", email="mallory@example.com")
    assert stranger is None or stranger["id"] != kim["id"]


async def test_a_switched_off_user_is_refused_by_every_door(office: Office, issuer: Issuer):
    kim = await user_id(await office.member("kim"))
    id = await provider(office, issuer, createUsers=True)
    assert await come_in(office, issuer, id)
    await (await office.owner()).patch(f"{API}/users/{kim}", json={"active": False})
    assert await come_in(office, issuer, id) is None
    assert "switched off" in await why(office)


async def test_only_people_of_allowed_domains_come_in(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True, allowedDomains=["example.com"])
    for email in ("kim@evil.example", "kim@example.com.evil.example", "kim@sub.example.com"):
        assert await come_in(office, issuer, id, email=email) is None
        assert "domain" in await why(office)
    assert await come_in(office, issuer, id, email_verified=False) is None
    assert await come_in(office, issuer, id, email="kim@EXAMPLE.com")
    await change(office, id, allowedDomains=["example.org"])
    assert await come_in(office, issuer, id) is None, "also for those who came in before"


async def test_the_office_narrows_the_domains_of_every_provider(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True, allowedDomains=[])
    await office.set(login_domains=["example.org"])
    assert await come_in(office, issuer, id) is None
    assert await come_in(office, issuer, id, sub="o", email="kim@example.org")
    await change(office, id, allowedDomains=["example.com"])
    assert await come_in(office, issuer, id) is None
    assert await come_in(office, issuer, id, sub="o", email="kim@example.org") is None
    await office.set(login_domains=["example.com", "example.org"])
    assert await come_in(office, issuer, id)


async def test_google_s_hosted_domain_counts_and_not_the_address_alone(
    office: Office, issuer: Issuer
):
    id = await google(office, issuer)
    assert await come_in(office, issuer, id) is None, "a private account with such an address"
    assert await come_in(office, issuer, id, hd="evil.example") is None
    assert await come_in(office, issuer, id, hd=["example.com"]) is None
    assert "domain" in await why(office)
    assert await come_in(office, issuer, id, hd="example.com")


async def test_google_is_asked_for_the_one_domain_and_may_not_be_open_to_all(
    office: Office, issuer: Issuer
):
    id = await google(office, issuer)
    begun = await office.browser().get(f"{API}/auth/providers/{id}/initiate")
    assert "hd=example.com" in begun.json()["authorizeUrl"]
    opened = await change(office, id, allowedDomains=[])
    assert list(opened.json()["errors"]) == ["allowedDomains"]


async def test_many_first_log_ins_at_once_are_one_person(any_office: Office, issuer: Issuer):
    kim = await user_id(await any_office.member("kim"))
    id = await provider(any_office, issuer)
    browsers = [any_office.browser() for _ in range(6)]
    answers = await asyncio.gather(*(sign_in(browser, issuer, id) for browser in browsers))
    assert [answer.headers.get("Location") for answer in answers] == ["/"] * 6
    assert {await user_id(browser) for browser in browsers} == {kim}
