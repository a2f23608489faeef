"""A provider that misbehaves, or is not what it seems, lets nobody in."""

from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from bailiwick.identity.authenticate import Authenticator
from support.issuer import CLIENT_SECRET, FAULTS, NAVIGATION, Issuer, provider, sign_in, was_refused
from support.office import API, Office

pytestmark = pytest.mark.req("ID-01", "ID-08")


async def attempts(office: Office) -> list[dict[str, Any]]:
    listed = await office.operator.get(f"{API}/sign-ins", params={"PageSize": 100})
    return listed.json()["items"]


async def last_attempt(office: Office) -> dict[str, Any]:
    return (await attempts(office))[0]


def is_unusable(answer: httpx.Response) -> bool:
    """Whether we say that the provider, and not the person, did something wrong."""
    return answer.status_code in (409, 503) and "set-cookie" not in answer.headers


def age_issuer(office: Office, seconds: float) -> None:
    """Let time pass since the issuer's documents were read."""
    for known in office.product[Authenticator].federation._issuers._known.values():
        known.read_at -= seconds


async def test_a_token_that_proves_nothing_is_refused_and_recorded(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True)
    await office.set(rate_limit_percent=1000)
    results = {}
    for name, fault in FAULTS.items():
        issuer.fault = fault
        before = len(await attempts(office))
        refused = was_refused(await sign_in(office.browser(), issuer, id))
        recorded = [attempt["outcome"] for attempt in await attempts(office)]
        results[name] = (refused, recorded[: len(recorded) - before])
    assert results == dict.fromkeys(FAULTS, (True, ["refused"]))
    assert (await office.operator.get(f"{API}/users")).json()["items"] == []
    issuer.fault = None
    assert not was_refused(await sign_in(office.browser(), issuer, id))


async def test_failures_of_the_provider_are_told_as_such(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True)
    initiate = f"{API}/auth/providers/{id}/initiate"
    for failing in ("/.well-known/openid-configuration", "/keys"):
        issuer.failing = {failing}
        assert is_unusable(await office.browser().get(initiate))
    issuer.failing = set()
    for wrong in ({"issuer": "https://accounts.example.net"}, {"jwks_uri": f"{issuer.url}/none"}):
        issuer.discovery = wrong
        assert is_unusable(await office.browser().get(initiate)), wrong
    issuer.discovery = {}
    issuer.failing = {"/token"}
    assert was_refused(await sign_in(office.browser(), issuer, id))
    attempt = await last_attempt(office)
    assert (attempt["outcome"], "answered with an error" in attempt["reason"]) == ("refused", True)
    issuer.failing, issuer.hanging_up = set(), True
    browser = office.browser()
    assert was_refused(await sign_in(browser, issuer, id))
    assert "cannot be reached" in (await last_attempt(office))["reason"]
    issuer.hanging_up = False
    assert (await sign_in(browser, issuer, id)).headers["Location"] == "/"


async def test_a_provider_cannot_send_us_or_the_browser_to_an_unsafe_address(
    office: Office, issuer: Issuer
):
    id = await provider(office, issuer)
    taken = []
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        for address in ("http://login.example.net/x", "javascript:alert(1)", "file:///etc/passwd"):
            issuer.discovery = {name: address}
            answer = await office.browser().get(f"{API}/auth/providers/{id}/initiate")
            if not is_unusable(answer):
                taken.append((name, address))
            office.product[Authenticator].federation._issuers._known.clear()
    assert taken == []


@pytest.mark.parametrize("place", ["169.254.169.254", "10.0.0.7"])
async def test_a_provider_inside_is_refused_and_the_operator_told_how_to_allow_it(
    office: Office, place: str
):
    id = await provider(office, Issuer(f"https://{place}"))
    with capture_logs() as lines:
        answer = await office.browser().get(f"{API}/auth/providers/{id}/initiate")
    assert is_unusable(answer)
    assert answer.json()["detail"] == (
        "The log-in provider is at an address that this office does not connect to; the log names "
        "it. If it is in a network of your own, the operator allows that with "
        "BAILIWICK_ALLOWED_NETWORKS."
    )
    assert any(place in str(line.get("reason")) for line in lines)


@pytest.mark.parametrize("name", ["jwks_uri", "token_endpoint"])
async def test_a_provider_cannot_send_us_inside(office: Office, issuer: Issuer, name: str):
    id = await provider(office, issuer, createUsers=True)
    issuer.discovery = {name: "https://169.254.169.254/latest/meta-data/"}
    browser = office.browser()
    with capture_logs() as lines:
        begun = await browser.get(f"{API}/auth/providers/{id}/initiate")
        if name == "jwks_uri":
            assert is_unusable(begun)
        else:
            back = issuer.authorise(begun.json()["authorizeUrl"])
            assert was_refused(await browser.get(back, headers=NAVIGATION))
            assert "BAILIWICK_ALLOWED_NETWORKS" in (await last_attempt(office))["reason"]
    reasons = [line.get("reason") for line in lines]
    assert "169.254.169.254 is a link-local address" in reasons


async def test_a_provider_that_answers_without_end_is_not_listened_to(
    office: Office, issuer: Issuer
):
    id = await provider(office, issuer)
    issuer.discovery = {"padding": "x" * 2_000_000}
    answer = await office.browser().get(f"{API}/auth/providers/{id}/initiate")
    assert is_unusable(answer)
    assert "cannot be read" in answer.json()["detail"]


async def test_a_provider_that_changed_its_keys_is_asked_for_them_but_not_at_any_pace(
    office: Office, issuer: Issuer
):
    id = await provider(office, issuer, createUsers=True)
    issuer.other_keys = [{"kty": "AKP", "kid": "from-the-future", "alg": "ML-DSA-44", "pub": "x"}]
    browser = office.browser()
    assert not was_refused(await sign_in(browser, issuer, id))
    issuer.rotate()
    read = issuer.asked.count("/keys")
    assert was_refused(await sign_in(browser, issuer, id))
    assert issuer.asked.count("/keys") == read
    age_issuer(office, 61)
    assert not was_refused(await sign_in(browser, issuer, id))
    assert issuer.asked.count("/keys") == read + 1


async def test_a_wrong_client_secret_lets_nobody_in(office: Office, issuer: Issuer):
    id = await provider(office, issuer, createUsers=True, clientSecret=CLIENT_SECRET[:-1])
    assert was_refused(await sign_in(office.browser(), issuer, id))
    assert (await last_attempt(office))["outcome"] == "refused"
