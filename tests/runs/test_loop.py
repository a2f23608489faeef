"""The loop: from words to tool calls to an answer."""

import asyncio
import json
import threading

import pytest

from bailiwick.tools.arguments import NoArguments
from bailiwick.tools.registry import Registry
from bailiwick.tools.tool import Tool, ToolContext, ToolOutput
from support.model_server import Call, Turn, calls, fails, forever, says
from support.office import API
from support.openings import opened_by
from support.server import PATIENCE
from support.workshop import Workshop, scripted, texts


@pytest.mark.req("RUN-02")
@pytest.mark.req("RUN-03")
async def test_a_session_calls_tools_and_answers(any_workshop: Workshop):
    shop = any_workshop
    with scripted(calls("create_task", {"title": "Buy ink"}), says("It is on the list.")) as server:
        agent = await shop.agent(modelId=await shop.model(server))
        session = await shop.ask(agent, "Put ink on my list.")
    assert session["status"] == "completed", session
    roles = [each["role"] for each in session["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant"]
    assert texts(session, "assistant")[-1] == "It is on the list."
    result = json.loads(texts(session, "tool")[0])
    assert result["title"] == "Buy ink"
    assert session["calls"][0]["status"] == "done"
    assert session["apiCallsMade"] == 2
    assert session["tokensUsed"] == 60
    sent = server.requests[-1].messages
    assert sent[2]["tool_calls"][0]["function"]["name"] == "create_task"
    assert sent[3]["tool_call_id"] == sent[2]["tool_calls"][0]["id"]


async def test_a_person_goes_on_in_the_same_session(workshop: Workshop):
    with scripted(says("One."), says("Two.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "First?")
        session = await workshop.say(session["id"], "Second?")
    assert texts(session, "assistant") == ["One.", "Two."]
    assert texts(session, "user") == ["First?", "Second?"]
    assert session["status"] == "completed"


@pytest.mark.req("RUN-02")
async def test_what_needs_a_person_waits_and_goes_on_after_a_yes(any_workshop: Workshop):
    shop = any_workshop
    with scripted(calls("create_task", {"title": "Pay"}), says("Paid.")) as server:
        agent = await shop.agent(modelId=await shop.model(server), askWrites=True)
        session = await shop.ask(agent, "Note that I must pay.")
        assert session["status"] == "waiting"
        assert session["pendingActions"][0]["type"] == "create_task"
        assert len(server.requests) == 1
        session = await shop.answer(session, yes=True)
    assert session["status"] == "completed"
    assert session["calls"][0]["status"] == "done"
    assert json.loads(texts(session, "tool")[0])["title"] == "Pay"
    tasks = await shop.owner.post(
        f"{API}/workspaces/{shop.workspace_id}/tools/list_tasks", json={"arguments": {}}
    )
    assert len(tasks.json()["result"]["tasks"]) == 1


async def test_unknown_tools_broken_json_and_equal_ids_are_answered_not_fatal(workshop: Workshop):
    odd = Turn(
        calls=(
            Call("make_coffee", {}, id="same"),
            Call("create_task", "{broken", id="same"),
            Call("create_task", "[1]", id=""),
            Call("create_task", {"title": "Good"}, id="same"),
        )
    )
    with scripted(odd, says("Sorry.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Coffee, please.")
    assert session["status"] == "completed", session["errorMessage"]
    made = [(call["status"], call["code"]) for call in session["calls"]]
    assert made == [
        ("denied", "unknown_tool"),
        ("denied", "invalid_arguments"),
        ("denied", "invalid_arguments"),
        ("done", None),
    ]
    assert len({call["id"] for call in session["calls"]}) == 4
    sent = server.requests[-1].messages
    wanted = [call["id"] for call in sent[2]["tool_calls"]]
    assert [message["tool_call_id"] for message in sent[3:7]] == wanted
    assert "not JSON" in texts(session, "tool")[1]


@pytest.mark.req("RUN-02")
async def test_a_model_that_never_stops_is_stopped_after_its_steps(workshop: Workshop):
    with scripted(forever("list_tasks", {})) as server:
        agent = await workshop.agent(modelId=await workshop.model(server), stepLimit=6)
        session = await workshop.ask(agent, "Go on for ever.")
        assert session["status"] == "failed"
        assert session["why"] == "step_limit"
        assert session["steps"] == 6
        assert "6 steps" in texts(session, "system")[-1]
        assert len(server.requests) == 6
        # A new word of the person gives it as many again.
        session = await workshop.say(session["id"], "Once more.")
        assert session["steps"] == 12


@pytest.mark.req("RUN-03", "MODEL-04")
async def test_errors_of_the_model_are_tried_again_and_kept_apart_from_the_transcript(
    workshop: Workshop,
):
    half = Turn("Half an ans", drop_after=1)
    with scripted(fails(429, retry_after=1), fails(500), half, says("Whole.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Answer me.")
    assert texts(session, "assistant") == ["Whole."]
    path = f"{API}/runs/{session['id']}/events"
    events = (await workshop.owner.get(path)).json()["items"]
    kinds = sorted(event["kind"] for event in events)
    assert kinds == ["error"] * 3 + ["request"] * 4 + ["response"]
    assert {event["status"] for event in events if event["kind"] == "error"} >= {429, 500}
    assert "sk-test" not in str(events)


@pytest.mark.req("RUN-04")
async def test_a_model_that_stays_down_fails_the_run_and_it_can_go_on_later(workshop: Workshop):
    with scripted(*[fails(500)] * 4, says("Back again.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Answer me.")
        assert (session["status"], session["why"]) == ("failed", "model")
        assert "Scripted" in session["errorMessage"]
        resumed = await workshop.owner.post(f"{API}/runs/{session['id']}/resume")
        assert resumed.status_code == 200
        await workshop.drive()
        session = await workshop.read(session["id"])
    assert texts(session, "assistant") == ["Back again."]
    assert session["status"] == "completed"


async def test_two_megabytes_of_a_result_are_cut_for_the_model_and_kept_whole(workshop: Workshop):
    whole = {"text": "A long line of a report. " * 80_000, "end": "the very last word"}

    async def report(_context: ToolContext, _arguments: NoArguments) -> ToolOutput:
        return ToolOutput(whole, summary="a report")

    tool = Tool("report", "Report", "A report.", NoArguments, effect="read", run=report)
    registry = workshop.office.product[Registry]
    registry._tools[tool.name] = tool
    with scripted(calls("report", {}), says("Read.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Read it.")
    assert session["status"] == "completed", session["errorMessage"]
    row = next(each for each in session["messages"] if each["role"] == "tool")
    assert row["isCut"]
    assert len(row["content"]) < 41_000
    assert "are left out here" in row["content"]
    assert row["content"].endswith('"the very last word"}')
    sent = server.requests[-1].messages[-1]["content"]
    assert sent == row["content"]
    path = f"{API}/sessions/{session['id']}/content?position={row['position']}"
    with opened_by(workshop.office.product.blobs.folder) as threads:
        kept = await workshop.owner.get(path)
    assert kept.json() == whole
    assert threads
    assert threading.get_ident() not in threads
    assert kept.headers["content-type"].startswith("text/plain")
    stranger = await workshop.office.member("ada")
    assert (await stranger.get(path)).status_code == 404


async def test_words_said_while_it_thinks_are_heard_before_it_ends(workshop: Workshop):
    with scripted(says("First."), says("Second.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        made = await workshop.start(agent, "One.")
        real = server.next_turn

        def meanwhile(request):
            turn = real(request)
            if len(server.requests) == 1:
                _say(workshop, made["id"])
            return turn

        server.next_turn = meanwhile
        await workshop.drive()
        session = await workshop.read(made["id"])
    assert texts(session, "assistant") == ["First.", "Second."]
    assert server.requests[1].messages[-1]["content"] == "Two."


def _say(workshop: Workshop, id: str) -> None:
    """From the server's own thread, as another process would."""
    said = workshop.owner.post(f"{API}/sessions/{id}/message", json={"content": "Two."})
    asyncio.run_coroutine_threadsafe(said, workshop.loop).result(PATIENCE)
