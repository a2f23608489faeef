"""Models that run at home: small windows, plain schemas, and words that lead them on."""

import json

import pytest

from support.llama_grammar import convert
from support.model_server import Call, Turn, calls, says
from support.office import API
from support.workshop import Workshop, scripted, texts


@pytest.mark.req("MODEL-06")
async def test_every_schema_that_a_run_sends_can_be_made_a_grammar_of(workshop: Workshop):
    with scripted(says("Hello.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        await workshop.ask(agent, "Hello?")
    offered = server.requests[0].body["tools"]
    assert {"create_task", "create_file"} <= {each["function"]["name"] for each in offered}
    for each in offered:
        convert(each["function"]["parameters"])


@pytest.mark.req("MODEL-06")
async def test_a_small_window_is_offered_what_the_task_needs_and_what_was_used(workshop: Workshop):
    turns = [
        calls("functions.read_file", {"path": "Files/Notes.md"}),
        calls("Create_Task", json.dumps({"title": "Call Ada"})),
        says("Done."),
        says("Again."),
    ]
    with scripted(*turns) as server:
        small = await workshop.model(server, window=8_192)
        agent = await workshop.agent(modelId=small)
        session = await workshop.ask(agent, "What does the file Files/notes.md say?")
        session = await workshop.say(session["id"], "Thank you.")
    offered = [request.tools for request in server.requests]
    assert {"read_file", "list_files"} <= {*offered[0]}
    assert "create_task" not in offered[0]
    assert len(offered[0]) < 10
    # It only grows, so that what is kept of the prompt can be used again.
    assert offered[1] == offered[0]
    assert {*offered[2]} == {*offered[0], "create_task"}
    assert {*offered[2]} <= {*offered[3]}
    assert all(
        ". " not in each["function"]["description"] for each in server.requests[0].body["tools"]
    )
    assert [(call["tool"], call["status"]) for call in session["calls"]] == [
        ("read_file", "failed"),
        ("create_task", "done"),
    ]


@pytest.mark.req("MODEL-06")
async def test_a_large_window_is_offered_everything(workshop: Workshop):
    with scripted(says("Hello.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server, window=16_385))
        await workshop.ask(agent, "What does the file Files/notes.md say?")
    assert len(server.requests[0].tools) > 15


@pytest.mark.req("MODEL-06")
async def test_what_can_mean_one_thing_only_is_taken_and_judged_in_one_form(workshop: Workshop):
    odd = Turn(
        calls=(
            Call("list_files", {"path": "", "recursive": "true", "limit": "5"}),
            Call("create_task", json.dumps(json.dumps({"title": "5"}))),
            Call("memory_add", {"content": "Ink is blue.", "tags": '["ink"]'}),
            Call("list_files", {"limit": "5; drop"}),
            Call("list_file", {}),
            Call("read_file", {"file": "Files/x.md"}),
        )
    )
    with scripted(odd, says("Done.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Do it.")
    statuses = [call["status"] for call in session["calls"]]
    assert statuses == ["done", "done", "done", "denied", "denied", "denied"]
    results = texts(session, "tool")
    assert json.loads(results[1])["title"] == "5"
    assert "limit: must be a whole number" in results[3]
    assert "Did you mean 'list_files'?" in results[4]
    assert "file: is not known here; did you mean 'path'?" in results[5]
    lines = await workshop.owner.get(f"{API}/audit", params={"tool": "list_files"})
    ids = [line["id"] for line in lines.json()["items"]]
    shown = [(await workshop.owner.get(f"{API}/audit/{id}")).json()["arguments"] for id in ids]
    assert {"path": "", "recursive": True, "limit": 5} in shown


@pytest.mark.req("MODEL-06")
@pytest.mark.parametrize("provider", ["ollama", "compatible"])
async def test_a_server_that_tells_of_a_small_window_is_offered_few_tools(
    workshop: Workshop, provider: str
):
    with scripted(says("Hello.")) as server:
        server.about = {"max_model_len": 8_192}
        place = {"provider": provider, "baseUrl": server.base_url, "key": "sk-test"}
        await workshop.owner.post(f"{API}/models/list", json=place)
        agent = await workshop.agent(modelId=await workshop.model(server, provider=provider))
        await workshop.ask(agent, "What does the file Files/notes.md say?")
    (request,) = server.requests
    assert len(request.body["tools"]) < 10
