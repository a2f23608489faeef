"""No page needs a reload to be true, and all tabs share one connection."""

import re
import time
from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import APIResponse, BrowserContext, Page, Request, Route, expect

from e2e.conftest import let_in, sign_in, wait_on
from e2e.sample import Furnished, log_in
from support.office import API
from support.server import Server, running

pytestmark = pytest.mark.req("UI-02")

Deed = Callable[[httpx.Client], httpx.Response]


def streams_of(context: BrowserContext) -> list[Request]:
    """The streams that the tabs open, as they do."""
    opened: list[Request] = []
    context.on("request", lambda r: opened.append(r) if "/events/stream" in r.url else None)
    return opened


def found(person: httpx.Client, name: str) -> None:
    """Make a workspace elsewhere."""
    made = person.post(f"{API}/workspaces", json={"name": name})
    assert made.is_success, made.text


def opened(context: BrowserContext, path: str) -> Page:
    """A tab that hears what happens."""
    page = context.new_page()
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_label("Loading")).to_have_count(0)
    return page


# The page, what somebody does elsewhere, and what then stands there.
SEEN: list[tuple[str, Deed, str]] = [
    (
        "workspaces",
        lambda o: o.post(f"{API}/workspaces", json={"name": "Family"}),
        "Family",
    ),
    (
        "users",
        lambda o: o.post(f"{API}/users", json={"email": "kim@example.com", "name": "Kim New"}),
        "Kim New",
    ),
    (
        "tokens",
        lambda o: o.post(f"{API}/tokens", json={"name": "Fresh token", "scopes": ["read"]}),
        "Fresh token",
    ),
    (
        "office",
        lambda o: o.patch(f"{API}/settings", json={"backups_kept": 23}),
        "Default: 10",
    ),
    (
        "webhooks",
        lambda o: o.post(
            f"{API}/webhooks",
            json={"name": "Pager", "url": "https://example.com/pager", "types": ["backup.*"]},
        ),
        "Pager",
    ),
    (
        "backups",
        lambda o: o.patch(f"{API}/settings", json={"backup_schedule": "every weekday at 8"}),
        "Every weekday at 8",
    ),
    ("backups", lambda o: o.post(f"{API}/vault/rotate"), "older"),
    (
        "changes",
        lambda o: o.patch(f"{API}/settings", json={"link_hours": 71}),
        "Life of a link",
    ),
    (
        "sessions",
        lambda o: o.post(
            f"{API}/auth/login",
            json={"email": "olive@example.com", "password": "four unrelated garden words"},
            headers={"User-Agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0"},
        ),
        "Firefox on Windows",
    ),
]


@pytest.fixture
def _as_before(office: Furnished) -> Iterator[None]:
    """Others in this office rely on these."""
    yield
    changed = ("backups_kept", "backup_schedule", "link_hours")
    office.owner.patch(f"{API}/settings", json=dict.fromkeys(changed))
    office.owner.patch(f"{API}/users/me", json={"name": "Olive Owner"})


@pytest.mark.usefixtures("_as_before")
def test_what_happens_elsewhere_is_on_the_page_without_a_reload(
    inside: BrowserContext, office: Furnished
):
    page = opened(inside, "/")
    page.evaluate("window.same = true")
    for name, deed, shown in SEEN:
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Search").fill(name)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"/settings/{name}"))
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_have_text(re.compile(name[:-1], re.IGNORECASE))
        expect(page.get_by_label("Loading")).to_have_count(0)
        before = page.get_by_text(shown).count()
        answer = deed(office.owner)
        assert answer.is_success, answer.text
        expect(page.get_by_text(shown).nth(before)).to_be_visible()
    office.owner.patch(f"{API}/users/me", json={"name": "Olive Renamed"})
    expect(page.get_by_role("button", name="Your menu, Olive Renamed")).to_be_visible()
    assert page.evaluate("window.same"), "it is still the page that was loaded first"


def test_what_happens_while_a_page_is_first_read_is_on_it(
    inside: BrowserContext, office: Furnished
):
    held: list[tuple[Route, APIResponse]] = []
    page, released = inside.new_page(), False

    def hold(route: Route) -> None:
        answer = route.fetch()
        if released:
            route.fulfill(response=answer)
        else:
            held.append((route, answer))

    page.route(re.compile(r"/api/v1/workspaces(\?|$)"), hold)
    page.add_init_script(
        """window.heard = [];
        new BroadcastChannel("bailiwick.live").addEventListener("message", ({ data }) => {
          if (data.frame) window.heard.push(data.frame.type);
        })"""
    )
    page.goto("/settings/workspaces")
    # Whatever happens before it listens, nobody tells it.
    page.wait_for_function("() => window.heard.includes('stream.ready')")
    wait_on(page, lambda: held)
    found(office.owner, "Meanwhile")
    page.wait_for_function("() => window.heard.includes('workspace.created')")
    page.wait_for_timeout(500)  # what it hears, it gathers for a moment
    released = True
    for route, answer in held:
        route.fulfill(response=answer)
    expect(page.get_by_text("Meanwhile")).to_be_visible()


def test_a_page_that_may_not_read_for_a_moment_comes_back_by_itself(inside: BrowserContext):
    page, refusals = inside.new_page(), [2]

    def refuse(route: Route) -> None:
        refusals[0] -= 1
        if refusals[0] < 0:
            route.continue_()
        else:
            route.fulfill(status=429, headers={"Retry-After": "1"}, json={"status": 429})

    page.route(re.compile(r"/api/v1/(auth/whoami|workspaces)$"), refuse)
    page.goto("/settings/workspaces")
    expect(page.get_by_text("Project Heron")).to_be_visible()
    assert refusals[0] < 0


@pytest.mark.long
def test_two_tabs_share_one_stream_and_both_hear(inside: BrowserContext, office: Furnished):
    streams = streams_of(inside)
    first, second = (opened(inside, "/settings/workspaces") for _ in range(2))
    found(office.owner, "Shared news")
    for tab in (first, second):
        expect(tab.get_by_text("Shared news")).to_be_visible()
    assert len(streams) == 1


def test_when_the_tab_with_the_stream_goes_the_other_carries_on_where_it_was(
    inside: BrowserContext, office: Furnished
):
    streams = streams_of(inside)
    first, second = (opened(inside, "/settings/workspaces") for _ in range(2))
    found(office.owner, "While both were there")
    expect(second.get_by_text("While both were there")).to_be_visible()
    # On a busy machine the second may have found the first one silent, and taken over.
    before = len(streams)
    leader = first if streams[-1].frame.page == first else second
    other = second if leader is first else first
    leader.close()
    found(office.owner, "While nobody listened")
    expect(other.get_by_text("While nobody listened")).to_be_visible()
    assert len(streams) > before
    assert re.search(r"after=\d+", streams[before].url)


def test_a_tab_that_sleeps_with_the_stream_in_its_hands_is_relieved(
    inside: BrowserContext, office: Furnished
):
    asleep = inside.new_page()
    asleep.goto("/favicon.svg")
    # It holds the lock and says nothing, as a tab that the system has frozen.
    asleep.evaluate(
        "void navigator.locks.request('bailiwick.live', () => new Promise(() => {}))"
        ".catch(() => {})"
    )
    page = opened(inside, "/settings/workspaces")
    found(office.owner, "Nobody told me")
    expect(page.get_by_text("Nobody told me")).to_be_visible()


@pytest.mark.long
def test_a_burst_of_events_is_read_once_not_once_each(inside: BrowserContext):
    page = opened(inside, "/settings/workspaces")
    reads: list[str] = []
    page.on("request", lambda r: reads.append(r.url) if r.method == "GET" else None)
    began = time.monotonic()
    page.evaluate(
        """Promise.all(Array.from({length: 30}, (_, n) => fetch("/api/v1/workspaces", {
          method: "POST", headers: {"content-type": "application/json"},
          body: JSON.stringify({name: `Burst ${n}`})})))"""
    )
    expect(page.get_by_text("Burst 29", exact=True)).to_be_visible()
    steps = (time.monotonic() - began) / 0.2
    assert len([url for url in reads if url.endswith("/workspaces")]) <= steps + 2


def test_someone_signed_out_elsewhere_is_sent_to_the_log_in_page(
    outside: BrowserContext, office: Furnished
):
    let_in(outside, log_in(office.server, "ines"))
    tabs = [opened(outside, "/"), opened(outside, "/settings/users")]
    users = office.owner.get(f"{API}/users").json()["items"]
    ines = next(user["id"] for user in users if user["email"] == "ines@example.com")
    assert office.owner.delete(f"{API}/users/{ines}/sessions").is_success
    for tab in tabs:
        expect(tab).to_have_url(re.compile("/login"))


def test_an_admin_who_is_none_any_more_leaves_the_admin_pages(
    outside: BrowserContext, office: Furnished
):
    let_in(outside, log_in(office.server, "ines"))
    page = opened(outside, "/settings/users")
    users = office.owner.get(f"{API}/users").json()["items"]
    ines = next(user["id"] for user in users if user["email"] == "ines@example.com")
    try:
        office.owner.patch(f"{API}/users/{ines}", json={"role": "user"})
        expect(page).to_have_url(re.compile("/settings/profile"))
        expect(page.get_by_role("link", name="Users", exact=True)).to_have_count(0)
    finally:
        office.owner.patch(f"{API}/users/{ines}", json={"role": "admin"})


def test_a_lost_connection_is_shown_and_what_was_missed_is_caught_up(
    context: BrowserContext, server: Server
):
    owner = sign_in(context, server)
    page = opened(context, "/settings/workspaces")
    mark = page.get_by_text("Reconnecting…")
    expect(mark).to_have_count(0)
    server.kill()
    expect(mark).to_be_visible()
    with running(server.data, port=int(server.origin.rsplit(":", 1)[1])):
        found(owner, "After the power cut")
        expect(page.get_by_text("After the power cut")).to_be_visible()
        expect(mark).to_have_count(0)
        page.close()
