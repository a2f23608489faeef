"""What leaves for a model: nothing that the patterns find, and the transcript shows both."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from support.model_server import ModelServer, Request, Turn, calls, fails, says
from support.office import API
from support.workshop import Workshop, scripted, texts

pytestmark = pytest.mark.req("GATE-28")

TYPED = "4111 1111 1111 1111"
TYPED_LATER = "DE89 3704 0044 0532 0130 00"
IN_PROMPT = "5555 5555 5555 4444"
IN_VARIABLE = "4012 8888 8888 1881"
IN_MEMORY = "6011 1111 1111 1117"
IN_FILE = "378282246310005"
SAID = "GB82 WEST 1234 5698 7654 32"
CALLED_WITH = "5105 1051 0510 5100"
ALL = (TYPED, TYPED_LATER, IN_PROMPT, IN_VARIABLE, IN_MEMORY, IN_FILE, SAID, CALLED_WITH)


def received(server: ModelServer) -> str:
    """All that a model was ever sent, as text that is not escaped."""
    return "\n".join(json.dumps(request.body, ensure_ascii=False) for request in server.requests)


def holding(session: dict[str, Any], secret: str) -> dict[str, Any]:
    """The message of a transcript that has this in it."""
    (message,) = [each for each in session["messages"] if secret in str(each["content"])]
    return message


async def pattern(shop: Workshop, text: str, replacement: str) -> str:
    """A pattern of the office; its id."""
    body = {"name": text[:50], "pattern": text, "replacement": replacement}
    made = await shop.owner.post(f"{API}/redactions", json=body)
    assert made.status_code == 201, made.text
    return made.json()["id"]


@pytest.mark.req("GATE-07")
async def test_a_model_gets_nothing_that_is_redacted_wherever_it_comes_from(
    any_workshop: Workshop, tmp_path_factory
):
    shop = any_workshop
    folder = await shop.folder("Books", tmp_path_factory.mktemp("books"))
    (folder / "a.txt").write_text(f"Card {IN_FILE}")
    script = (
        calls("memory_add", {"content": f"The card is {IN_MEMORY}."}),
        calls("memory_search", {"query": "card"}),
        calls("create_task", {"title": "Pay", "notes": f"With\n{CALLED_WITH}"}),
        calls("read_file", {"path": "Books/a.txt"}),
        says(f"Send it to {SAID}."),
        says("Gladly."),
    )
    prompt = [
        {"role": "system", "content": f"The house pays with {IN_PROMPT} and {{{{other}}}}."},
        {"role": "user", "content": "{{input}}"},
    ]
    with scripted(*script) as server:
        agent = await shop.agent(modelId=await shop.model(server), prompt=prompt)
        body = {"content": f"Pay with {TYPED}.", "variables": {"other": IN_VARIABLE}}
        made = await shop.owner.post(f"{API}/agents/{agent['id']}/sessions", json=body)
        await shop.drive()
        session = await shop.say(made.json()["id"], f"Use {TYPED_LATER}, please.")
    assert session["status"] == "completed", session
    assert len(server.requests) == 6
    assert [secret for secret in ALL if secret in received(server)] == []
    sent = server.requests[-1].messages
    assert sent[1]["content"] == "The house pays with [CARD] and [CARD]."
    assert sent[2]["content"] == "Pay with [CARD]."
    assert sent[-2]["content"] == "Send it to [IBAN]."
    assert sent[-1]["content"] == "Use [IBAN], please."
    called = [call for message in sent for call in message.get("tool_calls") or ()]
    assert json.loads(called[2]["function"]["arguments"])["notes"] == "With\n[CARD]"
    answered = [message["tool_call_id"] for message in sent if message["role"] == "tool"]
    assert [call["id"] for call in called] == answered

    for secret, seen in (
        (TYPED, "Pay with [CARD]."),
        (IN_PROMPT, "The house pays with [CARD] and [CARD]."),
        (IN_VARIABLE, "The house pays with [CARD] and [CARD]."),
        (SAID, "Send it to [IBAN]."),
        (TYPED_LATER, "Use [IBAN], please."),
    ):
        assert holding(session, secret)["sent"] == {"content": seen, "toolCalls": None}
    (own,) = [each for each in session["messages"] if CALLED_WITH in str(each["toolCalls"])]
    (call,) = own["sent"]["toolCalls"]
    assert json.loads(call["function"]["arguments"])["notes"] == "With\n[CARD]"
    assert own["sent"]["content"] is None
    # Where nothing was taken out, nothing is said.
    plain = [each for each in session["messages"] if each["content"] == "Gladly."]
    assert [each["sent"] for each in plain] == [None]

    events = await shop.owner.get(f"{API}/runs/{session['id']}/events", params={"limit": 100})
    assert [secret for secret in ALL if secret in events.text] == []
    asked = [each for each in events.json()["items"] if each["kind"] == "request"]
    assert asked[0]["payload"]["messages"][-1]["content"] == "Use [IBAN], please."


async def test_words_of_tasks_schedules_and_other_agents_are_redacted_too(workshop: Workshop):
    def directing(request: Request) -> Turn:
        name = next((tool for tool in request.tools if tool.startswith("agent__")), None)
        if name and not request.results:
            return calls(name, {"input": f"Is {CALLED_WITH} ours?"})
        return says(f"It is {SAID}.")

    with scripted(directing) as server:
        model = await workshop.model(server)
        about = f"Knows {IN_PROMPT}."
        other = await workshop.agent(name="Reader", description=about, modelId=model)
        agent = await workshop.agent(
            name="Director", kind="director", modelId=model, colleagues=[other["id"]]
        )
        session = await workshop.ask(agent, "Ask the reader.")
        task = {
            "workspaceId": workshop.workspace_id,
            "title": "Pay",
            "notes": f"With {TYPED}",
            "assignedTo": agent["id"],
        }
        assert (await workshop.owner.post(f"{API}/tasks", json=task)).is_success
        await workshop.drive()
        schedule = {
            "workspaceId": workshop.workspace_id,
            "agentId": agent["id"],
            "name": "Morning",
            "words": f"Pay from {TYPED_LATER}.",
            "timing": "every weekday at 8",
            "timeZone": "Europe/Vienna",
        }
        made = (await workshop.owner.post(f"{API}/schedules", json=schedule)).json()
        await workshop.due(made, datetime(2027, 1, 11, 7, tzinfo=UTC))
        await workshop.drive()
    assert [secret for secret in ALL if secret in received(server)] == []
    for words in ("Is [CARD] ours?", "Pay\n\nWith [CARD]", "Pay from [IBAN].", "Knows [CARD]."):
        assert json.dumps(words)[1:-1] in received(server)
    assert SAID in texts(session, "assistant")[-1]
    child = await workshop.read(session["children"][0]["id"])
    assert holding(child, CALLED_WITH)["sent"]["content"] == "Is [CARD] ours?"


async def test_what_is_folded_is_redacted_before_it_is_cut_into_parts(workshop: Workshop):
    window = 40_000
    # The parts that are summed up are this long: the number lies on the border between two.
    room = window // 2 * 3
    filling = "many words here. " * 4_000

    def teller(request: Request) -> Turn:
        if "Summarise the part" in request.system:
            return says(f"They pay with {SAID}.")
        said = sum(1 for each in request.messages if each["role"] == "assistant")
        return says(f"Answer {said}.")

    with scripted(teller) as server:
        agent = await workshop.agent(modelId=await workshop.model(server, window=window))
        session = await workshop.ask(agent, "Listen.")
        border = room - len("user: ") - len(TYPED) // 2
        words = f"{filling[: border - 1]} {TYPED} {filling[: room // 3]}"
        session = await workshop.say(session["id"], words)
        for _ in range(4):
            session = await workshop.say(session["id"], filling[:20_000])
    summed = [each for each in server.requests if "Summarise the part" in each.system]
    assert len(summed) > 1, session["errorMessage"]
    first, second = TYPED[: len(TYPED) // 2].strip(), TYPED[len(TYPED) // 2 :].strip()
    assert [part for part in (first, second, SAID) if part in received(server)] == []
    (summary, *_) = [each for each in session["messages"] if each["kind"] == "summary"]
    assert SAID in summary["content"]
    assert "They pay with [IBAN]." in summary["sent"]["content"]


async def test_the_offline_model_is_a_model_too(workshop: Workshop):
    session = await workshop.ask(await workshop.agent(), f"Make a task to pay with {TYPED}.")
    assert holding(session, TYPED)["sent"]["content"] == "Make a task to pay with [CARD]."
    events = await workshop.owner.get(f"{API}/runs/{session['id']}/events")
    assert events.json()["items"]
    assert TYPED not in events.text


async def test_a_mark_that_the_model_repeats_stays_a_mark(workshop: Workshop):
    script = calls("create_task", {"title": "Pay with [CARD]"}), says("It is on the list.")
    with scripted(*script) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, f"Note that I pay with {TYPED}.")
    assert json.loads(texts(session, "tool")[0])["title"] == "Pay with [CARD]"


async def test_virtual_ids_names_and_ids_of_calls_survive_every_pattern(workshop: Workshop):
    await pattern(workshop, "[A-Za-z0-9_-]{8,}", "[LONG]")
    found: list[str] = []

    def closing(request: Request) -> Turn:
        match request.results:
            case []:
                return calls("create_task", {"title": "Buy ink"})
            case [first]:
                found.append(json.loads(first)["id"])
                return calls("complete_task", {"task_id": found[0]})
            case _:
                return says("Done.")

    with scripted(closing) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "Buy ink, extraordinarily soon.")
        session = await workshop.answer(session, yes=True)
    assert [call["status"] for call in session["calls"]] == ["done", "done"], session["calls"]
    sent = server.requests[-1].messages
    assert sent[1]["content"] == "Buy ink, [LONG] soon."
    assert json.loads(sent[4]["tool_calls"][0]["function"]["arguments"]) == {"task_id": found[0]}
    assert "create_task" in server.requests[-1].tools


async def test_arguments_stay_json_and_the_same_text_is_the_same_each_time(workshop: Workshop):
    await pattern(workshop, r'"secret": "[a-z]+"', "[GONE]")
    given = {"title": "Pay", "notes": f"“{TYPED}”\n\\ {SAID}", "priority": 4111111111111111}
    script = (
        calls("create_task", json.dumps(given)),
        calls("create_task", {"title": "x", "secret": "xyzzy"}),
        calls("create_task", '{"title": "4111 1111 1111 1111'),
        says("Sorry."),
        says("Well."),
    )
    with scripted(*script) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, f"Pay {TYPED}.")
        await workshop.say(session["id"], "And now?")
    before, after = (request.messages for request in server.requests[-2:])
    assert after[: len(before)] == before
    first, second, broken = (
        call["function"]["arguments"] for each in after for call in each.get("tool_calls") or ()
    )
    wanted = {"title": "Pay", "notes": "“[CARD]”\n\\ [IBAN]", "priority": "[CARD]"}
    assert json.loads(first) == wanted
    assert json.loads(second) == {"arguments": '{"title": "x", [GONE]}'}
    assert "[CARD]" in broken
    assert [each for each in (TYPED, SAID, "xyzzy") if each in received(server)] == []


async def test_what_a_model_has_seen_whole_is_not_said_to_be_hidden_from_it(workshop: Workshop):
    with scripted() as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, "The word is Heron.")
        id = await pattern(workshop, "Heron", "[BIRD]")
        session = await workshop.say(session["id"], "Say Heron again.")
        assert "Heron" not in json.dumps(server.requests[-1].body)
        assert [each["sent"] for each in session["messages"] if each["role"] == "user"] == [
            None,
            {"content": "Say [BIRD] again.", "toolCalls": None},
        ]
        off = await workshop.owner.patch(f"{API}/redactions/{id}", json={"enabled": False})
        assert off.status_code == 200, off.text
        session = await workshop.say(session["id"], "Go on.")
    assert [each["sent"] for each in session["messages"] if each["role"] == "user"] == [None] * 3


async def test_it_is_said_although_the_model_did_not_answer_and_goes_on_in_a_fork(
    workshop: Workshop,
):
    with scripted(*[fails(500)] * 4) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        session = await workshop.ask(agent, f"Pay {TYPED}.")
        assert session["status"] == "failed"
        assert holding(session, TYPED)["sent"]["content"] == "Pay [CARD]."
        resumed = await workshop.owner.post(f"{API}/runs/{session['id']}/resume")
        assert resumed.is_success
        await workshop.drive()
        path = f"{API}/runs/{session['id']}/retry"
        fork = (await workshop.owner.post(path, json={"step": 1})).json()
        await workshop.drive()
        fork = await workshop.read(fork["id"])
    assert holding(fork, TYPED)["sent"]["content"] == "Pay [CARD]."
    assert TYPED not in received(server)
