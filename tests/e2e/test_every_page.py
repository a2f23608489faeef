"""Every page, on a desk and on a phone, light and dark, by eye and by keyboard."""

import os
from contextlib import suppress
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, Page, Response, ViewportSize, expect
from playwright.sync_api import TimeoutError as WaitedInVain

import bailiwick
from e2e.conftest import Scheme, let_in, tab
from e2e.sample import Furnished

pytestmark = pytest.mark.req("UI-01")

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
STICKS_OUT = "document.documentElement.scrollWidth - innerWidth"
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
ALL = bool(os.environ.get("EVERYTHING"))

IS_CHOSEN = "(scheme) => document.documentElement.dataset.mantineColorScheme === scheme"
# A colour that is inherited changes one element after the other, a frame each.
PAINTED = """(frames) => new Promise((end) => {
  const changes = () => document.getAnimations().some((a) => a instanceof CSSTransition);
  const next = (n) => n < 3 || (n < frames && changes())
    ? requestAnimationFrame(() => next(n + 1)) : end();
  next(0); })"""
# Everything but colours, and the colours of what lies on top or else is in the middle: looking at
# those takes longest by far, and what is around a page is the same on each.
VIOLATIONS = """async (around) => {
  const shown = (one) => [...document.querySelectorAll(one)].some((e) => e.checkVisibility());
  const colours = "color-contrast", resultTypes = ["violations"];
  const {violations} = await axe.run({resultTypes, rules: {[colours]: {enabled: false}}});
  const top = ["[role=dialog]", "[role=menu]", "[role=listbox]"].filter(shown);
  const parts = top.length ? top : ["main"].filter(shown);
  const where = around || !parts.length ? document : {include: parts.map((one) => [one])};
  const seen = await axe.run(where, {resultTypes, runOnly: [colours]});
  return [...violations, ...seen.violations]; }"""

# What Tab can reach, seen from the page: each thing that is shown, not switched off, and focusable.
REACHABLE = """() => [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((e) => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({visibilityProperty: true})
    && !e.closest("[inert], [aria-hidden=true]"))
  .map((e) => { e.dataset.walk ??= String(window.walked = (window.walked ?? 0) + 1);
    return e.outerHTML.slice(0, 120); }).length"""
# Whether the focused thing, or what stands for it, looks different without the focus.
SHOWS_FOCUS = """() => {
  const e = document.activeElement, near = [e, e.parentElement, ...e.parentElement.children];
  const look = () => near.map((n) => { const s = getComputedStyle(n);
    return [s.outline, s.boxShadow, s.borderColor, s.backgroundColor, s.left].join(); }).join("|");
  const focused = look(); e.blur(); const blurred = look();
  return focused !== blurred; }"""


def settled(page: Page, path: str) -> None:
    """Open a page and wait until everything on it is there."""
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_label("Loading")).to_have_count(0)


def looks_right(page: Page, path: str, *, around: bool = False) -> None:
    """Axe finds nothing serious, and nothing sticks out."""
    page.evaluate(f"window.axe ? undefined : (() => {{{AXE_SCRIPT}}})()")
    found = page.evaluate(VIOLATIONS, around)
    serious = [
        (v["id"], [node["html"][:200] for node in v["nodes"]])
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
    assert not serious, f"{path}: {serious}"
    fits(page, path)


def fits(page: Page, path: str) -> None:
    """Nothing sticks out, or soon no more: a page that was made smaller takes a moment."""
    with suppress(WaitedInVain):
        page.wait_for_function(f"() => {STICKS_OUT} <= 0", timeout=20_000)
    wide = page.evaluate(STICKS_OUT)
    assert wide <= 0, f"{path} is {wide} px too wide"


def looks_right_to_all(page: Page, path: str, *sizes: ViewportSize) -> None:
    """The same in light and in dark, at one of these sizes each."""
    for scheme, size in zip(SCHEMES, sizes, strict=True):
        page.set_viewport_size(size)
        # Without motion: half faded in, everything would lack contrast.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_function(IS_CHOSEN, arg=scheme)
        page.evaluate(PAINTED, 60)
        looks_right(page, f"{path}, {scheme}, {size['width']}")


@pytest.mark.parametrize(
    ("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"]
)
def test_every_page_is_accessible_fits_and_has_no_errors(
    outside: BrowserContext, office: Furnished, size: ViewportSize, scheme: Scheme
):
    """Each page in one of the two ways; with EVERYTHING=1 each in both."""
    every, first = (1, 0) if ALL else (2, int(size == PHONE))
    page = tab(outside, size, scheme)
    for path in ("/login", "/setup", "/nowhere")[first::every]:
        settled(page, path)
        looks_right(page, path)
    let_in(outside, office.owner)
    settled(page, "/")
    looks_right(page, "/", around=True)
    for path in office.pages[1:][first::every]:
        settled(page, path)
        looks_right(page, path)
        if size != PHONE:
            page.set_viewport_size(PHONE)
            fits(page, f"{path} on a phone")
            page.set_viewport_size(size)


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_dialogs_menus_and_the_palette_are_accessible_too(
    inside: BrowserContext, office: Furnished, scheme: Scheme
):
    page = tab(inside, PHONE, scheme)
    settled(page, "/settings/webhooks?dialog=new")
    page.get_by_label("Only these").check()
    expect(page.get_by_label("A workspace got another name")).to_be_visible()
    looks_right(page, "webhook dialog")
    settled(page, "/settings/backups?dialog=schedule")
    expect(page.get_by_role("dialog")).to_be_visible()
    looks_right(page, "schedule dialog")
    settled(page, f"/approvals/{office.approval_id}")
    page.get_by_role("button", name="Edit and allow").click()
    expect(page.get_by_role("dialog").get_by_label("Path")).to_be_visible()
    looks_right(page, "edit and allow")
    settled(page, "/?dialog=stop")
    expect(page.get_by_role("dialog")).to_be_visible()
    looks_right(page, "panic dialog")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Search pages and commands").click()
    expect(page.get_by_role("option", name="Home").first).to_be_visible()
    looks_right(page, "palette")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Open the navigation").click()
    expect(page.get_by_role("dialog").get_by_role("link", name="Settings")).to_be_visible()
    looks_right(page, "navigation")


@pytest.mark.parametrize(
    "name",
    [
        "/",
        "/settings/office",
        "webhook",
        *(pytest.param(each, marks=pytest.mark.long) for each in ("/approvals", "/settings/users")),
    ],
)
def test_tab_reaches_everything_and_the_focus_is_always_visible(
    inside: BrowserContext, office: Furnished, name: str
):
    page = inside.new_page()
    settled(page, f"/settings/webhooks/{office.webhook_id}" if name == "webhook" else name)
    count = page.evaluate(REACHABLE)
    reached: set[str] = set()
    for _ in range(count * 2 + 20):
        page.keyboard.press("Tab")
        here = page.evaluate("document.activeElement?.dataset.walk")
        if here is None:
            continue  # the end of the page, or it came after the others were counted: it is live
        if here in reached:
            break
        reached.add(here)
        thing = page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        assert page.evaluate(SHOWS_FOCUS), f"nothing shows that this has the focus: {thing}"
    missed = page.evaluate(
        "(seen) => [...document.querySelectorAll('[data-walk]')]"
        ".filter((e) => !seen.includes(e.dataset.walk)).map((e) => e.outerHTML.slice(0, 160))",
        sorted(reached),
    )
    assert not missed


def test_the_gallery_of_components_is_not_shipped(inside: BrowserContext):
    page = inside.new_page()
    page.goto("/gallery")
    expect(page.get_by_role("heading", name="nothing at this address")).to_be_visible()
    built = Path(bailiwick.__file__).parent / "web" / "dist"
    assert not [f for f in built.rglob("*.js") if "What pages are built from" in f.read_text()]


def test_the_first_load_is_small(inside: BrowserContext):
    import gzip

    page = inside.new_page()
    scripts: list[Response] = []
    page.on("response", lambda r: scripts.append(r) if r.url.endswith(".js") else None)
    settled(page, "/")
    assert scripts
    assert sum(len(gzip.compress(script.body())) for script in scripts) < 350 * 1024
