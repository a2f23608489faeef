"""What agents want to do, as a person answers it."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from e2e.conftest import let_in, press_quickly
from e2e.sample import Furnished, log_in
from support.office import API

pytestmark = pytest.mark.req("GATE-09")


def opened(context: BrowserContext, path: str = "/approvals") -> Page:
    page = context.new_page()
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_label("Loading")).to_have_count(0)
    return page


def card(page: Page, text: str) -> Locator:
    """The card of a call that has this text in it."""
    return page.get_by_role("list", name="Waiting").locator("[data-row]").filter(has_text=text)


def task_named(office: Furnished, title: str) -> dict[str, Any] | None:
    call = f"{API}/workspaces/{office.workspace_id}/tools/list_tasks"
    found = office.owner.post(call, json={"arguments": {"status": "all"}}).json()["result"]["tasks"]
    return next((task for task in found if task["title"] == title), None)


@pytest.mark.req("UI-02")
@pytest.mark.req("GATE-19")
def test_a_call_appears_by_itself_is_allowed_by_a_key_and_undone(
    inside: BrowserContext, office: Furnished
):
    page = opened(inside)
    link = page.get_by_role("navigation", name="Main").get_by_role("link", name="Approvals")
    expect(link).to_contain_text("waiting")
    before = int(re.findall(r"\d+", link.inner_text())[0])
    office.agent.ask("create_task", title="Order paper")
    expect(link).to_contain_text(f"{before + 1} waiting")
    asked = card(page, "Order paper")
    expect(asked).to_contain_text("Claude Code")
    expect(asked).to_contain_text("makes something new")
    expect(asked).to_contain_text("asks before everything that it changes")
    assert task_named(office, "Order paper") is None
    asked.focus()
    press_quickly(page, "ga")  # goes to this page, and answers nothing
    expect(asked.get_by_role("button", name="Allow:")).to_be_visible()
    asked.focus()
    page.keyboard.press("a")
    expect(asked).to_contain_text("answered by you")
    expect(asked).to_contain_text("done")
    expect(asked).to_be_focused()
    assert task_named(office, "Order paper")
    asked.get_by_role("button", name="Undo").click()
    expect(asked).to_contain_text("undone")
    expect(asked).to_be_focused()
    assert task_named(office, "Order paper") is None
    expect(link).to_contain_text(f"{before} waiting")


def test_a_denial_tells_the_agent_why(inside: BrowserContext, office: Furnished):
    id = office.agent.ask("create_task", title="Buy a yacht")
    page = opened(inside, f"/approvals/{id}")
    page.get_by_role("button", name="Deny with a note").click()
    page.get_by_label("Note").fill("We have no money for that")
    page.get_by_role("button", name="Deny", exact=True).click()
    expect(page.get_by_text("It was told: We have no money for that")).to_be_visible()
    told = office.agent.call("approval_status", approval_id=id)
    assert "We have no money for that" in str(told)
    page.get_by_role("link", name="All approvals").click()
    page.get_by_role("tab", name="Recent").click()
    row = page.get_by_role("list", name="Recent").get_by_role("listitem").first
    expect(row).to_contain_text("Buy a yacht")
    expect(row).to_contain_text("denied")
    office.agent.ask("create_task", title="Sell the yacht")
    page.get_by_role("tab", name="Waiting").click()
    card(page, "Sell the yacht").focus()
    page.keyboard.press("d")
    expect(page.locator("li:focus")).to_contain_text("denied")


@pytest.mark.req("GATE-02")
def test_arguments_are_edited_in_a_form_and_faults_stand_at_their_field(
    inside: BrowserContext, office: Furnished
):
    id = office.agent.ask("create_task", title="Call Kim", due="2027-01-01")
    page = opened(inside, f"/approvals/{id}")
    page.get_by_role("button", name="Edit and allow").click()
    dialog = page.get_by_role("dialog")
    title = dialog.get_by_label("Title")
    expect(title).to_have_value("Call Kim")
    title.fill("   ")
    dialog.get_by_role("button", name="Allow as edited").click()
    expect(title).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_role("alert")).to_contain_text("do not fit the tool")
    title.fill("Call Kim about the offer")
    dialog.get_by_label("Due").fill("2027-02-03")
    dialog.get_by_role("button", name="Allow as edited").click()
    expect(page.get_by_text("edited before it was allowed")).to_be_visible()
    expect(page.get_by_text("done", exact=True)).to_be_visible()
    task = task_named(office, "Call Kim about the offer")
    assert task
    assert (task["due"], task["notes"]) == ("2027-02-03", "")


@pytest.mark.req("UI-01")
def test_a_change_of_a_file_is_a_diff_and_strange_words_stay_words(
    inside: BrowserContext, office: Furnished
):
    page = opened(inside, f"/approvals/{office.approval_id}")
    diff = page.get_by_role("region", name="What would change")
    expect(diff.locator("[data-kind=removed]")).to_have_text(re.compile("Tuesday: send the offer$"))
    expect(diff.locator("[data-kind=added]")).to_contain_text("kim@example.com")
    title = "<img src=x onerror=alert(1)> \u202etxt.exe\u200b https://evil.example"
    id = office.agent.ask("create_task", title=title, notes="word " * 400)
    page.goto(f"/approvals/{id}")
    shown = page.get_by_role("main")
    expect(shown).to_contain_text("<img src=x onerror=alert(1)>")
    expect(shown).to_contain_text("U+202E")
    expect(shown.get_by_title("zero-width space").first).to_be_visible()
    expect(shown.locator("img, a[href*=evil]")).to_have_count(0)
    shown.get_by_role("button", name="Show all").first.click()
    office.owner.post(f"{API}/approvals/{id}/deny", json={})


def test_an_answer_that_came_too_late_is_told_and_the_page_is_true_again(
    inside: BrowserContext, office: Furnished
):
    id = office.agent.ask("create_task", title="Only once")
    page = opened(inside, f"/approvals/{id}")

    def overtaken(route: Route) -> None:
        office.owner.post(f"{API}/approvals/{id}/deny", json={})
        route.continue_()

    page.route("**/allow", overtaken)
    page.get_by_role("button", name="Allow: Create a task").click()
    expect(page.get_by_role("alert").filter(has_text="answered already")).to_be_visible()
    expect(page.get_by_role("button", name="Allow: Create a task")).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text("denied")
    assert task_named(office, "Only once") is None


@pytest.mark.req("ACC-11")
def test_what_waits_for_the_owner_is_shown_to_nobody_else(
    outside: BrowserContext, office: Furnished
):
    id = office.agent.ask("create_task", title="For the owner alone")
    let_in(outside, log_in(office.server, "ines"))
    page = opened(outside, f"/approvals/{id}")
    expect(page.get_by_role("alert")).to_contain_text("That approval does not exist")
    expect(page.get_by_role("button", name="Allow:")).to_have_count(0)
    page.keyboard.press("a")
    page.goto("/approvals")
    expect(page.get_by_text("Nothing waits for you")).to_be_visible()
    expect(page.get_by_text("For the owner alone")).to_have_count(0)
    page.close()
    assert office.owner.get(f"{API}/approvals/{id}").json()["status"] == "pending"
    office.owner.post(f"{API}/approvals/{id}/deny", json={})


@pytest.mark.req("GATE-20")
@pytest.mark.req("UI-04")
def test_everything_is_stopped_from_the_palette_and_released_from_any_page(
    inside: BrowserContext, office: Furnished
):
    page, other = opened(inside, "/settings/profile"), opened(inside, "/activity?status=done")
    try:
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Search").fill("panic")
        page.keyboard.press("Enter")
        page.get_by_label("Reason").fill("Something is odd")
        page.get_by_label("Reason").press("Enter")
        for tab in (page, other):
            bar = tab.get_by_role("alert").filter(has_text="Everything is stopped")
            expect(bar).to_contain_text("stopped it just now: Something is odd")
            expect(tab.get_by_role("button", name="Stop everything")).to_have_count(0)
        assert office.agent.call("list_tasks")["code"] == "halted"
        other.get_by_role("button", name="Release").click()
        expect(page.get_by_text("Everything is stopped")).to_have_count(0)
        expect(page.get_by_role("button", name="Stop everything")).to_be_visible()
        expect(other).to_have_url(re.compile("status=done"))
        assert "tasks" in office.agent.call("list_tasks")
    finally:
        office.owner.delete(f"{API}/halt")


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_attached_is_on_the_card_and_a_changed_file_is_shown_before_a_yes(
    inside: BrowserContext, office: Furnished, width: int
):
    tools = f"{API}/workspaces/{office.workspace_id}/tools"

    def use(tool: str, **arguments: Any) -> None:
        assert office.owner.post(f"{tools}/{tool}", json={"arguments": arguments}).is_success

    account = {
        "workspaceId": office.workspace_id,
        "connector": "local",
        "label": f"Desk {width}",
        "settings": {"address": f"me{width}@example.com"},
    }
    made = office.owner.post(f"{API}/accounts", json=account)
    assert made.is_success, made.text
    path = f"Files/figures-{width}.txt"
    use("create_file", path=path, content="Twelve euros")
    token = {"name": f"Mailer {width}", "scopes": ["read", "write"]}
    secret = office.owner.post(f"{API}/tokens", json=token).json()["secret"]
    call = {
        "to": ["ada@example.org"],
        "subject": "Figures",
        "body": "Here they are.",
        "account": f"Desk {width}",
        "attach_files": [path],
    }
    asked = httpx.post(
        f"{office.origin}{tools}/send_email",
        json={"arguments": call},
        headers={"Authorization": f"Bearer {secret}"},
    ).json()
    page = inside.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"/approvals/{asked['approvalId']}")
    files = page.get_by_role("list", name="Attached files")
    expect(files).to_contain_text(f"figures-{width}.txt")
    expect(files).to_contain_text("12 bytes, text/plain")
    expect(files).to_contain_text("Twelve euros")
    link = files.get_by_role("link", name=f"figures-{width}.txt")
    shown = page.request.get(f"{office.origin}{link.get_attribute('href')}")
    assert shown.body() == b"Twelve euros"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    use("write_file", path=path, content="All salaries")
    page.get_by_role("button", name=re.compile("^Allow")).first.click()
    expect(page.get_by_text(f"figures-{width}.txt changed since").first).to_be_visible()
    expect(files).to_contain_text("All salaries")
    page.get_by_role("button", name=re.compile("^Deny")).first.click()
    expect(files).to_be_visible()
    office.owner.delete(f"{API}/accounts/{made.json()['id']}", params={"removeFiles": True})
