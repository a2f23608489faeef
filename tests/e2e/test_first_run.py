"""The first page offers sample data; in one click it shows what the gate does."""

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all
from support.office import PASSWORD
from support.server import Server

pytestmark = pytest.mark.req("UI-03")
REASON = "You did not name 'intake@freight-recheck.example'; it comes from the mail"


def test_one_click_shows_a_reply_that_waits_and_a_poisoned_mail_that_was_stopped(
    page: Page, server: Server
):
    page.set_viewport_size(DESKTOP)
    page.goto(f"{server.origin}/setup#{server.owner_link()}")
    page.get_by_label("Your name").fill("Olive Owner")
    page.get_by_label("E-mail address").fill("olive@example.com")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    start = page.get_by_role("list", name="Start here")
    expect(start.get_by_role("link", name="Connect an account")).to_be_visible()
    expect(start.get_by_role("link", name="Open a folder")).to_be_visible()
    start.get_by_role("button", name="Try with sample data").click()
    shown = page.get_by_role("list", name="Sample data")
    expect(shown.get_by_text("stopped: asks you")).to_be_visible()
    expect(shown.get_by_text("43 mails came in")).to_be_visible()
    expect(shown.get_by_text(re.compile("mails were routed to 2 directors"))).to_be_visible()
    expect(shown.get_by_text("waits for you").first).to_be_visible()
    expect(page.get_by_text("This assistant believes everything it reads").first).to_be_visible()
    looks_right_to_all(page, "/", DESKTOP, PHONE)
    shown.get_by_role("link", name=re.compile("A mail wanted this sent")).click()
    expect(page.get_by_text(REASON).first).to_be_visible()
    page.goto("/")
    page.get_by_role("button", name="Take it away").click()
    expect(page.get_by_role("list", name="Start here")).to_be_visible()
