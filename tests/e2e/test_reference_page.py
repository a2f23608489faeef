"""The API as Swagger shows it: for people who are signed in, and under our own policy."""

import json

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.conftest import let_in
from e2e.sample import Furnished

pytestmark = pytest.mark.req("API-01", "UI-01")


def opened(page: Page, group: str, operation: str) -> Locator:
    """An operation, found by its id and made ready to be tried."""
    page.locator(f"#operations-tag-{group}").click()
    block = page.locator(f"#operations-{group}-{operation}")
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    return block


def answer(page: Page, block: Locator, path: str) -> int:
    """The status that comes back when it is carried out."""
    with page.expect_response(lambda one: one.url.partition("?")[0].endswith(path)) as got:
        block.get_by_role("button", name="Execute").click()
    expect(block.locator(".live-responses-table .response .response-col_status")).to_contain_text(
        str(got.value.status)
    )
    return got.value.status


def test_nobody_sees_the_reference_before_they_log_in(outside: BrowserContext, office: Furnished):
    page = outside.new_page()
    page.goto("/docs")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    assert page.url.endswith("/login?next=%2Fdocs")
    expect(page.locator(".swagger-ui")).to_have_count(0)
    let_in(outside, office.owner)
    page.goto("/docs")
    expect(page.locator(".swagger-ui")).not_to_have_count(0)


def test_a_signed_in_person_reads_and_tries_the_api_from_its_reference(inside: BrowserContext):
    """Errors in the console fail this, and what our policy forbids is one."""
    page = inside.new_page()
    page.goto("/settings/tokens")
    page.get_by_role("link", name="API reference").click()
    expect(page.get_by_role("heading", name="API reference")).to_be_visible()
    agents = opened(page, "agents", "listAgents")
    assert answer(page, agents, "/api/v1/agents") == 200
    # A change needs more than the cookie: that it comes from one of our own pages.
    check = opened(page, "rules", "checkRuleCondition")
    body = {"condition": {"==": [{"var": "tool"}, "send_email"]}}
    check.locator("textarea.body-param__text").fill(json.dumps(body))
    assert answer(page, check, "/api/v1/rules/check") == 200
