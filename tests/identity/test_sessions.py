"""Sessions: where they live, how they end, and who sees them."""

import hashlib
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from bailiwick.config import Settings
from bailiwick.identity.models import Session
from bailiwick.kit import clock
from bailiwick.kit.http.idempotency import IdempotencyKey
from support.office import API, PASSWORD, Office, opened_office, user_id

pytestmark = pytest.mark.req("ID-02")

NEW_PASSWORD = "seven other kitchen things"


async def another_browser(office: Office, email: str = "olive@example.com") -> httpx.AsyncClient:
    """The same person, signed in elsewhere."""
    browser = office.browser(**{"User-Agent": "Other/1"})
    body = {"email": email, "password": PASSWORD}
    assert (await browser.post(f"{API}/auth/login", json=body)).status_code == 200
    return browser


async def sessions_of(person: httpx.AsyncClient) -> list[dict[str, Any]]:
    return (await person.get(f"{API}/auth/sessions")).json()["items"]


async def is_in(browser: httpx.AsyncClient) -> bool:
    return (await browser.get(f"{API}/auth/whoami")).status_code == 200


async def age(office: Office, **hours: int) -> None:
    """Let time pass for all sessions."""
    past = {name: clock.now() - timedelta(hours=given) for name, given in hours.items()}
    async with office.product.storage.app.write() as session:
        await session.execute(update(Session).values(**past))


async def test_a_repeatable_password_change_keeps_no_hash_that_others_can_compute(tmp_path: Path):
    kept = []
    for name in ("one", "two"):
        async with opened_office(Settings(data=tmp_path / name)) as office:
            answer = await (await office.owner()).put(
                f"{API}/auth/password",
                json={"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD},
                headers={"Idempotency-Key": "once"},
            )
            assert answer.status_code == 204
            async with office.product.storage.app.read() as session:
                kept.append(await session.scalar(select(IdempotencyKey.fingerprint)))
    assert kept[0] != kept[1]


async def test_sessions_are_listed_with_where_they_are(any_office: Office):
    owner = await any_office.owner()
    other = await another_browser(any_office)
    mine, first = await sessions_of(other)
    assert (mine["current"], first["current"]) == (True, False)
    assert (mine["method"], first["method"]) == ("password", "owner link")
    assert (mine["userAgent"], mine["address"]) == ("Other/1", "127.0.0.1")
    assert mine["expiresAt"] > mine["createdAt"]
    assert [item["current"] for item in await sessions_of(owner)] == [False, True]


async def test_an_ended_session_is_refused_at_once(office: Office):
    owner, other = await office.owner(), await another_browser(office)
    id = next(item["id"] for item in await sessions_of(other) if item["current"])
    assert (await owner.delete(f"{API}/auth/sessions/{id}")).status_code == 204
    assert not await is_in(other)
    assert await is_in(owner)
    assert (await owner.delete(f"{API}/auth/sessions/{id}")).status_code == 404


async def test_all_other_sessions_are_ended_together(office: Office):
    owner = await office.owner()
    others = [await another_browser(office) for _ in range(2)]
    kim = await office.member("kim")
    assert (await owner.delete(f"{API}/auth/sessions")).status_code == 204
    assert [await is_in(browser) for browser in (owner, *others, kim)] == [True, False, False, True]


async def test_nobody_sees_or_ends_the_sessions_of_others(office: Office):
    owner, kim = await office.owner(), await office.member("kim")
    (only,) = await sessions_of(owner)
    assert only["id"] not in [item["id"] for item in await sessions_of(kim)]
    assert (await kim.delete(f"{API}/auth/sessions/{only['id']}")).status_code == 404
    path = f"{API}/users/{await user_id(owner)}/sessions"
    assert (await kim.delete(path)).status_code == 403
    assert await is_in(owner)


async def test_an_admin_ends_all_sessions_of_a_user(office: Office):
    owner, kim = await office.owner(), await office.member("kim")
    assert (await owner.delete(f"{API}/users/{await user_id(kim)}/sessions")).status_code == 204
    assert not await is_in(kim)
    listed = await owner.get(f"{API}/changes", params={"action": "user.sessions_ended"})
    assert listed.json()["totalItems"] == 1


async def test_a_session_ends_by_age_however_busy_it_is(any_office: Office):
    owner = await any_office.owner()
    await any_office.set(session_hours=2)
    await age(any_office, created_at=1)
    assert await is_in(owner)
    await age(any_office, created_at=3)
    assert not await is_in(owner)


async def test_a_session_ends_by_silence_however_young_it_is(any_office: Office):
    owner = await any_office.owner()
    await any_office.set(session_idle_hours=2)
    await age(any_office, created_at=1, last_seen_at=1)
    assert await is_in(owner), "which also breaks the silence"
    (only,) = await sessions_of(owner)
    assert only["lastSeenAt"] > only["createdAt"]
    await age(any_office, last_seen_at=3)
    assert not await is_in(owner)
    browser = await another_browser(any_office)
    assert len(await sessions_of(browser)) == 1, "an ended session is not listed"


async def test_a_new_password_ends_all_other_sessions(office: Office):
    owner, other = await office.owner(), await another_browser(office)
    wrong = {"currentPassword": "not the one", "newPassword": NEW_PASSWORD}
    assert (await owner.put(f"{API}/auth/password", json=wrong)).status_code == 403
    assert await is_in(other)
    right = {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD}
    assert (await owner.put(f"{API}/auth/password", json=right)).status_code == 204
    assert (await is_in(owner), await is_in(other)) == (True, False)
    body = {"email": "olive@example.com", "password": PASSWORD}
    assert (await office.browser().post(f"{API}/auth/login", json=body)).status_code == 401
    body["password"] = NEW_PASSWORD
    assert (await office.browser().post(f"{API}/auth/login", json=body)).status_code == 200


async def test_a_weak_new_password_is_refused_by_the_name_of_its_field(office: Office):
    owner = await office.owner()
    for weak in ("short", "password1234"):
        body = {"currentPassword": PASSWORD, "newPassword": weak}
        refused = await owner.put(f"{API}/auth/password", json=body)
        assert refused.status_code == 400
        assert list(refused.json()["errors"]) == ["newPassword"]


async def test_log_out_clears_the_cookie_and_ends_the_session(office: Office):
    owner = await office.owner()
    kept = dict(owner.cookies)
    answer = await owner.post(f"{API}/auth/logout")
    assert answer.status_code == 204
    assert not owner.cookies
    thief = office.browser()
    thief.cookies.update(kept)
    assert not await is_in(thief)


async def test_the_secret_of_a_session_is_stored_nowhere(office: Office):
    owner = await office.owner()
    (secret,) = owner.cookies.values()
    kept = b"".join(path.read_bytes() for path in office.product.settings.data.glob("*.db*"))
    assert (await sessions_of(owner))[0]["id"].encode() in kept
    assert secret.encode() not in kept
    assert hashlib.sha256(secret.encode()).hexdigest().encode() not in kept
