"""Titles of sessions: a model makes them in the background, of what the person asked for."""

import json

import pytest

from bailiwick.kit.eventlog import log as eventlog
from bailiwick.runs import titles
from support.model_server import Request, Turn, calls, fails, says
from support.office import API
from support.workshop import Workshop, scripted

pytestmark = pytest.mark.req("MODEL-06")
LONG = "Please look through my list and tell me which of the tasks there are the most urgent ones."
TITLE = "The most urgent tasks"


async def entitled(shop: Workshop) -> list[str]:
    """What the engine does with the sessions that were answered; a job of one id runs once."""
    (wake,) = titles.WAKES
    async with shop.office.product.storage.app.read() as session:
        events = await eventlog.after(session, 0, limit=1_000)
        positions = await wake.wants(session, events)
    jobs = {wake.key(one): wake.arguments(one) for one in events if one.position in positions}
    return [await titles.entitle(shop.office.product, *given) for given in jobs.values()]


def answers(title: str | Turn):
    """A model that is asked for a title in a form, and for everything else in words."""

    def answer(request: Request) -> Turn:
        if "response_format" not in request.body:
            return calls("list_tasks") if not request.results else says("None is.")
        return title if isinstance(title, Turn) else says(json.dumps({"title": title}))

    return answer


async def test_a_long_request_gets_a_title_after_its_answer_and_what_that_cost_is_counted(
    any_workshop: Workshop,
):
    shop = any_workshop
    with scripted(answers(f" “{TITLE}.” ")) as server:
        prices = {"inputPrice": 1_000_000, "outputPrice": 1_000_000}
        agent = await shop.agent(modelId=await shop.model(server, **prices))
        before = await shop.ask(agent, LONG)
        assert before["title"] == LONG, "until then, it is how the request begins"
        assert await entitled(shop) == ["made"]
        session = await shop.read(before["id"])
        assert session["title"] == TITLE
        assert session["status"] == "completed"
        assert session["messages"] == before["messages"]
        asked = server.requests[-1]
        assert LONG in asked.last
        assert "None is." not in json.dumps(asked.messages), "no words but the person's"
        assert session["tokensUsed"] == before["tokensUsed"] + 30
        spend = (await shop.owner.get(f"{API}/spend")).json()
        assert (spend["tokens"], spend["money"]) == (90, pytest.approx(90e-6))
        # The engine may forget a job and begin it anew; the session is asked about again.
        session = await shop.say(session["id"], "Thank you.")
        assert await entitled(shop) == ["not wanted"]
    assert (await shop.read(session["id"]))["title"] == TITLE


@pytest.mark.parametrize(
    ("turn", "requests"),
    [(says("I would rather not."), 2), (fails(401), 1), (says('{"title": ""}'), 2)],
    ids=["words", "refused", "empty"],
)
async def test_a_model_that_makes_none_leaves_the_beginning_of_the_request(
    workshop: Workshop, turn: Turn, requests: int
):
    with scripted(answers(turn)) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, LONG)
        before = len(server.requests)
        assert await entitled(workshop) == ["not made"]
        assert len(server.requests) == before + requests
    again = await workshop.read(session["id"])
    assert (again["title"], again["status"]) == (LONG, "completed")
    used = 0 if turn.status != 200 else 60
    assert again["tokensUsed"] == session["tokensUsed"] + used


async def test_nobody_is_asked_for_what_is_short_offline_beyond_a_budget_or_no_session(
    workshop: Workshop,
):
    with scripted(answers(TITLE)) as server:
        model = await workshop.model(server)
        agent = await workshop.agent(modelId=model)
        await workshop.ask(agent, "What is urgent?")
        assert await entitled(workshop) == []
        poor = await workshop.agent(modelId=model, name="Poor", tokensPerRun=18_000)
        session = await workshop.ask(poor, LONG)
        bound = {**poor, "tokensPerRun": session["tokensUsed"] + 100}
        names = ("name", "modelId", "scope", "canWrite", "canCreate", "tokensPerRun")
        body = {name: bound[name] for name in names}
        changed = await workshop.owner.put(f"{API}/agents/{poor['id']}", json=body)
        assert changed.status_code == 200, changed.text
        assert await entitled(workshop) == ["not made"]
        offline = await workshop.agent(name="Offline")
        await workshop.ask(offline, LONG)
        assert await entitled(workshop) == ["not made", "made by rule"]
        assert not any("response_format" in each.body for each in server.requests)


async def test_after_a_stop_of_everything_no_model_is_asked(workshop: Workshop):
    with scripted(answers(TITLE)) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        await workshop.ask(agent, LONG)
        stopped = await workshop.owner.post(f"{API}/halt", json={"reason": "Enough."})
        assert stopped.status_code in (200, 201), stopped.text
        before = len(server.requests)
        assert await entitled(workshop) == ["not wanted"]
        assert len(server.requests) == before
