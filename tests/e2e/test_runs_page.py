"""Runs as a person follows them: the list, the steps of one, and two side by side."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import tab
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
from support.server import wait_for

pytestmark = pytest.mark.req("UI-01")

PROMPT = "You keep the plans of {{user}}."
HOSTILE = "Greet <img src=x onerror=alert(1)> \u202e me"
USED = (2000, 500)


@dataclass
class Crew:
    """Agents that think with a model which says what these tests want."""

    office: Furnished
    model: ModelServer
    model_id: str
    agents: dict[str, str]

    def read(self, id: str) -> dict[str, Any]:
        return self.office.owner.get(f"{API}/sessions/{id}").json()

    def ask(self, words: str, *, agent: str = "Planner", until: str = "completed") -> str:
        """A run that has come as far as `until`."""
        made = _post(self.office, f"agents/{self.agents[agent]}/sessions", content=words)
        wait_for(lambda: self.read(made["id"])["status"] == until)
        return made["id"]


def answer(request: Request) -> Turn:
    """What the model says, by what it was asked and how far that went."""
    said, done = request.last, len(request.results)
    if "Refuse" in said:
        return fails(401, text="no such key")
    if "Write it down" in said and not done:
        page = {"path": "Files/crew.md", "content": "Call the bank"}
        return calls("create_file", page, usage=USED)
    if "Sum up" in said:
        return _summing_up(request, done)
    if "Colleague" in said and not done:
        tool = next(name for name in request.tools if name.startswith("agent__"))
        return calls(tool, {"input": "Is all well?"})
    tone = "gruff" if "gruff" in request.system else "kind"
    return says(f"I am {tone} and have nothing to do.", usage=USED)


def _summing_up(request: Request, done: int) -> Turn:
    if done == 0:
        both = (Call("read_file", {"path": "Files/plan.txt"}), Call("list_files", {"path": ""}))
        return Turn("I look at the plan first.", calls=both, usage=USED)
    if done == 2:
        return calls("delete_file", {"path": "Files/plan.txt"}, usage=USED)
    return says(f"The plan of {request.last.split()[-1]} has three days.", usage=USED)


@pytest.fixture(scope="module")
def crew(office: Furnished) -> Iterator[Crew]:
    """Agents for this file, which are gone afterwards."""
    with serving_model(answer) as model:
        config = {"provider": "compatible", "baseUrl": model.base_url, "key": "sk-test"}
        price = {"inputPrice": 1_000_000, "outputPrice": 1_000_000}
        id = _post(office, "models", name="Crew", model="scripted-1", **config, **price)["id"]
        given = {"workspaceId": office.workspace_id, "modelId": id, "scope": {"notebooks": ["*"]}}
        helper = _post(office, "agents", name="Helper", **given)["id"]
        planner = _post(
            office,
            "agents",
            name="Planner",
            canCreate=True,
            colleagues=[helper],
            prompt=[{"role": "system", "content": PROMPT}],
            **given,
        )["id"]
        asker = _post(office, "agents", name="Asker", canCreate=True, askWrites=True, **given)["id"]
        yield Crew(office, model, id, {"Planner": planner, "Helper": helper, "Asker": asker})
        for agent in (helper, planner, asker):
            office.owner.delete(f"{API}/agents/{agent}")
        office.owner.delete(f"{API}/models/{id}")


def _post(office: Furnished, path: str, **body: object) -> dict[str, Any]:
    made = office.owner.post(f"{API}/{path}", json=body)
    assert made.is_success, made.text
    return made.json()


def opened(context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    settled(page, path)
    return page


def step(page: Page, number: int) -> Locator:
    heading = page.get_by_role("heading", name=f"Step {number}", exact=True)
    return page.get_by_role("listitem").filter(has=heading)


@pytest.mark.req("UI-02", "MODEL-03", "RUN-06")
def test_the_list_shows_how_runs_stand_and_keeps_itself_up_to_date(
    inside: BrowserContext, crew: Crew
):
    page = opened(inside, "/runs")
    rows = page.get_by_role("table", name="Runs").get_by_role("row")
    waits = crew.ask("Write it down, this one waits", agent="Asker", until="waiting")
    row = rows.filter(has_text="this one waits")
    expect(row).to_contain_text("waiting")
    crew.ask("Say hello to the list")
    fresh = rows.filter(has_text="hello to the list")
    for text in ("Planner", "Olive", "done", "2,500", "$0.0025"):
        expect(fresh).to_contain_text(text)

    page.keyboard.press("/")
    expect(page.get_by_label("How it stands")).to_be_focused()
    page.get_by_label("How it stands").select_option("Not over yet")
    expect(fresh).to_have_count(0)
    expect(row).to_be_visible()
    page.get_by_label("Which agent").select_option("Helper")
    expect(page.get_by_text("There is no such run")).to_be_visible()
    page.get_by_role("link", name="Show everything").click()
    page.get_by_label("Which kind").select_option("Replay")
    expect(fresh).to_have_count(0)
    page.get_by_label("Which kind").select_option("Conversation")
    expect(fresh).to_be_visible()

    row.get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/runs/{waits}$"))
    expect(page.get_by_role("link", name="Answer it").first).to_be_visible()
    page.get_by_role("button", name="Cancel…").click()
    page.get_by_role("button", name="End the run").click()
    facts = page.get_by_role("complementary", name="About this run")
    expect(facts).to_contain_text("Someone ended it")
    expect(page.get_by_role("button", name="Cancel…")).to_have_count(0)


@pytest.mark.req("RUN-03", "RUN-06", "MODEL-03")
def test_the_timeline_has_each_steps_verdicts_rules_figures_and_attempts(
    inside: BrowserContext, crew: Crew
):
    crew.model.turns.append(fails(503, text="overloaded"))
    page = opened(inside, f"/runs/{crew.ask('Sum up the plan of Olive')}")
    first = step(page, 1)
    expect(first).to_contain_text("I look at the plan first.")
    reading = first.get_by_role("listitem").filter(has_text="Read a file")
    expect(reading).to_contain_text("Files/plan.txt")
    expect(reading.locator("[data-verdict=allowed]")).to_have_text("allowed")
    expect(reading.get_by_role("link", name="Let agents read")).to_be_visible()
    reading.get_by_role("button", name="Read a file").click()
    expect(reading.get_by_role("region", name="What it answered")).to_contain_text("call the bank")

    deleting = step(page, 2).get_by_role("listitem").filter(has_text="Delete a file")
    expect(deleting.locator("[data-verdict=blocked]")).to_have_text("blocked")
    expect(deleting).to_contain_text("does not have the capability 'delete'")

    model = first.get_by_role("button", name="Model, 2 attempts")
    expect(model).to_contain_text("2,000 tokens in, 500 out · $0.0025")
    model.click()
    expect(first).to_contain_text("error 503")
    first.get_by_role("button", name="What was sent").first.click()
    expect(first.get_by_role("region", name="What was sent")).to_contain_text(
        "You keep the plans of Olive"
    )
    facts = page.get_by_role("complementary", name="About this run")
    for text in ("done", "Olive", "scripted-1", "7,500 tokens", "$0.0075", "conversation"):
        expect(facts).to_contain_text(text)
    expect(page.get_by_role("link", name="Talk")).to_have_attribute(
        "href", re.compile("/sessions/run-")
    )


@pytest.mark.req("RUN-04")
def test_what_failed_goes_on_and_a_step_is_tried_again(inside: BrowserContext, crew: Crew):
    failed = crew.ask("Refuse, please", until="failed")
    page = opened(inside, f"/runs/{failed}")
    facts = page.get_by_role("complementary", name="About this run")
    expect(facts).to_contain_text("No model answered")
    expect(step(page, 1)).to_contain_text("The model gave no answer: no such key")
    crew.model.turns.append(says("Here I am again."))
    page.get_by_role("button", name="Go on").click()
    expect(step(page, 1)).to_contain_text("Here I am again.")
    expect(facts).to_contain_text("done")

    crew.model.turns.append(says("Another answer."))
    page.get_by_role("button", name="Try again from step 1").click()
    expect(page).not_to_have_url(re.compile(failed))
    expect(step(page, 1)).to_contain_text("Another answer.")
    expect(facts).to_contain_text("another try")
    page.get_by_role("link", name="Compare the two").click()
    expect(page).to_have_url(re.compile(rf"/runs/{failed}/compare\?with=run-"))
    expect(page.get_by_role("insertion").filter(has_text="Another answer")).to_be_visible()


@pytest.mark.req("RUN-04")
def test_a_replay_with_another_prompt_is_compared_word_by_word(inside: BrowserContext, crew: Crew):
    run = crew.ask("Say how you are")
    page = opened(inside, f"/runs/{run}")
    page.get_by_role("button", name="Replay…").click()
    dialog = page.get_by_role("dialog", name="Replay this run")
    dialog.get_by_role("switch", name="Change what it is told").check()
    message = dialog.get_by_role("textbox", name="Message 1")
    expect(message).to_have_value(PROMPT)
    message.fill("You are gruff.")
    dialog.get_by_role("button", name="Replay", exact=True).click()

    expect(page).to_have_url(re.compile(rf"/runs/{run}/compare\?with=run-"))
    expect(page.get_by_role("deletion").filter(has_text=re.compile("kind"))).to_be_visible()
    expect(page.get_by_role("insertion").filter(has_text="gruff").last).to_be_visible()
    # What both said is not marked.
    expect(page.get_by_role("insertion").filter(has_text="nothing to do")).to_have_count(0)
    totals = page.get_by_role("table", name="Totals")
    expect(totals.get_by_role("row", name="Tokens")).to_contain_text("same")
    same = page.get_by_role("button", name="1 message is the same in both")
    same.last.click()
    expect(page.get_by_role("list", name="Side by side")).to_contain_text("Say how you are")
    replay = crew.office.owner.get(f"{API}/runs", params={"kind": "replay"}).json()["items"][0]
    assert replay["forkedFrom"] == run
    kept = crew.office.owner.get(f"{API}/agents/{crew.agents['Planner']}").json()
    assert kept["prompt"][0]["content"] == PROMPT


def test_the_pages_are_accessible_and_show_strangers_words_as_text(
    inside: BrowserContext, crew: Crew
):
    left, right = crew.ask("Sum up the plan of Ines"), crew.ask(HOSTILE + "x" * 300)
    page = tab(inside, PHONE, "dark")
    settled(page, "/runs")
    expect(page.get_by_role("row").filter(has_text="<img src=x")).not_to_have_count(0)
    looks_right(page, "/runs")
    settled(page, f"/runs/{right}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("[U+202E]")
    looks_right(page, "a run with a stranger's words")
    page.get_by_role("button", name="Replay…").click()
    page.get_by_role("switch", name="Change what it is told").check()
    expect(page.get_by_role("textbox", name="Message 1")).to_be_visible()
    looks_right(page, "the replay dialog")
    settled(page, f"/runs/{left}")
    for name in ("What it was told", "Read a file", "Model"):
        page.get_by_role("button", name=name).first.click()
    expect(page.get_by_role("region", name="What it answered")).to_be_visible()
    looks_right(page, "a run, unfolded")
    settled(page, f"/runs/{left}/compare?with={right}")
    expect(page.get_by_role("table", name="Totals")).to_be_visible()
    looks_right(page, "two runs")
    assert page.locator("main img").count() == 0
