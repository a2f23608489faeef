"""The audit, as a person reads it."""

import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.sample import Furnished
from support.office import API
from support.server import PATIENCE

pytestmark = pytest.mark.req("UI-01")


def entries(page: Page) -> Locator:
    return page.get_by_role("list", name="Entries").get_by_role("listitem")


def call(office: Furnished, tool: str, **arguments: object) -> int:
    """Use a tool as the owner."""
    path = f"{API}/workspaces/{office.workspace_id}/tools/{tool}"
    return office.owner.post(path, json={"arguments": arguments}).status_code


@pytest.mark.req("GATE-13")
@pytest.mark.req("UI-02")
def test_a_call_shows_up_by_itself_and_tells_everything(inside: BrowserContext, office: Furnished):
    page = inside.new_page()
    page.goto("/audit")
    expect(page.get_by_role("list", name="Entries")).to_be_visible()
    assert call(office, "create_task", title="Buy \u202ekoobeton") == 200
    row = entries(page).first
    expect(row).to_contain_text("task created")
    expect(row).to_contain_text("allowed")
    expect(row).to_contain_text("Olive Owner")
    row.get_by_role("link", name="create_task").click()
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("Let agents create, edit and label")
    # A character that turns the text round is shown, not obeyed.
    expect(panel.get_by_role("region", name="Arguments").get_by_text("U+202E")).to_be_visible()
    expect(panel.get_by_role("list", name="About the same call")).to_contain_text("begun")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)


@pytest.mark.req("GATE-13")
def test_entries_are_found_by_text_tool_and_decision(inside: BrowserContext, office: Furnished):
    assert call(office, "create_task", title="A needle in the audit") == 200
    assert call(office, "no_such_tool") == 404
    page = inside.new_page()
    page.goto("/audit")
    page.get_by_label("Text that the entry contains").fill("a NEEDLE in")
    expect(entries(page)).to_have_count(1)
    page.get_by_label("Decision").select_option("Blocked by a rule")
    expect(page.get_by_text("There is no such entry")).to_be_visible()
    page.get_by_role("button", name="Show everything").click()
    page.get_by_label("Tool").select_option("no_such_tool")
    expect(entries(page).first).to_contain_text("denied")
    page.get_by_label("Time").select_option("The last hour")
    expect(entries(page).first).to_contain_text("no_such_tool")
    page.get_by_label("Time").select_option("Between two moments")
    page.get_by_label("To", exact=True).fill("2020-01-01T00:00")
    expect(page.get_by_text("There is no such entry")).to_be_visible()


@pytest.mark.req("GATE-14")
def test_the_chain_is_verified_and_exported(inside: BrowserContext, office: Furnished):
    call(office, "list_tasks")
    page = inside.new_page()
    page.goto("/audit")
    page.get_by_role("button", name="Verify now").click()
    line = page.get_by_label("Integrity")
    expect(line).to_contain_text("intact, checked just now")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    lines = download.value.path().read_text().splitlines()
    assert "list_tasks" in "".join(lines[:-1])


@pytest.mark.req("GATE-14")
def test_an_edited_entry_is_named_with_its_place(inside: BrowserContext, office: Furnished):
    call(office, "list_tasks")
    page = inside.new_page()
    page.goto("/audit")
    with closing(sqlite3.connect(office.server.data / "audit.db", timeout=PATIENCE)) as database:
        calls = "SELECT max(number) FROM ledger WHERE tool = 'list_tasks'"
        last = f"WHERE number = ({calls})"
        chain, number, body = database.execute(
            f"SELECT chain, number, body FROM ledger {last}"
        ).fetchone()
        edit = "UPDATE ledger SET body = ? WHERE chain = ? AND number = ?"
        database.execute(edit, (body.replace("list_tasks", "list_risks"), chain, number))
        database.commit()
        try:
            page.get_by_role("button", name="Verify now").click()
            line = page.get_by_label("Integrity")
            expect(line).to_contain_text(f"{chain}:{number}")
            expect(line).not_to_contain_text("intact")
        finally:
            database.execute(edit, (body, chain, number))
            database.commit()
    page.get_by_role("button", name="Verify now").click()
    expect(line).to_contain_text("intact, checked just now")
