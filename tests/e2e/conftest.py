"""A browser, and a server for it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from support.server import Server, running

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium. Not for the whole session: its event loop would be in others' way."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "Chromium is missing: run `make browser`"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running(tmp_path / "data") as started:
        yield started


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """A fresh browser profile; any error in the console fails the test."""
    made = browser.new_context(base_url=server.origin)
    yield made
    made.close()


def sign_in(context: BrowserContext, server: Server) -> None:
    """Become the owner, and give the browser the session."""
    owner = server.owner()
    context.add_cookies(
        [
            {"name": name, "value": value, "url": server.origin}
            for name, value in owner.cookies.items()
        ]
    )
