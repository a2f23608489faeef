"""MCP clients and folders, as a person sets them up."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from e2e.conftest import take_back
from e2e.sample import Furnished
from support.office import API

pytestmark = pytest.mark.req("UI-01")


@pytest.mark.req("MCP-02")
def test_a_client_is_made_connected_started_clean_and_deleted(
    inside: BrowserContext, office: Furnished
):
    page = inside.new_page()
    page.goto("/settings/clients?dialog=new")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Cursor at home")
    dialog.get_by_label("It may make new things").check()
    dialog.get_by_label("Ask before every change").press("Space")
    dialog.get_by_role("button", name="Where: in all folders").click()
    dialog.get_by_role("combobox", name="Kinds of files").fill(".txt")
    dialog.get_by_label("Days until it ends").fill("30")
    dialog.get_by_role("button", name="Make the client").click()

    token = page.get_by_label("Token", exact=True)
    expect(token).to_have_value(re.compile("^bwc_"))
    first = token.input_value()
    page.get_by_role("tab", name="Cursor").click()
    expect(page.get_by_label(re.compile("^Cursor: "))).to_contain_text(f"Bearer {first}")
    page.get_by_role("button", name="I have it").click()

    row = page.get_by_role("listitem").filter(has_text="Cursor at home")
    expect(row).to_contain_text("may read and make new things")
    expect(row).to_contain_text("asks before every change")
    made = next(
        one
        for one in office.owner.get(f"{API}/clients").json()["items"]
        if one["name"] == "Cursor at home"
    )
    assert (made["scope"]["create"], made["scope"]["write"]) == (True, False)
    more = row.get_by_role("button", name="More for Cursor at home")
    more.click()
    page.get_by_role("menuitem", name="New task: start clean").click()
    expect(page.get_by_role("dialog").filter(has_text="hidden in it")).to_be_visible()
    page.get_by_role("button", name="It starts clean").click()
    expect(page.get_by_text("“Cursor at home” starts clean.")).to_be_visible()
    more.click()
    page.get_by_role("menuitem", name="New token").click()
    page.get_by_role("button", name="Make a new token").click()
    expect(token).to_have_value(re.compile("^bwc_"))
    assert token.input_value() != first
    page.get_by_role("button", name="I have it").click()
    more.click()
    page.get_by_role("menuitem", name="Switch off").click()
    expect(row).to_contain_text("switched off")
    take_back(page, "“Cursor at home” is switched off.")
    expect(row).not_to_contain_text("switched off")

    row.get_by_role("link", name="Cursor at home").click()
    expect(page.get_by_role("dialog").filter(has_text="YOUR_TOKEN")).to_be_visible()
    page.keyboard.press("Escape")
    more.click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete the client").click()
    expect(row).to_have_count(0)


@pytest.mark.req("LIB-01")
def test_a_folder_is_opened_trusted_and_closed(
    inside: BrowserContext, office: Furnished, tmp_path: Path
):
    page = inside.new_page()
    page.goto("/settings/folders")
    page.get_by_role("button", name="Open a folder in Bookkeeping").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Bills")
    dialog.get_by_label("Path on the server").fill(str(tmp_path / "nowhere"))
    dialog.get_by_role("button", name="Open the folder").click()
    expect(dialog.get_by_label("Path on the server")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Path on the server").fill(str(tmp_path))
    dialog.get_by_role("button", name="Open the folder").click()
    row = page.get_by_role("listitem").filter(has_text="Bills")
    expect(row).to_contain_text(str(tmp_path))

    words = page.get_by_role("switch", name="Everything in Bills is my own words")
    words.press("Space")
    expect(words).to_be_checked()
    take_back(page, "Bills")
    expect(words).not_to_be_checked()
    row.get_by_role("button", name="More for Bills").click()
    page.get_by_role("menuitem", name="Close").click()
    page.get_by_role("button", name="Close the folder").click()
    expect(row).to_have_count(0)
    assert tmp_path.is_dir()
