"""The first start: one link makes one owner, and nothing is open to anybody else."""

import asyncio
import re

import httpx
import pytest
from fastapi.routing import iter_route_contexts

from bailiwick.identity.models import Link
from bailiwick.kit import clock
from support.office import API, PASSWORD, Office

pytestmark = pytest.mark.req("ID-01")

PUBLIC = {
    "GET /healthz",
    "GET /readyz",
    "GET /problems/{name}",
    "GET /oauth/accounts/callback",
    "GET /oauth/accounts/start",
    "GET /oauth/login/callback",
    f"GET {API}/openapi.json",
    f"GET {API}/auth/options",
    f"GET {API}/auth/whoami",
    f"GET {API}/auth/providers/{{provider_id}}/initiate",
    f"POST {API}/auth/setup",
    f"POST {API}/auth/login",
    f"POST {API}/auth/link",
    f"POST {API}/auth/password",
}


async def set_up(
    browser: httpx.AsyncClient, link: str, *, email: str = "olive@example.com", **changed: str
) -> httpx.Response:
    body = {"link": link, "email": email, "name": "Olive", "password": PASSWORD, **changed}
    return await browser.post(f"{API}/auth/setup", json=body)


async def everyone(office: Office) -> list[str]:
    listed = await office.operator.get(f"{API}/users")
    return [user["email"] for user in listed.json()["items"]]


async def test_the_link_in_the_terminal_makes_the_owner_once(any_office: Office):
    link, browser = await any_office.owner_link(), any_office.browser()
    seen = await browser.post(f"{API}/auth/link", json={"link": link})
    assert seen.json() == {"purpose": "owner", "email": None, "name": None}
    made = await set_up(browser, link)
    assert made.status_code == 201
    user = (await browser.get(f"{API}/auth/whoami")).json()["user"]
    assert (user["email"], user["role"]) == ("olive@example.com", "admin")
    second = await set_up(any_office.browser(), link, email="second@example.com")
    assert second.status_code == 404
    assert await everyone(any_office) == ["olive@example.com"]


async def test_an_office_with_an_owner_takes_no_second_one(office: Office):
    await office.owner()
    late = await office.owner_link()
    refused = await set_up(office.browser(), late, email="mallory@example.com")
    assert refused.status_code == 403
    assert await everyone(office) == ["olive@example.com"]


async def test_an_invitation_is_no_owner_link(office: Office):
    await office.owner()
    body = {"email": "kim@example.com", "name": "Kim"}
    invited = await (await office.owner()).post(f"{API}/users", json=body)
    secret = invited.json()["link"].partition("#")[2]
    assert (await set_up(office.browser(), secret, email="x@example.com")).status_code == 403
    entered = await office.browser().post(
        f"{API}/auth/password", json={"link": secret, "password": PASSWORD}
    )
    assert entered.json()["user"]["role"] == "user"


async def test_a_wrong_or_older_link_is_refused(office: Office):
    older, newer = await office.owner_link(), await office.owner_link()
    for link in ("bwl_wrong", older, newer + "x", newer.upper()):
        assert (await set_up(office.browser(), link)).status_code == 404
    with_password = {"link": newer, "password": PASSWORD}
    assert (await office.browser().post(f"{API}/auth/password", json=with_password)).is_error
    assert (await set_up(office.browser(), newer)).status_code == 201


async def test_one_link_used_by_many_at_once_makes_one_owner(any_office: Office):
    link = await any_office.owner_link()
    answers = await asyncio.gather(
        *(set_up(any_office.browser(), link, email=f"o{n}@example.com") for n in range(4))
    )
    assert sorted(answer.status_code for answer in answers) == [201, 404, 404, 404]
    assert len(await everyone(any_office)) == 1


async def test_links_of_two_servers_used_at_once_make_one_owner(any_office: Office):
    # Two servers that start on one database at the same moment do not see each other's link.
    secrets = [f"bwl_{n}" for n in range(10)]
    async with any_office.product.storage.app.write() as session:
        for secret in secrets:
            hashed, now = any_office.product.hasher(secret), clock.now()
            session.add(Link(id=secret, purpose="owner", token_hash=hashed, created_at=now))
    answers = await asyncio.gather(
        *(set_up(any_office.browser(), secret, email=f"{secret}@example.com") for secret in secrets)
    )
    assert [answer.status_code for answer in answers].count(201) == 1
    assert len(await everyone(any_office)) == 1


async def test_a_weak_password_is_refused_and_the_field_named(office: Office):
    link = await office.owner_link()
    for weak in ("short", "1234567890abc", "Password-1234", "aaaaaaaaaaaa", "olive@example.com"):
        refused = await set_up(office.browser(), link, password=weak)
        assert refused.status_code == 400
        assert list(refused.json()["errors"]) == ["password"]
    assert (await set_up(office.browser(), link)).status_code == 201


@pytest.mark.usefixtures("recommended_passwords")
async def test_a_password_is_kept_as_argon2id_of_recommended_cost_and_in_no_other_form(
    office: Office,
):
    await office.owner()
    kept = b"".join(path.read_bytes() for path in office.product.settings.data.glob("*.db*"))
    (cost,) = set(re.findall(rb"\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$", kept))
    memory, rounds = map(int, cost)
    assert memory >= 19 * 1024
    assert rounds >= 2
    assert PASSWORD.encode() not in kept


def operations(office: Office) -> list[tuple[str, str]]:
    """Every method and path that the app routes."""
    return [
        (method, route.path)
        for route in iter_route_contexts(office.app.routes)
        for method in sorted((route.methods or set()) - {"HEAD"})
    ]


async def test_nothing_but_the_public_list_is_open(office: Office):
    nobody, open = office.browser(), set()
    await office.set(rate_limit_percent=10_000)
    for method, path in operations(office):
        address = re.sub(r"\{\w+\}", "usr-aaaaaaaa", path)
        body = None if method == "GET" else {}
        answer = await nobody.request(method, address, json=body)
        if answer.status_code != 401:
            open.add(f"{method} {path}")
    assert open == PUBLIC - {f"GET {API}/auth/whoami"}


async def test_before_there_is_an_owner_nobody_comes_in(office: Office):
    browser = office.browser()
    options = (await browser.get(f"{API}/auth/options")).json()
    assert options["needsOwner"] is True
    body = {"email": "olive@example.com", "password": PASSWORD}
    assert (await browser.post(f"{API}/auth/login", json=body)).status_code == 401
    for path in ("users", "settings", "workspaces", "status", "tokens", "auth/whoami"):
        assert (await browser.get(f"{API}/{path}")).status_code == 401
    await office.owner()
    options = (await browser.get(f"{API}/auth/options")).json()
    assert options["needsOwner"] is False
