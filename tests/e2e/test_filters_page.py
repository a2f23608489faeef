"""Filters: tried on real mail while they are written, put into order, and taken back."""

from collections.abc import Iterator
from email.message import EmailMessage
from mailbox import Maildir
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import tab, take_back
from e2e.sample import Furnished
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled
from support.office import API
from support.server import wait_for

pytestmark = pytest.mark.req("MAIL-02", "MAIL-03", "UI-01")


def add(office: Furnished, path: str, /, **given: Any) -> dict[str, Any]:
    body = {"workspaceId": office.workspace_id, **given}
    made = office.owner.post(f"{API}/{path}", json=body)
    assert made.is_success, made.text
    return made.json()


@pytest.fixture
def director(office: Furnished) -> Iterator[str]:
    """A director, and an account with a mail."""
    agent = add(office, "agents", name="Post director", kind="director", canRead=True)["id"]
    account = add(office, "accounts", connector="local", settings={"address": "me@example.com"})
    folder = Maildir(office.server.data / "accounts" / account["id"] / "Maildir")
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "Client <client7@domain.com>", "Invoice <b>42</b>"
    mail.set_content("Please pay.")
    folder.add(mail.as_bytes())
    ran = office.owner.post(f"{API}/fetcher/run", json={"accountId": account["id"]})
    assert ran.is_success, ran.text
    query = {"workspaceId": office.workspace_id}
    wait_for(lambda: office.owner.get(f"{API}/mail", params=query).json()["items"])
    yield agent
    for row in listed(office):
        office.owner.delete(f"{API}/filters/{row['id']}")
    office.owner.delete(f"{API}/accounts/{account['id']}", params={"removeFiles": True})
    office.owner.delete(f"{API}/agents/{agent}")


def listed(office: Furnished) -> list[dict[str, Any]]:
    query = {"workspaceId": office.workspace_id}
    return office.owner.get(f"{API}/filters", params=query).json()["items"]


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Filters").get_by_role("listitem")


def test_a_filter_is_tried_on_recent_mail_while_it_is_written(
    inside: BrowserContext, office: Furnished, director: str
):
    page = tab(inside, DESKTOP, "light")
    settled(page, f"/mail/filters?workspace={office.workspace_id}")
    expect(page.get_by_text("No mail is given to anyone")).to_be_visible()
    page.get_by_role("button", name="New filter").click()
    dialog = page.get_by_role("dialog", name="New filter")
    pattern = dialog.get_by_role("textbox", name="Pattern")
    pattern.fill("client[0-9")
    expect(pattern).to_have_attribute("aria-invalid", "true")
    expect(dialog).to_contain_text("at character 7")
    pattern.fill(r"client[0-9]+@domain\.com")
    expect(dialog.get_by_role("status", name="Preview")).to_contain_text("1 of the last 1 mails")
    fits = dialog.get_by_role("list", name="Recent mail that fits")
    expect(fits).to_contain_text("Invoice <b>42</b>")
    expect(fits.locator("mark")).to_have_text("client7@domain.com")
    dialog.get_by_role("button", name="How patterns are written").click()
    expect(page.get_by_role("dialog", name="How patterns are written")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="How patterns are written")).to_have_count(0)
    looks_right_to_all(page, "the filter", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    dialog.get_by_label("Name").fill("Clients")
    dialog.get_by_role("button", name="Add the filter").click()
    expect(rows(page)).to_contain_text("Post director")
    (made,) = listed(office)
    assert (made["name"], made["field"], made["directorId"]) == ("Clients", "From", director)


def test_filters_are_moved_switched_and_deleted_and_each_is_taken_back(
    inside: BrowserContext, office: Furnished, director: str
):
    for name in ("One", "Two", "Three"):
        add(office, "filters", name=name, field="Subject", regex=name, directorId=director)
    page = tab(inside, DESKTOP, "light")
    settled(page, f"/mail/filters?workspace={office.workspace_id}")
    looks_right_to_all(page, "/mail/filters", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    page.get_by_role("button", name="Move “One”").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("“One” would be number 1 of 3")).to_be_attached()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_text("“One” would be number 2 of 3")).to_be_attached()
    page.keyboard.press("Space")
    expect(rows(page).first).to_contain_text("Two")
    expect(page.get_by_role("alert").filter(has_text="asked as number 2")).to_be_visible()
    assert [row["name"] for row in listed(office)] == ["Two", "One", "Three"]
    take_back(page, "asked as number 2")
    expect(rows(page).first).to_contain_text("One")

    rows(page).nth(1).get_by_role("switch", name="“Two” is on").press("Space")
    expect(rows(page).nth(1)).to_contain_text("switched off")
    rows(page).nth(0).get_by_role("button", name="More for One").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(rows(page)).to_have_count(2)
    take_back(page, "“One” is deleted.")
    expect(rows(page)).to_have_count(3)
    expect(rows(page).first).to_contain_text("One")
    expect(page.get_by_text("“One” is deleted.")).to_have_count(0)
