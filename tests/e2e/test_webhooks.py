"""Webhooks and backups, as an admin uses them."""

import re
from datetime import datetime

import pytest
from playwright.sync_api import BrowserContext, expect

from e2e.conftest import take_back
from e2e.sample import Furnished
from support.office import API


@pytest.mark.req("EVT-02")
def test_a_webhook_is_made_tried_and_deleted(inside: BrowserContext, office: Furnished):
    page = inside.new_page()
    page.goto("/settings/webhooks")
    page.get_by_role("button", name="New webhook").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Ledger")
    dialog.get_by_label("Address", exact=True).fill(f"{office.receiver}/hook")
    dialog.get_by_label("Only these").check()
    dialog.get_by_label("A backup was made").check()
    dialog.get_by_role("button", name="Make the webhook").click()
    expect(page.get_by_label("Secret", exact=True)).to_have_value(re.compile("^whsec_"))
    page.get_by_role("button", name="I have it").click()
    expect(page.get_by_role("heading", level=1, name="Ledger")).to_be_visible()
    expect(page.get_by_text("backup.made")).to_be_visible()

    page.get_by_role("button", name="Send a test").click()
    row = page.get_by_role("list", name="Deliveries").get_by_role("listitem").first
    expect(row).to_contain_text("delivered (200)")
    row.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1, name="webhook.test")).to_be_visible()
    expect(page.get_by_role("list", name="Attempts")).to_contain_text("answered 200")
    expect(page.get_by_label("Answer to attempt 1")).to_have_text("thank you")
    expect(page.get_by_label("The JSON that is sent")).to_contain_text(
        '"event_type": "webhook.test"'
    )
    page.get_by_role("button", name="Send again").click()
    expect(page.get_by_text("Attempt 2")).to_be_visible()

    page.get_by_role("link", name="All deliveries").click()
    page.get_by_role("button", name="More for Ledger").click()
    page.get_by_role("menuitem", name="Switch off").click()
    expect(page.get_by_text("switched off", exact=True)).to_be_visible()
    take_back(page, "“Ledger” is switched off.")
    expect(page.get_by_text("switched off", exact=True)).to_have_count(0)
    page.get_by_role("button", name="More for Ledger").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete the webhook").click()
    expect(page).to_have_url(re.compile("/settings/webhooks$"))
    expect(page.get_by_role("link", name="Ledger")).to_have_count(0)


@pytest.mark.long
@pytest.mark.req("EVT-02")
def test_a_new_secret_and_an_edit_of_a_webhook(inside: BrowserContext, office: Furnished):
    page = inside.new_page()
    page.goto(f"/settings/webhooks/{office.webhook_id}")
    page.get_by_role("button", name="More for Deploy bot").click()
    page.get_by_role("menuitem", name="New secret").click()
    page.get_by_role("button", name="Make a new secret").click()
    expect(page.get_by_label("Secret", exact=True)).to_have_value(re.compile("^whsec_"))
    page.get_by_role("button", name="I have it").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label("Address", exact=True).fill("ftp://example.com")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("An address is needed")).to_be_visible()
    page.get_by_label("Address", exact=True).fill(f"{office.receiver}/other")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("/other")).to_be_visible()
    shown = office.owner.get(f"{API}/webhooks/{office.webhook_id}").json()
    assert (shown["types"], shown["url"]) == (["workspace.*"], f"{office.receiver}/other")


@pytest.mark.req("EVT-02")
def test_a_failed_delivery_says_why(inside: BrowserContext):
    page = inside.new_page()
    page.goto("/settings/webhooks")
    page.get_by_role("link", name="Old intranet").click()
    page.get_by_label("Which deliveries to show").select_option("Trying again")
    page.get_by_role("list", name="Deliveries").get_by_role("link").last.click()
    expect(page.get_by_text("answered 404").first).to_be_visible()
    expect(page.get_by_label("Answer to attempt 1")).to_have_text("nobody is here")


@pytest.mark.req("OPS-03")
def test_backups_are_scheduled_made_and_deleted(inside: BrowserContext, office: Furnished):
    office.owner.patch(f"{API}/settings", json={"backup_schedule": None})
    page = inside.new_page()
    page.goto("/settings/backups")
    schedule = page.get_by_role("list", name="Schedule")
    expect(schedule).to_contain_text("Every day at 3:00")
    schedule.get_by_role("button", name="Change").click()
    page.get_by_label("How often").select_option("Every Sunday")
    # Not while the test runs.
    later = f"{(datetime.now().astimezone().hour + 12) % 24}:30"
    page.get_by_label("At", exact=True).fill(later.zfill(5))
    page.get_by_role("button", name="Save").click()
    expect(schedule).to_contain_text(f"Every Sunday at {later}")
    expect(schedule).to_contain_text(re.compile("the next one (in|tomorrow)"))

    before = len(office.owner.get(f"{API}/backups").json()["items"])
    rows = page.get_by_role("list", name="Backups").get_by_role("listitem")
    expect(rows).to_have_count(before)
    page.get_by_role("button", name="Make a backup").click()
    page.get_by_role("button", name="Back up now").click()
    expect(rows).to_have_count(before + 1)
    # There are others here, and no data key: it holds what they keep to themselves.
    expect(rows.first).to_contain_text("not encrypted")
    expect(rows.first.get_by_role("link", name="Download")).to_have_count(0)
    listed = office.owner.get(f"{API}/backups").json()["items"]
    refused = office.owner.get(f"{API}/backups/{listed[0]['name']}")
    assert (refused.status_code, "set a data key" in refused.text) == (403, True)
    rows.first.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete the backup", exact=True).click()
    expect(rows).to_have_count(before)
