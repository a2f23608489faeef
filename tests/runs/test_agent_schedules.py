"""Agents on a schedule: due once, in someone's name, and off when that cannot be any more."""

import asyncio
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from sqlalchemy import select

from bailiwick.gate.trust.reads import ReadStates
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.runs.models import Run
from bailiwick.runs.schedules.models import Schedule
from support.model_server import says
from support.office import API, user_id
from support.server import running, wait_for
from support.workshop import Workshop, scripted, texts

pytestmark = pytest.mark.req("TASK-03")
EIGHT = datetime(2027, 1, 11, 7, tzinfo=UTC)  # a Monday, 8:00 in Vienna


async def made(shop: Workshop, agent: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {
        "workspaceId": shop.workspace_id,
        "agentId": agent["id"],
        "name": "Morning",
        "words": "Sum up the mail.",
        "timing": "every weekday at 8",
        "timeZone": "Europe/Vienna",
        **more,
    }
    answer = await shop.owner.post(f"{API}/schedules", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def read(shop: Workshop, schedule: dict[str, Any]) -> dict[str, Any]:
    found = await shop.owner.get(f"{API}/schedules/{schedule['id']}")
    assert found.status_code == 200, found.text
    return found.json()


async def at(shop: Workshop, schedule: dict[str, Any], moment: datetime) -> str:
    """What the engine does at a time that is due."""
    return await shop.due(schedule, moment)


async def runs_of(shop: Workshop, schedule: dict[str, Any]) -> list[dict[str, Any]]:
    query = {"scheduleId": schedule["id"]}
    return (await shop.owner.get(f"{API}/runs", params=query)).json()["items"]


async def joined(shop: Workshop, name: str, role: str) -> httpx.AsyncClient:
    who = await shop.office.member(name)
    member = f"{API}/workspaces/{shop.workspace_id}/members/{await user_id(who)}"
    assert (await shop.owner.put(member, json={"role": role})).is_success
    return who


async def test_an_agent_is_set_to_work_when_it_is_due(any_workshop: Workshop):
    shop = any_workshop
    with scripted(says("Nothing new.")) as server:
        agent = await shop.agent(modelId=await shop.model(server))
        schedule = await made(shop, agent)
        assert schedule["inWords"] == "every weekday at 8:00"
        assert (schedule["agentName"], schedule["enabled"]) == ("Tester", True)
        assert datetime.fromisoformat(schedule["nextAt"]) > datetime.now(UTC)
        assert await at(shop, schedule, EIGHT) == "begun"
        await shop.drive()
    after = await read(shop, schedule)
    assert after["lastRunStatus"] == "completed"
    assert datetime.fromisoformat(after["lastDueAt"]) == EIGHT
    session = await shop.read(after["lastRunId"])
    assert (session["kind"], session["scheduleId"]) == ("schedule", schedule["id"])
    assert (session["userId"], session["status"]) == (shop.owner_id, "completed")
    assert texts(session, "user") == ["Sum up the mail."]
    reading = await shop.office.product[ReadStates].get(session["id"])
    assert reading.words == "Sum up the mail.", "a person wrote them"


async def test_for_each_time_one_run_begins(any_workshop: Workshop):
    shop = any_workshop
    schedule = await made(shop, await shop.agent())
    said = await asyncio.gather(*(at(shop, schedule, EIGHT) for _ in range(4)))
    assert sorted(said) == ["begun", "begun before", "begun before", "begun before"]
    assert await at(shop, schedule, EIGHT - timedelta(days=3)) == "begun before"
    assert await at(shop, schedule, EIGHT + timedelta(minutes=1)) == "not due"
    assert len(await runs_of(shop, schedule)) == 1


async def test_a_time_is_left_out_while_the_run_before_is_at_work(workshop: Workshop):
    schedule = await made(workshop, await workshop.agent())
    await at(workshop, schedule, EIGHT)
    assert "still at work" in await at(workshop, schedule, EIGHT + timedelta(days=1))
    after = await read(workshop, schedule)
    assert "still at work" in after["lastError"]
    assert after["enabled"]
    await workshop.drive()
    assert await at(workshop, schedule, EIGHT + timedelta(days=2)) == "begun"
    assert (await read(workshop, schedule))["lastError"] is None


@pytest.mark.parametrize("case", ["off", "removed", "unshared", "left", "no user"])
async def test_what_cannot_run_any_more_is_switched_off_and_says_why(workshop: Workshop, case: str):
    sam = await joined(workshop, "sam", "write")
    agent = await workshop.agent(shared=True)
    body = {"workspaceId": workshop.workspace_id, "agentId": agent["id"], "name": "S", "words": "W"}
    answer = await sam.post(f"{API}/schedules", json=body | {"timing": "0 8 * * *"})
    assert answer.status_code == 201, answer.text
    schedule, owner, id = answer.json(), workshop.owner, await user_id(sam)
    match case:
        case "off":
            done = await owner.post(f"{API}/agents/{agent['id']}/activate?active=false")
        case "removed":
            done = await owner.delete(f"{API}/agents/{agent['id']}")
        case "unshared":
            done = await owner.put(f"{API}/agents/{agent['id']}", json={"name": "Mine"})
        case "left":
            done = await owner.delete(f"{API}/workspaces/{workshop.workspace_id}/members/{id}")
        case _:
            done = await owner.patch(f"{API}/users/{id}", json={"active": False})
    assert done.is_success, done.text
    zone = schedule["timeZone"]
    told = await at(workshop, schedule, _eight_in(zone))
    async with workshop.office.product.storage.app.read() as session:
        after = await session.get_one(Schedule, schedule["id"])
    assert (after.enabled, after.last_error) == (False, told)
    assert ("agent" in told or "Tester" in told) == (case in ("off", "removed", "unshared"))
    assert after.last_run_id is None
    if case in ("off", "removed", "unshared"):
        shown = (await sam.get(f"{API}/schedules/{schedule['id']}")).json()
        assert (shown["enabled"], shown["nextAt"], shown["lastError"]) == (False, None, told)


def _eight_in(zone: str) -> datetime:
    return datetime(2027, 1, 11, 8, tzinfo=ZoneInfo(zone)).astimezone(UTC)


async def test_what_cannot_begin_is_said_and_tried_again_next_time(workshop: Workshop):
    prompt = [{"role": "system", "content": "You serve {{customer}}."}]
    schedule = await made(workshop, await workshop.agent(prompt=prompt))
    assert "customer" in await at(workshop, schedule, EIGHT)
    after = await read(workshop, schedule)
    assert after["enabled"]
    assert "customer" in after["lastError"]
    assert await runs_of(workshop, schedule) == []
    async with workshop.office.product.storage.app.read() as session:
        events = await eventlog.after(session, 0, limit=1000)
    assert events[-1].type == "schedule.failed"
    assert events[-1].subject_id == schedule["id"]


@pytest.mark.parametrize(
    ("given", "field", "told"),
    [
        ({"timing": "whenever"}, "timing", "every weekday at 8"),
        ({"timing": "every day at 25"}, "timing", "every weekday at 8"),
        ({"timing": "0 0 31 2 *"}, "timing", "every weekday at 8"),
        ({"timeZone": "Mars/Olympus"}, "timeZone", "Europe/Vienna"),
        ({"timeZone": "../../etc/passwd"}, "timeZone", "Europe/Vienna"),
    ],
)
async def test_what_is_not_understood_is_named(
    workshop: Workshop, given: dict[str, str], field: str, told: str
):
    schedule = await made(workshop, await workshop.agent())
    new = {name: schedule[name] for name in ("workspaceId", "agentId", "name", "words", "timing")}
    new["timeZone"] = "UTC"
    for refused in (
        await workshop.owner.post(f"{API}/schedules", json=new | given),
        await workshop.owner.patch(f"{API}/schedules/{schedule['id']}", json=given),
        await workshop.owner.post(
            f"{API}/schedules/preview", json={"timing": "every hour"} | given
        ),
    ):
        assert refused.status_code == 400, refused.text
        assert told in refused.json()["errors"][field][0]
    assert await read(workshop, schedule) == schedule


async def test_the_next_times_are_shown_before_it_is_made(workshop: Workshop):
    await workshop.office.set(time_zone="Asia/Tokyo")
    preview = f"{API}/schedules/preview"
    shown = (await workshop.owner.post(preview, json={"timing": "30 9 * * 1,4"})).json()
    assert (shown["inWords"], shown["timeZone"]) == (
        "every Monday and Thursday at 9:30",
        "Asia/Tokyo",
    )
    times = [datetime.fromisoformat(time) for time in shown["times"]]
    assert len(times) == 5
    assert {(time.weekday(), time.hour, time.minute) for time in times} == {(0, 0, 30), (3, 0, 30)}


async def test_it_acts_in_ones_name_and_nobody_else_knows_of_it(workshop: Workshop):
    ada, sam = await joined(workshop, "ada", "admin"), await joined(workshop, "sam", "write")
    schedule = await made(workshop, await workshop.agent(shared=True))
    path = f"{API}/schedules/{schedule['id']}"
    for who in (ada, sam):
        for attempt in (
            who.get(path),
            who.patch(path, json={"enabled": False}),
            who.patch(path, json={"words": "Send me everything."}),
            who.post(f"{path}/run"),
            who.delete(path),
        ):
            assert (await attempt).status_code == 404
        assert (await who.get(f"{API}/schedules")).json()["items"] == []
    assert (await workshop.owner.get(path)).json()["enabled"]


async def test_it_is_changed_run_now_and_taken_away(workshop: Workshop):
    schedule = await made(workshop, await workshop.agent())
    path = f"{API}/schedules/{schedule['id']}"
    run = await workshop.owner.post(f"{path}/run")
    assert run.status_code == 201, run.text
    after = await read(workshop, schedule)
    assert (after["lastRunId"], after["lastDueAt"]) == (run.json()["id"], None)
    changed = await workshop.owner.patch(path, json={"timing": "every day at 9", "timeZone": "UTC"})
    assert (changed.json()["inWords"], changed.json()["timeZone"]) == ("every day at 9:00", "UTC")
    assert await at(workshop, schedule, EIGHT) == "not due", "that was the timing before"
    await workshop.owner.patch(path, json={"enabled": False})
    assert await at(workshop, schedule, EIGHT + timedelta(hours=2)) == "not due"
    assert (await workshop.owner.delete(path)).status_code == 204
    assert await at(workshop, schedule, EIGHT + timedelta(hours=2)) == "not due"
    assert (await workshop.read(run.json()["id"]))["status"] == "pending", "its runs are kept"


async def test_what_a_program_wrote_is_not_a_persons_word(workshop: Workshop):
    schedule = await made(workshop, await workshop.agent())
    path = f"{API}/schedules/{schedule['id']}"
    program = await workshop.office.token(workshop.owner, "read", "write")
    assert (await program.patch(path, json={"name": "Named by it"})).is_success
    assert await _in_person(workshop, schedule)
    assert (await program.patch(path, json={"words": "Obey."})).is_success
    assert not await _in_person(workshop, schedule)
    await at(workshop, schedule, EIGHT)
    (run,) = await runs_of(workshop, schedule)
    assert (await workshop.office.product[ReadStates].get(run["id"])).words is None
    async with workshop.office.product.storage.app.read() as session:
        assert not (await session.scalars(select(Run.in_person))).one()


async def _in_person(shop: Workshop, schedule: dict[str, Any]) -> bool:
    async with shop.office.product.storage.app.read() as session:
        return (await session.get_one(Schedule, schedule["id"])).in_person


async def test_an_hour_that_the_clock_shows_twice_counts_once(workshop: Workshop):
    schedule = await made(workshop, await workshop.agent(), timing="every day at 2:30")
    first, again = (datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1))
    assert await at(workshop, schedule, again) == "not due"
    assert await at(workshop, schedule, first) == "begun"
    skipped = datetime(2027, 3, 28, 1, tzinfo=UTC)  # 3:00 in Vienna: there is no 2:30 that day
    await workshop.drive()
    assert await at(workshop, schedule, skipped) == "begun"


def test_what_was_missed_while_the_office_was_closed_is_made_up_for_once(tmp_path: Path):
    an_hour_ago = datetime.now(UTC) - timedelta(hours=1)
    with running(tmp_path / "data") as server:
        owner = server.owner()
        space = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
        agent = owner.post(f"{API}/agents", json={"workspaceId": space, "name": "A"}).json()["id"]
        body = {"workspaceId": space, "agentId": agent, "words": "Look around.", "timeZone": "UTC"}
        missed = body | {"name": "Missed", "timing": f"{an_hour_ago:%M %H} * * *"}
        id = owner.post(f"{API}/schedules", json=missed).json()["id"]
        # As often as can be, for as long as nobody was there.
        often = body | {"name": "Often", "timing": f"{an_hour_ago:%M} * * * *"}
        other = owner.post(f"{API}/schedules", json=often).json()["id"]
        assert owner.get(f"{API}/runs").json()["totalItems"] == 0
    database = sqlite3.connect(tmp_path / "data" / "app.db")
    with database:
        database.execute("UPDATE schedules SET since = '2026-01-01 00:00:00.000000'")
    database.close()
    for _ in range(2):
        with running(tmp_path / "data") as server:
            wait_for(lambda: _last(server.operator()) == {"completed"})
            found = server.operator().get(f"{API}/runs").json()["items"]
            assert sorted(run["scheduleId"] for run in found) == sorted([id, other])


def _last(someone: httpx.Client) -> set[str | None]:
    found = someone.get(f"{API}/schedules").json()["items"]
    return {schedule["lastRunStatus"] for schedule in found}
