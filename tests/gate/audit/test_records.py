"""The audit as it is read: who sees what, what can be asked, and that nothing can be changed."""

import asyncio
import hashlib
import json
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from bailiwick.kit import clock
from bailiwick.kit.ledger import Ledger
from bailiwick.kit.ledger.records.recorder import Recorder
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("GATE-13")
AUDIT = f"{API}/audit"


def body(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "call_id": f"cal-{number}",
        "at": clock.now().isoformat(),
        "phase": "call",
        "workspace_id": "wsp-1",
        "user_id": "usr-1",
        "owner_id": "operator",
        "caller": {"kind": "agent", "id": "agt-1", "name": "Ada", "version": "3"},
        "connector": "mail",
        "tool": "mail.search",
        "effect": "read",
        "arguments": {"query": 'from:"Zürich" 100%', "id": "vid-1"},
        "decision": "ALLOW",
        "code": None,
        "rule_id": "rul-1",
        "rule_name": "Reading is allowed",
        "reason": None,
        "redacted": ["items.0.body"],
        "status": "done",
        "error": None,
        "duration_ms": 1.5,
        "summary": "3 messages",
        "approval_id": None,
        "action_id": None,
        "label": "stranger",
        "sources": [["stranger", "mail"]],
        "trace_id": "t-1",
        **changes,
    }


@pytest.fixture
async def ledger(any_office: Office) -> Ledger:
    """The gate's own, to write to."""
    return any_office.product[Ledger]


async def home(person: httpx.AsyncClient) -> str:
    return (await person.get(f"{API}/workspaces")).json()["items"][0]["id"]


async def got(person: httpx.AsyncClient, path: str = "", **query: Any) -> Any:
    answer = await person.get(AUDIT + path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def calls(person: httpx.AsyncClient, **query: Any) -> list[str]:
    return [item["callId"] for item in (await got(person, **query))["items"]]


async def test_an_entry_tells_who_did_what_under_which_rule_and_how_it_ended(
    any_office: Office, ledger: Ledger
):
    owner = await any_office.owner()
    await ledger.append(body(0))
    (entry,) = (await got(owner))["items"]
    assert entry.pop("at")
    assert entry == {
        "id": f"{ledger.chain}:1",
        "callId": "cal-0",
        "phase": "call",
        "workspaceId": "wsp-1",
        "userId": "usr-1",
        "caller": {"kind": "agent", "id": "agt-1", "name": "Ada", "version": "3"},
        "connector": "mail",
        "tool": "mail.search",
        "effect": "read",
        "decision": "ALLOW",
        "code": None,
        "ruleId": "rul-1",
        "ruleName": "Reading is allowed",
        "reason": None,
        "status": "done",
        "error": None,
        "durationMs": 1.5,
        "summary": "3 messages",
        "label": "stranger",
        "approvalId": None,
        "actionId": None,
        "redacted": ["items.0.body"],
    }
    detail = await got(owner, f"/{entry['id']}")
    assert detail["arguments"] == {"query": 'from:"Zürich" 100%', "id": "vid-1"}
    assert detail["body"]["trace_id"] == detail["traceId"] == "t-1"
    assert len(detail["hash"]) == 64
    assert detail["related"] == []


@pytest.mark.req("GATE-15")
async def test_all_entries_of_a_call_are_found_by_its_id(any_office: Office, ledger: Ledger):
    owner = await any_office.owner()
    await ledger.append(body(0, phase="intent", status="open"))
    await ledger.append(body(1))
    await ledger.append(body(0, status="done"))
    found = await got(owner, "/cal-0")
    assert (found["phase"], found["status"]) == ("call", "done")
    assert [(other["phase"], other["status"]) for other in found["related"]] == [("intent", "open")]
    for unknown in ("cal-9", "slot-1:99", "slot-7:1", "slot-1:0", "x" * 128):
        assert (await owner.get(f"{AUDIT}/{unknown}")).status_code == 404


async def test_newest_come_first_and_pages_follow_one_another(any_office: Office, ledger: Ledger):
    owner = await any_office.owner()
    # In one transaction, and so with the same time.
    await asyncio.gather(*(ledger.append(body(i)) for i in range(12)))
    seen: list[str] = []
    query: dict[str, Any] = {"PageSize": 5}
    while True:
        page = await got(owner, **query)
        assert page["totalItems"] == 12
        seen += [item["callId"] for item in page["items"]]
        if not page["hasMore"]:
            break
        query["ContinuationToken"] = page["continuationToken"]
    assert seen == [f"cal-{i}" for i in reversed(range(12))]


async def test_entries_can_be_filtered_and_searched(any_office: Office, ledger: Ledger):
    owner = await any_office.owner()
    before = clock.now()
    await ledger.append(body(0, workspace_id="wsp-2", caller={"id": "cli-1"}))
    await ledger.append(body(1, tool="files.delete", decision="BLOCK", status="denied"))
    middle = clock.now()
    await ledger.append(body(2, arguments={"note": 'say "hi" 50% o\\f it_ \n'}))
    assert await calls(owner, workspaceId="wsp-2") == ["cal-0"]
    assert await calls(owner, callerId="cli-1") == ["cal-0"]
    assert await calls(owner, tool="files.delete") == ["cal-1"]
    assert await calls(owner, decision="BLOCK", status="denied") == ["cal-1"]
    assert await calls(owner, decision="BLOCK", status="done") == []
    assert await calls(owner, **{"from": middle.isoformat()}) == ["cal-2"]
    assert await calls(owner, to=middle.isoformat()) == ["cal-1", "cal-0"]
    assert await calls(owner, to=(before - timedelta(days=1)).isoformat()) == []
    assert await calls(owner, q='"hi" 50% o\\f it_') == ["cal-2"]
    assert await calls(owner, q="ZüRICH") == ["cal-1", "cal-0"]
    assert await calls(owner, q="5_%") == []
    for bad in (
        {"from": "2026-01-01T00:00:00"},
        {"to": "9999-12-31T23:59:59-12:00"},
        {"q": "\x00"},
    ):
        assert (await owner.get(AUDIT, params=bad)).status_code == 400


@pytest.mark.req("ACC-11")
async def test_entries_are_of_whoever_they_are_about_and_of_members_where_all_share(
    any_office: Office, ledger: Ledger
):
    owner, kim = await any_office.owner(), await any_office.member("kim")
    sam = await any_office.member("sam", role="admin")
    id = await home(owner)
    await owner.post(
        f"{API}/workspaces/{id}/members", json={"email": "kim@example.com", "role": "admin"}
    )
    await ledger.append(body(0, workspace_id=id, owner_id="*"))
    await ledger.append(body(1, workspace_id=id))
    await ledger.append(body(2, workspace_id=id, owner_id=await user_id(kim)))
    await ledger.append(body(0, workspace_id="wsp-other", owner_id="*"))
    await ledger.append(body(3, workspace_id=id, owner_id=await user_id(owner)))
    assert await calls(owner) == ["cal-3", "cal-1", "cal-0"]
    assert await calls(any_office.operator) == await calls(owner)
    assert await calls(kim) == ["cal-2", "cal-0"]
    assert await calls(kim, workspaceId="wsp-other") == []
    assert (await got(kim, "/cal-0"))["related"] == []
    assert await calls(sam) == [], "an admin of the office, and in no workspace"
    for hidden in ("cal-1", "cal-3", f"{ledger.chain}:2"):
        assert (await kim.get(f"{AUDIT}/{hidden}")).status_code == 404
    assert (await any_office.browser().get(AUDIT)).status_code == 401
    for path in ("/status", "/export"):
        assert (await kim.get(AUDIT + path)).status_code == 403
    assert (await kim.post(f"{AUDIT}/verify")).status_code == 403


async def test_no_route_changes_or_removes_an_entry(any_office: Office, ledger: Ledger):
    owner = await any_office.owner()
    await ledger.append(body(0))
    methods = {
        (method, path)
        for path, operations in any_office.app.openapi()["paths"].items()
        if path.startswith(AUDIT)
        for method in operations
    }
    assert {(method, path) for method, path in methods if method != "get"} == {
        ("post", f"{AUDIT}/verify")
    }
    for method in ("PUT", "PATCH", "DELETE", "POST"):
        refused = await owner.request(method, f"{AUDIT}/{ledger.chain}:1", json={})
        assert refused.status_code == 405
    assert (await got(owner))["totalItems"] == 1


@pytest.mark.req("GATE-14")
async def test_verification_is_asked_for_and_remembered(any_office: Office, ledger: Ledger):
    owner = await any_office.owner()
    await any_office.product[Recorder].catch_up()
    others = (await got(owner, "/status"))["rows"]
    await ledger.append(body(0))
    await ledger.seal()
    await ledger.append(body(1))
    before = await got(owner, "/status")
    assert (before["rows"], before["unsealed"], before["chains"]) == (others + 2, 1, 1)
    assert before["lastVerification"] is None
    assert before["sealedAt"]
    clean = (await owner.post(f"{AUDIT}/verify")).json()
    assert (clean["isClean"], clean["rows"], clean["unsealed"]) == (True, others + 2, 1)
    assert (await got(owner, "/status"))["lastVerification"] == clean
    first = f"WHERE number = {others + 1}"
    async with any_office.product.storage.audit.write() as session:
        await session.execute(text(f"UPDATE ledger SET body = 'null' {first}"))
        await session.execute(text("UPDATE ledger_checkpoints SET content = '7'"))
    report = (await owner.post(f"{AUDIT}/verify", json={})).json()
    assert not report["isClean"]
    found = next(each for each in report["problems"] if each["chain"])
    assert (found["kind"], found["chain"], found["number"]) == ("altered", ledger.chain, others + 1)
    # What was altered is still listed, and breaks nothing.
    assert len((await got(owner))["items"]) == 2
    assert (await got(owner, f"/{ledger.chain}:{others + 1}"))["body"] == {}
    assert (await got(owner, "/status"))["rows"] == others + 2


async def test_everything_can_be_exported_with_a_checksum(any_office: Office, ledger: Ledger):
    owner = await any_office.owner()
    await asyncio.gather(*(ledger.append(body(i)) for i in range(30)))
    answer = await owner.get(f"{AUDIT}/export")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    *lines, trailer = answer.content.splitlines(keepends=True)
    assert json.loads(trailer) == {
        "rows": 30,
        "sha256": hashlib.sha256(b"".join(lines)).hexdigest(),
    }
    first = json.loads(lines[0])
    assert json.loads(first["body"])["call_id"] == "cal-0"
    assert first["id"].startswith(f"{ledger.chain}:")
    assert len(first["hash"]) == 64
    later = await owner.get(f"{AUDIT}/export", params={"from": clock.now().isoformat()})
    assert json.loads(later.content)["rows"] == 0
