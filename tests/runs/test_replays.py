"""Trying again, replaying, comparing; what a run costs before and after."""

import pytest

from support.model_server import Request, Turn, calls, says
from support.office import API
from support.workshop import Workshop, scripted, texts


def notes_twice(request: Request) -> Turn:
    done = len(request.results)
    if done < 2:
        return calls("create_task", {"title": f"T{done}"})
    return says("Both are noted.")


async def tasks_of(shop: Workshop) -> list[str]:
    path = f"{API}/workspaces/{shop.workspace_id}/tools/list_tasks"
    found = (await shop.owner.post(path, json={"arguments": {}})).json()
    return sorted(task["title"] for task in found["result"]["tasks"])


@pytest.mark.req("RUN-04")
async def test_a_replay_against_another_model_changes_nothing_and_is_compared(
    any_workshop: Workshop,
):
    shop = any_workshop

    def bolder(request: Request) -> Turn:
        done = len(request.results)
        if done == 0:
            return calls("create_task", {"title": "T0"})
        if done == 1:
            return calls("create_task", {"title": "Something new"})
        return says(f"It said: {request.results[1]}")

    with scripted(notes_twice) as one, scripted(bolder) as two:
        agent = await shop.agent(modelId=await shop.model(one))
        first = await shop.ask(agent, "Note both.")
        assert await tasks_of(shop) == ["T0", "T1"]
        other = await shop.model(two)
        body = {"modelId": other, "prompt": [{"role": "system", "content": "Be bold."}]}
        made = await shop.owner.post(f"{API}/runs/{first['id']}/replay", json=body)
        assert made.status_code == 201, made.text
        await shop.drive()
        second = await shop.read(made.json()["id"])
    assert second["status"] == "completed", second["errorMessage"]
    assert second["kind"] == "replay"
    assert await tasks_of(shop) == ["T0", "T1"]
    assert "nothing was changed" in texts(second, "assistant")[-1]
    # The call that the first run made got the answer that it got then.
    assert texts(second, "tool")[0] == texts(first, "tool")[0]
    assert "Be bold." in texts(second, "system")
    path = f"{API}/runs/{first['id']}/comparison?with={second['id']}"
    compared = (await shop.owner.get(path)).json()
    same = [row["same"] for row in compared["rows"] if row["left"] and row["right"]]
    assert True in same
    assert False in same
    assert compared["left"]["id"] == first["id"]


@pytest.mark.req("RUN-04")
async def test_a_replay_hears_everything_that_the_person_said(workshop: Workshop):
    with scripted(lambda request: says(f"To {request.last}")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        first = await workshop.ask(agent, "One?")
        first = await workshop.say(first["id"], "Two?")
        made = await workshop.owner.post(f"{API}/runs/{first['id']}/replay", json={})
        await workshop.drive()
        second = await workshop.read(made.json()["id"])
    assert texts(second, "assistant") == ["To One?", "To Two?"]


@pytest.mark.req("RUN-04")
async def test_a_run_is_tried_again_from_a_step(workshop: Workshop):
    with scripted(notes_twice) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        first = await workshop.ask(agent, "Note both.")
        path = f"{API}/runs/{first['id']}/retry"
        assert (await workshop.owner.post(path, json={"step": 9})).status_code == 400
        made = await workshop.owner.post(path, json={"step": 2})
        assert made.status_code == 201, made.text
        await workshop.drive()
        second = await workshop.read(made.json()["id"])
    assert second["forkedFrom"] == first["id"]
    assert second["status"] == "completed"
    assert await tasks_of(workshop) == ["T0", "T1", "T1"]
    roles = [message["role"] for message in second["messages"]]
    assert roles == [message["role"] for message in first["messages"]]


@pytest.mark.req("MODEL-04")
async def test_a_transcript_that_nears_the_window_is_folded_and_nothing_is_lost(
    workshop: Workshop, tmp_path_factory
):
    folder = await workshop.folder("Books", tmp_path_factory.mktemp("books"))
    for number in range(6):
        (folder / f"{number}.txt").write_text(f"Chapter {number}. " + "many words here. " * 700)

    def reader(request: Request) -> Turn:
        if "Summarise the part" in request.system:
            return says("The chapters so far are about words.")
        done = sum(1 for m in request.messages if m["role"] == "assistant")
        if "[Summary of" in str(request.messages):
            return says("I have read enough.")
        return calls("read_file", {"path": f"Books/{done}.txt"})

    with scripted(reader) as server:
        model = await workshop.model(server, window=16_000)
        agent = await workshop.agent(modelId=model)
        session = await workshop.ask(agent, "Read the books.")
    assert session["status"] == "completed", session["errorMessage"]
    (summary,) = [each for each in session["messages"] if each["kind"] == "summary"]
    assert "The chapters so far" in summary["content"]
    folded = [m for m in session["messages"] if m["foldedInto"] == summary["position"]]
    assert folded
    assert "Chapter 0" in str([message["content"] for message in folded])
    sent = server.requests[-1].messages
    assert "Chapter 0" not in str(sent)
    assert sent[1]["content"] == "Read the books."
    assert sent[2]["content"].startswith("[Summary of")
    wanted = [c["id"] for m in sent for c in m.get("tool_calls") or ()]
    assert wanted == [m["tool_call_id"] for m in sent if m["role"] == "tool"]


@pytest.mark.req("MODEL-03", "MODEL-05", "RUN-06")
async def test_what_a_run_costs_is_estimated_before_and_counted_after(workshop: Workshop):
    with scripted(lambda _: says("Hi.", usage=(1000, 500))) as server:
        dollar = 1_000_000  # millionths, for a million tokens
        model = await workshop.model(server, inputPrice=2 * dollar, outputPrice=6 * dollar)
        agent = await workshop.agent(modelId=model)
        path = f"{API}/agents/{agent['id']}/estimate"
        before = (await workshop.owner.post(path, json={"content": "Hello?"})).json()
        assert before["basis"] == "guess"
        assert before["money"] > 0
        assert before["most"] > before["money"]
        session = await workshop.ask(agent, "Hello?")
        after = (await workshop.owner.post(path, json={"content": "Hello?"})).json()
    assert session["money"] == pytest.approx(0.005)
    assert (session["tokensUsed"], session["apiCallsMade"]) == (1500, 1)
    assert session["userName"] == "Olive Owner"
    assert (after["basis"], after["runs"]) == ("history", 1)
    assert after["outputTokens"] == 500
    spend = (await workshop.owner.get(f"{API}/spend?days=2")).json()
    (row,) = spend["items"]
    assert (row["agentName"], row["calls"], row["money"]) == ("Tester", 1, pytest.approx(0.005))
    other = await workshop.office.member("ada")
    assert (await other.get(f"{API}/spend?whose=all")).json()["items"] == []


@pytest.mark.req("AGENT-02")
async def test_a_prompt_with_variables_is_filled_in_and_a_missing_one_is_named(
    workshop: Workshop,
):
    prompt = [
        {"role": "system", "content": "You serve {{user}} and speak {{tongue}}."},
        {"role": "user", "content": "Asked: {{input}}"},
    ]
    with scripted(says("Grüß Gott.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server), prompt=prompt)
        path = f"{API}/agents/{agent['id']}/sessions"
        missing = await workshop.owner.post(path, json={"content": "Hello"})
        assert missing.status_code == 400
        assert "tongue" in missing.text
        assert not (await workshop.owner.get(path)).json()["items"]
        body = {"content": "Hello {{user}}", "variables": {"tongue": "German"}}
        made = await workshop.owner.post(path, json=body)
        await workshop.drive()
        session = await workshop.read(made.json()["id"])
    sent = server.requests[0].messages
    assert sent[1]["content"] == "You serve Olive Owner and speak German."
    # What a person types is not a prompt: its braces stay.
    assert sent[2]["content"] == "Asked: Hello {{user}}"
    assert len(sent) == 3
    assert session["status"] == "completed"


@pytest.mark.req("RUN-02")
async def test_the_log_says_what_was_done_and_what_was_not(workshop: Workshop):
    def tries(request: Request) -> Turn:
        if not request.results:
            return calls("create_file", {"path": "Files/a.md", "content": "x"})
        return (
            calls("delete_file", {"path": "Files/a.md"}) if len(request.results) < 2 else says(".")
        )

    space = workshop.workspace_id
    await workshop.owner.post(f"{API}/workspaces/{space}/notebooks", json={"name": "Files"})
    with scripted(tries) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Create Files/a.md, then delete it.")
    found = (await workshop.owner.get(f"{API}/sessions/{session['id']}/logs")).json()["items"]
    assert [(row["actionType"], row["wasAllowed"]) for row in found] == [
        ("create_file", True),
        ("delete_file", False),
    ]
    assert found[0]["targetPath"] == "Files/a.md"
    assert session["filesModified"] == ["Files/a.md"]
