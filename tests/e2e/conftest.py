"""A browser, and servers for it."""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from e2e.maildesk import Desk, work
from e2e.sample import Furnished, furnished_office
from support.model_server import ModelServer, serving_model
from support.server import PATIENCE, Server, running, wait_for

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

Scheme = Literal["light", "dark"]

# As long as everything else is waited for: a machine may be busy.
expect.set_options(timeout=PATIENCE * 1000)
# A page's notices leave after some seconds: here they stay until a test has seen them.
PATIENT = """(() => { const real = window.setTimeout;
  window.setTimeout = (run, ms, ...rest) => real(run, ms >= 8000 ? ms * 60 : ms, ...rest); })()"""


def chromium() -> str:
    """Where the system's Chromium is."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "Chromium is missing: run `make browser`"
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The system's Chromium. Not for the whole session: its event loop would be in others' way."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield launched
        launched.close()


def new_profile(browser: Browser, origin: str) -> BrowserContext:
    """A browser profile, as patient as the tests."""
    made = browser.new_context(base_url=origin)
    made.set_default_timeout(PATIENCE * 1000)
    made.add_init_script(PATIENT)
    return made


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A new office, without an owner."""
    with running(tmp_path / "data") as started:
        yield started


@pytest.fixture(scope="package")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    """An office with an owner and some content, shared by all tests that break nothing in it."""
    with furnished_office(tmp_path_factory.mktemp("office") / "data") as made:
        yield made


@pytest.fixture(scope="package")
def model() -> Iterator[ModelServer]:
    """A model that directors use."""
    with serving_model(work) as server:
        yield server


@pytest.fixture
def desk(office: Furnished, model: ModelServer) -> Iterator[Desk]:
    """An account whose mail goes to a director, for one test."""
    made = Desk(office, model)
    yield made
    made.close()


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """A fresh browser profile for the new office."""
    made = new_profile(browser, server.origin)
    yield made
    made.close()


@pytest.fixture(scope="package")
def profile(browser: Browser, office: Furnished) -> Iterator[tuple[BrowserContext, list[str]]]:
    """A browser profile for the shared office, and the errors in its console.

    One for all, whose first page stays: else each test would begin with a new process of the
    browser, which loads and compiles the whole app again, and that costs more than the test.
    """
    made = new_profile(browser, office.origin)
    made.new_page().goto("/favicon.svg")
    yield made, watched(made)
    made.close()


@pytest.fixture
def outside(
    profile: tuple[BrowserContext, list[str]], office: Furnished
) -> Iterator[BrowserContext]:
    """A profile that knows nobody of the shared office; errors in its console fail the test."""
    context, faults = profile
    faults.clear()
    yield context
    emptied(context, office.origin)
    assert not faults


@pytest.fixture
def inside(outside: BrowserContext, office: Furnished) -> BrowserContext:
    """The same with the owner signed in."""
    let_in(outside, office.owner)
    return outside


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page of the new office; errors in its console fail the test."""
    faults = watched(context)
    yield context.new_page()
    assert not faults


def emptied(context: BrowserContext, origin: str) -> None:
    """Close all pages but the first, and forget whatever they have stored."""
    first, *others = context.pages
    # What a page still asks for need not be answered any more.
    for page in others:
        page.unroute_all(behavior="ignoreErrors")
    context.unroute_all(behavior="ignoreErrors")
    for page in others:
        page.close()
    context.set_offline(offline=False)
    context.clear_cookies()
    context.clear_permissions()
    kinds = "local_storage,indexeddb,service_workers,cache_storage"
    inspector = context.new_cdp_session(first)
    inspector.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": kinds})
    inspector.detach()


def tab(context: BrowserContext, size: ViewportSize, scheme: Scheme) -> Page:
    """A page of another size in light or dark, where nothing moves by itself."""
    page = context.new_page()
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    return page


def take_back(page: Page, said: str) -> None:
    """Undo what this notice tells of: one before it may still be leaving."""
    notice = page.get_by_role("alert").filter(has_text=said)
    notice.get_by_role("button", name="Undo").click()


def wait_on(page: Page, condition: Callable[[], object]) -> None:
    """Wait on something that is heard of while the page goes on, bounded."""
    wait_for(lambda: condition() or page.wait_for_timeout(20))


def press_quickly(page: Page, keys: str) -> None:
    """Letters pressed a tenth of a second apart, however long it takes to send them."""
    keyboard = page.context.new_cdp_session(page)
    for moment, key in enumerate(keys, start=int(time.time() * 10) - len(keys)):
        pressed = {"key": key, "timestamp": moment / 10}
        keyboard.send("Input.dispatchKeyEvent", {"type": "keyDown", "text": key, **pressed})
        keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", **pressed})
    keyboard.detach()


def watched(context: BrowserContext) -> list[str]:
    """The errors in the console of every page, as they come."""
    faults: list[str] = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on(
        "console",
        lambda line: (
            faults.append(line.text)
            if line.type == "error" and "Failed to load resource" not in line.text
            else None
        ),
    )
    return faults


def let_in(context: BrowserContext, person: httpx.Client) -> None:
    """Give the browser a person's session."""
    origin = str(person.base_url)
    context.add_cookies(
        [{"name": name, "value": value, "url": origin} for name, value in person.cookies.items()]
    )


def sign_in(context: BrowserContext, server: Server) -> httpx.Client:
    """Become the owner of a new office, and give the browser the session."""
    owner = server.owner()
    let_in(context, owner)
    return owner
