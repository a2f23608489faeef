"""Who may talk to the server at all: Host, Origin, and what the browser says of the sender."""

import re
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute
from structlog.testing import capture_logs

from bailiwick.config import Settings
from support.office import API, PASSWORD, Office, opened_office

pytestmark = pytest.mark.req("ID-05")
NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def bare(office: Office, **headers: str) -> httpx.AsyncClient:
    """A client that sends nothing by itself."""
    transport = httpx.ASGITransport(office.app, client=("127.0.0.1", 50000))
    return httpx.AsyncClient(transport=transport, base_url=office.origin, headers=headers)


async def failing() -> None:
    raise RuntimeError("broken on purpose")


async def test_only_names_of_this_server_are_answered(office: Office):
    client = office.operator
    for host in ("127.0.0.1:8787", "localhost:8787", "LocalHost:8787", "[::1]:8787"):
        answer = await client.get(f"{API}/status", headers={"Host": host})
        assert answer.status_code == 200, host
    for host in (
        "evil.example",
        "evil.example:8787",
        "127.0.0.1.evil.example:8787",
        "localhost.evil.example:8787",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:80",
        "localhost:8788",
        "127.0.0.2:8787",
        "127.0.0.1:8787@evil.example",
        "",
    ):
        for path in (f"{API}/status", "/", "/healthz"):
            answer = await client.get(path, headers={"Host": host})
            assert answer.status_code == 421, (host, path)
            assert answer.json()["type"] == "/problems/misdirected-request"


async def test_a_request_with_two_hosts_is_refused_whichever_comes_first(office: Office):
    ours, evil = ("Host", "127.0.0.1:8787"), ("Host", "evil.example")
    for hosts in ([ours, evil], [evil, ours], [ours, ours]):
        answer = await bare(office).get("/healthz", headers=hosts)
        assert answer.status_code == 400, hosts


async def test_a_request_that_another_page_sent_is_refused_even_to_read(office: Office):
    owner = await office.owner()
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "https://127.0.0.1:8787"},
        {"Origin": "http://127.0.0.1:8787.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", **NAVIGATION},
        {"Sec-Fetch-Site": "unheard-of"},
    ):
        for method in ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"):
            answer = await owner.request(method, f"{API}/users/me", headers=headers)
            assert answer.status_code == 403, (method, headers)
    for site in ("same-origin", "none"):
        answer = await owner.get(f"{API}/users/me", headers={"Sec-Fetch-Site": site})
        assert answer.status_code == 200


async def test_our_own_pages_under_every_local_name_are_let_in(office: Office):
    owner = await office.owner()
    for name in ("127.0.0.1", "localhost", "[::1]"):
        headers = {"Origin": f"http://{name}:8787", "Host": f"{name}:8787"}
        answer = await owner.patch(f"{API}/users/me", json={"name": "Olive"}, headers=headers)
        assert answer.status_code == 200, name


async def test_a_link_on_another_page_opens_our_pages_but_not_the_api(office: Office):
    async with bare(office, **{"Sec-Fetch-Site": "cross-site"}) as elsewhere:
        opened = await elsewhere.get("/setup", headers=NAVIGATION)
        assert opened.headers["content-type"].startswith("text/html")
        api = await elsewhere.get(f"{API}/auth/options", headers=NAVIGATION)
        assert api.status_code == 403
        for headers in (
            {},
            {**NAVIGATION, "Sec-Fetch-Dest": "iframe"},
            {**NAVIGATION, "Sec-Fetch-Mode": "no-cors"},
        ):
            assert (await elsewhere.get("/setup", headers=headers)).status_code == 403
        assert (await elsewhere.post("/setup", headers=NAVIGATION)).status_code == 403


@pytest.mark.req("ID-02")
async def test_a_cookie_changes_nothing_unless_our_own_page_sent_it(office: Office):
    owner = await office.owner()
    body = {"name": "Changed"}
    async with bare(office) as forged:
        forged.cookies = owner.cookies
        assert (await forged.get(f"{API}/users/me")).status_code == 200
        refused = await forged.patch(f"{API}/users/me", json=body)
        assert refused.status_code == 403
        assert "our own pages" in refused.json()["detail"]
        empty = await forged.patch(f"{API}/users/me", json=body, headers={"Origin": ""})
        assert empty.status_code == 403
        named = await owner.get(f"{API}/users/me")
        assert named.json()["name"] == "Olive Owner"
        vouched = {"Sec-Fetch-Site": "same-origin"}
        assert (await forged.patch(f"{API}/users/me", json=body, headers=vouched)).is_success
    assert (await owner.patch(f"{API}/users/me", json=body)).status_code == 200


@pytest.mark.req("ID-02")
async def test_a_program_with_a_token_needs_no_origin(office: Office):
    program = await office.token(await office.owner())
    changed = await program.patch(f"{API}/users/me", json={"name": "By program"})
    assert changed.json()["name"] == "By program"


@pytest.mark.req("ID-02")
async def test_a_local_session_cookie_is_out_of_reach_of_scripts_and_other_sites(office: Office):
    await office.owner()
    body = {"email": "olive@example.com", "password": PASSWORD}
    cookie = (await office.browser().post(f"{API}/auth/login", json=body)).headers["set-cookie"]
    assert re.match(r"bailiwick_\w+_session=bws_", cookie)
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Domain" not in cookie


async def test_port_80_is_written_without_its_number_as_browsers_do(tmp_path: Path):
    async with opened_office(Settings(data=tmp_path / "data", port=80)) as office:
        for name in ("127.0.0.1", "localhost"):
            headers = {"Host": name, "Origin": f"http://{name}"}
            answer = await office.operator.get(f"{API}/status", headers=headers)
            assert answer.status_code == 200, (name, answer.text)


async def test_a_websocket_is_closed_before_anything_looks_at_it(office: Office):
    sent = []

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    for path in ("/", f"{API}/status", "/mcp"):
        headers = [(b"host", b"127.0.0.1:8787"), (b"origin", office.origin.encode())]
        scope = {"type": "websocket", "path": path, "headers": headers, "query_string": b""}
        scope |= {"client": ("127.0.0.1", 50000), "scheme": "ws", "subprotocols": []}
        await office.app(scope, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}] * 3


async def test_every_kind_of_answer_forbids_foreign_and_inline_scripts(office: Office):
    office.app.router.routes.insert(0, APIRoute("/api/v1/failing", failing))
    client = office.operator
    answers = {
        "page": await client.get("/"),
        "file that is not there": await client.get("/assets/none.js"),
        "api": await client.get(f"{API}/status"),
        "health": await client.get("/healthz"),
        "not there": await client.get(f"{API}/nothing"),
        "refused": await client.get(f"{API}/status", headers={"Origin": "null"}),
        "misdirected": await client.get("/", headers={"Host": "evil.example"}),
        "invalid": await client.get(f"{API}/users", params={"PageSize": 0}),
        "too large": await client.post(f"{API}/tokens", headers={"Content-Length": "99999999"}),
    }
    with capture_logs():
        answers["failed"] = await client.get(f"{API}/failing")
    assert answers["failed"].status_code == 500
    for kind, answer in answers.items():
        policy = dict(
            rule.strip().partition(" ")[::2]
            for rule in answer.headers["content-security-policy"].split(";")
        )
        assert policy["default-src"] == "'none'", kind
        assert policy["script-src"] == "'self'", kind
        assert policy["base-uri"] == policy["frame-ancestors"] == "'none'", kind
        assert policy["form-action"] == policy["connect-src"] == "'self'", kind
        assert answer.headers["x-content-type-options"] == "nosniff", kind
        assert answer.headers["x-frame-options"] == "DENY", kind
        assert answer.headers["referrer-policy"] == "no-referrer", kind
        assert "strict-transport-security" not in answer.headers, kind
        assert "access-control-allow-origin" not in answer.headers, kind
