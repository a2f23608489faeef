"""A hostile web page, on another origin and on another port of localhost, gets nothing."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, BrowserContext

from e2e.conftest import let_in, new_profile
from e2e.sample import Furnished

pytestmark = pytest.mark.req("ID-02", "ID-05")

ATTACK = """<!doctype html><title>hostile</title><body><script>
const target = new URLSearchParams(location.search).get("target");
async function tried(what) { try { return await what(); } catch (error) { return "blocked"; } }
async function attack() {
  const json = { "content-type": "application/json" }, text = { "content-type": "text/plain" };
  const body = JSON.stringify({ name: "Stolen" }), include = { credentials: "include" };
  const post = (headers, mode) => fetch(target + "/api/v1/workspaces",
    { method: "POST", headers, body, mode, ...include }).then((r) => r.status || "opaque");
  return {
    read: await tried(() => fetch(target + "/api/v1/users", include).then((r) => r.text())),
    opaque: await tried(() => fetch(target + "/api/v1/users", { mode: "no-cors", ...include })
      .then((r) => r.text() || "opaque")),
    json: await tried(() => post(json, "cors")),
    simple: await tried(() => post(text, "no-cors")),
    image: await tried(() => new Promise((ok, no) => {
      const i = new Image(); i.onload = () => ok("seen"); i.onerror = no;
      i.src = target + "/api/v1/users/me/avatar"; })),
    script: await tried(() => new Promise((ok, no) => {
      const s = document.createElement("script"); s.onload = () => ok("run"); s.onerror = no;
      s.src = target + "/api/v1/status"; document.body.append(s); })),
    frame: await tried(() => new Promise((ok) => {
      const f = document.createElement("iframe"); f.src = target + "/";
      f.onload = () => {
        try { ok(f.contentDocument.title || "blocked"); } catch { ok("blocked"); } };
      document.body.append(f); })),
  };
}
</script><form id="form" method="post" enctype="text/plain">
<input name='{"name":"Stolen","x":"' value='"}'></form>"""


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(ATTACK.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def hostile() -> Iterator[int]:
    """The port of the hostile page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        yield other.server_address[1]
        other.shutdown()


@pytest.fixture
def context(browser: Browser, office: Furnished) -> Iterator[BrowserContext]:
    """A browser in which the owner is signed in. The console is full of what it blocks."""
    made = new_profile(browser, office.origin)
    let_in(made, office.owner)
    yield made
    made.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["other port", "other host"])
def test_a_hostile_page_reads_and_changes_nothing(
    context: BrowserContext, office: Furnished, hostile: int, host: str
):
    page = context.new_page()
    page.goto(f"http://{host}:{hostile}/?target={office.origin}")
    result = page.evaluate("attack()")
    assert "olive" not in str(result)
    assert result["read"] == result["json"] == result["image"] == result["script"] == "blocked"
    assert result["frame"] == "blocked"
    page.evaluate(f"form.action = '{office.origin}/api/v1/workspaces'; form.submit()")
    page.wait_for_url(f"{office.origin}/**")
    workspaces = office.owner.get("/api/v1/workspaces").json()["items"]
    assert "Stolen" not in [item["name"] for item in workspaces]


def test_the_same_requests_work_from_our_own_page(context: BrowserContext):
    """The attack above would succeed if the page were ours: the test attacks something real."""
    page = context.new_page()
    page.goto("/")
    status = page.evaluate(
        """fetch("/api/v1/workspaces", {method: "POST", headers: {"content-type":
        "application/json"}, body: JSON.stringify({name: "Mine"})}).then((r) => r.status)"""
    )
    assert status == 201


def test_a_rebound_name_is_refused(office: Furnished):
    port = office.origin.rsplit(":", 1)[1]
    answer = office.server.browser().get("/", headers={"Host": f"evil.example.com:{port}"})
    assert answer.status_code == 421


def test_a_link_from_elsewhere_opens_a_page(
    context: BrowserContext, office: Furnished, hostile: int
):
    """Navigation from a mail or from a log-in provider goes on working."""
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{hostile}/?target={office.origin}")
    page.evaluate(f"location.href = '{office.origin}/login'")
    page.wait_for_url(f"{office.origin}/login**")
    assert page.locator("#root").count() == 1
