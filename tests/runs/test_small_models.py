"""Models that run at home: small windows, plain schemas, and words that lead them on."""

import json
from pathlib import Path

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
    assert offered[2] == [*offered[0], "create_task"]
    assert {*offered[2]} <= {*offered[3]}
    for each in (tool["function"] for tool in server.requests[0].body["tools"]):
        assert ". " not in each["description"]
        # A small model says an example again as if it were asked for.
        assert "examples" not in json.dumps(each["parameters"])
        if each["name"] == "read_file":
            assert [*each["parameters"]["properties"]] == ["path"]
    assert [(call["tool"], call["status"]) for call in session["calls"]] == [
        ("read_file", "failed"),
        ("create_task", "done"),
    ]


@pytest.mark.req("MODEL-06")
async def test_a_small_window_reads_plain_results_and_the_transcript_keeps_what_was_answered(
    workshop: Workshop, tmp_path: Path
):
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "notes.md").write_text("# Notes\n\nThe door's code is 4711.\n")
    (papers / "long.txt").write_text("word " * 6_000)
    await workshop.folder("Papers", papers)
    look = Turn(
        calls=(
            Call("read_file", {"path": "Papers/notes.md"}),
            Call("list_files", {"path": "Papers"}),
            Call("read_file", {"path": "Papers/Note.md"}),
            Call("read_file", {"path": "notebook/folder/name"}),
            Call("list_tasks", {}),
            Call("read_file", {"path": "Papers/long.txt"}),
        )
    )
    with scripted(look, says("4711."), look, says("4711.")) as server:
        small = await workshop.model(server, window=16_384)
        session = await workshop.ask(
            await workshop.agent(modelId=small), "What is the code in Papers/notes.md?"
        )
        large = await workshop.model(server, window=40_000)
        other = await workshop.agent(modelId=large, name="Other")
        await workshop.ask(other, "What is the code in Papers/notes.md?")
    note, files, missing, parroted, tasks, long = server.requests[1].results
    assert note.startswith("path: Papers/notes.md, kind: file, size: ")
    assert note.endswith("\n\n# Notes\n\nThe door's code is 4711.")
    assert [line.partition(",")[0] for line in files.splitlines()] == [
        "more: no",
        "files:",
        "  1. path: Papers/long.txt",
        "  2. path: Papers/notes.md",
    ]
    assert missing.startswith("Error: There is no Papers/Note.md; there is Papers/notes.md.")
    assert parroted.endswith(" You were asked about Papers/notes.md.")
    assert not {*"{}[]"} & {*note, *files, *missing, *tasks}
    assert len(long) < 16_384 * 4 // 3 + 200, "the rest of the conversation has room"
    kept = [json.loads(each) for each in texts(session, "tool")[:5]]
    assert kept == [json.loads(each) for each in server.requests[3].results[:5]]


@pytest.mark.req("MODEL-06")
async def test_a_lost_folder_is_found_again_and_who_asks_twice_shall_answer(
    workshop: Workshop, tmp_path_factory: pytest.TempPathFactory
):
    papers = await workshop.folder("Papers", tmp_path_factory.mktemp("papers"))
    (papers / "notes.md").write_text("The door's code is 4711.")
    (papers / "other.md").write_text("Nothing.")
    lost = calls("read_file", {"path": "docs/notes.md"})
    with scripted(lost, lost, says("4711."), calls("list_tasks"), says("None.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server, window=8_192))
        session = await workshop.ask(agent, "Read the file Papers/notes.md. What is the code?")
        session = await workshop.say(session["id"], "And what is on my list?")
    assert "The door's code is 4711." in server.requests[1].results[0]
    assert [len(each.tools) > 0 for each in server.requests] == [True, True, False, True, True]
    assert [call["status"] for call in session["calls"]] == ["done"] * 3
    writes = calls("write_file", {"path": "docs/notes.md", "content": "Gone."})
    twice = calls("read_file", {"path": "docs/notes.md"})
    with scripted(writes, twice, says("No.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server), name="Other")
        words = "Is it Papers/notes.md or Papers/other.md?"
        session = await workshop.ask(agent, words)
    assert [call["status"] for call in session["calls"]] == ["failed", "failed"]
    assert (papers / "notes.md").read_text() == "The door's code is 4711."


WRITTEN = {
    "tags": '<tool_call>\n{"name": "read_file", "arguments": {"path": "Papers/notes.md"}}\n'
    "</tool_call>",
    "a list in tags, not closed": "I look.\n<tool_call>[\n"
    '{"name": "readFile", "arguments": {"path": "notes.md"}},\n]',
    "code": '```json\n{"name": "read_file", "parameters": {"path": "docs/notes.md"}}\n```',
    "bare": '{"tool_call": {"name": "Read-File", "arguments": {"path": "Papers/Notes.md"}}}',
    "again and again": '<tool_call>{"type": "function", "function": {"name": "read_file", '
    '"arguments": "{\\"path\\": \\"Papers/notes.md\\"}"}}</tool_call>' * 3,
}


@pytest.mark.req("MODEL-06")
@pytest.mark.parametrize("how", WRITTEN)
async def test_a_call_that_a_small_model_writes_into_its_text_is_made(
    workshop: Workshop, tmp_path_factory: pytest.TempPathFactory, how: str
):
    papers = await workshop.folder("Papers", tmp_path_factory.mktemp("papers"))
    (papers / "notes.md").write_text("The door's code is 4711.")
    with scripted(says(WRITTEN[how]), says("4711.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server, window=4_096))
        session = await workshop.ask(agent, "Read the file Papers/notes.md. What is the code?")
    assert [(call["tool"], call["status"]) for call in session["calls"]] == [("read_file", "done")]
    assert "The door's code is 4711." in server.requests[1].results[0]
    assert "tool_call" not in texts(session, "assistant")[0]
    assert texts(session, "assistant")[-1] == "4711."


@pytest.mark.req("MODEL-06")
async def test_words_about_a_call_are_words(workshop: Workshop):
    said = [
        'You could call {"name": "list_tasks", "arguments": {}}.',
        '{"name": "Ada", "arguments": {"for": "tea", "against": "coffee"}}',
        '{"name": "list_tasks"}',
    ]
    with scripted(*map(says, said)) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        for words in said:
            session = await workshop.ask(agent, "How is it done?")
            assert (session["calls"], texts(session, "assistant")) == ([], [words])


@pytest.mark.req("MODEL-06")
async def test_who_only_asks_again_is_asked_in_plain_words_and_else_has_failed(
    workshop: Workshop, tmp_path_factory: pytest.TempPathFactory
):
    papers = await workshop.folder("Papers", tmp_path_factory.mktemp("papers"))
    (papers / "notes.md").write_text("The door's code is 4711.")
    look = calls("read_file", {"path": "notes.md"})
    again = says('{"tool_call": {"name": "read_file", "arguments": {"path": "notes.md"}}}')
    with scripted(look, look, says("4711."), look, look, again) as server:
        agent = await workshop.agent(modelId=await workshop.model(server, window=2_048))
        words = "Read the file Papers/notes.md. What is the code?"
        good, bad = [await workshop.ask(agent, words) for _ in range(2)]
    asked = server.requests[2]
    assert asked.tools == asked.results == []
    assert [each["role"] for each in asked.messages] == ["system", "user"]
    assert asked.last.count("The door's code is 4711.") == 1
    assert asked.last.endswith(words)
    assert asked.body["max_tokens"] == 512, "a quarter of the window"
    assert (good["status"], texts(good, "assistant")[-1]) == ("completed", "4711.")
    assert (bad["status"], bad["why"]) == ("failed", "model")
    assert "did not answer" in bad["errorMessage"]


@pytest.mark.req("MODEL-06")
async def test_a_tiny_window_that_reads_a_file_has_little_to_choose_from(workshop: Workshop):
    with scripted(says("Hello.")) as server:
        small = await workshop.model(server, window=2_048)
        agent = await workshop.agent(modelId=small, canWrite=False, canCreate=False)
        words = "Read the file Papers/notes.md and tell me the door code."
        session = await workshop.ask(agent, words)
    assert session["status"] == "completed", session["errorMessage"]
    assert server.requests[0].tools == ["read_file", "list_files"], "the likeliest first"


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
