"""A conversation with an agent, as a person has it: by mouse and by keyboard, on desk and phone."""

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from e2e.conftest import tab, wait_on
from e2e.sample import Furnished
from e2e.test_every_page import PHONE, looks_right, settled
from support.model_server import (
    Call,
    ModelServer,
    Request,
    Turn,
    calls,
    fails,
    says,
    serving_model,
)
from support.office import API

pytestmark = [pytest.mark.req("RUN-02"), pytest.mark.req("UI-01")]

NOTE = {"path": "Files/notes/x.md", "content": "# Shopping\n\nBuy ink\n"}
HOSTILE = (
    "<img src=x onerror=window.hacked=1> **bold** and [a way](https://example.com/way) "
    "and [click me](javascript:window.hacked=2) and ![picture](https://evil.example/a.png)\n\n"
    "[https://bank.example](https://evil.example/login)\n\n"
    "```html\n<script>window.hacked=3</script>\n```\n\n- <b>one</b>\n- pay\u202eli.exe"
)


def answer(request: Request) -> Turn:
    """By what was said last, so that one model serves all tests."""
    if "half" in request.last:
        # More than is held back for a moment, and then nothing.
        return Turn("Here is **half** of it" + ", and more" * 200, piece=60, hang_after=25)
    if "card" in request.last:
        return says("Is it DE89 3704 0044 0532 0130 00 that gets it?")
    if "reason" in request.last:
        return says("It is 42.", thought="Six times seven, or *so* they say.")
    if "hostile" in request.last:
        return says(HOSTILE)
    is_new = request.messages[-1]["role"] == "user"
    if is_new and "look" in request.last:
        both = (Call("list_tasks", {}), Call("delete_file", {"path": "Files/plan.txt"}))
        return Turn("Let me look.", calls=both)
    if is_new and "colleague" in request.last:
        asking = next(tool for tool in request.tools if tool.startswith("agent__"))
        return calls(asking, {"input": "Be brief"})
    if is_new and "note" in request.last:
        return calls("create_file", NOTE)
    return says(f"Done after {len(request.results)}.")


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with serving_model(answer) as server:
        yield server


class Bench:
    """Agents to talk to."""

    def __init__(self, office: Furnished, model: ModelServer) -> None:
        self.owner = office.owner
        self.workspace_id = office.workspace_id
        made = {"name": "Scripted", "provider": "compatible", "model": "scripted-1"}
        self.model_id = self.post("models", **made, baseUrl=model.base_url, key="sk-test")["id"]
        self.agents: list[str] = []

    def post(self, path: str, **body: object) -> dict[str, Any]:
        answer = self.owner.post(f"{API}/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def agent(self, **more: object) -> str:
        """One that asks the scripted model, and a person before it changes anything."""
        body = {
            "workspaceId": self.workspace_id,
            "name": "Researcher",
            "scope": {"notebooks": ["*"]},
            "canWrite": True,
            "canCreate": True,
            "modelId": self.model_id,
            "askWrites": True,
            **more,
        }
        self.agents.append(self.post("agents", **body)["id"])
        return self.agents[-1]

    def session(self, agent: str, words: str | None = None) -> str:
        body = {} if words is None else {"content": words}
        return self.post(f"agents/{agent}/sessions", **body)["id"]

    def read(self, id: str) -> dict[str, Any]:
        return self.owner.get(f"{API}/sessions/{id}").json()

    def close(self) -> None:
        for agent in self.agents:
            self.owner.delete(f"{API}/agents/{agent}")
        self.owner.delete(f"{API}/models/{self.model_id}")


@pytest.fixture
def bench(office: Furnished, model: ModelServer) -> Iterator[Bench]:
    made = Bench(office, model)
    yield made
    made.close()


def opened(context: BrowserContext, id: str) -> Page:
    page = context.new_page()
    settled(page, f"/sessions/{id}")
    return page


def box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message to")


def say(page: Page, words: str) -> None:
    """Say it, and wait until it was heard."""
    box(page).fill(words)
    box(page).press("Enter")
    expect(box(page)).to_have_value("")


def details(page: Page) -> Locator:
    """What is so about the session behind a conversation."""
    page.get_by_role("button", name="Details").click()
    return page.get_by_role("dialog", name="About this session")


def log(page: Page) -> Locator:
    return page.get_by_role("log", name="Conversation")


def stands(page: Page, words: str) -> None:
    """What the line above the box says."""
    expect(page.get_by_role("main").get_by_role("status").filter(has_text=words)).to_be_visible()


@pytest.mark.req("MODEL-06")
def test_what_a_model_thought_is_folded_and_no_part_of_its_answer(
    inside: BrowserContext, bench: Bench
):
    page = opened(inside, bench.session(bench.agent(), "Give me a reason."))
    expect(log(page).get_by_text("It is 42.")).to_be_visible()
    thought = log(page).get_by_text("Six times seven, or so they say.")
    expect(thought).to_have_count(0)
    page.set_viewport_size(PHONE)
    log(page).get_by_role("button", name="Thought").click()
    expect(thought).to_be_visible()
    looks_right(page, "a thought")
    log(page).get_by_role("button", name="Thought").click()
    expect(thought).to_have_count(0)


@pytest.mark.req("RUN-06")
def test_the_offline_model_says_what_it_is_what_it_costs_and_does_what_is_asked(
    inside: BrowserContext, bench: Bench
):
    agent = bench.agent(name="Clerk", modelId=None, askWrites=False)
    page = opened(inside, bench.session(agent))
    expect(page).to_have_url(re.compile("/chat/thr-"))
    expect(page.get_by_role("heading", level=1)).to_have_text("New conversation")
    expect(page.get_by_text("Works by rules, not AI")).to_be_visible()
    page.keyboard.press("/")
    expect(box(page)).to_be_focused()
    page.keyboard.type("Put “Call Kim” on my task list")
    expect(
        page.get_by_text(re.compile(r"About [\d,]+ tokens with Offline: \$0\.00"))
    ).to_be_visible()
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("Thank you")
    page.keyboard.press("Enter")
    expect(log(page).get_by_role("article", name="You")).to_contain_text("list\nThank you")
    expect(box(page)).to_have_value("")
    stands(page, "Done")
    line = log(page).get_by_role("list", name="What it did").last
    expect(line).to_contain_text("Create a task")
    expect(line).to_contain_text("allowed")
    line.get_by_role("button", name="Create a task").click()
    expect(line.get_by_role("region", name="What it answered")).to_contain_text("Call Kim")
    expect(line.get_by_role("link", name="See what was done")).to_be_visible()
    expect(log(page)).to_contain_text(re.compile(r"[1-9][\d,]* tokens · offline"))
    beside = details(page)
    expect(beside).to_contain_text(re.compile(r"[1-9][\d,]* tokens · \$0\.00"))
    expect(beside).to_contain_text("by you")
    beside.get_by_text("What it was told").click()
    expect(beside.get_by_text("You are Clerk", exact=False).first).to_be_visible()


@pytest.mark.req("UI-02")
def test_words_show_while_they_are_written_more_can_be_said_and_all_is_stopped(
    inside: BrowserContext, bench: Bench, model: ModelServer
):
    id = bench.session(bench.agent())
    page = opened(inside, id)
    say(page, "Give me half")
    writing = log(page).get_by_role("article", name="Researcher")
    # The model says no more than this, so it can only have come while it was written.
    expect(writing).to_contain_text("Here is half of")
    expect(writing.locator("strong")).to_have_text("half")
    stands(page, "Working · step 1 of 20")
    say(page, "And the other half")
    expect(log(page).get_by_role("article", name="You")).to_have_count(2)
    expect(writing).to_contain_text("Here is half of")
    model.left_alone.clear()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(log(page).get_by_text("Stopped by Olive", exact=False)).to_be_visible()
    assert model.left_alone.wait(30)
    expect(writing).to_have_count(0)
    assert bench.read(id)["status"] == "cancelled"
    say(page, "Say hello instead")
    expect(log(page)).to_contain_text("Done after 0.")


def test_what_is_typed_while_earlier_words_are_on_their_way_stays(
    inside: BrowserContext, bench: Bench
):
    page = opened(inside, bench.session(bench.agent()))
    sent: list[Route] = []

    def hold(route: Route) -> None:
        sent.append(route)

    page.route("**/messages", hold)
    box(page).fill("Say hello")
    box(page).press("Enter")
    wait_on(page, lambda: sent)
    box(page).press_sequentially(" and more")
    sent[0].continue_()
    expect(box(page)).to_have_value("and more")
    stands(page, "Done")


@pytest.mark.req("GATE-09")
def test_what_waits_is_allowed_by_a_key_on_its_card_and_the_run_goes_on(
    inside: BrowserContext, bench: Bench, model: ModelServer
):
    id = bench.session(bench.agent())
    page = opened(inside, id)
    say(page, "Write a note")
    card = page.get_by_role("region", name="Asked: Create a file")
    expect(card.get_by_role("heading")).to_have_text("Create a file: Files/notes/x.md")
    expect(card).to_contain_text("Buy ink")
    expect(card).to_contain_text("asks before everything that it changes")
    stands(page, "Waiting for you")
    page.keyboard.press("a")  # this is typed
    expect(box(page)).to_have_value("a")
    box(page).fill("")
    page.keyboard.press("Escape")
    expect(card).to_be_focused()
    page.keyboard.press("a")
    expect(log(page)).to_contain_text("Done after 1.")
    expect(card).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    stands(page, "Done")
    expect(log(page).get_by_role("list", name="What it did")).to_contain_text("a person said yes")
    expect(details(page)).to_contain_text("Files changed")
    page.keyboard.press("Escape")
    call = {"arguments": {"path": NOTE["path"]}}
    tools = f"{API}/workspaces/{bench.workspace_id}/tools"
    assert "Buy ink" in bench.owner.post(f"{tools}/read_file", json=call).text

    say(page, "Another note")
    page.get_by_role("button", name="Deny with a note").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Note", exact=True).fill("One is enough")
    dialog.get_by_role("button", name="Deny", exact=True).click()
    expect(log(page)).to_contain_text("A person said no")
    stands(page, "Done")
    assert "One is enough" in json.dumps(model.requests[-1].messages)


def test_a_blocked_call_says_why_and_a_failure_goes_on_when_asked(
    inside: BrowserContext, bench: Bench, model: ModelServer
):
    id = bench.session(bench.agent(), "Please look")
    page = opened(inside, id)
    deeds = log(page).get_by_role("list", name="What it did").get_by_role("listitem")
    expect(deeds.nth(1)).to_contain_text("Delete a file")
    expect(deeds.nth(1)).to_contain_text("blocked")
    expect(deeds.nth(1)).to_contain_text("capability")
    stands(page, "Done")
    model.turns.append(fails(401, text="Your key is bad."))
    say(page, "Once more")
    expect(page.get_by_text("Your key is bad.", exact=False)).to_be_visible()
    stands(page, "It did not get through")
    page.get_by_role("button", name="Go on").click()
    stands(page, "Done")
    expect(page.get_by_role("button", name="Go on")).to_have_count(0)
    expect(log(page).get_by_role("article", name="Researcher").last).to_contain_text("Done after")


def test_whatever_an_agent_writes_stays_words(inside: BrowserContext, bench: Bench):
    asked: list[str] = []
    inside.on("request", lambda request: asked.append(request.url))
    page = opened(inside, bench.session(bench.agent()))
    say(page, "Be hostile")
    said = log(page).get_by_role("article", name="Researcher")
    stands(page, "Done")
    expect(said).to_contain_text("<img src=x onerror=window.hacked=1>")
    expect(said).to_contain_text("[click me](javascript:window.hacked=2)")
    expect(said).to_contain_text("<script>window.hacked=3</script>")
    expect(said.locator("strong")).to_have_text("bold")
    expect(said.locator("img, script, b")).to_have_count(0)
    links = said.get_by_role("link")
    expect(links).to_have_count(3)
    targets = [link.get_attribute("href") for link in links.all()]
    assert targets == [
        "https://example.com/way",
        "https://evil.example/a.png",
        "https://evil.example/login",
    ]
    for link in links.all():
        assert "noopener" in (link.get_attribute("rel") or "")
    # One that says it leads to the bank shows where it leads.
    expect(said).to_contain_text("https://bank.example (evil.example)")
    expect(said.get_by_title("right-to-left override")).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert not [url for url in asked if "evil.example" in url]


@pytest.mark.long
def test_an_agent_that_asks_another_shows_whom_and_leads_there(
    inside: BrowserContext, bench: Bench
):
    helper = bench.agent(name="Helper")
    lead = bench.agent(name="Director", kind="director", colleagues=[helper])
    page = opened(inside, bench.session(lead, "Ask your colleague"))
    deed = log(page).get_by_role("list", name="What it did")
    expect(deed).to_contain_text("Ask Helper")
    stands(page, "Done")
    expect(details(page).get_by_role("link", name="Helper")).to_be_visible()
    page.keyboard.press("Escape")
    looks_right(page, "a session with another in it")
    deed.get_by_role("link", name="See its session").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Helper")
    asked = log(page).get_by_role("article", name="The agent that asked")
    expect(asked).to_contain_text("Be brief")
    expect(page.get_by_text("Another agent leads this session.")).to_be_visible()
    expect(box(page)).to_have_count(0)
    details(page).get_by_role("link", name="The session that asked for it").click()
    expect(page).to_have_url(re.compile("/chat/thr-"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Ask your colleague")


def test_a_session_is_accessible_and_fits(inside: BrowserContext, bench: Bench):
    agent = bench.agent()
    page = tab(inside, PHONE, "light")
    settled(page, f"/sessions/{bench.session(agent)}")
    say(page, "Be hostile")
    stands(page, "Done")
    say(page, "Please look around")
    expect(log(page)).to_contain_text("blocked")
    stands(page, "Done")
    log(page).get_by_role("button", expanded=False).first.click()
    looks_right(page, "a conversation")
    settled(page, f"/sessions/{bench.session(agent, 'Write a note')}")
    expect(page.get_by_role("button", name="Allow:")).to_be_visible()
    looks_right(page, "a session that asks")
    expect(details(page)).to_contain_text("Waiting for you")
    looks_right(page, "the details")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(log(page).get_by_text("Stopped by")).to_be_visible()
    looks_right(page, "a session that was stopped")
    settled(page, "/sessions/run-000000000000")
    expect(page.get_by_role("alert")).to_contain_text("could not be read")


@pytest.mark.req("GATE-28")
def test_what_the_model_saw_stands_beneath_what_was_typed(
    inside: BrowserContext, bench: Bench, model: ModelServer
):
    page = opened(inside, bench.session(bench.agent()))
    say(page, "Pay with my card 4111 1111 1111 1111, please.")
    stands(page, "Done")
    own = log(page).get_by_role("article", name="You").first
    expect(own).to_contain_text("4111 1111 1111 1111, please.")
    expect(own).to_contain_text("The model saw: Pay with my card [CARD], please.")
    expect(own.get_by_role("mark")).to_have_text("[CARD]")
    theirs = log(page).get_by_role("article", name="Researcher").first
    expect(theirs).not_to_contain_text("The model saw")
    say(page, "Thank you for the card.")
    expect(theirs).to_contain_text("The model saw: Is it [IBAN] that gets it?")
    assert "4111 1111 1111 1111" not in json.dumps([each.body for each in model.requests])
    page.set_viewport_size(PHONE)
    looks_right(page, "what the model saw")


@pytest.mark.req("MODEL-06")
@pytest.mark.parametrize("size", [None, PHONE], ids=["desk", "phone"])
def test_a_picture_is_attached_taken_away_sent_and_seen(
    inside: BrowserContext, bench: Bench, size: Any
):
    id = bench.session(bench.agent())
    page = opened(inside, id)
    if size:
        page.set_viewport_size(size)
    made = io.BytesIO()
    Image.new("RGB", (600, 400), "teal").save(made, "PNG")
    picture = {"name": "roof.png", "mimeType": "image/png", "buffer": made.getvalue()}
    note = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"Call Ada."}
    page.get_by_label("Files", exact=True).set_input_files([picture, note])
    chosen = page.get_by_role("list", name="Attached to your message")
    expect(chosen.get_by_role("listitem")).to_have_count(2)
    chosen.get_by_role("button", name="Remove note.txt").click()
    expect(chosen.get_by_role("listitem")).to_have_count(1)
    looks_right(page, "a message with a picture")
    say(page, "What is this?")
    expect(chosen).to_have_count(0)
    shown = page.get_by_role("list", name="Files", exact=True)
    expect(shown.get_by_text("The model got its name alone")).to_be_visible()
    shown.locator("img").evaluate("img => img.decode()")
    looks_right(page, "a session with a picture")
