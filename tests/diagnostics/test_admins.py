"""Diagnostics are for admins, who see others' work in figures and delete it, but do not read it."""

import json
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from sqlalchemy import select

from bailiwick.runs.models import ProviderEvent
from support.desk import Desk
from support.mailroom import Mailroom, letter
from support.office import API, every, user_id
from support.traced import CYCLE, answer, read, traced_desk
from support.workshop import scripted

CONTENT = ("lamp", "cleo", "mood of this mail", "The mood is bad", "item-that-is-not-there")
FIGURES = ("modelCalls", "toolCalls", "failedCalls", "inputTokens", "latencyMs", "model", "state")


async def nodes_of(client: httpx.AsyncClient) -> list[str]:
    """The ids of all that the tree shows."""
    ids: list[str] = []
    for cycle in (await read(client, "/unified"))["items"]:
        for director in cycle["children"]:
            ids += [director["id"], *(agent["id"] for agent in director["children"])]
        ids.append(cycle["id"])
    return ids


async def payloads(desk: Desk) -> list[object]:
    """What is kept of what went to models."""
    async with desk.room.office.product.storage.app.read() as session:
        return list((await session.scalars(select(ProviderEvent.payload))).all())


@pytest.mark.req("DIAG-01", "ACC-11")
async def test_another_admin_sees_the_figures_and_none_of_the_content(room: Mailroom):
    with scripted(answer) as server:
        await traced_desk(room, server)
    other = await room.office.member("amy", role="admin")
    (mine,) = (await read(room.owner, "/unified"))["items"]
    (theirs,) = (await read(other, "/unified"))["items"]
    director = theirs["children"][0]
    assert director["contentHidden"]
    assert not mine["children"][0]["contentHidden"]
    same = [mine["children"][0][name] for name in FIGURES]
    assert [director[name] for name in FIGURES] == same
    told = [theirs, *[await read(other, f"/unified/{id}") for id in await nodes_of(other)]]
    flat = await every(other, "/diagnostics/unified", view="flat")
    whole = json.dumps([told, flat])
    assert [word for word in CONTENT if word.lower() in whole.lower()] == []
    seen = await read(other, f"/unified/{director['id']}")
    assert (seen["contentHidden"], seen["emailHidden"], seen["email"]) == (True, True, None)
    tools = {line["detail"]["tool"]: line for line in seen["lines"]}
    assert tools["workspace_get_item"]["detail"]["verdict"] == "blocked"
    assert tools["workspace_get_item"]["error"] == tools["workspace_get_item"]["detail"]["code"]
    alone = await read(other, f"/unified/{tools['workspace_get_item']['id']}")
    assert alone["node"]["line"]["detail"]["request"] is None


@pytest.mark.req("DIAG-01", "ACC-11")
async def test_a_shared_account_opens_the_mail_but_not_the_run(room: Mailroom):
    with scripted(answer) as server:
        desk = await traced_desk(room, server)
    other = await room.office.member("amy", role="admin")
    members = f"{API}/workspaces/{room.workspace_id}/members"
    body = {"email": "amy@example.com", "role": "write"}
    assert (await room.owner.post(members, json=body)).status_code == 201
    share = f"{API}/accounts/{desk.account_id}/shares/{await user_id(other)}"
    assert (await room.owner.put(share, json={"right": "read"})).status_code == 200
    (cycle,) = (await read(other, "/unified"))["items"]
    seen = await read(other, f"/unified/{cycle['children'][0]['id']}")
    assert seen["email"]["subject"] == "The lamp is broken"
    assert seen["contentHidden"]
    assert all(line["result"] is None for line in seen["lines"])


@pytest.mark.req("DIAG-01")
async def test_whoever_is_no_admin_gets_nothing(room: Mailroom):
    with scripted(answer) as server:
        await traced_desk(room, server)
    nodes = await nodes_of(room.owner)
    member = await room.office.member("max")
    program = await room.office.token(room.owner, "read", "write")
    for client in (member, program):
        for path in ("runtime", "unified", f"unified/{nodes[0]}"):
            assert (await client.get(f"{API}/diagnostics/{path}")).status_code == 403
        removed = await client.delete(f"{API}/diagnostics/unified/{nodes[0]}")
        assert removed.status_code == 403


@pytest.mark.req("DIAG-01")
async def test_what_is_deleted_is_gone_but_case_items_transcript_and_spend_stay(room: Mailroom):
    with scripted(answer) as server:
        desk = await traced_desk(room, server)
        await desk.got(letter(subject="Another"), cycle_id="cyc-000000000def")
    (case,) = [each for each in await desk.cases() if each["cycleId"] == CYCLE]
    spend = (await room.owner.get(f"{API}/spend")).json()
    before = await desk.shop.read(case["runId"])
    (director,) = (await read(room.owner, "/unified", cycleId=CYCLE))["items"][0]["children"]
    lines = (await read(room.owner, f"/unified/{director['id']}"))["lines"]
    tool = next(line["id"] for line in lines if line["detail"]["tool"])
    url = f"{API}/diagnostics/unified"
    assert (await room.owner.delete(f"{url}/{tool}")).status_code == 204
    left = (await read(room.owner, f"/unified/{director['id']}"))["lines"]
    assert [line["id"] for line in left] == [each["id"] for each in lines if each["id"] != tool]
    assert (await room.owner.delete(f"{url}/{tool}")).status_code == 404
    assert all(await payloads(desk))
    assert (await room.owner.delete(f"{url}/{CYCLE}")).status_code == 204
    assert (await room.owner.get(f"{url}/{director['id']}")).status_code == 404
    (kept,) = (await read(room.owner, "/unified"))["items"]
    assert kept["id"] == "cyc-000000000def"
    flat = await every(room.owner, "/diagnostics/unified", view="flat")
    assert {node["fetchCycleId"] for node in flat} == {"cyc-000000000def"}
    assert await payloads(desk)
    assert not all(await payloads(desk)), "what went to the model is gone too"
    assert await desk.shop.read(case["runId"]) == before
    assert await desk.items(case)
    assert (await room.owner.get(f"{API}/spend")).json() == spend
    record = (
        await room.owner.get(f"{API}/changes", params={"action": "diagnostics.deleted"})
    ).json()
    assert [line["subjectId"] for line in record["items"]] == [CYCLE, tool]
    assert record["items"][0]["after"] == {"runs": 2, "lines": 0}


@pytest.mark.req("DIAG-01")
async def test_many_are_deleted_at_once_and_what_is_done_later_shows_again(room: Mailroom):
    with scripted(answer) as server:
        desk = await traced_desk(room, server)
        await desk.got(letter(subject="Another"), cycle_id="cyc-000000000def")
        url = f"{API}/diagnostics/deletions"
        for wrong in ({}, {"all": True, "ids": [CYCLE]}, {"ids": []}):
            assert (await room.owner.post(url, json=wrong)).status_code == 400
        long_ago = (datetime.now(UTC) - timedelta(days=400)).isoformat()
        none = await room.owner.post(url, json={"before": long_ago})
        assert none.json() == {"runs": 0, "lines": 0}
        one = await room.owner.post(url, json={"ids": [CYCLE]})
        assert one.json() == {"runs": 2, "lines": 0}
        every_one = await room.owner.post(url, json={"all": True})
        assert every_one.json() == {"runs": 2, "lines": 0}
        assert (await read(room.owner, "/unified"))["items"] == []
        assert (await read(room.owner, "/unified", view="flat"))["totalItems"] == 0
        assert not any(await payloads(desk))
        case = (await desk.cases())[0]
        again = await room.owner.post(f"{API}/cases/{case['id']}/run-again")
        assert again.status_code == 200, again.text
        await desk.shop.drive()
    (cycle,) = (await read(room.owner, "/unified"))["items"]
    assert cycle["directors"] == 1


@pytest.mark.req("DIAG-01")
async def test_the_runtime_says_how_the_office_stands(room: Mailroom):
    with scripted(answer) as server:
        await traced_desk(room, server)
    status = await read(room.owner, "/runtime")
    settings = room.office.product.settings
    assert status["dataFolder"] == str(settings.data)
    assert status["encryption"] == ("on" if room.office.product.data_key else "off")
    assert status["database"] == "sqlite"
    assert status["versions"].keys() >= {"bailiwick", "python", "sqlalchemy"}
    counts = status["counts"]
    assert (counts["cases"], counts["runs"], counts["toolCalls"]) == (1, 2, 3)
    assert counts["providerEvents"] == 10
    assert status["uptimeSeconds"] >= 0


@pytest.mark.req("DIAG-01")
async def test_a_program_gets_it_redacted(room: Mailroom):
    pattern = {"name": "lamp", "pattern": "lamp", "replacement": "[thing]"}
    assert (await room.owner.post(f"{API}/redactions", json=pattern)).status_code == 201
    with scripted(answer) as server:
        await traced_desk(room, server)
    program = await room.office.token(room.owner, "read", "write", "admin")
    (cycle,) = (await read(program, "/unified"))["items"]
    assert "[thing]" in cycle["children"][0]["emailSummary"]
    for client in (program, room.owner):
        seen = await read(client, f"/unified/{cycle['children'][0]['id']}")
        said = json.dumps([seen["lines"], seen["email"]])
        assert "[thing]" in said
        assert "lamp" not in said
