"""What came of the mail: looked at, sent, changed and deleted, by keyboard too, and on a phone."""

import json

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import tab, take_back, wait_on
from e2e.maildesk import DRAFT, ITEMS, Desk
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled
from support.office import API
from support.server import wait_for

pytestmark = pytest.mark.req("CASE-02", "UI-01")


def rows(page: Page) -> Locator:
    return page.get_by_role("tree", name="Results").get_by_role("treeitem")


def title(page: Page) -> Locator:
    return page.get_by_role("region", name="Result", exact=True).get_by_role("heading", level=2)


@pytest.mark.req("CASE-04")
def test_the_tree_leads_from_mails_to_items_which_are_shown_as_what_they_are(
    inside: BrowserContext, desk: Desk
):
    desk.got("The lamp is broken")
    page = tab(inside, DESKTOP, "light")
    settled(page, "/results")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_have_accessible_name("The lamp is broken, from Cleo Client, done")

    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(title(page)).to_be_focused()
    expect(title(page)).to_have_text("The lamp is broken")
    expect(rows(page)).to_have_count(2 + len(ITEMS))
    shown = page.get_by_role("region", name="Result", exact=True)
    expect(shown.get_by_role("list", name="Items").get_by_role("listitem")).to_have_count(6)
    expect(shown.get_by_role("list", name="Pictures").get_by_role("img")).to_be_visible()
    expect(shown).not_to_contain_text("no result")
    looks_right_to_all(page, "/results, a mail", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)

    page.keyboard.press("j")
    expect(title(page)).to_have_text("Support")
    page.keyboard.press("ArrowDown")
    expect(title(page)).to_have_text("Summary")
    expect(shown.locator("strong", has_text="lamp")).to_be_visible()
    expect(shown).to_contain_text("a stranger's words")

    choose(page, "Facts")
    expect(shown.get_by_label("Data")).to_contain_text("order: 4711")
    shown.locator("summary", has_text="parts").click()
    expect(shown.get_by_label("Data")).not_to_contain_text("bulb")
    choose(page, "Parts")
    for way in ("3", "100"):
        shown.get_by_role("button", name="price").click()
        expect(shown.locator("tbody td").nth(1)).to_have_text(way)
    choose(page, "Lamp")
    expect(shown.get_by_role("img", name="Lamp")).to_have_js_property("naturalWidth", 160)
    choose(page, "Archive")
    with page.expect_download() as download:
        shown.get_by_role("link", name="Download").first.click()
    assert download.value.suggested_filename == "Archive"
    looks_right_to_all(page, "/results, an item", DESKTOP, PHONE)


def choose(page: Page, label: str) -> None:
    rows(page).filter(has=page.get_by_text(label, exact=True)).get_by_role("link").click()
    expect(title(page)).to_have_text(label)


def test_a_hostile_page_is_shown_in_a_frame_that_does_nothing(inside: BrowserContext, desk: Desk):
    case = desk.got("A hostile page")
    page = tab(inside, DESKTOP, "light")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    settled(page, f"/results?case={case['id']}&item={desk.items(case)['Page']['id']}")
    frame = page.get_by_title("Page", exact=True)
    expect(frame).to_have_attribute("sandbox", "")
    expect(frame.content_frame.get_by_text("Dear office")).to_be_visible()
    assert frame.content_frame.locator("script, [onerror]").count() == 0
    expect(page).to_have_title("Results · Bailiwick")
    assert not [address for address in asked if address.endswith(("/x", "hijacked"))]


@pytest.mark.req("CASE-04")
def test_a_case_without_items_says_so_and_its_transcript_says_what_was_decided_and_why(
    inside: BrowserContext, desk: Desk
):
    desk.got("An empty one", "There is nothing to do.")
    desk.got("Answer this", "Please answer at once.")
    desk.got("A failing one", "For the broken model.")
    page = tab(inside, DESKTOP, "light")
    settled(page, "/results")
    expect(rows(page)).to_have_count(3)
    states = page.get_by_role("group", name="In which state")
    states.get_by_role("button", name="Failed 1").click()
    expect(rows(page)).to_have_count(1)
    expect(states.get_by_role("button", name="Done 1")).to_be_visible()
    rows(page).get_by_role("link").click()
    shown = page.get_by_role("region", name="Result", exact=True)
    expect(shown).to_contain_text("the work failed before any was made")
    expect(shown).to_contain_text("key")

    states.get_by_role("button", name="All").click()
    rows(page).filter(has_text="An empty one").get_by_role("link").click()
    expect(shown).to_contain_text("The director is done, and made no items.")
    expect(shown).not_to_contain_text("no result")

    states.get_by_role("button", name="Waiting for you 1").click()
    expect(rows(page)).to_have_count(1)
    rows(page).get_by_role("link").click()
    shown.get_by_role("link", name="Support").click()
    expect(shown.get_by_role("button", name="Allow: Answer a mail")).to_be_visible()
    shown.get_by_role("button", name="Transcript").click()
    deeds = shown.get_by_role("list", name="What it did")
    expect(deeds).to_contain_text("asks a person")
    expect(deeds).to_contain_text("Answer this")
    looks_right_to_all(page, "/results, a director", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    shown.get_by_role("button", name="Stop").click()
    expect(shown).to_contain_text("Stopped")
    expect(shown.get_by_role("button", name="Run again")).to_be_visible()


def test_an_item_is_copied_and_sent_as_reply_in_plain_words(inside: BrowserContext, desk: Desk):
    case = desk.got("Send another lamp")
    inside.grant_permissions(["clipboard-read", "clipboard-write"])
    page = tab(inside, DESKTOP, "light")
    draft = desk.items(case)["Reply draft"]["id"]
    settled(page, f"/results?case={case['id']}&item={draft}")
    page.keyboard.press("c")
    expect(page.get_by_role("alert").filter(has_text="is copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == DRAFT

    page.keyboard.press("m")
    original = page.get_by_role("complementary", name="The mail")
    expect(original).to_contain_text("The lamp is broken.")
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog")
    plain = "Dear Cleo,\n\nanother lamp is on its way:\n\n- by post\n- on Monday"
    expect(dialog.get_by_label("Text")).to_have_value(plain)
    expect(dialog).to_contain_text("cleo@example.org")
    expect(dialog).to_contain_text("Your signature is added")
    dialog.get_by_label("Text").fill(f"{plain}\n\nBest wishes")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog).to_have_count(0)
    wait_on(page, desk.outbox)
    (sent,) = desk.outbox()
    assert (sent["status"], sent["subject"]) == ("held", "Re: Send another lamp")
    letter = desk.owner.get(f"{API}/outbox/{sent['id']}").json()
    assert "another lamp is on its way" in json.dumps(letter)
    assert "Kim of the office" in json.dumps(letter)
    desk.owner.post(f"{API}/outbox/{sent['id']}/cancel")


def test_results_are_deleted_one_selected_or_all_and_brought_back(
    inside: BrowserContext, desk: Desk
):
    for number in range(3):
        desk.got(f"Mail {number}")
    page = tab(inside, DESKTOP, "light")
    settled(page, "/results")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first).to_be_focused()
    take_back(page, "1 result is deleted.")
    expect(rows(page)).to_have_count(3)

    rows(page).first.focus()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_role("region", name="List")).to_contain_text("2 selected")
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(rows(page)).to_have_count(1)
    take_back(page, "2 results are deleted.")
    expect(rows(page)).to_have_count(3)

    page.get_by_role("button", name="More for the list").click()
    page.get_by_role("menuitem", name="Delete all 3 shown").click()
    expect(rows(page)).to_have_count(0)
    assert desk.cases() == []
    page.keyboard.press("z")
    expect(rows(page)).to_have_count(3)

    choose_item(page, "Mail 1", "Parts")
    page.keyboard.press("Delete")
    expect(title(page)).to_have_text("Support")
    expect(rows(page).filter(has_text="Parts")).to_have_count(0)
    take_back(page, "“Parts” is removed.")
    expect(rows(page).filter(has_text="Parts")).to_have_count(1)


def choose_item(page: Page, mail: str, label: str) -> None:
    rows(page).filter(has_text=mail).get_by_role("link").click()
    choose(page, label)


@pytest.mark.req("CASE-03")
def test_two_tabs_that_change_one_item_see_both_versions_and_choose(
    inside: BrowserContext, desk: Desk
):
    case = desk.got("Two hands")
    path = f"/results?case={case['id']}&item={desk.items(case)['Summary']['id']}"
    one, other = (tab(inside, DESKTOP, "light") for _ in range(2))
    for page in (one, other):
        settled(page, path)
        expect(title(page)).to_have_text("Summary")
        page.keyboard.press("e")
        expect(page.get_by_role("dialog").get_by_label("Content")).to_be_visible()
    for page, text in ((one, "First hand."), (other, "Second hand.")):
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Content").fill(text)
        dialog.get_by_role("button", name="Save", exact=True).click()
    conflict = other.get_by_role("dialog")
    expect(conflict.get_by_label("The newest, revision 2")).to_contain_text("First hand.")
    expect(conflict.get_by_label("Yours")).to_contain_text("Second hand.")
    looks_right_to_all(other, "the conflict", DESKTOP, PHONE)
    other.set_viewport_size(DESKTOP)
    conflict.get_by_role("button", name="Save yours over it").click()
    expect(conflict).to_have_count(0)
    wait_for(lambda: desk.items(case)["Summary"]["data"] == "Second hand.")
    assert desk.items(case)["Summary"]["revision"] == 3
    other.get_by_role("button", name="All 3 versions").click()
    changed = other.get_by_label("What revision 3 changed")
    expect(changed).to_contain_text("Second hand.")
    expect(changed).to_contain_text("First hand.")
    # What the other tab shows follows by itself.
    expect(one.get_by_text("Second hand.")).to_be_visible()


@pytest.mark.req("CASE-03")
def test_a_person_adds_an_item_by_hand(inside: BrowserContext, desk: Desk):
    case = desk.got("By hand")
    page = tab(inside, DESKTOP, "light")
    settled(page, f"/results?case={case['id']}")
    page.get_by_role("button", name="Add item").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Note")
    dialog.get_by_label("Content").fill("Called her *today*.")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("list", name="Items").get_by_role("link").filter(has_text="Note").click()
    expect(title(page)).to_have_text("Note")
    expect(page.get_by_role("region", name="Result", exact=True).locator("em")).to_have_text(
        "today"
    )
    expect(page.get_by_role("region", name="Result", exact=True)).to_contain_text("your own words")


def test_on_a_phone_the_list_leads_to_a_result_and_back_and_a_mail_leads_to_its_result(
    inside: BrowserContext, desk: Desk
):
    case = desk.got("On the way")
    page = tab(inside, PHONE, "dark")
    settled(page, f"/mail?mail={case['mail']['id']}")
    page.get_by_role("link", name="See what came of it").click()
    expect(title(page)).to_have_text("Support")
    expect(page.get_by_role("tree")).to_have_count(0)
    page.get_by_role("list", name="Items").get_by_role("link").filter(has_text="Reply").click()
    expect(title(page)).to_have_text("Reply draft")
    page.get_by_role("button", name="Back to the list").click()
    expect(page.get_by_role("tree")).to_be_visible()
    expect(title(page)).to_have_count(0)
