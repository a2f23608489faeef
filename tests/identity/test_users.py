"""Users: invited, changed, switched off, and never without an admin."""

import asyncio
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from bailiwick.identity.models import Link
from bailiwick.kit import clock
from support.office import API, PASSWORD, Office, user_id

pytestmark = pytest.mark.req("ID-03")

KIM = {"email": "Kim@Example.com", "name": "Kim"}


async def invited(office: Office, **changed: str) -> str:
    """The secret of a new user's link."""
    made = await (await office.owner()).post(f"{API}/users", json={**KIM, **changed})
    assert made.status_code == 201, made.text
    return made.json()["link"].partition("#")[2]


async def choose(browser: httpx.AsyncClient, link: str, password: str = PASSWORD) -> httpx.Response:
    body = {"link": link, "password": password}
    return await browser.post(f"{API}/auth/password", json=body)


async def change(person: httpx.AsyncClient, id: str, **values: Any) -> httpx.Response:
    return await person.patch(f"{API}/users/{id}", json=values)


async def everyone(office: Office) -> dict[str, str]:
    users = (await office.operator.get(f"{API}/users")).json()["items"]
    return {user["email"]: user["role"] for user in users if user["active"]}


async def recorded(office: Office, action: str) -> list[dict[str, Any]]:
    listed = await office.operator.get(f"{API}/changes", params={"action": action})
    return listed.json()["items"]


@pytest.mark.req("ID-01")
async def test_an_invited_person_chooses_a_password_once(any_office: Office):
    link, browser = await invited(any_office), any_office.browser()
    seen = await browser.post(f"{API}/auth/link", json={"link": link})
    assert seen.json() == {"purpose": "invitation", "email": "kim@example.com", "name": "Kim"}
    weak = await choose(browser, link, "kim@example.com")
    assert (weak.status_code, list(weak.json()["errors"])) == (400, ["password"])
    entered = await choose(browser, link)
    assert entered.json()["user"]["role"] == "user"
    assert (await browser.get(f"{API}/users/me")).json()["hasPassword"] is True
    assert (await choose(any_office.browser(), link)).status_code == 404


async def test_one_link_used_by_two_at_once_lets_one_in(any_office: Office):
    link = await invited(any_office)
    passwords = ("four unrelated garden words", "five unrelated kitchen words")
    answers = await asyncio.gather(*(choose(any_office.browser(), link, p) for p in passwords))
    assert sorted(answer.status_code for answer in answers) == [200, 404]


async def test_a_link_ends_after_the_hours_that_the_office_sets(office: Office):
    await office.set(link_hours=2)
    link = await invited(office)
    async with office.product.storage.app.write() as session:
        row = (await session.scalars(select(Link))).one()
        assert row.expires_at == row.created_at + timedelta(hours=2)
        row.expires_at = clock.now()
    assert (await choose(office.browser(), link)).status_code == 404


async def test_a_password_link_ends_earlier_links_and_on_use_all_sessions(any_office: Office):
    owner, kim = await any_office.owner(), await any_office.member("kim")
    path = f"{API}/users/{await user_id(kim)}/password-link"
    made = [(await owner.post(path)).json()["link"].partition("#")[2] for _ in range(2)]
    assert (await choose(any_office.browser(), made[0])).status_code == 404
    assert (await kim.get(f"{API}/users/me")).status_code == 200
    browser = any_office.browser()
    assert (await choose(browser, made[1], "five unrelated kitchen words")).status_code == 200
    assert (await browser.get(f"{API}/users/me")).status_code == 200
    assert (await kim.get(f"{API}/users/me")).status_code == 401
    body = {"email": "kim@example.com", "password": PASSWORD}
    assert (await any_office.browser().post(f"{API}/auth/login", json=body)).status_code == 401


async def test_a_switched_off_person_has_no_way_in(office: Office):
    owner, kim = await office.owner(), await office.member("kim")
    id = await user_id(kim)
    link = (await owner.post(f"{API}/users/{id}/password-link")).json()["link"].partition("#")[2]
    assert (await change(owner, id, active=False)).json()["active"] is False
    assert (await kim.get(f"{API}/users/me")).status_code == 401
    assert (await choose(office.browser(), link)).status_code == 403
    assert (await change(owner, id, active=True)).json()["active"] is True
    assert (await kim.get(f"{API}/users/me")).status_code == 401, "an ended session stays ended"


async def test_an_address_belongs_to_one_user(any_office: Office):
    await invited(any_office)
    again = await (await any_office.owner()).post(
        f"{API}/users", json={"email": "KIM@example.COM", "name": "Another"}
    )
    assert again.status_code == 409
    assert list(await everyone(any_office)) == ["kim@example.com", "olive@example.com"]


async def test_a_user_does_no_admin_work_and_cannot_become_an_admin(office: Office):
    kim, owner_id = await office.member("kim"), await user_id(await office.owner())
    id = await user_id(kim)
    for path in ("users", f"users/{owner_id}", f"users/{id}", "sign-ins", "changes", "settings"):
        assert (await kim.get(f"{API}/{path}")).status_code == 403, path
    answers = [
        await kim.post(f"{API}/users", json={"email": "x@example.com", "name": "X"}),
        await change(kim, id, role="admin"),
        await change(kim, owner_id, active=False),
        await kim.post(f"{API}/users/{owner_id}/password-link"),
        await kim.delete(f"{API}/users/{owner_id}/sessions"),
        await kim.post(f"{API}/login-providers", json={"name": "X", "clientId": "x"}),
    ]
    assert [answer.status_code for answer in answers] == [403] * len(answers)
    raised = await kim.patch(f"{API}/users/me", json={"name": "Kim", "role": "admin"})
    assert raised.status_code == 400
    assert (await everyone(office))["kim@example.com"] == "user"


async def test_roles_are_in_force_at_once(office: Office):
    owner, kim = await office.owner(), await office.member("kim")
    id = await user_id(kim)
    await change(owner, id, role="admin")
    assert (await kim.get(f"{API}/users")).status_code == 200
    await change(owner, id, role="user")
    assert (await kim.get(f"{API}/users")).status_code == 403
    assert (await change(owner, id, role="owner")).status_code == 400


async def test_the_last_admin_stays(any_office: Office):
    owner, kim = await any_office.owner(), await any_office.member("kim", role="admin")
    owner_id, kim_id = await user_id(owner), await user_id(kim)
    assert (await change(owner, kim_id, active=False)).status_code == 200
    assert (await change(owner, owner_id, role="user")).status_code == 409
    assert (await change(owner, owner_id, active=False)).status_code == 409
    assert await everyone(any_office) == {"olive@example.com": "admin"}
    assert len(await recorded(any_office, "user.changed")) == 1


async def test_admins_who_step_down_together_leave_one(any_office: Office):
    ids = []
    for n in range(10):
        body = {"email": f"a{n}@example.com", "name": "Admin", "role": "admin"}
        made = await any_office.operator.post(f"{API}/users", json=body)
        ids.append(made.json()["user"]["id"])
    values = ({"role": "user"}, {"active": False})
    answers = await asyncio.gather(
        *(change(any_office.operator, id, **values[n % 2]) for n, id in enumerate(ids))
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 9 + [409]
    assert list((await everyone(any_office)).values()).count("admin") == 1


async def test_a_person_changes_their_own_name(office: Office):
    kim = await office.member("kim")
    assert (await kim.patch(f"{API}/users/me", json={"name": "Kimberly"})).status_code == 200
    assert (await kim.get(f"{API}/users/me")).json()["name"] == "Kimberly"
    for bad in ("", "a\nb", "a\x00b", "x" * 101):
        assert (await kim.patch(f"{API}/users/me", json={"name": bad})).status_code == 400


@pytest.mark.req("ID-07")
async def test_changes_to_users_are_recorded_with_who_before_and_after(any_office: Office):
    owner, kim = await any_office.owner(), await any_office.member("kim")
    id = await user_id(kim)
    await change(owner, id, role="admin")
    (changed,) = await recorded(any_office, "user.changed")
    assert (changed["actorId"], changed["actorName"]) == (await user_id(owner), "Olive Owner")
    assert changed["subjectId"] == id
    assert changed["before"]["role"] == "user"
    assert changed["after"]["role"] == "admin"
    created = {line["subjectId"]: line for line in await recorded(any_office, "user.created")}
    assert created[id]["after"] == {"email": "kim@example.com", "role": "user"}
    (chosen,) = await recorded(any_office, "user.password_changed")
    assert (chosen["actorId"], chosen["subjectId"]) == (id, id)
    await owner.post(f"{API}/users/{id}/password-link")
    (linked,) = await recorded(any_office, "user.password_link_made")
    assert (linked["actorName"], linked["subjectId"]) == ("Olive Owner", id)


async def test_secrets_of_links_are_stored_nowhere(office: Office):
    link = await invited(office)
    kept = b"".join(path.read_bytes() for path in office.product.settings.data.glob("*.db*"))
    assert b"kim@example.com" in kept
    assert link.encode() not in kept
