"""Signing in with a password."""

import json
from typing import Any

import httpx
import pytest

from support.office import API, PASSWORD, Office, user_id

pytestmark = pytest.mark.req("ID-02")

WRONG = "not the password at all"


def browser_at(office: Office, address: str, **headers: str) -> httpx.AsyncClient:
    """A browser on another machine."""
    transport = httpx.ASGITransport(office.app, client=(address, 50000))
    return httpx.AsyncClient(
        transport=transport, base_url=office.origin, headers={"Origin": office.origin, **headers}
    )


async def log_in(
    browser: httpx.AsyncClient, email: str = "olive@example.com", password: str = PASSWORD
) -> httpx.Response:
    return await browser.post(f"{API}/auth/login", json={"email": email, "password": password})


async def attempts(office: Office) -> list[dict[str, Any]]:
    listed = await office.operator.get(f"{API}/sign-ins", params={"PageSize": 100})
    return listed.json()["items"]


def told(answer: httpx.Response) -> dict[str, Any]:
    """What a stranger learns from an answer, but for what differs between any two."""
    rest = {k: v for k, v in answer.json().items() if k not in ("timestamp", "trace_id")}
    headers = {k for k in answer.headers if k != "content-length"}
    return {"status": answer.status_code, "headers": headers, **rest}


@pytest.mark.req("ID-01")
async def test_the_right_password_signs_in_whatever_the_case_of_the_address(office: Office):
    await office.owner()
    browser = office.browser()
    answer = await log_in(browser, " Olive@EXAMPLE.com ")
    assert answer.status_code == 200
    assert answer.json()["user"]["email"] == "olive@example.com"
    assert (await browser.get(f"{API}/auth/whoami")).status_code == 200


@pytest.mark.req("ID-01")
async def test_a_stranger_cannot_tell_why_a_log_in_was_refused(office: Office):
    kim = await user_id(await office.member("kim"))
    await (await office.owner()).patch(f"{API}/users/{kim}", json={"active": False})
    invited = {"email": "invited@example.com", "name": "Invited"}
    await (await office.owner()).post(f"{API}/users", json=invited)
    browser = office.browser()
    refusals = [
        await log_in(browser, "olive@example.com", WRONG),
        await log_in(browser, "nobody@example.com", PASSWORD),
        await log_in(browser, "kim@example.com", PASSWORD),
        await log_in(browser, "kim@example.com", WRONG),
        await log_in(browser, "invited@example.com", PASSWORD),
    ]
    assert [answer.status_code for answer in refusals] == [401] * 5
    assert all(told(answer) == told(refusals[0]) for answer in refusals)
    assert not browser.cookies
    assert (await browser.get(f"{API}/auth/whoami")).status_code == 401


async def until_slowed(office: Office, *emails: str, addresses: int) -> list[httpx.Response]:
    """Guess in turn at these accounts from so many addresses, until an answer says to wait."""
    answers: list[httpx.Response] = []
    for n in range(60):
        async with browser_at(office, f"192.0.2.{n % addresses}") as browser:
            answers.append(await log_in(browser, emails[n % len(emails)], WRONG))
        if answers[-1].status_code != 401:
            break
    return answers


async def test_guessing_at_one_account_is_slowed_from_every_address(any_office: Office):
    await any_office.owner()
    await any_office.set(rate_limit_percent=100_000)
    emails = ("olive@example.com", "OLIVE@example.com")
    *before, last = await until_slowed(any_office, *emails, addresses=60)
    assert (last.status_code, len(before) >= 5) == (429, True)
    assert 0 < int(last.headers["Retry-After"]) <= 60
    right = await log_in(any_office.browser())
    assert right.status_code == 429, "the right password is no way around"
    assert (await attempts(any_office))[0]["reason"] == "too many attempts"


async def test_an_address_without_an_account_is_slowed_too(office: Office):
    last = (await until_slowed(office, "nobody@example.com", addresses=60))[-1]
    assert last.status_code == 429
    assert "Retry-After" in last.headers


async def test_guessing_at_many_accounts_is_slowed_from_one_address(office: Office):
    await office.owner()
    emails = [f"n{n}@example.com" for n in range(60)]
    last = (await until_slowed(office, *emails, addresses=1))[-1]
    assert last.status_code == 429
    assert "Retry-After" in last.headers
    assert (await log_in(office.browser())).status_code == 200


async def test_a_very_long_address_is_refused_like_any_other(any_office: Office):
    answer = await log_in(any_office.browser(), "a" * 241 + "@example.com", WRONG)
    assert answer.status_code == 401
    (only,) = await attempts(any_office)
    assert only["email"] == "a" * 241 + "@example.com"


async def test_every_attempt_is_recorded_with_its_outcome_reason_and_address(any_office: Office):
    owner = await user_id(await any_office.owner())
    async with browser_at(
        any_office, "192.0.2.7", **{"User-Agent": "Tester/1", "X-Forwarded-For": "203.0.113.9"}
    ) as browser:
        await log_in(browser, "Olive@example.com", WRONG)
        await log_in(browser, "nobody@example.com")
        await log_in(browser)
    accepted, unknown, wrong, first = await attempts(any_office)
    for attempt in (accepted, unknown, wrong):
        assert attempt["method"] == "password"
        assert (attempt["address"], attempt["userAgent"]) == ("192.0.2.7", "Tester/1")
    assert (wrong["email"], wrong["outcome"], wrong["userId"]) == (
        "olive@example.com",
        "refused",
        None,
    )
    assert unknown["reason"] == wrong["reason"] == "wrong address or password"
    assert (accepted["outcome"], accepted["reason"], accepted["userId"]) == ("accepted", "", owner)
    assert (first["method"], first["outcome"]) == ("owner link", "accepted")


async def test_the_record_tells_the_admin_that_an_account_is_switched_off(office: Office):
    kim = await user_id(await office.member("kim"))
    await (await office.owner()).patch(f"{API}/users/{kim}", json={"active": False})
    await log_in(office.browser(), "kim@example.com")
    last = (await attempts(office))[0]
    assert (last["outcome"], last["reason"]) == ("refused", "switched off")


@pytest.mark.req("ID-01")
async def test_log_in_with_a_password_can_be_switched_off(office: Office):
    await office.owner()
    await office.set(password_login=False)
    browser = office.browser()
    assert (await browser.get(f"{API}/auth/options")).json()["password"] is False
    refused = await log_in(browser)
    assert refused.status_code == 403
    assert not browser.cookies
    assert (await attempts(office))[0]["reason"] == "password log-in is off"
    await office.set(password_login=None)
    assert (await log_in(browser)).status_code == 200


@pytest.mark.parametrize(
    "odd", ["\x00" * 12, "\ud800" * 12, "\N{PILE OF POO}" * 50], ids=["NUL", "surrogate", "astral"]
)
async def test_odd_characters_in_a_secret_are_no_failure_of_ours(office: Office, odd: str):
    person = {"name": "Olive", "email": "olive@example.com"}
    bodies = {
        "login": {"email": "olive@example.com", "password": odd},
        "link": {"link": odd},
        "password": {"link": odd, "password": odd},
        "setup": {"link": await office.owner_link(), "password": odd, **person},
    }
    for path, body in bodies.items():
        browser = office.browser(**{"Content-Type": "application/json"})
        answer = await browser.post(f"{API}/auth/{path}", content=json.dumps(body))
        assert answer.status_code in (400, 401, 404), f"{path}: {answer.text}"
