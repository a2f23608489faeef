"""Request limits: by category and caller, told in headers, shared by all processes."""

import asyncio
import time
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from bailiwick.config import Settings
from bailiwick.kit.http.limits import Buckets, Limit, MemoryBuckets
from bailiwick.operations.limits import LIMITS, categorise
from support.office import API, Office, opened_office

pytestmark = pytest.mark.req("API-04")
HEADERS = ("limit", "remaining", "reset", "category")


def stands(answer: httpx.Response) -> tuple[str, int, int]:
    limit, remaining, reset, category = (answer.headers[f"x-ratelimit-{name}"] for name in HEADERS)
    assert int(reset) >= int(time.time()) - 5
    return category, int(limit), int(remaining)


@pytest.mark.parametrize(
    ("category", "per_minute", "burst"),
    [
        ("authentication", 10, 20),
        ("thread-operations", 100, 150),
        ("message-creation", 60, 100),
        ("file-upload", 20, 30),
        ("reactions", 200, 300),
        ("read-operations", 300, 500),
    ],
)
def test_the_limits_are_those_that_were_promised(category, per_minute: int, burst: int):
    assert LIMITS[category] == Limit(per_minute, burst)


@pytest.mark.parametrize(
    ("method", "path", "category"),
    [
        ("POST", "/api/v1/auth/login", "authentication"),
        ("POST", "/api/v1/auth/setup", "authentication"),
        ("POST", "/api/v1/auth/password", "authentication"),
        ("GET", "/api/v1/auth/providers/idp-000000000000/initiate", "authentication"),
        ("GET", "/oauth/login/callback", "authentication"),
        ("GET", "/api/v1/auth/whoami", "read-operations"),
        ("GET", "/api/v1/threads", "read-operations"),
        ("HEAD", "/api/v1/users", "read-operations"),
        ("GET", "/api/v1/threads/thr-1/messages", "read-operations"),
        ("POST", "/api/v1/threads", "thread-operations"),
        ("DELETE", "/api/v1/threads/thr-1", "thread-operations"),
        ("POST", "/api/v1/threads/thr-1/messages", "message-creation"),
        ("POST", "/api/v1/threads/thr-1/messages/msg-1/reactions", "reactions"),
        ("DELETE", "/api/v1/threads/thr-1/messages/msg-1/reactions/r-1", "reactions"),
        ("POST", "/api/v1/files", "file-upload"),
        ("PUT", "/api/v1/users/me/avatar", "file-upload"),
        ("POST", "/api/v1/tokens", "write-operations"),
        ("PATCH", "/api/v1/settings", "write-operations"),
        ("GET", "/", None),
        ("GET", "/assets/index.js", None),
        ("GET", "/healthz", None),
    ],
)
def test_a_request_counts_against_the_category_it_belongs_to(
    method: str, path: str, category: str | None
):
    assert categorise(method, path) == category


async def test_every_limited_answer_says_where_the_caller_stands(office: Office):
    owner = await office.owner()
    assert stands(await owner.get(f"{API}/users/me")) == ("read-operations", 300, 499)
    changed = await owner.patch(f"{API}/users/me", json={"name": "Olive"})
    assert stands(changed) == ("write-operations", 100, 149)
    sent = await owner.put(f"{API}/users/me/avatar", content=b"not a picture")
    assert stands(sent) == ("file-upload", 20, 29)
    failed = await office.browser().post(f"{API}/auth/login", json={})
    assert failed.status_code == 400
    assert stands(failed)[:2] == ("authentication", 10)
    assert "x-ratelimit-limit" not in (await owner.get("/healthz")).headers


def stop_the_clock(office: Office) -> None:
    """Nothing is refilled meanwhile, however slow the machine is; PostgreSQL has its own clock."""
    if isinstance(buckets := office.product[Buckets], MemoryBuckets):
        buckets._now = lambda: 1000.0


async def test_an_empty_bucket_is_a_problem_that_says_when_to_come_back(any_office: Office):
    stop_the_clock(any_office)
    await any_office.set(rate_limit_percent=10)
    browser = any_office.browser()
    first, second, third = [await browser.post(f"{API}/auth/login", json={}) for _ in range(3)]
    assert (first.status_code, second.status_code) == (400, 400)
    assert third.status_code == 429
    assert third.json()["type"] == "/problems/rate-limit-exceeded"
    assert 0 < int(third.headers["retry-after"]) <= 60
    assert third.headers["retry-after"] in third.json()["detail"]
    assert stands(third) == ("authentication", 1, 0)
    assert (await browser.get(f"{API}/auth/options")).status_code == 200


async def test_a_caller_has_one_share_and_does_not_use_up_anothers(office: Office):
    stop_the_clock(office)
    owner, kim = await office.owner(), await office.member("kim")
    program = await office.token(owner)
    await office.set(rate_limit_percent=10)
    path = f"{API}/users/me/avatar"
    remaining = [
        stands(await client.put(path, content=b"no picture"))[2]
        for client in (owner, program, kim, office.browser(), owner, kim)
    ]
    assert remaining == [2, 1, 2, 2, 0, 1]
    assert (await program.put(path, content=b"no picture")).status_code == 429


async def test_requests_with_bad_tokens_are_counted_and_then_refused(office: Office):
    stop_the_clock(office)
    await office.set(rate_limit_percent=10)
    statuses = []
    while len(statuses) < 200 and 429 not in statuses:
        guess = office.program(f"bwt_guess{len(statuses):04}")
        statuses.append((await guess.get(f"{API}/users/me")).status_code)
    assert set(statuses) == {401, 429}
    assert len(statuses) > 50


async def test_raising_the_limits_does_not_raise_the_one_for_guessing_a_password(office: Office):
    stop_the_clock(office)
    await office.set(rate_limit_percent=100_000)
    browser = office.browser()
    assert stands(await browser.get(f"{API}/auth/options")) == ("read-operations", 300_000, 499_999)
    body = {"email": "olive@example.com", "password": "not the right one"}
    statuses = []
    for _ in range(15):
        answer = await browser.post(f"{API}/auth/login", json=body)
        statuses.append(answer.status_code)
    assert statuses[:10] == [401] * 10
    assert statuses[-1] == 429
    assert int(answer.headers["retry-after"]) > 0


async def test_a_bucket_refills_with_time_and_never_past_its_burst():
    now = 1000.0
    buckets = MemoryBuckets(lambda: now)
    limit = Limit(per_minute=60, burst=3)
    taken = [await buckets.take("x", limit) for _ in range(4)]
    assert [verdict.allowed for verdict in taken] == [True, True, True, False]
    assert [verdict.remaining for verdict in taken] == [2, 1, 0, 0]
    assert taken[3].retry_after == pytest.approx(1)
    assert taken[3].full_after == pytest.approx(3)
    now += 0.5
    assert not (await buckets.take("x", limit)).allowed
    now += 0.5
    assert (await buckets.take("x", limit)).allowed
    assert not (await buckets.take("x", limit)).allowed
    assert (await buckets.take("y", limit)).remaining == 2
    now += 3600
    assert (await buckets.take("x", limit)).remaining == 2


async def test_on_postgresql_all_processes_count_together(tmp_path: Path, postgresql_database: str):
    shared = {
        "database_url": SecretStr(postgresql_database),
        "vault_key": SecretStr("ab" * 32),
    }
    async with (
        opened_office(Settings(data=tmp_path / "first", **shared)) as first,
        opened_office(Settings(data=tmp_path / "second", **shared)) as second,
    ):
        await first.set(rate_limit_percent=10)
        statuses = [
            (await office.browser().post(f"{API}/auth/login", json={})).status_code
            for office in (first, second, first, second)
        ]
        assert statuses == [400, 400, 429, 429]


async def test_requests_that_come_at_once_are_each_counted(any_office: Office):
    buckets, limit = any_office.product[Buckets], Limit(per_minute=0.001, burst=5)
    verdicts = await asyncio.gather(*(buckets.take("busy", limit) for _ in range(12)))
    assert sum(verdict.allowed for verdict in verdicts) == 5


async def test_a_log_in_with_the_longest_address_is_counted_like_any_other(any_office: Office):
    email = "a" * 242 + "@example.com"
    assert len(email) == 254
    body = {"email": email, "password": "not the right one"}
    answer = await any_office.browser().post(f"{API}/auth/login", json=body)
    assert answer.status_code == 401, answer.text
