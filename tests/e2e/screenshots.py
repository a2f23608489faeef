"""Takes the pictures of the pages: `python -m e2e.screenshots FOLDER`."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from e2e import png
from e2e.conftest import FLAGS, chromium, let_in
from e2e.sample import Furnished, furnished_office

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


def shots(office: Furnished) -> dict[str, str]:
    """The pictures by name, and what to open for each."""
    webhook = f"/settings/webhooks/{office.webhook_id}"
    return {
        "home": "/",
        "approvals": "/approvals",
        "activity": "/activity",
        "policies": "/policies",
        "redaction": "/redaction",
        "audit": "/audit",
        "clients": "/settings/clients",
        "folders": "/settings/folders",
        "profile": "/settings/profile",
        "sessions": "/settings/sessions",
        "tokens": "/settings/tokens",
        "workspace": f"/settings/workspaces/{office.workspace_id}",
        "users": "/settings/users",
        "providers": "/settings/providers",
        "office": "/settings/office",
        "webhooks": "/settings/webhooks",
        "webhook": webhook,
        "new-webhook": "/settings/webhooks?dialog=new",
        "delivery": f"{webhook}/deliveries/{office.delivery_id}",
        "backups": "/settings/backups",
        "changes": "/settings/changes",
        "sign-ins": "/settings/sign-ins",
    }


def take(browser: Browser, office: Furnished, folder: Path, size: str) -> None:
    """All pictures at one size."""

    def keep(page: Page, name: str) -> None:
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_label("Loading")).to_have_count(0)
        page.evaluate("document.fonts.ready")
        picture = page.screenshot(animations="disabled", caret="hide")
        (folder / f"{name}-{size}.png").write_bytes(png.smaller(blank, picture))

    context = browser.new_context(base_url=office.origin, viewport=SIZES[size])
    blank, page = context.new_page(), context.new_page()
    page.goto("/login")
    keep(page, "log-in")
    let_in(context, office.owner)
    for name, path in shots(office).items():
        page.goto(path)
        if "?dialog" in path:
            expect(page.get_by_role("dialog")).to_be_visible()
        keep(page, name)
    page.goto("/")
    page.get_by_role("button", name="Search pages and commands").click()
    expect(page.get_by_role("option", name="Project Heron")).to_be_attached()
    keep(page, "palette")
    page.emulate_media(color_scheme="dark")
    page.goto("/")
    keep(page, "home-dark")
    context.close()


def main(folder: Path) -> None:
    """Start an office, photograph it, and throw it away."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        furnished_office(Path(scratch) / "bailiwick") as office,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for size in SIZES:
            take(browser, office, folder, size)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
