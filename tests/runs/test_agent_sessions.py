"""A director and the sessions that it has with its agents, with the arguments of the document."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bailiwick.runs.feature import feature as runs
from bailiwick.runs.models import Run
from support.model_server import Call, Request, Turn, calls, fails, says
from support.office import API
from support.workshop import Workshop, scripted, texts

Asked = Callable[[str, list[Any]], Turn]


def as_director(lead: Asked, agent: Callable[[Request], Turn]) -> Callable[[Request], Turn]:
    """One model for both: whoever has agents leads, and is given what they answered."""

    def answer(request: Request) -> Turn:
        name = next((tool for tool in request.tools if tool.startswith("agent__")), None)
        if name is None:
            return agent(request)
        return lead(name, [json.loads(each) for each in request.results])

    return answer


def repeats(request: Request) -> Turn:
    return says(f"Answer to: {request.last}")


async def office_of(
    shop: Workshop, server: Any, *, ask: Sequence[str] = (), **more: Any
) -> tuple[dict, dict]:
    """A director, who asks a person before it uses some tools, and its one agent."""
    model = await shop.model(server)
    reader = await shop.agent(name="Mood Reader", modelId=model, **more)
    director = await shop.agent(
        name="Director",
        kind="director",
        modelId=model,
        askTools=list(ask),
        colleagues=[reader["id"]],
    )
    return director, reader


def answers(session: dict[str, Any]) -> list[Any]:
    return [json.loads(text) for text in texts(session, "tool")]


async def stored(shop: Workshop, id: str, **values: Any) -> None:
    """Set columns of a run, as time would."""
    async with shop.office.product.storage.app.write() as session:
        run = await session.get(Run, id)
        assert run
        for name, value in values.items():
            setattr(run, name, value)


@pytest.mark.req("DIR-03")
async def test_the_agent_tool_takes_and_answers_what_the_document_says(any_workshop: Workshop):
    def lead(name: str, heard: list[Any]) -> Turn:
        assert name == "agent__mood_reader"
        return says("Thanks.") if heard else calls(name, {"input": "Look at both."})

    def agent(request: Request) -> Turn:
        if request.results:
            return says("One of them is there.")
        good, bad = ({"query": "rent"}, {"path": "Files/none.txt"})
        return Turn(calls=(Call("memory_search", good), Call("read_file", bad)))

    with scripted(as_director(lead, agent)) as server:
        director, _ = await office_of(any_workshop, server)
        session = await any_workshop.ask(director, "Go.")
    (answer,) = answers(session)
    assert list(answer) == ["sessionId", "output", "toolCalls", "done"]
    assert answer["sessionId"] == session["children"][0]["id"]
    assert answer["output"] == "One of them is there."
    assert answer["done"] is True
    good, bad = answer["toolCalls"]
    assert good == {"name": "memory_search", "args": {"query": "rent"}, "success": True}
    assert (bad["name"], bad["success"]) == ("read_file", False)
    assert bad["error"]


@pytest.mark.req("DIR-03")
async def test_options_leave_an_agent_no_tools_or_only_some_for_one_turn(workshop: Workshop):
    offered: list[list[str]] = []
    asked = [
        {"input": "1", "options": {"allowTools": False}},
        {"input": "2", "options": {"toolFilter": ["memory_*", "create_task"]}},
        {"input": "3"},
    ]

    def agent(request: Request) -> Turn:
        offered.append(request.tools)
        if request.last == "2" and len(request.results) < 2:
            return calls("list_files", {})
        return says("Done.")

    def lead(name: str, heard: list[Any]) -> Turn:
        return calls(name, asked[len(heard)]) if len(heard) < 3 else says("Done.")

    with scripted(as_director(lead, agent)) as server:
        director, _ = await office_of(workshop, server)
        session = await workshop.ask(director, "Go.")
    assert session["status"] == "completed", session["errorMessage"]
    assert offered[0] == []
    assert set(offered[1]) == {"create_task", *(each for each in offered[-1] if "memory_" in each)}
    assert "list_files" in offered[-1]
    (call,) = answers(session)[1]["toolCalls"][:1]
    assert "did not leave it list_files" in call["error"]
    # What the first turns did is not told again.
    assert answers(session)[2]["toolCalls"] == []


@pytest.mark.req("DIR-02")
async def test_one_session_for_each_agent_whether_it_is_named_or_not(workshop: Workshop):
    def lead(name: str, heard: list[Any]) -> Turn:
        match len(heard):
            case 0:
                return calls(name, {"input": "1"})
            case 1:
                return calls(name, {"input": "2", "sessionId": heard[0]["sessionId"]})
            case 2:
                # Two at once: the second is asked when the first has its answer.
                return Turn(calls=(Call(name, {"input": "3"}), Call(name, {"input": "4"})))
            case _:
                return says("Done.")

    with scripted(as_director(lead, repeats)) as server:
        director, _ = await office_of(workshop, server)
        session = await workshop.ask(director, "Go.")
    assert session["status"] == "completed", session["errorMessage"]
    assert [each["output"] for each in answers(session)] == [f"Answer to: {n}" for n in "1234"]
    assert len(session["children"]) == 1


@pytest.mark.req("DIR-02")
@pytest.mark.req("DIR-07")
async def test_when_the_director_ends_its_agents_sessions_end_and_are_not_finalized(
    any_workshop: Workshop,
):
    shop = any_workshop

    def lead(name: str, heard: list[Any]) -> Turn:
        match len(heard):
            case 0:
                return calls(name, {"input": "1"})
            case 1:
                return says("Done.")
            case 2:
                return calls(name, {"input": "3"})
            case _:
                return says("Done again.")

    def twice(name: str, heard: list[Any]) -> Turn:
        if len(heard) == 1 and told:
            return calls(name, {"input": "2", "sessionId": heard[0]["sessionId"]})
        return lead(name, heard)

    told: list[str] = []
    with scripted(as_director(twice, repeats)) as server:
        director, _ = await office_of(shop, server)
        session = await shop.ask(director, "Go.")
        (child,) = session["children"]
        assert (session["finalized"], session["sessionStatus"]) == (True, "completed")
        assert (child["finalized"], child["sessionStatus"]) == (False, "completed")
        assert child["endedAt"] >= child["lastActiveAt"]
        assert child["expiresAt"] > child["endedAt"]
        told.append("more")
        session = await shop.say(session["id"], "And more.")
    refused = answers(session)[1]
    assert refused["reason"] == "completed"
    assert "is over" in refused["error"]
    assert session["calls"][1]["code"] == "completed"
    assert len(session["children"]) == 2


@pytest.mark.req("DIR-02")
@pytest.mark.req("DIR-07")
async def test_a_session_to_which_nobody_spoke_in_time_is_expired(any_workshop: Workshop):
    shop = any_workshop

    def lead(name: str, heard: list[Any]) -> Turn:
        match len(heard):
            case 0:
                return calls(name, {"input": "1"})
            case 1:
                return calls("create_task", {"title": "Wait for me"})
            case 2:
                return calls(name, {"input": "2", "sessionId": heard[0]["sessionId"]})
            case 3:
                return calls(name, {"input": "3"})
            case _:
                return says("Done.")

    changed = await shop.owner.patch(f"{API}/settings", json={"session_timeout_minutes": 30})
    assert changed.is_success, changed.text
    with scripted(as_director(lead, repeats)) as server:
        director, _ = await office_of(shop, server, ask=["create_task"])
        session = await shop.ask(director, "Go.")
        assert session["status"] == "waiting"
        (child,) = session["children"]
        assert (child["sessionStatus"], child["endedAt"]) == ("ongoing", None)
        expires = datetime.fromisoformat(child["expiresAt"])
        open_for = expires - datetime.fromisoformat(child["lastActiveAt"])
        assert timedelta(minutes=30) <= open_for < timedelta(minutes=31)
        past = datetime(2026, 1, 1, tzinfo=UTC)
        await stored(shop, child["id"], expires_at=past)
        assert (await shop.read(child["id"]))["sessionStatus"] == "expired"
        session = await shop.answer(session, yes=True)
    first, _, refused, second = answers(session)
    assert refused["reason"] == "expired"
    assert session["calls"][2]["code"] == "expired"
    assert second["output"] == "Answer to: 3"
    assert second["sessionId"] != first["sessionId"]
    old = await shop.read(first["sessionId"])
    assert old["sessionStatus"] == "expired"
    assert datetime.fromisoformat(old["endedAt"]) == past


@pytest.mark.req("DIR-07")
async def test_housekeeping_writes_down_which_sessions_have_expired(any_workshop: Workshop):
    shop = any_workshop

    def lead(name: str, heard: list[Any]) -> Turn:
        return calls("create_task", {"title": "x"}) if heard else calls(name, {"input": "1"})

    with scripted(as_director(lead, repeats)) as server:
        director, _ = await office_of(shop, server, ask=["create_task"])
        session = await shop.ask(director, "Go.")
    (child,) = session["children"]
    past = datetime(2026, 1, 1, tzinfo=UTC)
    await stored(shop, child["id"], expires_at=past)
    product = shop.office.product
    (tidy,) = [each for each in runs.tidies if each.name == "agent sessions"]
    await tidy.tidy(product)
    assert datetime.fromisoformat((await shop.read(child["id"]))["endedAt"]) == past


@pytest.mark.req("DIR-02")
async def test_a_session_of_another_run_or_of_none_is_refused(workshop: Workshop):
    named: list[str] = []

    def lead(name: str, heard: list[Any]) -> Turn:
        if len(heard) < len(named):
            return calls(name, {"input": "1", "sessionId": named[len(heard)]})
        return says("Done.") if heard else calls(name, {"input": "1"})

    with scripted(as_director(lead, repeats)) as server:
        director, _ = await office_of(workshop, server)
        first = await workshop.ask(director, "Go.")
        named += ["run-nothing", first["children"][0]["id"]]
        second = await workshop.ask(director, "Go.")
    assert [each["reason"] for each in answers(second)] == ["unknown", "completed"]


async def test_an_agent_that_would_ask_one_of_its_askers_is_told_that_this_is_a_circle(
    workshop: Workshop,
):
    def answer(request: Request) -> Turn:
        name = next((tool for tool in request.tools if tool.startswith("agent__")), None)
        if name and not request.results:
            return calls(name, {"input": "You do it."})
        return says(f"I was told: {request.results[-1]}")

    with scripted(answer) as server:
        model = await workshop.model(server)
        one = await workshop.agent(name="One", modelId=model)
        two = await workshop.agent(name="Two", modelId=model, colleagues=[one["id"]])
        body = {name: one[name] for name in ("name", "modelId", "scope")}
        await workshop.owner.put(
            f"{API}/agents/{one['id']}", json=body | {"colleagues": [two["id"]]}
        )
        session = await workshop.ask(one, "Go.")
    assert session["status"] == "completed"
    assert "that is a circle" in answers(session)[0]["output"]
    (child,) = session["children"]
    assert (await workshop.read(child["id"]))["children"] == []


async def test_an_agent_that_was_switched_off_meanwhile_is_said_to_be_gone(workshop: Workshop):
    with scripted(calls("agent__mood_reader", {"input": "1"}), says("Done.")) as server:
        director, reader = await office_of(workshop, server)
        made = await workshop.start(director, "Go.")
        path = f"{API}/agents/{reader['id']}/activate"
        await workshop.owner.post(path, params={"active": False})
        await workshop.drive()
        session = await workshop.read(made["id"])
    (refused,) = answers(session)
    assert "removed or switched off" in refused["error"]
    assert session["status"] == "completed"


async def test_an_agents_name_that_is_nearly_right_is_told_with_the_right_one(workshop: Workshop):
    with scripted(calls("agent__mood_redaer", {"input": "1"}), says("Done.")) as server:
        director, _ = await office_of(workshop, server)
        session = await workshop.ask(director, "Go.")
    (refused,) = answers(session)
    assert refused["error"].endswith("Did you mean agent__mood_reader?")


async def test_an_agent_that_is_removed_while_it_works_is_said_to_be_gone(workshop: Workshop):
    def lead(name: str, heard: list[Any]) -> Turn:
        return says("Done.") if heard else calls(name, {"input": "1"})

    def agent(request: Request) -> Turn:
        return says("Done.") if request.results else calls("create_task", {"title": "x"})

    with scripted(as_director(lead, agent)) as server:
        director, reader = await office_of(workshop, server, askWrites=True)
        session = await workshop.ask(director, "Go.")
        assert session["children"][0]["status"] == "waiting"
        await workshop.owner.delete(f"{API}/agents/{reader['id']}")
        await workshop.drive()
        session = await workshop.read(session["id"])
    (told,) = answers(session)
    assert (told["done"], "was removed by" in told["output"]) == (False, True)
    assert session["status"] == "completed"
    assert session["children"][0]["sessionStatus"] == "failed"


async def test_a_director_whose_agent_fails_is_told_so_and_may_ask_again(workshop: Workshop):
    def lead(name: str, heard: list[Any]) -> Turn:
        return calls(name, {"input": "1"}) if len(heard) < 2 else says("Done.")

    failed: list[int] = []

    def agent(request: Request) -> Turn:
        if not failed:
            failed.append(1)
            return fails(400)
        return says("Now it works.")

    with scripted(as_director(lead, agent)) as server:
        director, _ = await office_of(workshop, server)
        session = await workshop.ask(director, "Go.")
    first, second = answers(session)
    assert first["done"] is False
    assert first["output"]
    assert (second["done"], second["output"]) == (True, "Now it works.")
    assert second["sessionId"] == first["sessionId"]


@pytest.mark.req("DIR-03")
async def test_agents_are_asked_under_their_names_and_by_id_only_where_these_collide(
    workshop: Workshop,
):
    def say(request: Request) -> Turn:
        return says("Hello.")

    long = "A very " + "long " * 17 + "name"
    called = ["Mood reader", "mood-reader", "Schreibkraft für Ärger", "Почта", long[:100]]
    with scripted(say) as server:
        model = await workshop.model(server)
        agents = [await workshop.agent(name=name, modelId=model) for name in called]
        ids = [agent["id"] for agent in agents]
        director = await workshop.agent(name="D", kind="director", modelId=model, colleagues=ids)
        await workshop.ask(director, "Go.")
    offered = [tool for tool in server.requests[0].tools if tool.startswith("agent__")]
    tails = [id[-4:] for id in ids]
    assert set(offered) == {
        f"agent__mood_reader_{tails[0]}",
        f"agent__mood_reader_{tails[1]}",
        "agent__schreibkraft_fur_arger",
        f"agent__{tails[3]}",
        ("agent__a_very_" + "long_" * 20)[:64].rstrip("_"),
    }
    assert all(len(name) <= 64 for name in offered)


@pytest.mark.req("MODEL-01")
async def test_an_agent_without_a_model_has_its_directors_down_the_chain_and_its_key(
    workshop: Workshop,
):
    def answer(request: Request) -> Turn:
        name = next((tool for tool in request.tools if tool.startswith("agent__")), None)
        return calls(name, {"input": "1"}) if name and not request.results else says("Done.")

    with scripted(answer) as server, scripted(says("Own.")) as other:
        model = await workshop.model(server)
        own = await workshop.model(other)
        last = await workshop.agent(name="Last")
        named = await workshop.agent(name="Named", modelId=own)
        middle = await workshop.agent(name="Middle", colleagues=[last["id"]])
        director = await workshop.agent(
            name="D", kind="director", modelId=model, colleagues=[middle["id"]]
        )
        secret = {"keyName": "api_key", "value": "sk-directors-own"}
        await workshop.owner.post(f"{API}/agents/{director['id']}/credentials", json=secret)
        session = await workshop.ask(director, "Go.")
        assert session["status"] == "completed"
        used = {request.headers["authorization"] for request in server.requests}
        assert (len(server.requests), used) == (5, {"Bearer sk-directors-own"})
        second = await workshop.agent(
            name="E", kind="director", modelId=model, colleagues=[named["id"]]
        )
        await workshop.ask(second, "Go.")
    (request,) = other.requests
    assert request.headers["authorization"] == "Bearer sk-test"
