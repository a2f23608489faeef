"""Problems: one form for every failure, which names the field and never repeats the value."""

import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import httpx
import pytest
from fastapi.routing import APIRoute
from structlog.testing import capture_logs

from bailiwick.errors import RuleViolated
from bailiwick.kit import clock
from support.office import API, Office

pytestmark = [pytest.mark.req("API-02", "API-07")]
SECRET = "hunter2hunter2"
JSON = {"Content-Type": "application/json"}
Asked = Callable[[Office], Awaitable[httpx.Response]]


async def invalid(office: Office) -> httpx.Response:
    return await (await office.owner()).post(f"{API}/tokens", json={"name": ""})


async def unauthenticated(office: Office) -> httpx.Response:
    return await office.browser().get(f"{API}/users/me")


async def forbidden(office: Office) -> httpx.Response:
    return await (await office.member("kim")).get(f"{API}/users")


async def not_found(office: Office) -> httpx.Response:
    return await office.operator.get(f"{API}/users/usr-00000000")


async def nowhere(office: Office) -> httpx.Response:
    return await office.operator.get(f"{API}/no/such/thing")


async def not_allowed(office: Office) -> httpx.Response:
    return await office.operator.put(f"{API}/status")


async def conflict(office: Office) -> httpx.Response:
    body = {"email": "olive@example.com", "name": "Again"}
    return await (await office.owner()).post(f"{API}/users", json=body)


async def too_large(office: Office) -> httpx.Response:
    async def endless():
        for _ in range(11):
            yield b"x" * 1024 * 1024

    return await office.operator.post(f"{API}/backups", content=endless(), headers=JSON)


async def declared_too_large(office: Office) -> httpx.Response:
    headers = {**JSON, "Content-Length": str(11 * 1024 * 1024)}
    return await office.operator.post(f"{API}/backups", content=b"{}", headers=headers)


async def misdirected(office: Office) -> httpx.Response:
    return await office.operator.get(f"{API}/status", headers={"Host": "evil.example"})


async def against_a_rule(office: Office) -> httpx.Response:
    async def refuse() -> None:
        raise RuleViolated("That is not done here.")

    office.app.router.routes.insert(0, APIRoute(f"{API}/rule", refuse))
    return await office.operator.get(f"{API}/rule")


async def too_many(office: Office) -> httpx.Response:
    await office.set(rate_limit_percent=10)
    browser = office.browser()
    return [await browser.post(f"{API}/auth/login", json={}) for _ in range(3)][-1]


async def broken(office: Office) -> httpx.Response:
    async def fail() -> None:
        raise RuntimeError(f"the password is {SECRET}")

    office.app.router.routes.insert(0, APIRoute(f"{API}/broken", fail))
    with capture_logs() as written:
        answer = await office.operator.get(f"{API}/broken")
    assert [line["event"] for line in written] == ["request failed", "request"]
    return answer


@pytest.mark.parametrize(
    ("ask", "status", "type", "title"),
    [
        (invalid, 400, "validation-error", "Validation Error"),
        (unauthenticated, 401, "authentication-required", "Authentication Required"),
        (forbidden, 403, "insufficient-permissions", "Insufficient Permissions"),
        (not_found, 404, "resource-not-found", "Resource Not Found"),
        (nowhere, 404, "resource-not-found", "Resource Not Found"),
        (not_allowed, 405, "method-not-allowed", "Method Not Allowed"),
        (conflict, 409, "resource-conflict", "Resource Conflict"),
        (too_large, 413, "content-too-large", "Content Too Large"),
        (declared_too_large, 413, "content-too-large", "Content Too Large"),
        (misdirected, 421, "misdirected-request", "Misdirected Request"),
        (against_a_rule, 422, "business-rule-violation", "Business Rule Violation"),
        (too_many, 429, "rate-limit-exceeded", "Too Many Requests"),
        (broken, 500, "internal-server-error", "Internal Server Error"),
    ],
)
async def test_every_failure_has_the_same_form(
    office: Office, ask: Asked, status: int, type: str, title: str
):
    answer = await ask(office)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    parts = {"type", "title", "status", "detail", "instance", "timestamp", "trace_id"}
    assert set(problem) - {"errors"} == parts
    assert (problem["type"], problem["title"]) == (f"/problems/{type}", title)
    assert (problem["status"], problem["instance"]) == (status, answer.request.url.path)
    assert ("errors" in problem) == (ask is invalid)
    assert len(problem["detail"]) > 10
    assert SECRET not in answer.text
    moment = datetime.fromisoformat(problem["timestamp"])
    assert moment.utcoffset() == timedelta(0)
    assert abs(clock.now() - moment) < timedelta(minutes=5)
    assert problem["trace_id"] == answer.headers["x-correlation-id"]


async def test_a_refusal_to_nobody_says_how_to_sign_in(office: Office):
    answer = await unauthenticated(office)
    assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_wrong_method_says_which_are_right(office: Office):
    answer = await office.operator.put(f"{API}/users")
    assert answer.status_code == 405
    assert {method.strip() for method in answer.headers["allow"].split(",")} >= {"GET", "POST"}


async def test_field_errors_name_each_field_as_it_was_sent_and_never_repeat_the_value(
    office: Office,
):
    owner = await office.owner()
    body = {"name": "x" * 101 + SECRET, "scopes": [SECRET], "expiresInDays": SECRET, SECRET: 1}
    for answer, fields in (
        (await owner.post(f"{API}/tokens", json={**body}), {"name", "scopes.0", "expiresInDays"}),
        (await owner.put(f"{API}/auth/password", json={"newPassword": "short1"}), {"newPassword"}),
        (await owner.get(f"{API}/users", params={"PageSize": SECRET}), {"PageSize"}),
        (await owner.get(f"{API}/users/{SECRET}"), {"user_id"}),
        (await office.operator.patch(f"{API}/settings", json={"log_level": SECRET}), {"log_level"}),
        (await owner.post(f"{API}/users", json={"email": SECRET, "name": "x"}), {"email"}),
    ):
        assert answer.status_code == 400, answer.text
        errors = answer.json()["errors"]
        assert fields <= set(errors), errors
        assert all(messages and all(messages) for messages in errors.values())
        assert all(SECRET not in text for name in fields for text in errors[name])
        assert all(name in answer.json()["detail"] for name in fields if name != "log_level")


async def test_a_refused_password_is_in_no_part_of_the_answer(office: Office):
    body = {"link": "bwl_x", "email": "not an address", "name": "", "password": SECRET, "role": 1}
    answer = await office.browser().post(f"{API}/auth/setup", json=body)
    assert answer.status_code == 400
    assert set(answer.json()["errors"]) == {"email", "name", "role"}
    assert SECRET not in answer.text
    assert "bwl_x" not in answer.text


async def test_broken_json_says_where_it_breaks(office: Office):
    for content, position in (
        ('{"name": "x", }', 14),
        ('{"name": "x"', 12),
        ("name=x", 0),
        ('{"a": 1} more', 9),
    ):
        answer = await office.operator.post(f"{API}/users", content=content, headers=JSON)
        assert answer.status_code == 400
        (message,) = answer.json()["errors"]["body"]
        assert message.startswith("not valid JSON at character ")
        assert abs(int(message.split(":")[0].rsplit(" ", 1)[1]) - position) <= 1


async def test_no_body_however_odd_is_more_than_a_bad_request(office: Office):
    for content in (
        b"",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"null",
        b"[]",
        b'{"name": NaN}',
        b'{"\\ud800": 1}',
        b'{"email": "\\ud800@example.com", "name": "x"}',
        b'{"email": "kim@example.com", "name": "\\u0000"}',
        b'{"email": "kim@example.com", "name": "x", "role": {"\\udfff": "\\ud800"}}',
        json.dumps({"email": "kim@example.com", "name": 10**400}).encode(),
    ):
        answer = await office.operator.post(f"{API}/users", content=content, headers=JSON)
        assert answer.status_code == 400, content[:40]
        assert answer.headers["content-type"] == "application/problem+json"


async def test_unknown_addresses_of_the_api_are_problems_and_not_pages(office: Office):
    for path in ("/api/v1/nothing", "/api/v2/users", "/api/", "/oauth/nothing", f"{API}/users/"):
        for method in ("GET", "POST", "DELETE"):
            answer = await office.operator.request(method, path)
            assert answer.status_code in (404, 405), (method, path)
            assert answer.headers["content-type"] == "application/problem+json", (method, path)
