"""Diagnostics as an admin reads them: grouped, flat, with the mail beside, and deleted."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.conftest import tab
from e2e.maildesk import Desk, work
from e2e.sample import Furnished
from e2e.test_every_page import DESKTOP, PHONE, looks_right, settled
from support.model_server import serving_model

pytestmark = pytest.mark.req("DIAG-01", "DIAG-02", "UI-01")


@pytest.fixture(scope="module")
def desk(office: Furnished) -> Iterator[Desk]:
    """A mail was worked on."""
    with serving_model(work) as model:
        made = Desk(office, model)
        made.got("A lamp", "It is broken.")
        yield made
        made.close()


def pictured(page: Page, name: str) -> None:
    """A picture for whoever wants to look; not taken otherwise."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=Path(folder) / f"diagnostics-{name}.png", full_page=True)


def opened(page: Page) -> None:
    """The lines of the director's work are there."""
    settled(page, "/settings/diagnostics")
    page.get_by_role("button", name="Fetch cyc-").first.click()
    page.get_by_role("button", name="Support").first.click()
    expect(page.get_by_role("list", name="Lines of Support")).to_be_visible()


def test_a_line_shows_its_result_and_the_mail(inside: BrowserContext, desk: Desk):
    page = tab(inside, DESKTOP, "light")
    opened(page)
    page.get_by_role("button", name="workspace_add_item").first.click()
    tabs = page.get_by_role("tab")
    expect(tabs).to_have_text(["Result", "Email"])
    expect(page.get_by_role("region", name="Result")).to_contain_text("Summary")
    page.get_by_role("button", name="Detail").click()
    expect(page.get_by_role("region", name="Detail")).to_contain_text(
        '"tool": "workspace_add_item"'
    )
    looks_right(page, "diagnostics")
    pictured(page, "desktop")
    page.get_by_role("tab", name="Email").click()
    expect(page.get_by_role("definition").filter(has_text="A lamp")).to_be_visible()
    page.get_by_label("Raw JSON").check()
    expect(page.get_by_role("region", name="Mail as JSON")).to_contain_text('"subject": "A lamp"')
    bar = page.get_by_role("separator", name="Width of the panes")
    bar.focus()
    page.keyboard.press("ArrowLeft")
    expect(bar).to_have_attribute("aria-valuenow", "45")


def test_it_is_filtered_and_what_is_selected_is_deleted_together(
    inside: BrowserContext, desk: Desk
):
    page = tab(inside, DESKTOP, "light")
    settled(page, "/settings/diagnostics")
    page.get_by_label("Of which director").select_option("Support")
    page.get_by_label("From when").select_option("In the last hour")
    page.get_by_text("Flat", exact=True).click()
    lines = page.get_by_role("list", name="Lines, newest first").get_by_role("listitem")
    expect(lines.filter(has_text="The director begins")).to_have_count(1)
    before = lines.count()
    for name in ("The director begins", "The director ends"):
        page.get_by_role("checkbox", name=f"Select {name}").check()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("menuitem", name="Selected (2)").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Delete the 2 selected?")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("0 runs and 2 lines are deleted")).to_be_visible()
    expect(lines).to_have_count(before - 2)


def test_it_is_flat_fits_a_phone_and_is_deleted(inside: BrowserContext, desk: Desk):
    page = tab(inside, PHONE, "dark")
    opened(page)
    looks_right(page, "diagnostics on a phone")
    pictured(page, "phone")
    page.get_by_text("Flat", exact=True).click()
    lines = page.get_by_role("list", name="Lines, newest first")
    expect(lines.get_by_role("button", name="What came of it").first).to_be_visible()
    lines.get_by_role("button", name="What came of it").first.click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("The diagnostics are deleted.")).to_be_visible()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("menuitem", name="All").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("There is nothing here")).to_be_visible()
