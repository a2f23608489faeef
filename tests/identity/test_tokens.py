"""API tokens: what programs may do in a person's name."""

from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from bailiwick.identity.models import ApiToken
from bailiwick.kit import clock
from support.office import API, PASSWORD, Office, user_id

pytestmark = pytest.mark.req("ID-04")


async def make(person: httpx.AsyncClient, *scopes: str, **given: Any) -> httpx.Response:
    body = {"name": "Script", "scopes": list(scopes or ("read", "write")), **given}
    return await person.post(f"{API}/tokens", json=body)


async def status(program: httpx.AsyncClient, path: str = "users/me") -> int:
    return (await program.get(f"{API}/{path}")).status_code


async def listed(person: httpx.AsyncClient) -> list[dict[str, Any]]:
    return (await person.get(f"{API}/tokens")).json()["items"]


async def test_a_token_does_what_its_scopes_say_and_no_more(office: Office):
    owner = await office.owner()
    reads = await office.token(owner, "read")
    writes = await office.token(owner, "read", "write")
    only_writes = await office.token(owner, "write")
    body = {"name": "Made by a program"}
    assert (await reads.get(f"{API}/workspaces")).status_code == 200
    assert (await reads.post(f"{API}/workspaces", json=body)).status_code == 403
    assert (await reads.patch(f"{API}/users/me", json=body)).status_code == 403
    assert (await writes.post(f"{API}/workspaces", json=body)).status_code == 201
    assert (await only_writes.post(f"{API}/workspaces", json=body)).status_code == 201
    assert (await only_writes.get(f"{API}/workspaces")).status_code == 403


async def test_admin_work_needs_the_admin_scope_even_from_an_admin(office: Office):
    owner = await office.owner()
    writes, administers = await office.token(owner), await office.token(owner, "read", "admin")
    for path in ("users", "settings", "changes", "sign-ins", "login-providers", "doctor"):
        assert await status(writes, path) == 403, path
        assert await status(administers, path) == 200, path
    body = {"email": "kim@example.com", "name": "Kim"}
    assert (await writes.post(f"{API}/users", json=body)).status_code == 403
    assert (await administers.post(f"{API}/users", json=body)).status_code == 403, "no write"
    assert (
        await (await office.token(owner, "write", "admin")).post(f"{API}/users", json=body)
    ).status_code == 201


async def test_only_an_admin_gives_the_admin_scope(office: Office):
    kim = await office.member("kim")
    refused = await make(kim, "read", "admin")
    assert refused.status_code == 400
    assert list(refused.json()["errors"]) == ["scopes"]
    assert (await make(kim, "read", "root")).status_code == 400
    assert (await make(kim)).status_code == 201


async def test_a_demoted_admin_s_token_loses_its_power_at_once(office: Office):
    kim = await office.member("kim", role="admin")
    program = await office.token(kim, "read", "write", "admin")
    assert await status(program, "users") == 200
    await (await office.owner()).patch(f"{API}/users/{await user_id(kim)}", json={"role": "user"})
    assert await status(program, "users") == 403
    assert await status(program) == 200


async def test_a_token_ends_on_its_day(any_office: Office):
    owner = await any_office.owner()
    made = (await make(owner, expiresInDays=7)).json()
    program = any_office.program(made["secret"])
    expires = datetime.fromisoformat(made["expiresAt"])
    assert expires - datetime.fromisoformat(made["createdAt"]) == timedelta(days=7)
    assert await status(program) == 200
    async with any_office.product.storage.app.write() as session:
        await session.execute(update(ApiToken).values(expires_at=clock.now()))
    assert await status(program) == 401


async def test_the_office_limits_how_long_a_token_may_live(office: Office):
    owner = await office.owner()
    await office.set(token_days=30)
    refused = await make(owner, expiresInDays=31)
    assert refused.status_code == 400
    assert list(refused.json()["errors"]) == ["expiresInDays"]
    assert (await make(owner, expiresInDays=30)).status_code == 201
    assert (await make(owner, expiresInDays=0)).status_code == 400


async def test_a_revoked_token_is_refused_at_once(office: Office):
    owner = await office.owner()
    made = (await make(owner)).json()
    program = office.program(made["secret"])
    assert await status(program) == 200
    assert (await owner.delete(f"{API}/tokens/{made['id']}")).status_code == 204
    assert await status(program) == 401
    assert (await owner.delete(f"{API}/tokens/{made['id']}")).status_code == 404


async def test_tokens_are_seen_and_revoked_by_their_owner_alone(office: Office):
    owner, kim = await office.owner(), await office.member("kim")
    made = (await make(owner)).json()
    assert await listed(kim) == []
    assert (await kim.delete(f"{API}/tokens/{made['id']}")).status_code == 404
    assert await status(office.program(made["secret"])) == 200


async def test_the_secret_is_shown_once_and_kept_as_a_hash(office: Office):
    owner = await office.owner()
    made = (await make(owner)).json()
    (shown,) = await listed(owner)
    assert shown == {k: v for k, v in made.items() if k != "secret"}
    assert made["secret"].startswith(made["hint"])
    assert len(made["secret"]) - len(made["hint"]) > 30
    folder = office.product.settings.data
    kept = b"".join(path.read_bytes() for path in folder.glob("*.db*"))
    assert made["id"].encode() in kept
    assert made["secret"].encode() not in kept


async def test_where_a_token_was_last_used_is_shown(any_office: Office):
    owner = await any_office.owner()
    made = (await make(owner)).json()
    assert made["lastUsedAt"] is None
    await status(any_office.program(made["secret"]))
    (shown,) = await listed(owner)
    assert shown["lastUsedAt"] >= made["createdAt"]


async def test_a_program_cannot_manage_tokens_passwords_or_sessions(office: Office):
    owner = await office.owner()
    made = (await make(owner, "read", "write", "admin")).json()
    program = office.program(made["secret"])
    passwords = {"currentPassword": PASSWORD, "newPassword": "seven other kitchen things"}
    (session,) = (await owner.get(f"{API}/auth/sessions")).json()["items"]
    answers = [
        await make(program),
        await program.get(f"{API}/tokens"),
        await program.delete(f"{API}/tokens/{made['id']}"),
        await program.put(f"{API}/auth/password", json=passwords),
        await program.get(f"{API}/auth/sessions"),
        await program.delete(f"{API}/auth/sessions"),
        await program.delete(f"{API}/auth/sessions/{session['id']}"),
        await program.post(f"{API}/auth/logout"),
    ]
    assert [answer.status_code for answer in answers] == [403] * len(answers)
    assert await status(owner) == 200
    assert len(await listed(owner)) == 1


async def test_a_program_cannot_get_an_answer_that_was_given_to_the_person(office: Office):
    owner = await office.owner()
    body = {"name": "Script", "scopes": ["read", "write", "admin"]}
    headers = {"Idempotency-Key": "1"}
    first = await owner.post(f"{API}/tokens", json=body, headers=headers)
    assert (await owner.post(f"{API}/tokens", json=body, headers=headers)).json() == first.json()
    program = await office.token(owner, "read")
    answer = await program.post(f"{API}/tokens", json=body, headers=headers)
    assert answer.status_code == 403
    assert first.json()["secret"] not in answer.text


async def test_a_demoted_admin_cannot_get_an_old_answer_again(office: Office):
    kim = await office.member("kim", role="admin")
    body, headers = {"email": "new@example.com", "name": "New"}, {"Idempotency-Key": "1"}
    first = await kim.post(f"{API}/users", json=body, headers=headers)
    assert first.status_code == 201
    path = f"{API}/users/{await user_id(kim)}"
    await (await office.owner()).patch(path, json={"role": "user"})
    again = await kim.post(f"{API}/users", json=body, headers=headers)
    assert again.status_code == 403


async def test_a_switched_off_user_s_token_is_refused_and_stays_so(office: Office):
    owner, kim = await office.owner(), await office.member("kim")
    program = await office.token(kim)
    path = f"{API}/users/{await user_id(kim)}"
    await owner.patch(path, json={"active": False})
    assert await status(program) == 401
    await owner.patch(path, json={"active": True})
    assert await status(program) == 401


async def test_a_token_that_is_none_of_ours_is_refused(office: Office):
    owner = await office.owner()
    secret = (await make(owner)).json()["secret"]
    (cookie,) = owner.cookies.values()
    for wrong in (secret[:-1], secret.lower(), secret.replace("bwt_", "bws_"), cookie, "x", "ü"):
        program = office.browser(Authorization=f"Bearer {wrong}".encode())
        answer = await program.get(f"{API}/users/me")
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    owner.headers["Authorization"] = "Bearer bwt_wrong"
    assert await status(owner) == 401, "a wrong token is not made good by a cookie"


@pytest.mark.req("ID-07")
async def test_tokens_are_made_and_revoked_on_the_record(office: Office):
    owner = await office.owner()
    made = (await make(owner, "read", expiresInDays=7)).json()
    await owner.delete(f"{API}/tokens/{made['id']}")
    changes = await owner.get(f"{API}/changes", params={"subject": made["id"]})
    revoked, created = changes.json()["items"]
    assert (created["action"], revoked["action"]) == ("token.created", "token.revoked")
    assert created["after"]["scopes"] == revoked["before"]["scopes"] == ["read"]
    assert created["actorName"] == revoked["actorName"] == "Olive Owner"
    assert made["secret"] not in changes.text
