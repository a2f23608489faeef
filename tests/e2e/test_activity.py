"""What agents and people changed, and the way back."""

import re
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.sample import Furnished
from support.office import API
from support.server import PATIENCE

pytestmark = pytest.mark.req("GATE-19")


def opened(context: BrowserContext, path: str = "/activity") -> Page:
    page = context.new_page()
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_label("Loading")).to_have_count(0)
    return page


def act(office: Furnished, tool: str, **arguments: str) -> str:
    """Something that the owner does; the id of the action."""
    call = f"{API}/workspaces/{office.workspace_id}/tools/{tool}"
    done = office.owner.post(call, json={"arguments": arguments})
    assert done.is_success, done.text
    return done.json()["actionId"]


@pytest.mark.req("UI-02")
def test_what_was_done_is_undone_and_both_know_of_each_other(
    inside: BrowserContext, office: Furnished
):
    page = opened(inside)
    rows = page.get_by_role("list", name="Activity").get_by_role("listitem")
    act(office, "create_task", title="A mistake")
    expect(rows.first).to_contain_text("A mistake")
    rows.first.get_by_role("link").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Create a task")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("undone", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    page.get_by_role("link", name="Another action").click()
    expect(heading).to_have_text("Undo: Create a task")
    page.get_by_role("link", name="The earlier action").click()
    expect(heading).to_have_text("Create a task")


def test_an_undo_that_would_lose_something_says_what(inside: BrowserContext, office: Furnished):
    made = act(office, "create_file", path="Files/draft.txt", content="first")
    act(office, "write_file", path="Files/draft.txt", content="second")
    page = opened(inside, f"/activity/{made}")
    page.get_by_role("button", name="Undo").click()
    problem = page.get_by_role("alert").filter(has_text="It was not taken back.")
    expect(problem).to_contain_text("Files/draft.txt")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(page.get_by_text("undone", exact=True)).to_have_count(0)


@pytest.mark.req("GATE-15")
def test_nobody_knows_whether_it_happened_until_a_person_says(
    inside: BrowserContext, office: Furnished
):
    lost = act(office, "create_task", title="Half done")
    # As a crash leaves it, for a tool that cannot tell.
    with closing(sqlite3.connect(office.server.data / "app.db", timeout=PATIENCE)) as database:
        database.execute("UPDATE actions SET status = 'unknown' WHERE id = ?", (lost,))
        database.commit()
    page = opened(inside)
    asked = page.get_by_role("list", name="Did it happen?")
    expect(asked).to_contain_text("Create a task")
    asked.get_by_role("button", name="It did not happen: Create a task").click()
    expect(asked).to_have_count(0)
    page.get_by_label("How it ended").select_option("Did not work")
    expect(page).to_have_url(re.compile("status=failed"))
    rows = page.get_by_role("list", name="Activity").get_by_role("listitem")
    expect(rows.first).to_contain_text("says that it did not happen")
    assert office.owner.get(f"{API}/actions/{lost}").json()["status"] == "failed"


@pytest.mark.long
@pytest.mark.req("UI-01")
def test_activity_is_filtered_by_whom_and_what_and_the_address_keeps_it(
    inside: BrowserContext, office: Furnished
):
    act(office, "create_task", title="One more")
    page = opened(inside)
    page.keyboard.press("/")
    expect(page.get_by_label("By whom")).to_be_focused()
    page.get_by_label("Which tool").select_option("Create a file")
    rows = page.get_by_role("list", name="Activity").get_by_role("listitem")
    expect(rows.first).to_contain_text("Create a file")
    expect(rows.filter(has_text="Create a task")).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Which tool")).to_have_value("create_file")
    page.get_by_label("By whom").select_option("Claude Code")
    expect(page.get_by_text("There is nothing like that")).to_be_visible()
    page.get_by_role("link", name="Show everything").click()
    expect(rows.filter(has_text="Create a task").first).to_be_visible()
