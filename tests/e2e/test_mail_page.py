"""Mail: read, found, filed and answered, by keyboard too; a stranger's page stays in its frame."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import SMTP
from mailbox import Maildir

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import tab
from e2e.sample import Furnished
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled
from support.office import API
from support.server import wait_for

pytestmark = pytest.mark.req("MAIL-04", "MAIL-05", "UI-01")

HOSTILE = """<html><body><p>Dear <b>office</b></p><script>parent.location = "/hijacked"</script>
<img src="{place}/pixel.png" onerror="parent.document.title = 'owned'">
<form action="{place}/steal"><input name="password"></form></body></html>"""


def letter(subject: str, text: str, *, html: str = "", **headers: str) -> bytes:
    made = EmailMessage(policy=SMTP)
    made["From"], made["To"], made["Subject"] = "Ada <ada@example.org>", "me@example.com", subject
    made["Message-ID"] = f"<{subject.replace(' ', '.')}@example.org>"
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    if html:
        made.add_alternative(html, subtype="html")
        made.add_attachment(
            b"%PDF-1.7", maintype="application", subtype="pdf", filename="offer.pdf"
        )
    return made.as_bytes()


@pytest.fixture
def mailbox(office: Furnished) -> Iterator[str]:
    """An account that has got three mails; its id."""
    body = {
        "workspaceId": office.workspace_id,
        "connector": "local",
        "label": "Post",
        "settings": {"address": "me@example.com"},
    }
    made = office.owner.post(f"{API}/accounts", json=body)
    assert made.is_success, made.text
    id = made.json()["id"]
    folder = Maildir(office.server.data / "accounts" / id / "Maildir")
    first = letter("Offer for Heron", "See the page.", html=HOSTILE.format(place=office.receiver))
    folder.add(first)
    again = {"In_Reply_To": "<Offer.for.Heron@example.org>"}
    folder.add(letter("Re: Offer for Heron", "Did you get my <i>offer</i>?", **again))
    folder.add(letter("Quarterly figures", "The zebra count went up."))
    ran = office.owner.post(f"{API}/fetcher/run", json={"accountId": id})
    assert ran.is_success, ran.text
    wait_for(lambda: len(listed(office)) == 3)
    # What is sent must not be out before a test has looked.
    office.owner.patch(f"{API}/settings", json={"outbox_delay_seconds": 600})
    yield id
    office.owner.delete(f"{API}/accounts/{id}", params={"removeFiles": True})
    office.owner.patch(f"{API}/settings", json={"outbox_delay_seconds": None})


def listed(office: Furnished, **more: bool) -> list[dict[str, object]]:
    query = {"workspaceId": office.workspace_id, "role": "inbox", **more}
    return office.owner.get(f"{API}/mail", params=query).json()["items"]


def answers(office: Furnished) -> list[dict[str, object]]:
    """What was written in answer to the figures, the newest first."""
    query = {"workspaceId": office.workspace_id}
    items = office.owner.get(f"{API}/outbox", params=query).json()["items"]
    return [item for item in items if item["subject"] == "Re: Quarterly figures"]


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Mails").get_by_role("listitem")


def subject(page: Page) -> Locator:
    return page.get_by_role("article").get_by_role("heading", level=2)


@pytest.mark.req("UI-02", "GATE-19")
def test_mail_is_found_read_and_filed_with_the_keyboard_and_taken_back(
    inside: BrowserContext, office: Furnished, mailbox: str
):
    page = tab(inside, DESKTOP, "light")
    settled(page, "/mail")
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_role("navigation", name="Folders")).to_contain_text("Post")

    page.keyboard.press("/")
    page.get_by_label("Search mail", exact=True).fill("zebra subject:figures")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1)
    expect(rows(page).locator("mark")).to_have_text(["figures", "zebra"])
    page.get_by_role("button", name="Clear the search").click()
    expect(rows(page)).to_have_count(3)

    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("j")
    expect(rows(page).first).to_be_focused()
    page.keyboard.press("Enter")
    expect(subject(page)).to_be_focused()
    opened = subject(page).inner_text()
    expect(page.get_by_role("article")).to_contain_text("Nobody here has written to ada@example")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    expect(subject(page)).not_to_have_text(opened)
    wait_for(lambda: len(listed(office, unread=True)) < 3)

    here = subject(page).inner_text()
    page.keyboard.press("e")
    expect(rows(page).filter(has=page.get_by_text(here, exact=True))).to_have_count(0)
    wait_for(lambda: len(listed(office)) == 2)
    expect(page.get_by_role("alert").filter(has_text=f"“{here}” is archived.")).to_be_visible()
    page.keyboard.press("z")
    wait_for(lambda: len(listed(office)) == 3)
    expect(rows(page)).to_have_count(3)

    settled(page, "/mail?q=zebra")
    rows(page).get_by_role("link").click()
    expect(page.get_by_role("article")).to_contain_text("The zebra count went up.")
    looks_right_to_all(page, "/mail", DESKTOP, PHONE)
    page.get_by_role("button", name="Back to the list").click()
    expect(rows(page)).to_have_count(1)


@pytest.mark.req("MAIL-07")
def test_a_hostile_mail_is_shown_in_a_frame_that_does_and_loads_nothing(
    inside: BrowserContext, office: Furnished, mailbox: str
):
    page = tab(inside, DESKTOP, "light")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    settled(page, "/mail?q=has:attachment")
    rows(page).get_by_role("link").click()
    frame = page.frame_locator("iframe[title='The mail as it was sent']")
    expect(frame.get_by_text("Dear office")).to_be_visible()
    held = page.locator("iframe").get_attribute("sandbox") or ""
    assert set(held.split()) == {"allow-popups", "allow-popups-to-escape-sandbox"}
    expect(frame.locator("script, form, input, [onerror]")).to_have_count(0)
    assert not [url for url in asked if url.startswith(office.receiver)]

    page.get_by_role("button", name="1 other mail of this thread").click()
    expect(page.get_by_role("list", name="Thread")).to_contain_text("Did you get my <i>offer</i>?")
    with page.expect_download() as kept:
        page.get_by_role("link", name="offer.pdf").click()
    assert kept.value.path().read_bytes() == b"%PDF-1.7"

    with page.expect_request(f"{office.receiver}/pixel.png"):
        page.get_by_role("button", name="Load pictures from elsewhere").click()
    page.get_by_role("radiogroup", name="How the mail is shown").get_by_text("Plain text").click()
    expect(page.get_by_role("article")).to_contain_text("See the page.")
    page.get_by_role("list", name="Thread").get_by_role("link").click()
    expect(subject(page)).to_be_focused()
    expect(page.get_by_role("list", name="Thread")).to_contain_text("See the page.")
    expect(page).to_have_title(re.compile("^Mail"))


@pytest.mark.req("MAIL-06")
def test_an_answer_is_held_taken_back_with_its_text_and_sent(
    inside: BrowserContext, office: Furnished, mailbox: str
):
    page = tab(inside, DESKTOP, "light")
    settled(page, "/mail?q=zebra")
    rows(page).get_by_role("link").click()
    expect(subject(page)).to_be_focused()
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("ada@example.org")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.get_by_label("Text")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Text").fill("How many exactly?")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog).to_have_count(0)
    notice = page.get_by_role("alert").filter(has_text="then it goes out")
    notice.get_by_role("button", name="Cancel").click()
    expect(dialog.get_by_label("Text")).to_have_value("How many exactly?")
    looks_right_to_all(page, "the composer", DESKTOP, PHONE)
    dialog.get_by_role("button", name="Send").click()
    wait_for(lambda: len(answers(office)) == 2)
    newest, before = answers(office)
    assert (newest["status"], newest["to"]) == ("held", ["ada@example.org"])
    assert before["status"] == "cancelled"
    office.owner.post(f"{API}/outbox/{newest['id']}/cancel")
