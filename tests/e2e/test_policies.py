"""Rules and redaction, as an admin writes them."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import take_back
from e2e.sample import Furnished
from support.office import API

pytestmark = pytest.mark.req("UI-01")


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Rules").get_by_role("listitem")


def listed(office: Furnished) -> list[dict[str, Any]]:
    return office.owner.get(f"{API}/rules").json()["items"]


@pytest.mark.req("GATE-05")
@pytest.mark.req("GATE-06")
def test_the_form_and_the_json_of_a_rule_say_the_same(inside: BrowserContext, office: Furnished):
    page = inside.new_page()
    page.goto("/policies")
    page.get_by_role("button", name="New rule").click()
    dialog = page.get_by_role("dialog")
    condition = dialog.get_by_label("The same as JSON-Logic")
    dialog.get_by_label("Name", exact=True).fill("Guard the ledger")
    dialog.get_by_text("Delete", exact=True).click()
    expect(condition).to_have_value('{"==": [{"var": "effect"}, "delete"]}')
    dialog.get_by_role("button", name="Add a condition").click()
    page.get_by_role("menuitem", name="Folder, and all in it").click()
    dialog.get_by_role("combobox", name="Folder, and all in it", exact=True).fill("Files/Ledger")
    dialog.get_by_label("Name", exact=True).click()
    expect(
        dialog.get_by_text("When it would delete, and the file is in Files/Ledger.")
    ).to_be_visible()

    # The other way round: what is written shows in the form, or is more than it can show.
    condition.fill('{"<": [{"var": "args.size"}, 3]}')
    expect(dialog.get_by_text("more than the form can show")).to_be_visible()
    condition.fill('{"and": [{"var": "run.tainted"}, {"==": [{"var": "wheather"}, 1]}]}')
    expect(
        dialog.get_by_text(re.compile("At and/1/==/0/var: there is no 'wheather'"))
    ).to_be_visible()
    condition.fill('{"and": [{"var": "run.tainted"}, {"==": [{"var": "tool"}, "file_ledger"]}]}')
    expect(dialog.get_by_role("group", name="Has read strangers' words")).to_be_visible()
    dialog.get_by_label("What happens then").select_option("Block it")
    dialog.get_by_role("button", name="Make the rule").click()

    expect(rows(page).first).to_contain_text("Guard the ledger")
    expect(rows(page).first).to_contain_text("blocked")
    expect(rows(page).first).to_contain_text(
        "When it has read strangers' words, and the tool is file_ledger"
    )
    made = listed(office)[0]
    assert made["condition"] == {
        "and": [{"var": "run.tainted"}, {"==": [{"var": "tool"}, "file_ledger"]}]
    }
    office.owner.delete(f"{API}/rules/{made['id']}")


@pytest.mark.req("GATE-05")
def test_rules_are_moved_switched_and_deleted_and_each_is_taken_back(
    inside: BrowserContext, office: Furnished
):
    before = listed(office)
    first, second = before[0]["name"], before[1]["name"]
    page = inside.new_page()
    page.goto("/policies")
    page.get_by_role("button", name=f"Move “{first}”").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text(f"“{first}” would be number 1")).to_be_attached()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_text(f"“{first}” would be number 2")).to_be_attached()
    page.keyboard.press("Space")
    expect(rows(page).first).to_contain_text(second)
    expect(page.get_by_text(f"“{first}” is asked as number 2 now.")).to_be_visible()
    assert [rule["name"] for rule in listed(office)][:2] == [second, first]
    page.keyboard.press("z")
    expect(rows(page).first).to_contain_text(first)

    page.get_by_role("switch", name=f"“{first}” is on").press("Space")
    expect(page.get_by_text(f"“{first}” is switched off.")).to_be_visible()
    expect(rows(page).first).to_contain_text("switched off")
    page.keyboard.press("z")
    expect(rows(page).first).not_to_contain_text("switched off")

    page.get_by_role("button", name=f"More for {first}").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_text(f"“{first}” is deleted.")).to_be_visible()
    expect(rows(page)).to_have_count(len(before) - 1)
    page.keyboard.press("z")
    expect(rows(page).first).to_contain_text(first)
    after = listed(office)
    assert [kept(rule) for rule in after] == [kept(rule) for rule in before]


def kept(rule: dict[str, Any]) -> dict[str, Any]:
    return {name: rule[name] for name in ("name", "action", "condition", "enabled", "connector")}


@pytest.mark.req("GATE-18")
def test_a_call_is_tried_and_the_rule_that_decides_is_named(inside: BrowserContext):
    page = inside.new_page()
    page.goto("/policies?dialog=try")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Tool", exact=True).fill("delete_file")
    dialog.get_by_label("Arguments").fill(json.dumps({"path": "Files/a.txt"}))
    dialog.get_by_role("button", name="Ask the rules").click()
    verdict = dialog.get_by_role("status", name="What the rules say")
    expect(verdict).to_contain_text("asks a person")
    asked = verdict.get_by_role("listitem").last
    expect(asked).to_contain_text("Ask before anything is deleted")
    expect(asked).to_contain_text(re.compile("(?<!not )fit"))
    dialog.get_by_role("combobox", name="Tool", exact=True).fill("no_such_tool")
    dialog.get_by_role("button", name="Ask the rules").click()
    expect(dialog.get_by_text("Say what the tool does")).to_be_visible()


@pytest.mark.req("GATE-07")
def test_a_pattern_is_tried_added_and_taken_out_of_text(inside: BrowserContext, office: Furnished):
    page = inside.new_page()
    page.goto("/redaction")
    page.get_by_role("button", name="New pattern").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Project numbers")
    dialog.get_by_label("Pattern").fill("PRJ-[0-9")
    dialog.get_by_label("Try it on a text").fill("See PRJ-1234.")
    expect(dialog.get_by_role("alert")).to_contain_text("]")
    dialog.get_by_label("Pattern").fill("PRJ-[0-9]+")
    dialog.get_by_label("What stands in its place").fill("[PROJECT]")
    expect(dialog.get_by_label("The text as others would see it")).not_to_contain_text("1234")
    dialog.get_by_role("button", name="Add the pattern").click()
    expect(dialog).to_have_count(0)

    own = page.get_by_role("list", name="Your own patterns")
    expect(own).to_contain_text("Project numbers")
    page.get_by_label("A text to try it on").fill("PRJ-77 is paid with 4111 1111 1111 1111")
    seen = page.get_by_label("The text as others would see it")
    expect(seen).to_have_text("[PROJECT] is paid with [CARD]")
    page.get_by_role("switch", name="Payment cards: take it out").press("Space")
    expect(seen).to_have_text("[PROJECT] is paid with 4111 1111 1111 1111")
    take_back(page, "Payment cards")
    expect(seen).to_have_text("[PROJECT] is paid with [CARD]")
    own.get_by_role("button", name="More for Project numbers").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_text("You have no patterns of your own")).to_be_visible()
