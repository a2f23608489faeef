"""Idempotency-Key: sent twice, done once, and the answer is given again only to who got it."""

import asyncio
import hashlib
import json
from datetime import timedelta

import httpx
import pytest
from sqlalchemy import select, update

from bailiwick.kit import clock
from bailiwick.kit.http.idempotency import IdempotencyKey
from support.office import API, PASSWORD, Office

pytestmark = pytest.mark.req("API-05")
KEY = {"Idempotency-Key": "4d7c1b1e-first"}
REPLAYED = "idempotent-replayed"
BODY = {"name": "script", "scopes": ["read"]}


async def make_token(
    client: httpx.AsyncClient, body: dict[str, object] = BODY, key: dict[str, str] = KEY
) -> httpx.Response:
    return await client.post(f"{API}/tokens", json=body, headers=key)


async def tokens(client: httpx.AsyncClient) -> int:
    return (await client.get(f"{API}/tokens")).json()["totalItems"]


async def stored(office: Office) -> list[IdempotencyKey]:
    async with office.product.storage.app.read() as session:
        return list(await session.scalars(select(IdempotencyKey)))


async def test_the_same_request_with_the_same_key_has_one_effect_and_the_same_answer(
    any_office: Office,
):
    owner = await any_office.owner()
    first, again = await make_token(owner), await make_token(owner)
    assert first.status_code == again.status_code == 201
    assert first.json()["secret"].startswith("bwt_")
    assert again.content == first.content
    assert again.headers["content-type"] == first.headers["content-type"]
    assert REPLAYED not in first.headers
    assert again.headers[REPLAYED] == "true"
    assert await tokens(owner) == 1
    other = await make_token(owner, key={"Idempotency-Key": "second"})
    assert REPLAYED not in other.headers
    assert await tokens(owner) == 2


async def test_an_answer_without_a_body_is_given_again_too(any_office: Office):
    owner = await any_office.owner()
    made = (await owner.post(f"{API}/tokens", json=BODY)).json()["id"]
    first, again = [await owner.delete(f"{API}/tokens/{made}", headers=KEY) for _ in range(2)]
    assert (first.status_code, again.status_code) == (204, 204)
    assert again.content == b""
    assert again.headers[REPLAYED] == "true"
    assert (await owner.delete(f"{API}/tokens/{made}")).status_code == 404


async def test_a_key_is_for_one_request_alone(any_office: Office):
    owner = await any_office.owner()
    await make_token(owner)
    for answer in (
        await make_token(owner, {**BODY, "name": "other"}),
        await owner.post(f"{API}/tokens?x=1", json=BODY, headers=KEY),
        await owner.post(f"{API}/workspaces", json={"name": "W"}, headers=KEY),
        await owner.patch(f"{API}/users/me", json={"name": "Other"}, headers=KEY),
    ):
        assert answer.status_code == 409, answer.text
        assert "Idempotency-Key" in answer.json()["detail"]
        assert "bwt_" not in answer.text
    assert await tokens(owner) == 1


async def test_a_request_that_failed_is_not_remembered(any_office: Office):
    owner = await any_office.owner()
    assert (await make_token(owner, {"name": "x"})).status_code == 400
    body = {"email": "kim@example.com", "name": "Kim"}
    assert (await owner.post(f"{API}/users", json=body)).status_code == 201
    clash = {"Idempotency-Key": "clash"}
    assert (await owner.post(f"{API}/users", json=body, headers=clash)).status_code == 409
    assert await stored(any_office) == []
    assert (await make_token(owner)).status_code == 201
    assert (await make_token(owner)).headers[REPLAYED] == "true"


async def test_requests_at_the_same_moment_with_one_key_have_one_effect(any_office: Office):
    owner = await any_office.owner()
    answers = await asyncio.gather(*(make_token(owner) for _ in range(6)))
    given = {answer.json()["secret"] for answer in answers if answer.is_success}
    refused = {answer.status_code for answer in answers if not answer.is_success}
    assert len(given) == 1
    assert refused <= {409}
    assert await tokens(owner) == 1
    assert (await make_token(owner)).json()["secret"] in given


async def test_work_outside_the_database_is_done_once_too(office: Office):
    async def back_up() -> httpx.Response:
        return await office.operator.post(f"{API}/backups", json={}, headers=KEY)

    answers = await asyncio.gather(back_up(), back_up(), back_up())
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len((await office.operator.get(f"{API}/backups")).json()["items"]) == 1


async def test_another_users_same_key_is_another_key(any_office: Office):
    owner, kim = await any_office.owner(), await any_office.member("kim")
    first, second = await make_token(owner), await make_token(kim)
    assert first.json()["secret"] != second.json()["secret"]
    assert REPLAYED not in second.headers
    assert (await tokens(owner), await tokens(kim)) == (1, 1)


async def test_an_answer_is_not_given_again_to_a_token_that_may_not_ask(office: Office):
    owner = await office.owner()
    reader = await office.token(owner, "read")
    secret = (await make_token(owner, {"name": "x", "scopes": ["write"]})).json()["secret"]
    answer = await make_token(reader, {"name": "x", "scopes": ["write"]})
    assert answer.status_code == 403
    assert secret not in answer.text


@pytest.mark.req("ACC-05")
async def test_a_stored_answer_is_sealed(office: Office):
    owner = await office.owner()
    secret = (await make_token(owner)).json()["secret"].encode()
    (row,) = await stored(office)
    assert secret not in row.body
    files = [path.read_bytes() for path in office.product.settings.data.glob("*.db*")]
    assert len(files) > 3
    assert any(b"idempotency_keys" in content for content in files)
    assert not any(secret in content for content in files)


@pytest.mark.req("ACC-05")
async def test_a_password_cannot_be_guessed_from_what_is_stored_about_a_request(office: Office):
    owner = await office.owner()
    body = {"currentPassword": PASSWORD, "newPassword": "five unrelated kitchen words"}
    content = json.dumps(body).encode()
    headers = {**KEY, "Content-Type": "application/json"}
    changed = await owner.put(f"{API}/auth/password", content=content, headers=headers)
    assert changed.status_code == 204, changed.text
    (row,) = await stored(office)
    head = f"PUT {API}/auth/password?".encode()
    guesses = (content, head + content, head + b"\x00" + content)
    assert row.fingerprint not in {hashlib.sha256(guess).hexdigest() for guess in guesses}


async def test_an_answer_is_forgotten_after_the_hours_that_are_set(any_office: Office):
    owner = await any_office.owner()
    first = await make_token(owner)
    earlier = update(IdempotencyKey).values(created_at=clock.now() - timedelta(hours=25))
    async with any_office.product.storage.app.write() as session:
        await session.execute(earlier)
    await any_office.set(idempotency_hours=26)
    assert (await make_token(owner)).content == first.content
    await any_office.set(idempotency_hours=24)
    later = await make_token(owner)
    assert later.status_code == 201
    assert later.json()["secret"] != first.json()["secret"]
    assert len(await stored(any_office)) == 1
    assert (await make_token(owner)).content == later.content


async def test_a_malformed_key_is_refused_by_name_and_nothing_is_done(office: Office):
    owner = await office.owner()
    for bad in ("", "x" * 256, "two words", "tab\tbed", "é".encode()):
        answer = await owner.post(f"{API}/tokens", json=BODY, headers={"Idempotency-Key": bad})
        assert answer.status_code == 400, bad
        assert list(answer.json()["errors"]) == ["Idempotency-Key"]
    assert await tokens(owner) == 0
    assert (await make_token(owner, key={"Idempotency-Key": "x" * 255})).status_code == 201


async def test_reading_takes_no_notice_of_a_key(office: Office):
    owner = await office.owner()
    before = await owner.get(f"{API}/tokens", headers=KEY)
    await make_token(owner, key={})
    after = await owner.get(f"{API}/tokens", headers=KEY)
    assert (before.json()["totalItems"], after.json()["totalItems"]) == (0, 1)
    assert REPLAYED not in after.headers
