"""Accounts: connected, tested, changed and disconnected, and what their connectors ask for."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from e2e.conftest import tab, take_back
from e2e.sample import Furnished
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled
from support.office import API

pytestmark = pytest.mark.req("ACC-01", "UI-01")

PATH = "/settings/accounts"
SECRET = "canary-of-the-client"


@pytest.fixture(autouse=True)
def _left_as_it_was(office: Furnished) -> Iterator[None]:
    yield
    for account in _accounts(office):
        office.owner.delete(f"{API}/accounts/{account['id']}", params={"removeFiles": True})
    none = {"client_id": None, "client_secret": None}
    office.owner.patch(f"{API}/connectors/gmail", json={"enabled": True, "options": none})


def _accounts(office: Furnished) -> list[dict[str, Any]]:
    return office.owner.get(f"{API}/accounts").json()["items"]


def row(page: Page, label: str) -> Locator:
    return page.get_by_role("list", name="Accounts").get_by_role("listitem").filter(has_text=label)


def choose(page: Page, label: str, deed: str) -> None:
    page.get_by_role("button", name=f"More for {label}").click()
    page.get_by_role("menuitem", name=deed).click()


@pytest.mark.req("ACC-07", "MAIL-01")
def test_a_local_mailbox_is_connected_used_changed_and_disconnected(
    inside: BrowserContext, office: Furnished
):
    page = tab(inside, DESKTOP, "light")
    settled(page, PATH)
    page.get_by_role("link", name="Connect an account").click()
    page.get_by_role("link", name="Local mailbox").click()
    connect = page.get_by_role("button", name="Connect the account")
    connect.click()
    address = page.get_by_label("Address", exact=True)
    expect(address).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Address is needed")).to_be_visible()
    expect(address).to_be_focused()
    address.fill("not an address")
    connect.click()
    expect(page.get_by_text("Does not fit")).to_be_visible()
    address.fill("olive@example.com")
    page.get_by_label("Name", exact=True).last.fill("Work")
    page.get_by_role("switch", name="Drafts").uncheck()
    connect.click()
    expect(page.get_by_text("Work is connected")).to_be_visible()
    expect(row(page, "Work")).to_contain_text("primary")
    expect(row(page, "Work")).to_contain_text("may: read, send, organise")
    page.get_by_role("button", name="Test Work now").click()
    expect(page.get_by_text("The provider knows it as olive@example.com")).to_be_visible()
    page.get_by_role("button", name="Fetch from Work now").click()
    expect(page.get_by_text(re.compile("Work: nothing new"))).to_be_visible()
    expect(row(page, "Work")).to_contain_text("fetched")

    choose(page, "Work", "Edit")
    dialog = page.get_by_role("dialog", name="Edit Work")
    dialog.get_by_label("Name").fill("Office post")
    dialog.get_by_label("One of my own").check()
    dialog.get_by_label("Your signature").fill("Olive\nOwner of all this")
    expect(dialog.get_by_role("group", name="How mail ends")).to_contain_text("Owner of all this")
    looks_right_to_all(page, "the dialog", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    dialog.get_by_role("button", name="Save").click()
    expect(row(page, "Office post")).to_be_visible()
    (account,) = _accounts(office)
    assert account["signature"]["text"] == "Olive\nOwner of all this"
    assert account["permissions"] == ["organise", "read", "send"]

    choose(page, "Office post", "Disconnect…")
    dialog = page.get_by_role("dialog", name="Disconnect Office post?")
    expect(dialog).to_contain_text("the mail that was fetched from it")
    expect(dialog).to_contain_text("Its folder on this machine stays")
    dialog.get_by_role("button", name="Disconnect the account").click()
    expect(page.get_by_text("No account is connected yet")).to_be_visible()
    assert not _accounts(office)


def test_an_address_fills_in_the_servers_and_what_fails_stands_at_its_field(
    inside: BrowserContext, office: Furnished
):
    page = inside.new_page()
    settled(page, f"{PATH}/connect?connector=imap")
    page.get_by_label("Address", exact=True).fill("olive@gmx.de")
    reading = page.get_by_label("Server for reading (IMAP)")
    expect(reading).to_have_value("imap.gmx.net")
    expect(page.get_by_label("Server for sending (SMTP)")).to_have_value("mail.gmx.net")
    expect(page.get_by_text("Switch on IMAP in the settings of GMX first")).to_be_visible()
    reading.fill("127.0.0.1")
    page.get_by_label("Address", exact=True).fill("olive@posteo.de")
    expect(page.get_by_label("Server for sending (SMTP)")).to_have_value("posteo.de")
    expect(reading).to_have_value("127.0.0.1")  # a person typed it
    page.get_by_role("button", name="Further settings").click()
    page.get_by_label("Port for reading").fill("1")
    page.get_by_label("Password", exact=True).fill("wrong")
    page.get_by_role("button", name="Connect the account").click()
    expect(reading).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Password", exact=True)).to_have_value("wrong")
    looks_right_to_all(page, "the form", DESKTOP, PHONE)
    assert not _accounts(office)


@pytest.mark.req("ACC-03", "ACC-08", "ACC-09")
def test_the_guide_leads_to_consent_for_what_is_switched_on_and_no_more(
    inside: BrowserContext, office: Furnished
):
    page = inside.new_page()
    asked: list[str] = []

    def consent(route: Route) -> None:
        asked.append(route.request.url)
        (state,) = parse_qs(urlsplit(route.request.url).query)["state"]
        back = f"{office.origin}/oauth/accounts/callback?error=access_denied&state={state}"
        route.fulfill(status=303, headers={"Location": back})

    inside.route("https://accounts.google.com/**", consent)
    settled(page, f"{PATH}/connect?connector=gmail")
    expect(page.get_by_role("textbox", name="To paste there")).to_have_value(
        f"{office.origin}/oauth/accounts/callback"
    )
    looks_right_to_all(page, "the guide", DESKTOP, PHONE)
    page.get_by_role("textbox", name="Client ID").fill("office.apps.googleusercontent.com")
    page.get_by_label("Client secret", exact=True).fill(SECRET)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("switch", name="Send mail").uncheck()
    page.get_by_role("switch", name="Keep drafts").uncheck()
    expect(page.get_by_role("switch", name="Read mail")).to_be_disabled()
    page.get_by_role("button", name="Continue to Gmail").click()
    expect(page.get_by_role("alert").filter(has_text="did not give access")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("did not give access")).to_have_count(0)
    (url,) = asked
    scopes = parse_qs(urlsplit(url).query)["scope"][0]
    assert "gmail.modify" in scopes
    assert "gmail.send" not in scopes
    assert "gmail.compose" not in scopes

    settled(page, "/settings/connectors/gmail")
    expect(page.get_by_role("textbox", name="Client ID")).to_have_value(
        "office.apps.googleusercontent.com"
    )
    expect(page.get_by_label("Client secret", exact=True)).to_have_value("")
    assert SECRET not in page.content()
    expect(page.get_by_text("gmail.googleapis.com:443")).to_be_visible()
    page.get_by_role("switch", name="Use Gmail").press("Space")
    expect(page.get_by_text("switched off", exact=True)).to_be_visible()
    take_back(page, "Gmail is switched off")
    expect(page.get_by_text("ready", exact=True)).to_be_visible()


@pytest.mark.req("ACC-04")
def test_an_account_that_needs_a_person_says_why_and_how_to_set_it_right(
    inside: BrowserContext, office: Furnished
):
    body = {
        "workspaceId": office.workspace_id,
        "connector": "local",
        "settings": {"address": "olive@example.com"},
        "label": "Shut",
    }
    made = office.owner.post(f"{API}/accounts", json=body)
    assert made.is_success, made.text
    told = {"problem": "invalid_grant", "problemDetail": "<img src=x onerror=alert(1)> No."}

    def broken(route: Route) -> None:
        # What a provider says of itself comes from far away, so it is put into the answer here.
        answer = route.fetch()
        items = [{**item, **told} for item in answer.json()["items"]]
        route.fulfill(response=answer, json={"items": items})

    inside.route("**/api/v1/accounts", broken)
    page = inside.new_page()
    settled(page, PATH)
    expect(row(page, "Shut")).to_contain_text("needs you")
    expect(row(page, "Shut")).to_contain_text("does not take the password any more")
    expect(row(page, "Shut")).to_contain_text("<img src=x onerror=alert(1)>")
    looks_right_to_all(page, PATH, DESKTOP, PHONE)
    page.get_by_role("button", name="Give the password of Shut again").click()
    dialog = page.get_by_role("dialog", name="Servers and password of Shut")
    expect(dialog.get_by_label("Address")).to_have_value("olive@example.com")
    told["authorizeUrl"] = f"{office.origin}/oauth/accounts/start?account=x"
    page.reload()
    expect(page.get_by_role("button", name="Re-authorise Shut")).to_be_visible()
