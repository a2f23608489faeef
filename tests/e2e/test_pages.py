"""The web app, as a person uses it: by eye, by keyboard, and with a screen reader."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from e2e.conftest import sign_in
from support.office import PASSWORD
from support.server import Server

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PAGES = [
    "/",
    "/settings/profile",
    "/settings/sessions",
    "/settings/tokens",
    "/settings/workspaces",
    "/settings/users",
    "/settings/providers",
    "/settings/office",
    "/settings/backups",
    "/settings/changes",
    "/settings/sign-ins",
]


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page whose script errors and policy violations fail the test."""
    made = context.new_page()
    faults: list[str] = []
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on(
        "console",
        lambda line: (
            faults.append(line.text)
            if line.type == "error" and "Failed to load resource" not in line.text
            else None
        ),
    )
    yield made
    assert not faults


@pytest.mark.req("ID-01", "UI-01")
def test_the_link_in_the_terminal_makes_the_owner_once(page: Page, server: Server):
    link = f"{server.origin}/setup#{server.owner_link()}"
    page.goto(link)
    page.get_by_label("Your name").fill("Olive Owner")
    assert "#" not in page.url, "the secret does not stay in the address"
    page.get_by_label("E-mail address").fill("olive@example.com")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.origin}/")
    expect(page.get_by_role("heading", name=re.compile("Olive"))).to_be_visible()
    again = server.browser().post(
        "/api/v1/auth/setup",
        json={
            "link": server.owner_link(),
            "email": "eve@example.com",
            "name": "Eve",
            "password": PASSWORD,
        },
    )
    assert again.status_code == 404


@pytest.mark.req("ID-01", "ID-02")
def test_log_in_and_out_by_keyboard(page: Page, server: Server):
    server.owner()
    page.goto("/settings/tokens")
    expect(page).to_have_url(re.compile(r"/login\?next="))
    page.get_by_label("E-mail address").focus()
    page.keyboard.type("olive@example.com")
    page.keyboard.press("Tab")
    page.keyboard.type("a wrong password")
    page.keyboard.press("Enter")
    expect(page.get_by_text("not right")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/settings/tokens$"))


@pytest.mark.req("ID-04")
def test_a_token_is_made_shown_once_and_works(context: BrowserContext, page: Page, server: Server):
    sign_in(context, server)
    page.goto("/settings/tokens")
    page.get_by_role("button", name=re.compile("token", re.IGNORECASE)).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("My script")
    dialog.locator("button[type=submit]").click()
    shown = page.get_by_label("Token", exact=True)
    expect(shown).to_have_value(re.compile(r"^bwt_[\w-]{43}$"))
    secret = shown.input_value()
    answer = server.browser().get("/api/v1/status", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 200
    page.reload()
    expect(page.get_by_text("My script")).to_be_visible()
    assert secret not in page.content()


@pytest.mark.req("OPS-06", "ACC-06")
def test_a_setting_changes_at_once_and_the_page_says_that_nothing_is_encrypted(
    context: BrowserContext, page: Page, server: Server
):
    sign_in(context, server)
    page.goto("/settings/office")
    page.get_by_label("Name of the office").fill("Heron House")
    page.keyboard.press("Enter")
    expect(page).to_have_title(re.compile("Heron House"))
    assert server.browser().get("/api/v1/auth/options").json()["instanceName"] == "Heron House"
    page.goto("/")
    expect(page.get_by_text("BAILIWICK_DATA_KEY").first).to_be_visible()


@pytest.mark.req("ID-03")
def test_a_user_who_is_no_admin_sees_no_admin_pages(
    context: BrowserContext, page: Page, server: Server
):
    owner = server.owner()
    invited = owner.post("/api/v1/users", json={"email": "sam@example.com", "name": "Sam"})
    page.goto(invited.json()["link"])
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.origin}/")
    page.goto("/settings/profile")
    expect(page.get_by_role("link", name="Sessions")).to_be_visible()
    for hidden in ("Users", "Office", "Sign-ins"):
        expect(page.get_by_role("link", name=hidden, exact=True)).to_have_count(0)


@pytest.mark.req("UI-01")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_serious_and_nothing_sticks_out(
    browser: Browser, server: Server, size: dict[str, int], scheme: str
):
    context = browser.new_context(base_url=server.origin, viewport=size, color_scheme=scheme)
    sign_in(context, server)
    page = context.new_page()
    for path in PAGES:
        page.goto(path, wait_until="networkidle")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        found = Axe().run(page).response["violations"]
        serious = [v["id"] for v in found if v["impact"] in ("serious", "critical")]
        assert not serious, f"{path}: {serious}"
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{path} is {wide} px too wide"
    context.close()
