"""How runs end: by a person, by their limits, with the office; and what they say then."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from bailiwick.gate import meters
from bailiwick.runs.models import Run
from support.model_server import Call, Request, Turn, calls, says
from support.office import API
from support.server import PATIENCE
from support.workshop import Workshop, scripted, texts

pytestmark = [pytest.mark.req("RUN-02")]
SLOW = Turn("A very slow answer", hang_after=1)


def greedy(_: Request) -> Turn:
    """It never comes to an end, and uses much."""
    return calls("list_tasks", {}, usage=(400, 100))


async def until(fact: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not fact():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def stopped_by(
    workshop: Workshop, stop: Callable[[dict], Awaitable[object]], *, turn: Turn = SLOW
) -> dict:
    """A run whose model never ends its answer, and something that stops it meanwhile."""
    with scripted(turn) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.start(agent, "Take your time.")
        working = asyncio.create_task(workshop.drive())
        await until(server.began.is_set)
        await stop({**session, "agent": agent})
        async with asyncio.timeout(PATIENCE):
            await working
        await until(server.left_alone.is_set)
    return await workshop.read(session["id"])


async def test_cancel_stops_a_model_in_the_middle_of_its_answer(workshop: Workshop):
    async def cancel(session: dict) -> None:
        done = await workshop.owner.post(f"{API}/sessions/{session['id']}/cancel")
        assert done.status_code == 200, done.text

    session = await stopped_by(workshop, cancel)
    assert (session["status"], session["why"]) == ("cancelled", "cancelled")
    assert texts(session, "system")[-1] == "[Cancelled by Olive Owner.]"
    again = await workshop.owner.post(f"{API}/sessions/{session['id']}/cancel")
    assert again.status_code == 409
    said = await workshop.owner.post(
        f"{API}/sessions/{session['id']}/message", json={"content": "Hello?"}
    )
    assert said.status_code == 409


@pytest.mark.req("GATE-20")
async def test_the_panic_stop_ends_what_is_under_way(workshop: Workshop):
    async def halt(_: dict) -> None:
        done = await workshop.owner.post(f"{API}/halt", json={"reason": "Fire."})
        assert done.status_code == 200

    session = await stopped_by(workshop, halt)
    assert (session["status"], session["why"]) == ("cancelled", "halted")
    assert "stopped" in texts(session, "system")[-1]


@pytest.mark.req("GATE-20")
async def test_nothing_begins_while_everything_is_stopped(workshop: Workshop):
    with scripted(says("Hi.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        await workshop.owner.post(f"{API}/halt", json={})
        session = await workshop.ask(agent, "Hello?")
        assert (session["status"], session["why"]) == ("cancelled", "halted")
        assert not server.requests


async def test_an_agent_that_is_removed_takes_its_runs_with_it(workshop: Workshop):
    async def remove(session: dict) -> None:
        done = await workshop.owner.delete(f"{API}/agents/{session['agent']['id']}")
        assert done.status_code == 204, done.text

    session = await stopped_by(workshop, remove)
    assert (session["status"], session["why"]) == ("cancelled", "agent_gone")
    assert "was removed by Olive Owner" in texts(session, "system")[-1]


async def test_a_run_that_works_too_long_expires(workshop: Workshop):
    with scripted(SLOW) as server:
        model = await workshop.model(server)
        agent = await workshop.agent(modelId=model, timeoutSeconds=1)
        session = await workshop.ask(agent, "Take your time.")
    assert (session["status"], session["why"]) == ("expired", "timeout")


async def test_an_open_call_of_a_cancelled_run_has_an_answer_and_its_approval_is_void(
    workshop: Workshop,
):
    with scripted(calls("create_task", {"title": "Pay"})) as server:
        agent = await workshop.agent(modelId=await workshop.model(server), askWrites=True)
        session = await workshop.ask(agent, "Pay.")
        await workshop.owner.post(f"{API}/sessions/{session['id']}/cancel")
        approval = session["pendingActions"][0]["id"]
        await workshop.owner.post(f"{API}/approvals/{approval}/allow", json={})
        await workshop.drive()
    session = await workshop.read(session["id"])
    assert session["calls"][0]["status"] == "skipped"
    assert texts(session, "tool") == ["Not done: The run ended before this was done."]
    found = (await workshop.owner.get(f"{API}/approvals/{approval}")).json()
    assert found["status"] == "failed"
    path = f"{API}/workspaces/{workshop.workspace_id}/tools/list_tasks"
    tasks = (await workshop.owner.post(path, json={"arguments": {}})).json()
    assert tasks["result"]["tasks"] == []


@pytest.mark.req("MODEL-03")
async def test_a_budget_of_tokens_stops_a_run_before_they_are_spent(workshop: Workshop):
    with scripted(greedy) as server:
        model = await workshop.model(server)
        agent = await workshop.agent(
            modelId=model, maxTokensPerRequest=500, tokensPerRun=5_000, scope={"tools": ["list_*"]}
        )
        session = await workshop.ask(agent, "Go on for ever.")
    assert (session["status"], session["why"]) == ("failed", "budget")
    assert session["tokensUsed"] <= 5_000
    assert "5,000 tokens" in session["errorMessage"]


@pytest.mark.req("MODEL-03")
async def test_a_budget_of_money_is_held_by_all_runs_of_a_day_together(
    any_workshop: Workshop, monkeypatch: pytest.MonkeyPatch
):
    workshop, midday = any_workshop, datetime(2027, 1, 15, 12, tzinfo=UTC).timestamp()
    monkeypatch.setattr(meters, "time", SimpleNamespace(time=lambda: midday))
    with scripted(greedy) as server:
        # A dollar for a thousand tokens in, and as much out.
        prices = {"inputPrice": 1_000_000_000, "outputPrice": 1_000_000_000}
        model = await workshop.model(server, **prices)
        agent = await workshop.agent(
            modelId=model, maxTokensPerRequest=100, moneyPerDay=4.0, scope={"tools": ["list_tasks"]}
        )
        first = await workshop.start(agent, "Go on.")
        second = await workshop.start(agent, "You too.")
        await asyncio.gather(
            workshop.runner.segment(first["id"], 1), workshop.runner.segment(second["id"], 1)
        )
        sessions = [await workshop.read(each["id"]) for each in (first, second)]
    assert {session["why"] for session in sessions} == {"budget"}
    spent = sum(session["money"] for session in sessions)
    assert spent <= 4.0
    assert len(server.requests) == sum(session["steps"] for session in sessions)
    assert round(spent, 6) == round(0.5 * len(server.requests), 6)
    assert len(server.requests) > 4


async def test_a_person_who_left_ends_their_runs(workshop: Workshop):
    office = workshop.office
    ada = await office.member("ada")
    me = (await ada.get(f"{API}/auth/whoami")).json()["user"]["id"]
    members = f"{API}/workspaces/{workshop.workspace_id}/members/{me}"
    await workshop.owner.put(members, json={"role": "write"})
    with scripted(calls("create_task", {"title": "x"}), says("Done.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server), shared=True)
        session = await workshop.start(agent, "Do it.", who=ada)
        await workshop.owner.delete(members)
        await workshop.drive()
    async with office.product.storage.app.read() as reading:
        found = await reading.get_one(Run, session["id"])
    assert (found.status, found.why) == ("cancelled", "person_gone")
    assert not server.requests


async def test_too_many_calls_at_once_are_refused_one_by_one(workshop: Workshop):
    many = Turn(calls=tuple(Call("list_tasks", {}) for _ in range(40)))
    with scripted(many, says("Done.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Everything.")
    states = [call["status"] for call in session["calls"]]
    assert states == ["done"] * 32 + ["denied"] * 8
    assert session["status"] == "completed"


@pytest.mark.req("MODEL-03")
async def test_a_refusal_ends_as_failed_and_what_the_model_said_of_it_is_kept(workshop: Workshop):
    with scripted(says("I will not write that letter.", finish="content_filter")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.start(agent, "Write a nasty letter.")
        await workshop.drive()
    session = await workshop.read(session["id"])
    assert (session["status"], session["why"]) == ("failed", "model")
    assert "refused" in session["errorMessage"]
    assert texts(session, "assistant") == ["I will not write that letter."]
