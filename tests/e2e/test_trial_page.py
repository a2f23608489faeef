"""A director tried on a real mail, from its editor."""

import pytest
from playwright.sync_api import BrowserContext, expect

from e2e.conftest import tab
from e2e.maildesk import Desk
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled

pytestmark = pytest.mark.req("DIR-04", "UI-01")


def test_a_director_is_tried_on_a_mail_with_what_is_typed_and_nothing_happens(
    inside: BrowserContext, desk: Desk
):
    case = desk.got("The lamp is broken", "There is nothing to do.")
    desk.got("Answer this", "Please answer at once.")
    page = tab(inside, DESKTOP, "light")
    settled(page, f"/agents/{desk.director}")
    page.get_by_role("button", name="Add a message").click()
    page.get_by_role("textbox", name="Message 1", exact=True).fill(
        "You help {{email.from}}.\n{{email}}"
    )
    part = page.get_by_role("region", name="Try it on a mail")
    part.get_by_role("button", name="What the model reads").click()
    expect(part).to_contain_text("You help Cleo Client <cleo@example.org>.")
    expect(part).to_contain_text("A mail has come in for you.")
    part.get_by_role("button", name="What the model reads").click()

    part.get_by_role("button", name="Run it on this mail without effects").click()
    done = part.get_by_role("region", name="What it would have done")
    expect(done).to_contain_text("would ask a person")
    expect(done).to_contain_text("Answer this")
    looks_right_to_all(page, "a director that is tried", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    part.get_by_label("Mail").select_option(case["mail"]["id"])
    expect(done).to_have_count(0)
    part.get_by_role("button", name="Run it on this mail without effects").click()
    expect(done).to_contain_text("It used no tool.")
    assert desk.outbox() == []
    assert len(desk.cases()) == 2
