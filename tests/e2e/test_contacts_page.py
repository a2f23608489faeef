"""The address book: searched, added to, imported into, and taken from with a way back."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from e2e.conftest import tab, take_back
from e2e.sample import Furnished
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled

pytestmark = pytest.mark.req("UI-01")

CARDS = """BEGIN:VCARD
VERSION:4.0
FN:Bo Field
EMAIL:bo@example.org
END:VCARD
"""


def test_people_are_added_imported_found_and_removed_with_a_way_back(
    inside: BrowserContext, office: Furnished, tmp_path: Path
):
    page = tab(inside, DESKTOP, "light")
    settled(page, "/mail/contacts")
    page.get_by_label("Workspace").select_option("Project Heron")
    page.get_by_role("button", name="Add someone").click()
    dialog = page.get_by_role("dialog", name="Add someone")
    dialog.get_by_label("Name").fill("Ada <b>Lovelace</b>")
    dialog.get_by_label("Address").fill("ada")
    dialog.get_by_role("button", name="Add to the address book").click()
    expect(dialog.get_by_label("Address")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Address").fill("ada@example.org")
    dialog.get_by_role("button", name="Add to the address book").click()
    people = page.get_by_role("list", name="Address book").get_by_role("listitem")
    expect(people.filter(has_text="Ada <b>Lovelace</b>")).to_contain_text("ada@example.org")

    file = tmp_path / "book.vcf"
    file.write_text(CARDS)
    page.get_by_label("A vCard file").set_input_files(file)
    expect(people).to_have_count(2)
    looks_right_to_all(page, "the address book", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)
    page.keyboard.press("/")
    expect(page.get_by_label("Whom to look for")).to_be_focused()
    page.keyboard.type("bo f")
    expect(people).to_have_count(1)
    page.get_by_role("button", name="More for Bo Field").click()
    page.get_by_role("menuitem", name="Remove").click()
    expect(page.get_by_text("Nobody is called so")).to_be_visible()
    take_back(page, "Bo Field is removed")
    expect(people.filter(has_text="Bo Field")).to_be_visible()
