"""The models of an office: added, tested, changed and removed, and what was spent on them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from e2e.conftest import let_in, new_profile, sign_in, tab, take_back
from e2e.sample import Furnished
from e2e.test_every_page import PHONE, looks_right, settled
from support import model_lists
from support.model_lists import serving_list
from support.model_server import ModelServer, fails, says, serving_model
from support.office import API, PASSWORD
from support.server import running, wait_for

pytestmark = pytest.mark.req("MODEL-01", "UI-01")

PATH = "/settings/models"
KEY = "sk-that-nobody-sees-again"


@pytest.fixture
def model(office: Furnished) -> Iterator[ModelServer]:
    """A model that answers, and nothing of these tests in the office afterwards."""
    with serving_model() as server:
        server.usual = says("ready")
        yield server
    items = _models(office).values()
    builtin = next(item["id"] for item in items if item["origin"] == "builtin")
    office.owner.post(f"{API}/models/{builtin}/default")
    for _ in range(2):  # the second time, nothing falls back on what was left
        for item in items:
            office.owner.delete(f"{API}/models/{item['id']}")


def _models(office: Furnished) -> dict[str, dict[str, Any]]:
    items = office.owner.get(f"{API}/models").json()["items"]
    return {item["name"]: item for item in items}


def add(office: Furnished, server: ModelServer, name: str, **more: object) -> str:
    """A model, made elsewhere."""
    body = {"name": name, "provider": "compatible", "model": "scripted-1", **more}
    made = office.owner.post(f"{API}/models", json={"baseUrl": server.base_url, **body})
    assert made.status_code == 201, made.text
    return made.json()["id"]


def row(page: Page, name: str) -> Locator:
    rows = page.get_by_role("list", name="Models").get_by_role("listitem")
    return rows.filter(has=page.get_by_text(name, exact=True))


def choose(page: Page, name: str, item: str) -> None:
    row(page, name).get_by_role("button", name=f"More for {name}").click()
    page.get_by_role("menuitem", name=item).click()


def opened(context: BrowserContext, path: str = PATH) -> Page:
    page = context.new_page()
    settled(page, path)
    return page


@pytest.mark.req("MODEL-06")
def test_the_models_of_a_key_are_shown_with_window_and_price_before_it_is_stored(
    inside: BrowserContext,
):
    with serving_list(model_lists.OPENROUTER) as server:
        page = opened(inside, f"{PATH}?dialog=new")
        dialog = page.get_by_role("dialog", name="Add a model")
        dialog.get_by_label("Provider").select_option("Another server that speaks OpenAI's API")
        show = dialog.get_by_role("button", name="Show the models of this key")
        show.click()
        expect(dialog.get_by_text("Is needed: where the list is asked for")).to_be_visible()
        dialog.get_by_label("Address").fill(f"{server.url}/v1")
        dialog.get_by_role("textbox", name="Key").fill(KEY)
        show.click()
        expect(dialog.get_by_role("status")).to_contain_text("2 to choose from")
        dialog.get_by_role("combobox", name="Model", exact=True).fill("next")
        option = page.get_by_role("option", name="acme/next-1")
        expect(option).to_contain_text("a window of 262,144 tokens · $0.50 in, $2.00 out")
        looks_right(page, "the models of a key")
        option.click()
        expect(dialog).to_contain_text("a window of 262,144 tokens")
        page.set_viewport_size(PHONE)
        looks_right(page, "the models of a key on a phone")
    assert server.headers[-1]["authorization"] == f"Bearer {KEY}"


def test_a_model_is_added_with_its_own_fields_tested_and_its_key_never_shown(
    inside: BrowserContext, office: Furnished, model: ModelServer
):
    page = opened(inside, f"{PATH}?dialog=new")
    dialog = page.get_by_role("dialog", name="Add a model")
    name = dialog.get_by_role("combobox", name="Model", exact=True)
    name.fill("gpt-5.4-min")
    page.get_by_role("option", name="gpt-5.4-mini").click()
    expect(dialog).to_contain_text("for a million tokens")
    dialog.get_by_label("Provider").select_option("Amazon Bedrock")
    expect(dialog.get_by_label("Region")).to_be_visible()
    expect(dialog.get_by_label("Address")).to_have_count(0)
    dialog.get_by_label("Provider").select_option("Azure OpenAI")
    expect(dialog.get_by_label("API version")).to_be_visible()
    dialog.get_by_label("Provider").select_option("Another server that speaks OpenAI's API")
    name.fill("scripted-1")
    dialog.get_by_label("Name", exact=True).fill("Workhorse")
    dialog.get_by_role("button", name="Add the model").click()
    expect(dialog.get_by_text("The address of its API is needed")).to_be_visible()
    dialog.get_by_label("Address").fill(model.base_url)
    dialog.get_by_role("textbox", name="Key").fill(KEY)
    dialog.get_by_role("button", name="Prices, sizes and patience").click()
    dialog.get_by_label("A million tokens in").fill("0.25")
    dialog.get_by_label("A million tokens out").fill("2")
    dialog.get_by_role("button", name="Add the model").click()
    made = row(page, "Workhorse")
    expect(made).to_contain_text("$0.25 in, $2.00 out for a million tokens (your figures)")
    expect(made).to_contain_text("key is set")

    made.get_by_role("button", name="Test Workhorse").click()
    expect(made.get_by_role("status")).to_contain_text("It said “ready”")
    assert model.requests[0].headers["authorization"] == f"Bearer {KEY}"
    model.turns.append(fails(401, text="no such key"))
    made.get_by_role("button", name="Test Workhorse").click()
    expect(made.get_by_role("status")).to_contain_text("no such key (HTTP 401). Check its key")

    choose(page, "Workhorse", "Edit")
    dialog = page.get_by_role("dialog", name="Edit “Workhorse”")
    expect(dialog.get_by_role("textbox", name="Key")).to_have_value("")
    dialog.get_by_label("Address").fill(model.base_url.replace("127.0.0.1", "localhost"))
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("The key belongs to the address before")).to_be_visible()
    dialog.get_by_label("Remove the key that is stored").check()
    dialog.get_by_role("button", name="Save").click()
    expect(made).to_contain_text("no key")
    assert KEY not in page.content()
    assert _models(office)["Workhorse"]["inputPrice"] == 250_000


@pytest.mark.long
def test_the_default_is_chosen_with_a_way_back_and_what_is_relied_on_is_not_deleted(
    inside: BrowserContext, office: Furnished, model: ModelServer
):
    main = add(office, model, "Main")
    spare = add(office, model, "Spare")
    page = opened(inside)
    expect(row(page, "Offline")).to_contain_text("Rules, not AI")
    expect(row(page, "Offline")).to_contain_text("default")
    choose(page, "Main", "Make it the default")
    expect(row(page, "Main").get_by_text("default", exact=True)).to_be_visible()
    choose(page, "Main", "Delete…")
    page.get_by_role("button", name="Delete the model").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(
        "Make another one the default first"
    )
    page.keyboard.press("Escape")
    take_back(page, "“Main” is the default now.")
    expect(row(page, "Offline").get_by_text("default", exact=True)).to_be_visible()

    choose(page, "Spare", "Switch off")
    expect(row(page, "Spare")).to_contain_text("switched off")
    take_back(page, "“Spare” is switched off.")
    expect(row(page, "Spare")).not_to_contain_text("switched off")
    choose(page, "Main", "Edit")
    page.get_by_label("If it does not answer, ask").select_option("Spare")
    page.get_by_role("button", name="Save").click()
    expect(row(page, "Main")).to_contain_text("if it does not answer: Spare")
    choose(page, "Spare", "Delete…")
    page.get_by_role("button", name="Delete the model").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("fallback of “Main”")
    page.keyboard.press("Escape")
    choose(page, "Main", "Delete…")
    page.get_by_role("button", name="Delete the model").click()
    expect(row(page, "Main")).to_have_count(0)
    assert {main, spare} & {item["id"] for item in _models(office).values()} == {spare}


def test_what_is_found_in_the_environment_is_added_with_one_click(browser: Browser, tmp_path: Path):
    key = "sk-of-the-environment"
    with running(tmp_path / "found", OPENAI_API_KEY=key, OLLAMA_HOST="127.0.0.1:1") as server:
        found = new_profile(browser, server.origin)
        sign_in(found, server)
        page = opened(found)
        offer = page.get_by_role("list", name="Found on this machine").get_by_role("listitem")
        expect(offer).to_contain_text("OPENAI_API_KEY")
        chosen = offer.get_by_label("Model of OpenAI").input_value()
        offer.get_by_role("button", name="Add OpenAI").click()
        made = row(page, f"OpenAI {chosen}")
        expect(made).to_contain_text("uses the key of the environment")
        expect(made).to_contain_text("(public prices)")
        expect(offer.get_by_role("option", name=chosen, exact=True)).to_have_count(0)
        assert key not in page.content()
        found.close()


@pytest.mark.req("MODEL-03", "ID-03")
def test_others_see_models_and_their_own_spend_and_change_nothing(
    outside: BrowserContext, office: Furnished, model: ModelServer
):
    add(office, model, "Visible")
    invited = office.owner.post(
        f"{API}/users", json={"name": "Una User", "email": "una@example.com", "role": "user"}
    ).json()
    una = office.server.browser()
    link = invited["link"].partition("#")[2]
    entered = una.post(f"{API}/auth/password", json={"link": link, "password": PASSWORD})
    assert entered.is_success, entered.text
    let_in(outside, una)
    page = opened(outside)
    expect(row(page, "Visible")).to_contain_text("its price is not known")
    expect(page.get_by_text("No model was asked in this time")).to_be_visible()
    for name in ("Add a model", "Test", "More for Visible"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.get_by_label("By whom")).to_have_count(0)


@pytest.mark.long
@pytest.mark.req("MODEL-03")
def test_what_was_spent_is_shown_by_day_agent_and_model(
    inside: BrowserContext, office: Furnished, model: ModelServer
):
    # Of what went in, half was in the provider's cache.
    model.usual = says("Done.", usage=(600_000, 400_000, 300_000, 0))
    page = opened(inside)
    price = {"inputPrice": 2_000_000, "outputPrice": 2_000_000, "cacheReadPrice": 200_000}
    for name, more in (("Dear", price), ("Unpriced", {})):
        body = {
            "workspaceId": office.workspace_id,
            "name": f"{name} agent",
            "modelId": add(office, model, name, **more),
        }
        agent = office.owner.post(f"{API}/agents", json=body).json()["id"]
        path = f"{API}/agents/{agent}/sessions"
        run = office.owner.post(path, json={"content": "Spend"}).json()["id"]
        wait_for(
            lambda run=run: (
                office.owner.get(f"{API}/sessions/{run}").json()["status"] == "completed"
            )
        )
        office.owner.delete(f"{API}/agents/{agent}")
    # The page was open all the while.
    agents = page.get_by_role("table", name="By agent")
    dear = agents.get_by_role("row", name="Dear agent").get_by_role("cell")
    expect(dear).to_have_text(["1", "1,000,000", "$1.46", "$0.54"])
    expect(page.get_by_text("caching saved $0.54, with 600,000 tokens")).to_be_visible()
    expect(page.get_by_role("table", name="By model")).to_contain_text("scripted-1")
    expect(page.get_by_text("no known price")).to_be_visible()
    bars = page.get_by_role("list", name="By day").get_by_role("listitem")
    expect(bars).to_have_count(30)
    expect(bars.filter(has_text=re.compile(r"\$\d"))).to_have_count(1)
    page.get_by_label("Time").select_option("Last 7 days")
    expect(bars).to_have_count(7)


def test_the_page_and_its_dialog_are_accessible(
    inside: BrowserContext, office: Furnished, model: ModelServer
):
    add(office, model, "A-very-long-name-without-a-space-" + "x" * 60)
    page = tab(inside, PHONE, "dark")
    settled(page, PATH)
    page.get_by_role("button", name="Test A-very").click()
    expect(page.get_by_text("It said")).to_be_visible()
    looks_right(page, PATH)
    settled(page, f"{PATH}?dialog=new")
    page.get_by_role("button", name="Prices, sizes and patience").click()
    expect(page.get_by_label("Calls at a time")).to_be_visible()
    looks_right(page, "the dialog")
    page.get_by_role("combobox", name="Model", exact=True).fill("gpt-5.4")
    expect(page.get_by_role("option", name="gpt-5.4-mini")).to_be_visible()
    looks_right(page, "the names of models")
