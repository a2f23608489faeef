"""The session cookie: out of reach of scripts, of other sites and of other installations."""

from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest

from bailiwick.config import Settings
from support.office import API, PASSWORD, Office, opened_office

pytestmark = pytest.mark.req("ID-02")


async def is_in(browser: httpx.AsyncClient) -> bool:
    return (await browser.get(f"{API}/auth/whoami")).status_code == 200


async def set_cookie(office: Office) -> tuple[str, Any]:
    """The session cookie as the browser gets it: its name and its attributes."""
    await office.owner()
    body = {"email": "olive@example.com", "password": PASSWORD}
    answer = await office.browser().post(f"{API}/auth/login", json=body)
    (pair,) = SimpleCookie(answer.headers["set-cookie"]).items()
    return pair


async def test_scripts_and_other_sites_cannot_reach_the_cookie(office: Office):
    name, cookie = await set_cookie(office)
    assert name == f"bailiwick_{office.product.instance_id.removeprefix('ins-')}_session"
    assert cookie["httponly"]
    assert cookie["samesite"].lower() == "lax"
    assert cookie["path"] == "/"
    assert not cookie["domain"]
    assert int(cookie["max-age"]) == 14 * 24 * 3600


async def test_under_https_the_cookie_is_secure_and_tied_to_the_host(tmp_path: Path):
    settings = Settings(data=tmp_path / "data", url="https://office.example.com")
    async with opened_office(settings) as office:
        name, cookie = await set_cookie(office)
        assert name.startswith("__Host-bailiwick_")
        assert cookie["secure"]
        assert (cookie["path"], cookie["domain"]) == ("/", "")
        assert await is_in(await office.owner())


async def test_two_installations_on_one_machine_keep_each_other_s_cookies(tmp_path: Path):
    async with (
        opened_office(Settings(data=tmp_path / "one", port=8001)) as one,
        opened_office(Settings(data=tmp_path / "two", port=8002)) as two,
    ):
        first, second = await one.owner(), await two.owner()
        assert set(first.cookies).isdisjoint(second.cookies)
        # A browser sends both to both, because cookies ignore ports.
        for name, value in second.cookies.items():
            first.cookies.set(name, value)
        assert await is_in(first)


async def test_a_page_of_another_site_cannot_use_the_cookie(office: Office):
    owner = await office.owner()
    cookies = "; ".join(f"{name}={value}" for name, value in owner.cookies.items())
    path, body = f"{API}/workspaces", {"name": "Forged"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(office.app), base_url=office.origin
    ) as bare:
        for headers in (
            {},
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:9999"},
            {"Origin": office.origin, "Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"Sec-Fetch-Site": "none"},
        ):
            sent = {"Cookie": cookies, **headers}
            assert (await bare.post(path, json=body, headers=sent)).status_code == 403
        ours = {"Cookie": cookies, "Sec-Fetch-Site": "same-origin"}
        assert (await bare.post(path, json=body, headers=ours)).status_code == 201
