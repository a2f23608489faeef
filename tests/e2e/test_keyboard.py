"""Everything is there for those who only use the keyboard."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.conftest import press_quickly
from e2e.sample import Furnished
from e2e.test_every_page import settled
from support.office import API
from support.server import wait_for

pytestmark = pytest.mark.req("UI-01")


@pytest.fixture
def home(inside: BrowserContext) -> Page:
    """The first page, with nothing focused."""
    page = inside.new_page()
    settled(page, "/")
    return page


def focused(page: Page) -> str:
    """What has the focus, as a screen reader would call it."""
    return page.evaluate("document.activeElement.innerText || document.activeElement.value || ''")


@pytest.mark.req("UI-04")
def test_the_palette_goes_to_a_page_by_keyboard_alone(home: Page):
    home.keyboard.press("Control+k")
    field = home.get_by_role("combobox", name="Search pages and commands")
    expect(field).to_be_focused()
    home.keyboard.type("log-in")
    chosen = home.get_by_role("option", selected=True)
    expect(chosen).to_have_text(re.compile("Log-in providers"))
    active = field.get_attribute("aria-activedescendant")
    assert active == chosen.get_attribute("id"), "a screen reader is told which one it is"
    home.keyboard.press("ArrowDown")
    expect(home.get_by_role("option", selected=True)).not_to_have_text(re.compile("^Log-in prov"))
    home.keyboard.press("ArrowUp")
    home.keyboard.press("Enter")
    expect(home).to_have_url(re.compile("/settings/providers$"))
    heading = home.get_by_role("heading", level=1, name="Log-in providers")
    expect(heading).to_be_focused()


@pytest.mark.req("UI-04")
def test_the_palette_does_things_and_finds_things(home: Page, office: Furnished):
    home.keyboard.press("Control+k")
    home.keyboard.type("new tok")
    home.keyboard.press("Enter")
    expect(home.get_by_role("dialog", name="New API token")).to_be_visible()
    expect(home.get_by_label("Name")).to_be_focused()
    home.keyboard.press("Escape")
    expect(home.get_by_role("dialog")).to_have_count(0)
    home.keyboard.press("Control+k")
    home.keyboard.type("bookkeep")
    expect(home.get_by_role("option", selected=True)).to_contain_text("Bookkeeping")
    home.keyboard.press("Enter")
    expect(home).to_have_url(re.compile(f"/settings/workspaces/{office.workspace_id}$"))
    home.keyboard.press("Control+k")
    home.keyboard.type("dark")
    home.keyboard.press("Enter")
    expect(home.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    home.keyboard.press("Control+k")
    home.keyboard.type("nothing is called this")
    expect(home.get_by_text("Nothing is called that")).to_be_visible()
    expect(home.get_by_role("dialog").get_by_role("option")).to_have_count(0)


def test_keys_move_along_rows_open_them_and_jump(home: Page):
    press_quickly(home, "gs")
    expect(home).to_have_url(re.compile("/settings/profile$"))
    home.goto("/settings/workspaces")
    expect(home.get_by_role("link", name="Bookkeeping")).to_be_visible()
    home.keyboard.press("j")
    first = focused(home)
    home.keyboard.press("j")
    assert focused(home) != first
    home.keyboard.press("k")
    assert focused(home) == first
    home.keyboard.press("Enter")
    expect(home).to_have_url(re.compile("/settings/workspaces/wsp-"))
    expect(home.get_by_role("heading", level=1)).to_be_focused()


def test_slash_goes_to_the_filter_and_a_question_mark_shows_help(home: Page):
    home.goto("/settings/changes")
    expect(home.get_by_label("Which changes to show")).to_be_visible()
    home.keyboard.press("/")
    expect(home.get_by_label("Which changes to show")).to_be_focused()
    home.get_by_role("heading", level=1).focus()
    home.keyboard.press("?")
    expect(home.get_by_role("dialog", name="Keyboard")).to_be_visible()
    home.keyboard.press("Escape")
    expect(home.get_by_role("dialog")).to_have_count(0)


def test_letters_typed_into_a_field_stay_letters(home: Page):
    home.goto("/settings/workspaces?dialog=new")
    expect(home.get_by_label("Name")).to_be_focused()
    home.keyboard.type("jkgs?/z")
    expect(home.get_by_label("Name")).to_have_value("jkgs?/z")
    expect(home).to_have_url(re.compile("/settings/workspaces"))
    expect(home.get_by_role("dialog")).to_have_count(1)


def test_the_skip_link_goes_past_the_navigation(home: Page):
    expect(home.get_by_role("main").get_by_role("link").first).to_be_visible()
    home.keyboard.press("Tab")
    assert focused(home) == "Skip to content"
    home.keyboard.press("Enter")
    home.keyboard.press("Tab")
    assert home.evaluate("document.activeElement.closest('main') !== null")


def test_what_can_be_undone_is_not_asked_about(home: Page, office: Furnished):
    members = f"{API}/workspaces/{office.workspace_id}/members"
    home.goto(f"/settings/workspaces/{office.workspace_id}")
    home.get_by_role("button", name="Take Ines Clerk out").click()
    expect(home.get_by_role("button", name="Undo")).to_be_visible()
    expect(home.get_by_role("button", name="Take Ines Clerk out")).to_have_count(0)
    assert len(office.owner.get(members).json()["items"]) == 1
    home.keyboard.press("z")
    expect(home.get_by_role("button", name="Take Ines Clerk out")).to_be_visible()
    roles = [item["role"] for item in office.owner.get(members).json()["items"]]
    assert sorted(roles) == ["admin", "write"]


@pytest.mark.req("UI-04", "LIB-02")
def test_the_palette_finds_files_and_memories_by_what_they_say(home: Page, office: Furnished):
    owner = office.owner
    at = f"{API}/workspaces/{office.workspace_id}/files/content"
    text = "The slater renews the weathervane before the winter."
    put = owner.put(at, params={"path": "Files/roof.md"}, content=text.encode())
    assert put.is_success, put.text
    note = {"content": "Whoever mends the weathervane is called Anna."}
    where = {"workspaceId": office.workspace_id}
    assert owner.post(f"{API}/memory", params=where, json=note).is_success
    asked = {"q": "weathervane", "kinds": ["file", "memory"]}

    def found() -> bool:
        answer = owner.get(f"{API}/search", params=asked).json()
        return bool(answer["files"] and answer["others"])

    wait_for(found)
    home.keyboard.press("Control+k")
    home.keyboard.type("weathervane")
    files = home.get_by_role("group", name="Files").get_by_role("option")
    expect(files).to_contain_text("renews the weathervane before")
    expect(files.locator("mark")).to_have_text("weathervane")
    memories = home.get_by_role("group", name="Memory").get_by_role("option")
    expect(memories).to_contain_text("is called Anna")
    # The word is in its title.
    expect(memories).to_have_attribute("aria-selected", "true")
    home.keyboard.press("ArrowDown")
    expect(files).to_have_attribute("aria-selected", "true")
    home.keyboard.press("Enter")
    expect(home).to_have_url(re.compile(r"/library\?.*roof\.md"))
    expect(home.get_by_text("The slater renews the weathervane")).to_be_visible()
