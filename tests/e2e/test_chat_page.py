"""Conversations as people have them: begun, branched, handed over, found again; also on a phone."""

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from e2e.conftest import tab, take_back
from e2e.test_every_page import PHONE, looks_right, settled
from e2e.test_session_page import Bench, bench, box, log, model, opened, say, stands
from support.office import API

__all__ = ["bench", "model"]
pytestmark = [pytest.mark.req("CHAT-06"), pytest.mark.req("UI-01")]

XSS = [
    "<script>window.hacked=1</script>",
    '"><img src=x onerror=window.hacked=1>',
    "<svg/onload=window.hacked=1>",
    "[x](javascript:window.hacked=1)",
    "{{constructor.constructor('window.hacked=1')()}}",
    "<iframe srcdoc='<script>parent.hacked=1</script>'>",
]


def test_a_conversation_begins_with_its_first_words_and_branches_without_losing_anything(
    inside: BrowserContext, bench: Bench
):
    agent = bench.agent()
    page = inside.new_page()
    settled(page, f"/chat/new?agent={agent}")
    expect(page.get_by_label("Message to Researcher")).to_be_visible()
    box(page).fill("What I have not said yet")
    page.reload()
    expect(box(page)).to_have_value("What I have not said yet")
    expect(page.get_by_label("Message to Researcher")).to_be_visible()
    say(page, "Say hello")
    expect(page).to_have_url(re.compile("/chat/thr-"))
    stands(page, "Done")
    expect(log(page)).to_contain_text(re.compile(r"Done after 0\..*30 tokens · scripted-1"))

    box(page).press("ArrowUp")
    editing = page.get_by_label("Your message, otherwise")
    expect(editing).to_have_value("Say hello")
    editing.fill("Say goodbye")
    editing.press("Enter")
    own = log(page).get_by_role("article", name="You")
    expect(own).to_contain_text("Say goodbye")
    expect(own.get_by_role("group", name="Branches")).to_contain_text("2/2")
    stands(page, "Done")
    own.get_by_role("button", name="The one before").click()
    expect(own).to_contain_text("Say hello")
    expect(log(page)).to_contain_text("Done after 0.")

    answer = log(page).get_by_role("article", name="Researcher")
    answer.get_by_role("button", name="Answer anew").click()
    expect(answer.get_by_role("group", name="Branches")).to_contain_text("2/2")
    answer.get_by_role("button", name="Good answer").click()
    expect(answer.get_by_role("button", name="Good answer")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_another_agent_is_called_by_name_and_commands_are_told_to_the_page(
    inside: BrowserContext, bench: Bench
):
    bench.agent(name="Tax clerk")
    page = opened(inside, bench.session(bench.agent(), "Say hello"))
    stands(page, "Done")
    box(page).press_sequentially("@ta")
    expect(page.get_by_role("option", name="Tax clerk")).to_be_visible()
    box(page).press("Enter")
    box(page).press_sequentially("and you?")
    expect(box(page)).to_have_value("@Tax clerk and you?")
    expect(page.get_by_text("Tax clerk answers from now on.")).to_be_visible()
    box(page).press("Enter")
    expect(log(page).get_by_role("article", name="Tax clerk")).to_contain_text("Done after 0.")
    box(page).fill("/title The roof")
    box(page).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("The roof")
    rows = page.get_by_role("list", name="Conversations")
    expect(rows).to_contain_text("The roof")
    box(page).fill("/archive")
    box(page).press("Enter")
    expect(page).to_have_url(re.compile("/chat$"))
    expect(rows.get_by_role("link", name="The roof")).to_have_count(0)
    take_back(page, "is archived")
    expect(rows.get_by_role("link", name="The roof")).to_be_visible()
    page.get_by_label("Search in conversations").fill("nothing has these words")
    expect(page.get_by_text("Nothing was found")).to_be_visible()
    page.get_by_label("Search in conversations").fill("roof")
    expect(rows.get_by_role("link", name="The roof")).to_be_visible()


def test_whatever_is_said_stays_words_in_the_conversation_and_in_the_list(
    inside: BrowserContext, bench: Bench
):
    page = opened(inside, bench.session(bench.agent(), "\n".join(XSS)))
    stands(page, "Done")
    own = log(page).get_by_role("article", name="You")
    for line in XSS:
        expect(own).to_contain_text(line)
    thread = page.url.rpartition("/")[2]
    body = {"title": XSS[1], "metadata": {"tags": XSS[2:3]}}
    assert bench.owner.patch(f"{API}/threads/{thread}", json=body).is_success
    expect(page.get_by_role("heading", level=1)).to_have_text(XSS[1])
    expect(page.get_by_role("list", name="Conversations")).to_contain_text(XSS[2])
    assert page.evaluate("window.hacked") is None


def test_on_a_phone_list_and_conversation_are_screens_of_their_own(
    inside: BrowserContext, bench: Bench
):
    bench.session(bench.agent(), "Say hello on the phone")
    page = tab(inside, PHONE, "dark")
    settled(page, "/chat")
    rows = page.get_by_role("list", name="Conversations")
    expect(box(page)).to_be_hidden()
    looks_right(page, "the list of conversations")
    rows.get_by_role("link", name="Say hello on the phone").click()
    expect(log(page)).to_contain_text("Done after 0.")
    expect(rows).to_be_hidden()
    looks_right(page, "a conversation on a phone")
    page.get_by_role("link", name="Back to the list").click()
    expect(rows).to_be_visible()
