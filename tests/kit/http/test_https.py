"""Behind a proxy that ends HTTPS: what is believed, what is redirected, what the cookie says."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from bailiwick.config import Settings
from support.office import API, PASSWORD, Office, opened_office

pytestmark = pytest.mark.req("ID-05")
PROXY = "10.0.0.1"


def bare(office: Office, *, peer: str, **headers: str) -> httpx.AsyncClient:
    """A client at that address, which sends nothing by itself."""
    transport = httpx.ASGITransport(office.app, client=(peer, 50000))
    return httpx.AsyncClient(transport=transport, base_url=office.origin, headers=headers)


@pytest.fixture
async def public(tmp_path: Path) -> AsyncIterator[Office]:
    """An office behind a proxy that ends HTTPS."""
    settings = Settings(
        data=tmp_path / "data", url="https://office.example.com", trusted_proxies=(PROXY,)
    )
    async with opened_office(settings) as office:
        yield office


async def test_a_default_port_in_the_public_address_makes_no_difference(tmp_path: Path):
    settings = Settings(data=tmp_path / "data", url="https://office.example.com:443")
    async with opened_office(settings) as office:
        headers = {"Host": "office.example.com", "Origin": "https://office.example.com"}
        answer = await office.operator.get(f"{API}/status", headers=headers)
        assert answer.status_code == 200, answer.text


async def test_plain_http_is_sent_to_https_and_stays_there(public: Office):
    async with bare(public, peer="203.0.113.7", Host="office.example.com") as client:
        for method in ("GET", "POST"):
            plain = "http://office.example.com/a%20page?x=1&y=%2F"
            moved = await client.request(method, plain)
            assert moved.status_code == 308
            assert moved.headers["location"] == "https://office.example.com/a%20page?x=1&y=%2F"
            assert "max-age=31536000" in moved.headers["strict-transport-security"]


async def test_a_trusted_proxy_says_that_it_was_https_and_others_do_not(public: Office):
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
    plain = f"http://office.example.com{API}/auth/options"
    async with bare(public, peer=PROXY, **headers) as proxied:
        answer = await proxied.get(plain)
        assert answer.status_code == 200
        assert "max-age=31536000" in answer.headers["strict-transport-security"]
        assert (await proxied.get(plain, headers={"X-Forwarded-Proto": "http"})).status_code == 308
    async with bare(public, peer="203.0.113.9", **headers) as liar:
        assert (await liar.get(plain)).status_code == 308


async def test_the_address_of_a_visitor_is_believed_only_from_a_trusted_proxy(public: Office):
    body = {"email": "nobody@example.com", "password": "not the right one"}
    headers = {"X-Forwarded-For": "198.51.100.4", "Origin": public.origin}
    for peer in (PROXY, "203.0.113.9"):
        async with bare(public, peer=peer, **headers) as client:
            assert (await client.post(f"{API}/auth/login", json=body)).status_code == 401
    listed = (await public.operator.get(f"{API}/sign-ins")).json()["items"]
    assert [item["address"] for item in listed] == ["203.0.113.9", "198.51.100.4"]


@pytest.mark.req("ID-02")
async def test_behind_https_the_cookie_is_secure_and_bound_to_the_host(public: Office):
    owner = await public.owner()
    (name,) = (cookie.name for cookie in owner.cookies.jar)
    assert re.fullmatch(r"__Host-bailiwick_\w+_session", name)
    body = {"email": "olive@example.com", "password": PASSWORD}
    cookie = (await public.browser().post(f"{API}/auth/login", json=body)).headers["set-cookie"]
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


async def test_behind_https_only_the_public_page_may_send_and_the_command_line_still_can(
    public: Office,
):
    client = public.operator
    local = f"http://127.0.0.1:8787{API}/status"
    assert (await client.get(local)).status_code == 200
    for origin in ("http://127.0.0.1:8787", "http://office.example.com", "https://evil.example"):
        assert (await client.get(local, headers={"Origin": origin})).status_code == 403
    ours = {"Origin": "https://office.example.com"}
    assert (await client.get(f"{API}/status", headers=ours)).status_code == 200
