"""The manifest: what the documents name works here as they write it, or the manifest says later."""

import re
import shutil
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import bailiwick
from bailiwick.config import Settings
from bailiwick.mcp.http import PATH
from bailiwick.notify.webhooks.types import CATALOGUE
from bailiwick.tools.registry import Registry
from support import coverage, post
from support.mailroom import mailroom_in
from support.model_server import fails
from support.office import API, Office, opened_office
from support.seeded import ASKING, Newcomer, newcomer_in

pytestmark = pytest.mark.req("API-06")
MANIFEST = tomllib.loads((Path(__file__).parents[1] / "docs" / "manifest.toml").read_text())
SOURCE = Path(bailiwick.__file__).parent
# What another party answers first, or what is no REST: each has a test of its own.
ELSEWHERE = {
    "GET /api/v1/auth/providers/{provider_id}/initiate": "identity/test_federation.py",
    "GET /oauth/login/callback": "identity/test_federation.py",
    "GET /api/v1/connectors/{connector_id}/oauth/start": "accounts/test_consent.py",
    "GET /oauth/accounts/callback": "accounts/test_consent.py",
    f"POST {PATH}": "mcp/test_mcp_http.py",
    "GET /api/v1/threads/{thread_id}/messages/stream": "chat/test_thread_stream.py",
}
SUGGESTED = {
    "file_path": "inbox/W2_2024.pdf",
    "target_folder": "work/hotstar/compensation/",
    "reasoning": "A tax form.",
    "confidence": 0.92,
}
LAST = "POST /api/v1/auth/logout"
Line = dict[str, Any]


def is_built(feature: str) -> bool:
    """Whether the folder of a feature holds code."""
    return (SOURCE / feature / "__init__.py").exists()


def claimed(kind: str) -> list[Line]:
    """The lines whose feature exists and that are not put off."""
    return [
        line
        for line in MANIFEST[kind]
        if line["here"] and is_built(line["feature"]) and not line.get("later")
    ]


def put_off(kind: str) -> list[Line]:
    return [line for line in MANIFEST[kind] if line.get("later")]


def routes(office: Office) -> set[str]:
    """Everything the app serves, as `METHOD /path`."""
    described = {
        f"{method.upper()} {path}"
        for path, operations in office.app.openapi()["paths"].items()
        for method in operations
    }
    # Another protocol, which has a description of its own.
    return described | {f"POST {PATH}"}


def as_written(line: Line) -> bool:
    """Whether a document that writes our own root finds the route where it looks for it."""
    path, here = (re.sub(r"\{\w+\}", "{}", line[name]) for name in ("named", "here"))
    return API not in path or here.endswith(path)


@pytest.fixture
async def newcomer(
    sqlite_settings: Settings, opened_folder: Path, tmp_path: Path
) -> AsyncIterator[Newcomer]:
    shutil.copytree(opened_folder, sqlite_settings.data)
    with post.installed():
        async with opened_office(sqlite_settings) as office:
            yield await newcomer_in(await mailroom_in(office, tmp_path / "post"))


def test_every_line_is_complete_and_named_once():
    for kind in ("endpoints", "tools", "events"):
        lines = MANIFEST[kind]
        names = [(line["seed"], line["named"]) for line in lines]
        assert len(set(names)) == len(names)
        for line in lines:
            assert line["here"] or line.get("why"), line
            assert {"seed", "named", "here", "feature", "req"} <= set(line), line
            assert line["req"] in coverage.listed(), line


async def test_every_claimed_endpoint_answers_to_what_its_document_sends(newcomer: Newcomer):
    served = routes(newcomer.room.office)
    lines = claimed("endpoints")
    assert [line for line in lines if line["here"] not in served or not as_written(line)] == []
    there = [line for line in lines if line["here"] not in ELSEWHERE]
    for line in sorted(there, key=lambda line: line["here"] == LAST):
        answer = await newcomer.request(line)
        assert answer.status_code < 300, (line, answer.text)


async def test_what_is_proved_elsewhere_is_named_there():
    for here, file in ELSEWHERE.items():
        path = here.split()[1].removeprefix(API)
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(path))
        text = (Path(__file__).parent / file).read_text()
        assert re.search(pattern, text) or path == PATH, here


async def test_no_endpoint_that_works_is_put_off(newcomer: Newcomer):
    served = routes(newcomer.room.office)
    for line in put_off("endpoints"):
        if line["here"] in served and as_written(line):
            answer = await newcomer.request(line)
            assert answer.is_error, f"take `later` away: {line} works"


async def test_every_claimed_tool_does_what_its_document_asks_of_it(newcomer: Newcomer):
    assert claimed("tools")
    for line in claimed("tools"):
        for sent in line["sends"]:
            assert await newcomer.use(line["here"], sent) == "done", line


async def test_no_tool_that_works_is_put_off(newcomer: Newcomer):
    offered = {tool.name for tool in newcomer.room.office.product[Registry]}
    for line in put_off("tools"):
        if line["here"] in offered or line["here"].startswith(ASKING):
            said = [await newcomer.use(line["here"], sent) for sent in line["sends"]]
            assert set(said) != {"done"}, f"take `later` away: {line} works"


async def test_every_claimed_event_happens_when_agents_work(
    newcomer: Newcomer,
):
    sessions = [await newcomer.directed({"input": "Do it."}), await newcomer.asked(fails(400))]
    assert sessions[0]["children"]
    await newcomer.use("create_suggestion", SUGGESTED)
    await newcomer.talk()
    told = await newcomer.owner.get(f"{API}/events", params={"PageSize": 500})
    happened = {event["type"] for event in told.json()["items"]}
    for session in sessions:
        events = await newcomer.owner.get(f"{API}/runs/{session['id']}/events")
        happened |= {f"provider event {event['kind']}" for event in events.json()["items"]}
    assert claimed("events")
    assert [line for line in claimed("events") if line["here"] not in happened] == []


def test_no_event_that_is_told_is_put_off():
    assert [line for line in put_off("events") if line["here"] in CATALOGUE] == []
