"""What the Gmail connector says about itself."""

import pytest

from bailiwick.connectors.gmail.feature import CONNECTOR
from bailiwick.connectors.registry import Connectors
from support.gmail_server import BASIC, COMPOSE, MODIFY, READ, SEND


@pytest.mark.req("ACC-09")
@pytest.mark.parametrize(
    ("switched_on", "scopes"),
    [
        ({"read"}, {READ}),
        ({"read", "send"}, {READ, SEND}),
        ({"read", "organise"}, {MODIFY}),
        ({"read", "send", "organise", "drafts", "signature"}, {SEND, MODIFY, COMPOSE, BASIC}),
    ],
)
def test_the_least_scopes_are_asked_for(switched_on: set[str], scopes: set[str]):
    assert set(CONNECTOR.scopes(switched_on)) == scopes
    assert CONNECTOR.granted(switched_on, scopes) == switched_on


@pytest.mark.req("ACC-09")
def test_what_was_not_granted_is_not_taken_as_granted():
    wanted = {"read", "organise", "send"}
    assert CONNECTOR.granted(wanted, {READ}) == {"read"}
    assert CONNECTOR.granted(wanted, {SEND}) == {"send"}


@pytest.mark.req("ACC-09")
def test_its_hosts_follow_from_its_addresses():
    assert set(CONNECTOR.hosts({}, {})) == {
        "gmail.googleapis.com:443",
        "oauth2.googleapis.com:443",
    }
    own = {"api_url": "http://proxy.example:8080/gmail", "token_url": "https://t.example/token"}
    assert set(CONNECTOR.hosts(own, {})) == {
        "proxy.example:8080",
        "t.example:443",
        "oauth2.googleapis.com:443",
    }


@pytest.mark.req("ACC-03")
def test_consent_is_asked_for_so_that_it_lasts_and_only_with_a_client_id():
    assert CONNECTOR.oauth
    assert CONNECTOR.oauth({"client_id": ""}) is None
    made = CONNECTOR.oauth({"client_id": "mine", "client_secret": "hush-hush"})
    assert made
    assert made.parameters["access_type"] == "offline"
    assert made.client_secret == "hush-hush"
    assert "hush-hush" not in repr(made)


@pytest.mark.req("ACC-02")
def test_it_is_declared_correctly_and_says_what_to_click():
    assert list(Connectors([CONNECTOR])) == [CONNECTOR]
    assert {step.copy for step in CONNECTOR.guide} == {None, "redirect_uri", "scopes"}
    assert all(not step.url or step.url.startswith("https://") for step in CONNECTOR.guide)
