"""What runs cost: every call with its own price, whole, cut short or tried again."""

import asyncio
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from sqlalchemy import update

from bailiwick.gate import meters
from bailiwick.gate.meters import DAY, Meters
from bailiwick.llm import tokens
from bailiwick.runs.models import ProviderEvent
from support.model_server import Turn, calls, says
from support.office import API
from support.provider_streams import gemini, message, response, responses
from support.server import PATIENCE
from support.workshop import Workshop, scripted

pytestmark = pytest.mark.req("MODEL-03")
# Dollars for a million tokens: 3 in, 15 out, 0.30 from the cache, 3.75 into it.
PRICES = {
    "inputPrice": 3_000_000,
    "outputPrice": 15_000_000,
    "cacheReadPrice": 300_000,
    "cacheWritePrice": 3_750_000,
}


async def spend(workshop: Workshop, days: int = 7) -> dict:
    found = await workshop.owner.get(f"{API}/spend", params={"days": days})
    assert found.status_code == 200, found.text
    return found.json()


async def moved(workshop: Workshop, run_id: str, days: int) -> None:
    """Let what a run used be of an earlier day."""
    change = update(ProviderEvent).where(ProviderEvent.run_id == run_id)
    at = datetime.now(UTC) - timedelta(days=days)
    async with workshop.office.product.storage.app.write() as session:
        await session.execute(change.values(at=at))


@pytest.mark.req("MODEL-06")
async def test_a_week_of_runs_costs_what_is_reckoned_by_hand(any_workshop: Workshop):
    shop = any_workshop
    look = "list_tasks"
    with scripted() as server, scripted() as other:
        # One plain tool: a library may write the form of others at greater length.
        only = {"scope": {"tools": [look]}}
        dear = await shop.agent(name="Dear", modelId=await shop.model(server, **PRICES), **only)
        plain = {"inputPrice": 1_000_000, "outputPrice": 2_000_000}
        cheap = await shop.agent(name="Cheap", modelId=await shop.model(other, **plain))
        week = [
            # days ago, agent, turns with their usage: in, out, read from a cache, written into it
            (
                6,
                dear,
                server,
                [calls(look, usage=(2000, 40, 0, 1800)), says("One.", usage=(2100, 60, 1800, 100))],
            ),
            (6, cheap, other, [says("Two.", usage=(501, 33))]),
            (4, dear, server, [says("Three.", usage=(2001, 7, 1900, 0))]),
            (
                2,
                dear,
                server,
                [Turn("Hal", usage=(9, 9), drop_after=2), says("Four.", usage=(300, 3))],
            ),
            (
                0,
                cheap,
                other,
                [calls(look, usage=(1000, 10, 400, 0)), says("Five.", usage=(1100, 1))],
            ),
        ]
        ids = []
        for days, agent, model, turns in week:
            model.turns = list(turns)
            session = await shop.ask(agent, "Go.")
            assert session["status"] == "completed", session["errorMessage"]
            await moved(shop, session["id"], days)
            ids.append(session["id"])
        half = tokens.count(server.requests[3].messages) + _of_tools(server.requests[3].body)
    # In millionths of a dollar, each call rounded up.
    first = [200 * 3 + 1800 * 3.75 + 40 * 15, 200 * 3 + 1800 * 0.3 + 100 * 3.75 + 60 * 15]
    assert first == [7950, 2415]
    second = [501 * 1 + 33 * 2]
    third = [101 * 3 + 1900 * 0.3 + 7 * 15]
    assert third == [978]
    fourth = [half * 3 + 1 * 15, 300 * 3 + 3 * 15]
    # Without a price of its own, cached input costs what input costs.
    fifth = [1000 * 1 + 10 * 2, 1100 * 1 + 1 * 2]
    runs = [await shop.read(id) for id in ids]
    costs = [sum(each) for each in (first, second, third, fourth, fifth)]
    assert [round(run["money"] * 1e6) for run in runs] == costs
    saved = [(2000 * 3 + 600) - 7950 + (2100 * 3 + 900) - 2415, 0, 1900 * 3 - 1900 * 0.3, 0, 0]
    assert [round(run["saved"] * 1e6) for run in runs] == saved
    found = await spend(shop)
    assert round(found["money"] * 1e6) == sum(costs)
    assert round(found["saved"] * 1e6) == sum(saved)
    today = datetime.now(UTC).date()
    lines = {
        ((today - datetime.fromisoformat(row["day"]).date()).days, row["agentName"]): row
        for row in found["items"]
    }
    assert {key: round(row["money"] * 1e6) for key, row in lines.items()} == {
        (6, "Dear"): costs[0],
        (6, "Cheap"): costs[1],
        (4, "Dear"): costs[2],
        (2, "Dear"): costs[3],
        (0, "Cheap"): costs[4],
    }
    assert [lines[2, "Dear"][name] for name in ("calls", "estimatedCalls")] == [2, 1]
    monday = lines[6, "Dear"]
    assert (monday["inputTokens"], monday["outputTokens"], monday["calls"]) == (4100, 100, 2)
    assert (monday["cacheReadTokens"], monday["cacheWriteTokens"]) == (1800, 1900)
    events = (await shop.owner.get(f"{API}/runs/{ids[0]}/events")).json()["items"]
    said = [event for event in events if event["kind"] == "response"]
    assert sorted(round(each["money"] * 1e6) for each in said) == sorted(first)


async def test_reasoning_is_paid_for_once_whoever_tells_of_it_and_however(workshop: Workshop):
    used = {
        "input_tokens": 2000,
        "input_tokens_details": {"cached_tokens": 1500},
        "output_tokens": 300,
        "output_tokens_details": {"reasoning_tokens": 250},
        "total_tokens": 2300,
    }
    done = {"type": "response.completed", "response": response("completed", usage=used)}
    thinking = {
        "openai": ("gpt-5.5", responses(*message("One."), end=done), {"api": "responses"}),
        "google": (
            "gemini-3.5-flash",
            gemini(
                {"text": "Two."},
                promptTokenCount=1000,
                cachedContentTokenCount=600,
                candidatesTokenCount=2,
                thoughtsTokenCount=40,
                totalTokenCount=1042,
            ),
            {},
        ),
    }
    for provider, (name, turn, more) in thinking.items():
        with scripted(turn) as server:
            theirs = {"provider": provider, "model": name, "baseUrl": server.url, **more}
            model = await workshop.model(server, **theirs, **PRICES)
            agent = await workshop.agent(name=provider, modelId=model)
            session = await workshop.ask(agent, "Go.")
            assert session["status"] == "completed", session["errorMessage"]
    # OpenAI's thoughts are within what it wrote, Gemini's are beside it.
    costs = {"openai": 500 * 3 + 450 + 300 * 15, "google": 400 * 3 + 180 + 42 * 15}
    assert costs == {"openai": 6450, "google": 2010}
    found = await spend(workshop)
    assert {row["agentName"]: round(row["money"] * 1e6) for row in found["items"]} == costs
    assert round(found["money"] * 1e6) == 8460
    assert round(found["saved"] * 1e6) == 1500 * 3 - 450 + 600 * 3 - 180 == 5670
    assert {row["agentName"]: row["outputTokens"] for row in found["items"]} == {
        "openai": 300,
        "google": 42,
    }


def _of_tools(body: dict) -> int:
    """The tokens of the tools on offer, without those of a conversation that has none."""
    offered = [each["function"] for each in body["tools"]]
    made = [tokens.OfferedTool(e["name"], e["description"], e["parameters"]) for e in offered]
    return tokens.count([], made) - tokens.count([])


async def test_a_run_that_is_cancelled_in_the_middle_of_an_answer_counts_what_was_used(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
):
    midday = datetime(2027, 1, 15, 12, tzinfo=UTC).timestamp()
    monkeypatch.setattr(meters, "time", SimpleNamespace(time=lambda: midday))
    with scripted(Turn("A very slow answer", hang_after=3)) as server:
        model = await workshop.model(server, **PRICES)
        agent = await workshop.agent(modelId=model, moneyPerDay=5.0, tokensPerDay=1_000_000)
        session = await workshop.start(agent, "Take your time.")
        working = asyncio.create_task(workshop.drive())
        await asyncio.to_thread(server.began.wait, PATIENCE)
        await workshop.owner.post(f"{API}/sessions/{session['id']}/cancel")
        async with asyncio.timeout(PATIENCE):
            await working
    session = await workshop.read(session["id"])
    assert session["status"] == "cancelled"
    assert session["inputTokens"] > 100
    assert session["apiCallsMade"] == 1
    money = round(session["money"] * 1e6)
    assert money == session["inputTokens"] * 3 + session["outputTokens"] * 15
    found = await spend(workshop)
    assert round(found["money"] * 1e6) == money
    assert found["estimatedCalls"] == 1
    used = {"money": money, "tokens": session["inputTokens"] + session["outputTokens"]}
    counted = workshop.office.product[Meters]
    for meter, amount in used.items():
        assert (await counted.used(agent["id"], meter, seconds=DAY))[0] == amount, meter


async def test_what_a_broken_try_used_counts_against_the_budgets_before_the_next_try(
    workshop: Workshop,
):
    broken = Turn("Half of an answer", drop_after=2)
    bounds = {"perRun": {"tokensPerRun": 0}, "perDay": {"tokensPerDay": 0}}
    with scripted() as server:
        model = await workshop.model(server, maxOutput=100)
        given = {"modelId": model, "scope": {"tools": ["list_tasks"]}}
        server.turns = [broken, says("Whole.")]
        session = await workshop.ask(await workshop.agent(name="Nobody", **given), "Go.")
        assert session["status"] == "completed"
        body = server.requests[0].body
        asked = tokens.count(server.requests[0].messages) + _of_tools(dict(body))
        for name, bound in bounds.items():
            (limit,) = bound
            for tries, budget in ((1, asked + 150), (2, 2 * asked + 250)):
                before = len(server.requests)
                server.turns = [broken, says("Whole.", usage=(asked, 5))]
                agent = await workshop.agent(name=f"{name}{tries}", **given, **{limit: budget})
                session = await workshop.ask(agent, "Go.")
                assert len(server.requests) - before == tries, session["errorMessage"]
                assert session["inputTokens"] + session["outputTokens"] <= budget
                assert session["status"] == ("failed" if tries == 1 else "completed")
                assert session["why"] == ("budget" if tries == 1 else "done")
