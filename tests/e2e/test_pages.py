"""The ways into the office, and what one finds there."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.sample import Furnished
from support.office import PASSWORD
from support.server import Server


@pytest.mark.req("ID-01", "UI-01")
def test_the_link_in_the_terminal_makes_the_owner_once(page: Page, server: Server):
    link = f"{server.origin}/setup#{server.owner_link()}"
    page.goto(link)
    page.get_by_label("Your name").fill("Olive Owner")
    # The secret does not stay in the address.
    expect(page).not_to_have_url(re.compile("#"))
    page.get_by_label("E-mail address").fill("olive@example.com")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.origin}/")
    expect(page.get_by_role("heading", name=re.compile("Olive"))).to_be_visible()
    again = server.browser().post(
        "/api/v1/auth/setup",
        json={
            "link": server.owner_link(),
            "email": "eve@example.com",
            "name": "Eve",
            "password": PASSWORD,
        },
    )
    assert again.status_code == 404


@pytest.mark.req("ID-01", "ID-02")
def test_log_in_by_keyboard(outside: BrowserContext):
    page = outside.new_page()
    page.goto("/settings/tokens")
    expect(page).to_have_url(re.compile(r"/login\?next="))
    page.get_by_label("E-mail address").focus()
    page.keyboard.type("olive@example.com")
    page.keyboard.press("Tab")
    page.keyboard.type("a wrong password")
    page.keyboard.press("Enter")
    expect(page.get_by_text("not right")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/settings/tokens$"))


@pytest.mark.req("ID-04")
def test_a_token_is_made_shown_once_and_works(inside: BrowserContext, office: Furnished):
    page = inside.new_page()
    page.goto("/settings/tokens")
    page.get_by_role("button", name=re.compile("token", re.IGNORECASE)).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("My script")
    dialog.locator("button[type=submit]").click()
    shown = page.get_by_label("Token", exact=True)
    expect(shown).to_have_value(re.compile(r"^bwt_[\w-]{43}$"))
    secret = shown.input_value()
    program = {"Authorization": f"Bearer {secret}"}
    answer = office.server.browser().get("/api/v1/status", headers=program)
    assert answer.status_code == 200
    page.reload()
    expect(page.get_by_text("My script")).to_be_visible()
    assert secret not in page.content()


@pytest.mark.req("OPS-06", "ACC-06")
def test_a_setting_changes_at_once_and_the_page_says_that_nothing_is_encrypted(
    inside: BrowserContext, office: Furnished
):
    page = inside.new_page()
    page.goto("/settings/office")
    page.get_by_label("Name of the office").fill("Heron House")
    page.keyboard.press("Enter")
    expect(page).to_have_title(re.compile("Heron House"))
    options = office.server.browser().get("/api/v1/auth/options").json()
    office.owner.patch("/api/v1/settings", json={"instance_name": None})
    assert options["instanceName"] == "Heron House"
    page.goto("/")
    expect(page.get_by_text("BAILIWICK_DATA_KEY").first).to_be_visible()


@pytest.mark.req("ID-03")
def test_a_user_who_is_no_admin_sees_no_admin_pages(outside: BrowserContext, office: Furnished):
    body = {"email": "pat@example.com", "name": "Pat"}
    invited = office.owner.post("/api/v1/users", json=body)
    page = outside.new_page()
    page.goto(invited.json()["link"])
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{office.origin}/")
    page.goto("/settings/profile")
    expect(page.get_by_role("link", name="Sessions")).to_be_visible()
    for hidden in ("Users", "Office", "Sign-ins"):
        expect(page.get_by_role("link", name=hidden, exact=True)).to_have_count(0)
