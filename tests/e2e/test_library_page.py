"""The library: folders, a file with its properties and versions, on a desk and a phone."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.conftest import take_back
from e2e.sample import Furnished
from e2e.test_every_page import PHONE, looks_right, settled
from support.office import API

pytestmark = pytest.mark.req("LIB-05", "LIB-08", "UI-01")
NOTE = "Files/notes/June.md"


def put(office: Furnished, path: str, text: str) -> None:
    """A file that the owner puts there elsewhere."""
    at = f"{API}/workspaces/{office.workspace_id}/files/content"
    assert office.owner.put(at, params={"path": path}, content=text.encode()).is_success


def opened(context: BrowserContext, office: Furnished) -> Page:
    page = context.new_page()
    settled(page, f"/library?workspace={office.workspace_id}&folder=Files/notes")
    return page


def test_a_file_is_looked_at_changed_brought_back_and_deleted(
    inside: BrowserContext, office: Furnished
):
    put(office, NOTE, "---\nstatus: draft\n---\n# Rent\n")
    page = opened(inside, office)
    page.get_by_role("button", name="June.md").click()
    pane = page.get_by_role("region", name="File", exact=True)
    expect(pane.get_by_text("Rent", exact=True)).to_be_visible()
    expect(pane.get_by_text("status: draft")).to_have_count(0)
    looks_right(page, "library")

    pane.get_by_role("tab", name="Properties").click()
    pane.get_by_label("Property").fill("status")
    pane.get_by_label("Value").fill("done")
    pane.get_by_role("button", name="Set").click()
    expect(pane.get_by_text("done", exact=True)).to_be_visible()

    pane.get_by_role("tab", name="Versions").click()
    versions = pane.get_by_role("list", name="Versions").get_by_role("listitem")
    expect(versions).to_have_count(2)
    pane.get_by_role("button", name="What changed since").click()
    expect(pane.get_by_text("status: done")).to_be_visible()
    pane.get_by_role("button", name="Bring this version back").click()
    expect(versions).to_have_count(3)
    take_back(page, "June.md is as it was then.")
    expect(versions).to_have_count(4)

    pane.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="June.md")).to_have_count(0)
    take_back(page, "June.md is deleted.")
    expect(page.get_by_role("button", name="June.md")).to_be_visible()


def test_a_file_that_comes_elsewhere_appears_is_found_and_handed_to_an_agent_on_a_phone(
    inside: BrowserContext, office: Furnished
):
    agent = {"workspaceId": office.workspace_id, "name": "Archivist"}
    assert office.owner.post(f"{API}/agents", json=agent).is_success
    page = opened(inside, office)
    page.set_viewport_size(PHONE)
    put(office, "Files/notes/July.md", "The roof leaks in July")
    expect(page.get_by_role("button", name="July.md")).to_be_visible()
    page.get_by_label("Search in files").fill("roof leaks")
    page.get_by_role("list", name="Found files").get_by_role("button").first.click()
    expect(page.get_by_role("tabpanel").get_by_text("The roof leaks in July")).to_be_visible()
    looks_right(page, "library")
    page.get_by_role("button", name="Ask an agent").click()
    dialog = page.get_by_role("dialog", name="Hand this file to an agent")
    expect(dialog.get_by_label("What to do")).to_have_value(
        "Look at the file Files/notes/July.md and "
    )
    dialog.get_by_label("Agent").select_option("Archivist")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/sessions/**")
    expect(page.get_by_text("Look at the file Files/notes/July.md").first).to_be_visible()
