"""Prompts, as a person writes them: by mouse and by keyboard, on a desk and on a phone."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import tab, take_back
from e2e.sample import Furnished
from e2e.test_every_page import PHONE, looks_right, settled
from support.office import API

pytestmark = pytest.mark.req("AGENT-02", "UI-01")
SYSTEM = {"role": "system", "content": "You answer {{email}} for {{user}}."}
ASKED = {"role": "user", "content": "Second words"}


@pytest.fixture
def prompt(office: Furnished) -> Iterator[dict[str, Any]]:
    """A prompt, and nothing of it or made from it afterwards."""
    body = {"workspaceId": office.workspace_id, "name": "Complaints", "messages": [SYSTEM, ASKED]}
    made = office.owner.post(f"{API}/prompts", json=body)
    assert made.status_code == 201, made.text
    yield made.json()
    for path in ("prompts", "prompt-templates"):
        for item in office.owner.get(f"{API}/{path}").json()["items"]:
            if not item.get("builtIn"):
                office.owner.delete(f"{API}/{path}/{item['id']}")


def saved(office: Furnished, id: str) -> dict[str, Any]:
    return office.owner.get(f"{API}/prompts/{id}").json()


def message(page: Page, number: int) -> Locator:
    return page.get_by_role("textbox", name=f"Message {number}", exact=True)


def preview(page: Page) -> Locator:
    return page.get_by_role("region", name="Preview").first


def opened(inside: BrowserContext, prompt: dict[str, Any]) -> Page:
    page = inside.new_page()
    settled(page, f"/prompts/{prompt['id']}")
    return page


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("is saved.")).to_be_visible()


def test_messages_are_written_added_moved_by_keyboard_and_deleted_with_a_way_back(
    inside: BrowserContext, office: Furnished, prompt: dict[str, Any]
):
    page = opened(inside, prompt)
    page.get_by_role("button", name="Move message 1").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("The message would be number 1 of 2")).to_be_attached()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_text("The message would be number 2 of 2")).to_be_attached()
    page.keyboard.press("Space")
    expect(message(page, 1)).to_have_value(ASKED["content"])

    page.get_by_role("button", name="Add a message").click()
    message(page, 3).fill("Dear ")
    page.get_by_role("combobox", name="Who says message 3").select_option("Assistant")
    page.get_by_role("button", name="Insert a variable into message 3").click()
    page.get_by_role("menuitem", name="{{workspace}}").click()
    expect(message(page, 3)).to_have_value("Dear {{workspace}}")
    expect(message(page, 3)).to_be_focused()
    page.keyboard.type("!")

    page.get_by_role("button", name="More for message 1").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(message(page, 1)).to_have_value(SYSTEM["content"])
    take_back(page, "Message 1 is deleted.")
    expect(message(page, 1)).to_have_value(ASKED["content"])

    page.get_by_role("button", name="Add an example").click()
    page.get_by_role("textbox", name="Example 1").fill("Hello")
    expect(preview(page)).to_contain_text("System (example)Hello")
    save(page)
    after = saved(office, prompt["id"])
    answer = {"role": "assistant", "content": "Dear {{workspace}}!"}
    assert after["messages"] == [ASKED, SYSTEM, answer]
    assert after["imprint"] == [{"role": "system", "content": "Hello"}]


def test_the_preview_follows_the_words_and_their_values(
    inside: BrowserContext, prompt: dict[str, Any]
):
    page = opened(inside, prompt)
    expect(preview(page)).to_contain_text("no value: email")
    expect(preview(page)).to_contain_text("You answer {{email}} for Olive Owner.")
    page.get_by_label("{{email}}").fill("{{user}} <b>bold</b>")
    expect(preview(page)).to_contain_text("You answer {{user}} <b>bold</b> for Olive Owner.")
    expect(preview(page)).not_to_contain_text("no value")
    message(page, 2).fill("On {{weekday}} and {{place}}")
    expect(preview(page)).to_contain_text("On Sunday and {{place}}")
    expect(preview(page)).to_contain_text("no value: place")


@pytest.mark.long
def test_what_is_not_saved_is_kept_while_one_looks_elsewhere(
    inside: BrowserContext, office: Furnished, prompt: dict[str, Any]
):
    page = opened(inside, prompt)
    message(page, 1).fill("Half a thought")
    page.get_by_role("link", name="Home").first.click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Prompts")
    page.get_by_role("link", name="Prompts").first.click()
    listed = page.get_by_role("list", name="Prompts").get_by_role("listitem")
    expect(listed).to_contain_text(["Complaintsunsaved"])
    page.get_by_role("link", name="Complaints").click()
    expect(message(page, 1)).to_have_value("Half a thought")
    assert saved(office, prompt["id"])["messages"][0] == SYSTEM
    page.get_by_role("button", name="Drop changes").click()
    expect(message(page, 1)).to_have_value(SYSTEM["content"])
    take_back(page, "Your changes are dropped.")
    expect(message(page, 1)).to_have_value("Half a thought")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("“Complaints” is saved.")).to_be_visible()
    assert saved(office, prompt["id"])["messages"][0]["content"] == "Half a thought"


@pytest.mark.parametrize(
    "choice", [pytest.param("Take theirs", marks=pytest.mark.long), "Keep mine"]
)
def test_two_people_who_write_on_the_same_prompt_choose_whose_words_stay(
    inside: BrowserContext, office: Furnished, prompt: dict[str, Any], choice: str
):
    page = opened(inside, prompt)
    message(page, 1).fill("Mine")
    theirs = {"name": "Complaints", "messages": [{**SYSTEM, "content": "Theirs"}], "revision": 1}
    changed = office.owner.put(f"{API}/prompts/{prompt['id']}", json=theirs)
    assert changed.status_code == 200
    meanwhile = "Someone else changed this prompt meanwhile"
    expect(page.get_by_role("alert").filter(has_text=meanwhile)).to_be_visible()
    expect(message(page, 1)).to_have_value("Mine")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    page.get_by_role("button", name=choice).click()
    expect(page.get_by_role("button", name=choice)).to_have_count(0)
    if choice == "Take theirs":
        expect(message(page, 1)).to_have_value("Theirs")
        expect(message(page, 2)).to_have_count(0)
    else:
        save(page)
        assert saved(office, prompt["id"])["messages"][0]["content"] == "Mine"


def test_what_is_missing_is_said_where_it_is_missing(
    inside: BrowserContext, office: Furnished, prompt: dict[str, Any]
):
    page = inside.new_page()
    settled(page, "/prompts/new")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("A name is needed")).to_be_visible()
    expect(page.get_by_text("Write something, or delete the message")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("complaints")
    page.get_by_label("Workspace", exact=True).select_option("Bookkeeping")
    message(page, 1).fill("Words")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("There is already a prompt of this name")).to_be_visible()
    assert len(office.owner.get(f"{API}/prompts").json()["items"]) == 1


@pytest.mark.req("AGENT-03")
def test_a_prompt_starts_from_a_template_and_becomes_one(
    inside: BrowserContext, office: Furnished, prompt: dict[str, Any]
):
    page = inside.new_page()
    settled(page, "/prompts")
    page.get_by_role("link", name="Mood reader").click()
    expect(page.get_by_text("This comes with Bailiwick")).to_be_visible()
    expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Use this template").click()
    expect(message(page, 1)).to_have_value(re.compile("You read how a message is meant"))
    page.get_by_label("Name", exact=True).fill("Tone of voice")
    page.get_by_label("Workspace", exact=True).select_option("Bookkeeping")
    save(page)
    expect(page).to_have_url(re.compile("/prompts/prm-"))
    page.get_by_role("button", name="More for Tone of voice").click()
    page.get_by_role("menuitem", name="Save as template").click()
    expect(page.get_by_text("“Tone of voice” is a template now.")).to_be_visible()
    expect(page).to_have_url(re.compile("/prompts/templates/prm-"))
    templates = office.owner.get(f"{API}/prompt-templates").json()["items"]
    assert templates[0]["name"] == "Tone of voice"


def test_the_pages_of_prompts_are_accessible_and_fit(
    inside: BrowserContext, prompt: dict[str, Any]
):
    page = tab(inside, PHONE, "light")
    for path in ("/prompts", "/prompts/new", "/prompts/templates/builtin:summariser"):
        settled(page, path)
        looks_right(page, path)
    settled(page, f"/prompts/{prompt['id']}")
    expect(preview(page)).to_contain_text("no value: email")
    message(page, 1).fill("")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Write something")).to_be_visible()
    looks_right(page, "a prompt with a fault")
    page.get_by_role("button", name="Insert a variable into message 1").click()
    expect(page.get_by_role("menuitem", name="{{date}}")).to_be_visible()
    looks_right(page, "the menu of variables")
    page.get_by_role("menuitem", name="{{date}}").click()
    expect(page.get_by_role("list", name="Prompts")).to_be_hidden()
    page.get_by_role("link", name="← All prompts").click()
    expect(page.get_by_role("list", name="Prompts")).to_be_visible()
