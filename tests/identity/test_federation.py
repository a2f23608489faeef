"""Signing in through a provider: the way there, the way back, and everything that can be forged."""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from sqlalchemy import select

from bailiwick.identity.models import LoginFlow
from support.issuer import (
    CLIENT_ID,
    NAVIGATION,
    Issuer,
    begin,
    provider,
    sign_in,
    was_refused,
)
from support.office import API, Office

pytestmark = pytest.mark.req("ID-01", "ID-08")


async def last_attempt(office: Office) -> dict[str, Any]:
    return (await office.operator.get(f"{API}/sign-ins")).json()["items"][0]


async def is_in(browser: httpx.AsyncClient) -> bool:
    return (await browser.get(f"{API}/auth/whoami")).status_code == 200


async def test_a_person_comes_in_through_a_provider_and_lands_on_the_page_asked_for(
    any_office: Office, issuer: Issuer
):
    await any_office.member("kim")
    id = await provider(any_office, issuer)
    browser = any_office.browser()
    offered = (await browser.get(f"{API}/auth/options")).json()["providers"]
    assert offered == [{"id": id, "name": "Example"}]
    answer = await sign_in(browser, issuer, id, returnTo="/inbox?filter=a%20b#top")
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/inbox?filter=a%20b#top"
    user = (await browser.get(f"{API}/auth/whoami")).json()["user"]
    assert user["email"] == "kim@example.com"
    attempt = await last_attempt(any_office)
    assert (attempt["method"], attempt["outcome"]) == ("provider:Example", "accepted")
    assert (attempt["userId"], attempt["address"]) == (user["id"], "127.0.0.1")
    again = any_office.browser()
    assert (await sign_in(again, issuer, id)).headers["Location"] == "/"
    assert await is_in(again)


async def test_the_provider_is_asked_for_a_code_with_pkce_and_only_for_who_it_is(
    office: Office, issuer: Issuer
):
    id, browser = await provider(office, issuer), office.browser()
    asked = [parse_qs(urlsplit(await begin(browser, id)).query) for _ in range(2)]
    first = {name: values for name, (values,) in asked[0].items()}
    assert first["response_type"] == "code"
    assert first["client_id"] == CLIENT_ID
    assert first["redirect_uri"] == f"{office.origin}/oauth/login/callback"
    assert first["scope"].split() == ["openid", "email", "profile"]
    assert first["code_challenge_method"] == "S256"
    assert "client_secret" not in first
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name]) >= 43
        assert [first[name]] != asked[1][name]


@pytest.mark.req("ID-02")
async def test_the_log_in_cookie_is_out_of_reach_and_gone_afterwards(
    office: Office, issuer: Issuer
):
    await office.member("kim")
    id, browser = await provider(office, issuer), office.browser()
    begun = await browser.get(f"{API}/auth/providers/{id}/initiate")
    flags = begun.headers["set-cookie"].lower()
    assert "httponly" in flags
    assert "samesite=lax" in flags
    assert "max-age=600" in flags
    await browser.get(issuer.authorise(begun.json()["authorizeUrl"]), headers=NAVIGATION)
    (only,) = browser.cookies
    assert only.endswith("_session")


async def test_a_log_in_is_finished_once(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True)
    browser = office.browser()
    first = issuer.authorise(address := await begin(browser, id))
    cookies = dict(browser.cookies)
    assert not was_refused(await browser.get(first, headers=NAVIGATION))
    replayer = office.browser()
    for back in (first, issuer.authorise(address)):
        replayer.cookies.update(cookies)
        assert was_refused(await replayer.get(back, headers=NAVIGATION))
    assert not await is_in(replayer)


async def test_a_log_in_that_took_more_than_ten_minutes_is_refused(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True)
    for minutes, refused in ((9, False), (10, True)):
        browser = office.browser()
        back = issuer.authorise(await begin(browser, id))
        async with office.product.storage.app.write() as session:
            flow = (await session.scalars(select(LoginFlow))).one()
            flow.expires_at -= timedelta(minutes=minutes)
        assert was_refused(await browser.get(back, headers=NAVIGATION)) is refused


@pytest.mark.req("ID-02")
async def test_another_browser_cannot_finish_a_log_in(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True)
    attacker, victim = office.browser(), office.browser()
    back = issuer.authorise(await begin(attacker, id))
    await begin(victim, id)
    assert was_refused(await victim.get(back, headers=NAVIGATION))
    assert not await is_in(victim)
    attempt = await last_attempt(office)
    assert (attempt["method"], attempt["outcome"]) == ("provider:Example", "refused")
    for query in ({}, {"state": "x", "code": "y"}, {"error": "access_denied", "state": "x"}):
        answer = await office.browser().get("/oauth/login/callback", params=query)
        assert was_refused(answer)


async def test_a_log_in_cannot_end_on_another_site(office: Office, issuer: Issuer):
    id = await provider(office, issuer)
    await office.set(rate_limit_percent=1000)
    for page in (
        "//evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n//evil.example",
        "/inbox\r\nSet-Cookie: a=b",
        "/inbox\n",
        "evil.example",
        "",
        "/\N{FULLWIDTH SOLIDUS}evil.example",
    ):
        answer = await office.browser().get(
            f"{API}/auth/providers/{id}/initiate", params={"returnTo": page}
        )
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["returnTo"]), page


async def test_a_provider_that_is_off_lets_nobody_in(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True)
    browser = office.browser()
    back = issuer.authorise(await begin(browser, id))
    off = await office.operator.patch(f"{API}/login-providers/{id}", json={"enabled": False})
    assert off.json()["enabled"] is False
    assert was_refused(await browser.get(back, headers=NAVIGATION))
    assert (await browser.get(f"{API}/auth/providers/{id}/initiate")).status_code == 403
    assert (await browser.get(f"{API}/auth/options")).json()["providers"] == []
    assert (await browser.get(f"{API}/auth/providers/idp-aaaaaaaaaaaa/initiate")).status_code == 404


async def test_a_provider_with_the_longest_name_works(any_office: Office, issuer: Issuer):
    id = await provider(any_office, issuer, createUsers=True, name="n" * 100)
    browser = any_office.browser()
    assert not was_refused(await sign_in(browser, issuer, id))
    assert await is_in(browser)
