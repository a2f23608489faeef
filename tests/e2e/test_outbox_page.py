"""Mail on its way out: seen, taken back, sent at once, and decided about."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import tab
from e2e.sample import Furnished
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled
from support.office import API
from support.server import PATIENCE

pytestmark = pytest.mark.req("MAIL-06", "GATE-19", "UI-01")

PATH = "/mail/outbox"


@pytest.fixture(autouse=True)
def _mailbox(office: Furnished) -> Iterator[None]:
    """A mailbox from which mail goes out after ten minutes."""
    office.owner.patch(f"{API}/settings", json={"outbox_delay_seconds": 600})
    body = {
        "workspaceId": office.workspace_id,
        "connector": "local",
        "settings": {"address": "olive@example.com"},
    }
    made = office.owner.post(f"{API}/accounts", json=body)
    assert made.is_success, made.text
    yield
    id = made.json()["id"]
    office.owner.delete(f"{API}/accounts/{id}", params={"removeFiles": True})
    office.owner.patch(f"{API}/settings", json={"outbox_delay_seconds": None})


def send(office: Furnished, subject: str) -> str:
    arguments = {"to": ["ruth@example.org"], "subject": subject, "body": "Dear Ada"}
    url = f"{API}/workspaces/{office.workspace_id}/tools/send_email"
    sent = office.owner.post(url, json={"arguments": arguments})
    assert sent.is_success, sent.text
    return sent.json()["result"]["outbox_id"]


def lose(office: Furnished, id: str) -> None:
    """As it is when the connection broke while a message was handed over."""
    with closing(sqlite3.connect(office.server.data / "app.db", timeout=PATIENCE)) as database:
        database.execute("UPDATE mail_outbox SET status = 'unknown' WHERE id = ?", (id,))
        database.commit()


def rows(page: Page, title: str) -> Locator:
    return page.get_by_role("list", name=title).get_by_role("listitem")


@pytest.mark.req("UI-02")
def test_held_mail_is_seen_at_once_counted_down_taken_back_or_sent(
    inside: BrowserContext, office: Furnished
):
    page = tab(inside, DESKTOP, "light")
    settled(page, PATH)
    expect(page.get_by_text("Nothing waits")).to_be_visible()
    send(office, "First <b>offer</b>")
    send(office, "Second offer")
    waiting = rows(page, "Waiting to go out")
    expect(waiting).to_have_count(2)
    expect(waiting.filter(has_text="First <b>offer</b>")).to_contain_text("goes out in")
    waiting.filter(has_text="Second").get_by_role("link").click()
    expect(page.get_by_role("dialog")).to_contain_text("Dear Ada")
    expect(page.get_by_role("dialog")).to_contain_text("goes out in")
    looks_right_to_all(page, "the letter", DESKTOP, PHONE)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.set_viewport_size(DESKTOP)
    page.get_by_role("button", name="Take back: First").click()
    expect(waiting).to_have_count(1)
    expect(waiting).to_be_focused()
    page.get_by_role("button", name="Send now: Second offer").click()
    expect(rows(page, "Done").filter(has_text="Second offer")).to_contain_text("sent")
    page.get_by_label("What is shown").select_option("Taken back")
    expect(rows(page, "Done").filter(has_text="First")).to_contain_text("taken back")


def test_a_person_decides_about_what_nobody_can_tell(inside: BrowserContext, office: Furnished):
    for subject in ("Arrived", "Lost"):
        lose(office, send(office, subject))
    page = inside.new_page()
    settled(page, PATH)
    doubtful = rows(page, "Nobody can tell whether it went out")
    expect(doubtful).to_have_count(2)
    expect(page.get_by_role("link", name="Outbox 2 waiting")).to_be_visible()
    expect(page.get_by_text("people get it twice")).to_be_visible()
    looks_right_to_all(page, PATH, DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    page.get_by_role("button", name="It was sent: Arrived").click()
    page.get_by_role("button", name="Send again: Lost").click()
    expect(doubtful).to_have_count(0)
    expect(rows(page, "Done").filter(has_text="Arrived")).to_contain_text("sent")
    expect(rows(page, "Done").filter(has_text="Lost")).to_contain_text("sent")
