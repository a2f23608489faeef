"""Sharing an account in the page: whom it is shared with sees its mail, and no longer than that."""

from collections.abc import Iterator
from mailbox import Maildir

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from e2e.conftest import let_in, new_profile, tab
from e2e.sample import Furnished, log_in
from e2e.test_accounts_page import choose
from e2e.test_accounts_page import row as account_row
from e2e.test_every_page import DESKTOP, PHONE, looks_right_to_all, settled
from e2e.test_mail_page import letter, listed, rows, subject
from support.office import API
from support.server import wait_for

pytestmark = pytest.mark.req("ACC-11", "UI-01")


@pytest.fixture
def mailbox(office: Furnished) -> Iterator[str]:
    """An account of the owner that has got one mail; its id."""
    body = {"workspaceId": office.workspace_id, "connector": "local", "label": "Post"}
    body |= {"settings": {"address": "me@example.com"}}
    made = office.owner.post(f"{API}/accounts", json=body)
    assert made.is_success, made.text
    id = made.json()["id"]
    folder = Maildir(office.server.data / "accounts" / id / "Maildir")
    folder.add(letter("Quarterly figures", "The zebra count went up."))
    assert office.owner.post(f"{API}/fetcher/run", json={"accountId": id}).is_success
    wait_for(lambda: len(listed(office)) == 1)
    yield id
    office.owner.delete(f"{API}/accounts/{id}", params={"removeFiles": True})


@pytest.fixture
def ines(browser: Browser, office: Furnished) -> Iterator[Page]:
    """A page of someone who may write in the workspace."""
    context = new_profile(browser, office.origin)
    let_in(context, log_in(office.server, "ines"))
    yield tab(context, DESKTOP, "light")
    context.close()


@pytest.mark.usefixtures("mailbox")
def test_an_account_is_shared_to_read_and_then_no_more_and_the_others_page_follows(
    inside: BrowserContext, office: Furnished, ines: Page
):
    settled(ines, f"/mail?workspace={office.workspace_id}")
    expect(ines.get_by_text("No mail account is connected")).to_be_visible()
    page = tab(inside, DESKTOP, "light")
    settled(page, "/settings/accounts")
    choose(page, "Post", "Share…")
    dialog = page.get_by_role("dialog", name="Share Post")
    expect(dialog).to_contain_text("Nobody but you sees anything of this account")
    dialog.get_by_label("Share with").click()
    page.get_by_role("option", name="Ines Clerk").click()
    dialog.get_by_role("button", name="Share", exact=True).click()
    expect(dialog.get_by_label("What Ines Clerk may do")).to_have_value("read")
    looks_right_to_all(page, "the dialog", DESKTOP, PHONE)
    page.set_viewport_size(DESKTOP)

    rows(ines).filter(has_text="Quarterly figures").click()
    expect(subject(ines)).to_have_text("Quarterly figures")
    expect(ines.get_by_role("article")).to_contain_text("The zebra count went up.")
    for name in ("Reply", "Archive", "Flag", "New mail"):
        expect(ines.get_by_role("button", name=name, exact=True)).to_have_count(0)
    for key in ("c", "r", "e"):
        ines.keyboard.press(key)
    expect(ines.get_by_role("dialog")).to_have_count(0)

    dialog.get_by_label("What Ines Clerk may do").click()
    page.get_by_role("option", name="read and send").click()
    expect(ines.get_by_role("button", name="Reply", exact=True)).to_be_visible()

    dialog.get_by_role("button", name="Stop sharing with Ines Clerk").click()
    expect(ines.get_by_text("No mail account is connected")).to_be_visible()
    expect(ines.get_by_text("The zebra count went up.")).to_have_count(0)
    expect(dialog).to_contain_text("Nobody but you sees anything of this account")
    settled(ines, "/settings/accounts")
    expect(account_row(ines, "Post")).to_have_count(0)
