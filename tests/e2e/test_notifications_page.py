"""Desktop notifications: chosen once for all of one's browsers, shown where one allows them."""

import pytest
from playwright.sync_api import BrowserContext, expect

from e2e.conftest import wait_on
from e2e.maildesk import Desk
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled
from support.office import API

pytestmark = pytest.mark.req("CHAN-03", "UI-01")
CHOICES = f"{API}/users/me/notifications"
# Real ones, of which we keep track; and whether somebody looks is the test's to say.
NOTICES = """window.notices = []; window.looks = 0;
document.hasFocus = () => { looks += 1; return !window.away; };
window.Notification = class extends Notification {
  constructor(title, options) { super(title, options); notices.push(this); } };"""
TOLD = "() => window.notices.map((notice) => [notice.title, notice.body])"


def test_a_desktop_notification_tells_of_a_case_while_nobody_looks_and_leads_to_it(
    inside: BrowserContext, desk: Desk
):
    inside.grant_permissions(["notifications"])
    page, other = inside.new_page(), inside.new_page()
    page.add_init_script(NOTICES)
    settled(other, "/settings/notifications")
    settled(page, "/settings/notifications")
    page.get_by_label("Show notifications").click(force=True)
    expect(page.get_by_label("Show notifications")).to_be_checked()
    page.get_by_label("The work on a mail failed").click()
    expect(page.get_by_label("The work on a mail failed")).not_to_be_checked()
    # Another tab follows: what is chosen is the person's, not the browser's.
    expect(other.get_by_label("Show notifications")).to_be_checked()
    expect(other.get_by_label("The work on a mail failed")).not_to_be_checked()
    other.close()
    kept = {"desktop": True, "events": ["done", "waiting"], "subjects": False}
    assert desk.owner.get(CHOICES).json() == kept
    looks_right_to_all(page, "/settings/notifications", DESKTOP, PHONE)
    page.evaluate("window.looks = 0")
    desk.got("Seen already")
    page.wait_for_function("() => window.looks > 0")
    page.evaluate("window.away = true; window.dispatchEvent(new Event('blur'))")
    desk.got("A failure unheard", "For the broken model.")
    desk.got("Not looked at")
    page.wait_for_function("() => window.notices.length > 0")
    assert page.evaluate(TOLD) == [["A result is done", ""]]

    page.get_by_label("Say which mail it is about").click(force=True)
    wait_on(page, lambda: desk.owner.get(CHOICES).json()["subjects"])
    case = desk.got("Named now")
    page.wait_for_function("() => window.notices.length > 1")
    assert page.evaluate(TOLD)[1] == ["A result is done", "Named now\nSupport"]
    page.evaluate("window.notices[1].dispatchEvent(new Event('click'))")
    expect(page).to_have_url(f"{desk.office.origin}/results?case={case['id']}")
    desk.owner.put(CHOICES, json={**kept, "desktop": False})
