"""Agents, as a person makes them: from a preset, within real folders, with a way back."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import tab, take_back, wait_on
from e2e.sample import Furnished
from e2e.test_every_page import PHONE, looks_right, settled
from support.office import API

pytestmark = pytest.mark.req("AGENT-01", "UI-01")
SYSTEM = {"role": "system", "content": "You keep the minutes."}


@pytest.fixture
def nobody(office: Furnished) -> Iterator[None]:
    """No agent before, and none afterwards."""
    yield
    for item in office.owner.get(f"{API}/agents").json()["items"]:
        office.owner.delete(f"{API}/agents/{item['id']}")


@pytest.fixture
def agent(office: Furnished, nobody: None) -> dict[str, Any]:
    """An agent of the owner's that everybody in the workspace may use."""
    return made(office, name="Clerk", prompt=[SYSTEM], scope={"notebooks": ["Files"]}, shared=True)


def made(office: Furnished, **body: Any) -> dict[str, Any]:
    answer = office.owner.post(f"{API}/agents", json={"workspaceId": office.workspace_id, **body})
    assert answer.status_code == 201, answer.text
    return answer.json()


def saved(office: Furnished, id: str) -> dict[str, Any]:
    return office.owner.get(f"{API}/agents/{id}").json()


def opened(inside: BrowserContext, agent: dict[str, Any]) -> Page:
    page = inside.new_page()
    settled(page, f"/agents/{agent['id']}")
    return page


def short(page: Page) -> Locator:
    return page.get_by_role("region", name="In short")


def box(page: Page, name: str) -> Locator:
    return page.get_by_role("checkbox", name=name)


def more(page: Page, item: str) -> None:
    page.get_by_role("button", name="More for Clerk", exact=True).click()
    page.get_by_role("menuitem", name=item).click()


@pytest.mark.req("AGENT-03", "GATE-03")
def test_an_agent_is_made_from_a_preset_for_chosen_folders_and_tools(
    inside: BrowserContext, office: Furnished, nobody: None
):
    file = {"arguments": {"path": "Files/Letters/2026/a.txt", "content": "Dear Kim"}}
    tools = f"{API}/workspaces/{office.workspace_id}/tools"
    assert office.owner.post(f"{tools}/create_file", json=file).is_success
    page = inside.new_page()
    settled(page, "/agents")
    expect(page.get_by_text("No agent works here yet")).to_be_visible()
    page.get_by_role("link", name="Organiser").click()
    page.get_by_label("Workspace", exact=True).select_option("Bookkeeping")
    page.get_by_label("Name", exact=True).fill("Filing clerk")
    expect(short(page)).to_contain_text("in all folders.")
    expect(short(page)).to_contain_text("can never change things, delete, act")

    box(page, "All folders that are open here").uncheck()
    expect(short(page)).to_contain_text("in no folder.")
    page.get_by_text("Only some folders").click()
    page.get_by_role("button", name="Folders in Files").click()
    page.get_by_role("button", name="Folders in Letters").click()
    box(page, "2026").check()
    expect(short(page)).to_contain_text("in Files, only beneath Letters/2026.")
    box(page, "Letters").check()
    expect(short(page)).to_contain_text("in Files, only beneath Letters.")
    expect(box(page, "2026")).to_be_checked()
    expect(box(page, "2026")).to_be_disabled()
    page.get_by_text(".txt", exact=True).click()
    expect(short(page)).to_contain_text("only .txt files.")

    line = page.get_by_role("listitem").filter(has=box(page, "Delete a file"))
    expect(line).to_contain_text("Out of reach: it may not delete")
    box(page, "It may delete").check()
    expect(line).not_to_contain_text("Out of reach")
    box(page, "Delete a file").check()
    page.get_by_role("button", name="Make the agent").click()
    expect(page.get_by_text("“Filing clerk” is saved.")).to_be_visible()
    expect(page).to_have_url(re.compile("/agents/agt-"))

    (agent,) = office.owner.get(f"{API}/agents").json()["items"]
    assert agent["workspaceId"] == office.workspace_id
    assert agent["canDelete"]
    assert not agent["canExecuteCode"]
    scope = agent["scope"]
    assert (scope["notebooks"], scope["folders"]) == (["Files"], ["Letters/**"])
    assert scope["fileTypes"] == ["*.txt"]
    assert "delete_file" in scope["tools"]
    assert "create_task" not in scope["tools"]
    assert agent["modelId"] is None
    page.get_by_role("link", name="Agents").first.click()
    row = page.get_by_role("list", name="Agents").get_by_role("listitem")
    expect(row).to_contain_text("delete, in Files, only beneath Letters, only .txt files")
    expect(row).to_contain_text("Rules, not AI")


def test_what_is_wrong_is_said_at_its_field_and_nothing_typed_is_lost(
    inside: BrowserContext, office: Furnished, agent: dict[str, Any]
):
    page = inside.new_page()
    settled(page, "/agents/new?preset=blank")
    page.get_by_role("button", name="Make the agent").click()
    expect(page.get_by_text("A name is needed")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.get_by_label("Name", exact=True).fill("clerk")
    page.get_by_label("Workspace", exact=True).select_option("Bookkeeping")
    page.get_by_label("Steps a run").fill("")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("A number is needed, at most 200")).to_be_visible()
    page.get_by_label("Steps a run").fill("7")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("There is an agent called 'clerk' already")).to_be_visible()
    page.get_by_role("link", name="Home").first.click()
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("New agent")
    page.go_back()
    expect(page.get_by_label("Name", exact=True)).to_have_value("clerk")
    expect(page.get_by_label("Steps a run")).to_have_value("7")
    assert len(office.owner.get(f"{API}/agents").json()["items"]) == 1


@pytest.mark.long
def test_two_people_who_change_the_same_agent_choose_whose_changes_stay(
    inside: BrowserContext, office: Furnished, agent: dict[str, Any]
):
    page = opened(inside, agent)
    about = page.get_by_label("What it is for")
    conflict = page.get_by_role("alert").filter(has_text="Someone else changed this agent")
    about.fill("Mine")
    office.owner.post(f"{API}/agents/{agent['id']}/activate?active=false")
    expect(page.get_by_role("switch", name="Switched on")).not_to_be_checked()
    expect(conflict).to_have_count(0)  # the switch is no part of what was typed

    for description, choice in (("Theirs", "Take theirs"), ("Theirs again", "Keep mine")):
        about.fill("Mine")
        config = ("name", "prompt", "scope", "shared", "isActive")
        body = {name: saved(office, agent["id"])[name] for name in config}
        body["description"] = description
        assert office.owner.put(f"{API}/agents/{agent['id']}", json=body).is_success
        expect(conflict).to_be_visible()
        expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
        page.get_by_role("button", name=choice).click()
        expect(conflict).to_have_count(0)
        expect(about).to_have_value("Theirs" if choice == "Take theirs" else "Mine")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("“Clerk” is saved.")).to_be_visible()
    after = saved(office, agent["id"])
    assert (after["description"], after["isActive"], after["shared"]) == ("Mine", False, True)
    assert after["prompt"] == [SYSTEM]


def test_an_agent_is_switched_copied_and_deleted_and_each_is_taken_back(
    inside: BrowserContext, office: Furnished, agent: dict[str, Any]
):
    page = inside.new_page()
    settled(page, "/agents")
    names = page.get_by_role("list", name="Agents").get_by_role("link").filter(has_text="Clerk")
    page.get_by_role("switch", name="Clerk is switched on").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("switched off", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Talk to Clerk")).to_be_disabled()
    take_back(page, "“Clerk” is switched off.")
    expect(page.get_by_role("button", name="Talk to Clerk")).to_be_enabled()
    more(page, "Duplicate")
    expect(page.get_by_role("heading", level=1)).to_have_text("Clerk (copy)")
    copies = office.owner.get(f"{API}/agents").json()["items"]
    assert [(one["name"], one["shared"]) for one in copies] == [
        ("Clerk", True),
        ("Clerk (copy)", False),
    ]
    take_back(page, "is a copy.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Clerk")
    more(page, "Delete")
    expect(page.get_by_text("No agent works here yet")).to_be_visible()
    take_back(page, "“Clerk” is deleted.")
    expect(names).to_have_text(["Clerk"])
    assert saved(office, agent["id"])["isActive"]


@pytest.mark.req("AGENT-04")
def test_a_key_is_set_and_forgotten_and_never_shown(
    inside: BrowserContext, office: Furnished, agent: dict[str, Any]
):
    page = opened(inside, agent)
    page.get_by_label("What it is for").fill("Not saved yet")
    expect(page.get_by_text("Set the key first")).to_be_visible()
    page.get_by_role("button", name="Set: API key").click()
    page.get_by_role("dialog").get_by_label("API key").fill("sk-hidden-words")
    page.get_by_role("button", name="Set it").click()
    expect(page.get_by_role("button", name="Forget: API key")).to_be_visible()
    assert saved(office, agent["id"])["credentials"] == ["api_key"]
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "sk-hidden" not in page.content()
    assert saved(office, agent["id"])["description"] == ""  # the key alone took effect
    page.get_by_role("button", name="Set: Address of the model").click()
    page.get_by_role("dialog").get_by_label("Address of the model").fill("ftp://example.com")
    page.get_by_role("button", name="Set it").click()
    expect(page.get_by_role("dialog").locator("[aria-invalid=true], [role=alert]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Forget: API key").click()
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_text("Set the key first")).to_be_visible()
    assert saved(office, agent["id"])["credentials"] == []
    # A new key makes a new revision, and is no reason to refuse what was typed before.
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("“Clerk” is saved.")).to_be_visible()


def test_the_pages_of_agents_are_accessible_and_fit(
    inside: BrowserContext, office: Furnished, agent: dict[str, Any]
):
    page = tab(inside, PHONE, "light")
    for path in ("/agents", "/agents/new", "/agents/new?preset=organiser"):
        settled(page, path)
        looks_right(page, path)
    made(office, name="Scribe")
    settled(page, f"/agents/{agent['id']}")
    page.get_by_text("Only some folders").click()
    page.get_by_role("button", name="Folders in Files").click()
    page.get_by_text("Only these").click()
    page.get_by_role("button", name="Places as patterns").click()
    page.get_by_label("Name", exact=True).fill("")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("A name is needed")).to_be_visible()
    looks_right(page, "an agent with a fault")
    page.get_by_role("combobox", name="Agents that it may ask").click()
    expect(page.get_by_role("option", name="Scribe")).to_be_visible()
    looks_right(page, "the list of colleagues")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Set: API key").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    looks_right(page, "the dialog for a key")


@pytest.mark.req("DIR-04")
def test_agents_are_moved_by_keys_and_by_their_menu_and_moved_back(
    inside: BrowserContext, office: Furnished, nobody: None
):
    for name in ("One", "Two", "Three"):
        made(office, name=name)

    def order() -> list[str]:
        return [item["name"] for item in office.owner.get(f"{API}/agents").json()["items"]]

    page = inside.new_page()
    settled(page, "/agents")
    page.get_by_role("button", name="Move “One”", exact=True).focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("“One” would be number 1 of 3")).to_be_attached()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_text("“One” would be number 2 of 3")).to_be_attached()
    page.keyboard.press("Space")
    expect(page.get_by_role("alert").filter(has_text="“One” is number 2")).to_be_visible()
    wait_on(page, lambda: order() == ["Two", "One", "Three"])
    page.get_by_role("button", name="More for Three", exact=True).click()
    page.get_by_role("menuitem", name="Move up").click()
    wait_on(page, lambda: order() == ["Two", "Three", "One"])
    take_back(page, "“Three” is number 2 now.")
    wait_on(page, lambda: order() == ["Two", "One", "Three"])


@pytest.mark.req("DIR-06")
def test_a_director_shows_its_mail_and_keeps_its_agents_in_their_order(
    inside: BrowserContext, office: Furnished, nobody: None
):
    agents = [made(office, name=name)["id"] for name in ("One", "Two")]
    director = made(
        office, name="Boss", kind="director", colleagues=agents, memoryAccess=agents[:1]
    )
    page = opened(inside, director)
    expect(page.get_by_text("Filters that lead to it")).to_be_visible()
    expect(page.get_by_text("None yet: no mail reaches it.")).to_be_visible()
    page.get_by_role("button", name="Move “One” down").click()
    page.get_by_role("button", name="Save", exact=True).click()
    wait_on(page, lambda: saved(office, director["id"])["colleagues"] == agents[::-1])
    assert saved(office, director["id"])["memoryAccess"] == agents[:1]
    looks_right(page, "a director")
    page.set_viewport_size(PHONE)
    looks_right(page, "a director on a phone")
