"""Bearer tokens of a configured issuer: a program speaks for the user that the issuer names."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from support.issuer import (
    CLIENT_ID,
    Issuer,
    provider,
    rsa_key,
    running_issuer,
    segment,
    sign_in,
    signed_with_another_key,
    signed_with_the_public_key,
    unsigned,
)
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("ID-04")

AUDIENCE = "https://office.example.com/api"


async def answer(office: Office, token: str, path: str = "users/me") -> httpx.Response:
    return await office.program(token).get(f"{API}/{path}")


async def status(office: Office, token: str) -> int:
    return (await answer(office, token)).status_code


async def test_an_issuer_s_token_speaks_for_its_user(office: Office, issuer: Issuer):
    kim = await user_id(await office.member("kim"))
    await provider(office, issuer, bearerAudience=AUDIENCE)
    token = issuer.bearer(AUDIENCE)
    for _ in range(2):
        assert (await answer(office, token)).json()["id"] == kim
    program = office.program(token)
    assert (await program.patch(f"{API}/users/me", json={"name": "K"})).status_code == 200
    assert (await program.get(f"{API}/users")).status_code == 403
    assert (await program.get(f"{API}/tokens")).status_code == 403, "no person is present"


async def test_a_token_for_several_audiences_is_taken_if_one_is_ours(
    office: Office, issuer: Issuer
):
    await office.member("kim")
    await provider(office, issuer, bearerAudience=AUDIENCE)
    several = [AUDIENCE, f"{issuer.url}/userinfo"]
    assert await status(office, issuer.bearer(several, azp="some-client")) == 200


async def test_a_token_that_proves_nothing_is_refused(office: Office, issuer: Issuer):
    await office.member("kim")
    await provider(office, issuer, bearerAudience=AUDIENCE)
    good = issuer.claims(aud=AUDIENCE)
    tokens = {
        "another audience": issuer.bearer("https://another.example.com"),
        "the log-in's audience": issuer.bearer(CLIENT_ID),
        "no audience": issuer.sign(issuer.claims(aud=None)),
        "expired": issuer.bearer(AUDIENCE, exp=1_700_000_000),
        "no end": issuer.bearer(AUDIENCE, exp=None),
        "not valid yet": issuer.bearer(AUDIENCE, nbf=4_000_000_000),
        "another issuer": issuer.bearer(AUDIENCE, iss="https://accounts.example.net"),
        "nobody": issuer.bearer(AUDIENCE, sub=None),
        "unsigned": unsigned(issuer, good),
        "signed with the public key": signed_with_the_public_key(issuer, good),
        "signed with another key": signed_with_another_key(issuer, good),
        "another person's claims": swapped(issuer),
        "nonsense": "a.b.c",
    }
    statuses = {name: await status(office, token) for name, token in tokens.items()}
    assert statuses == dict.fromkeys(tokens, 401)
    assert await status(office, issuer.sign(good)) == 200


def swapped(issuer: Issuer) -> str:
    """A good signature under other claims."""
    head, _, signature = issuer.bearer(AUDIENCE).split(".")
    return f"{head}.{encoded(issuer.claims(aud=AUDIENCE, sub='olive'))}.{signature}"


def encoded(part: Any) -> str:
    return segment(json.dumps(part).encode())


async def test_a_malformed_token_is_refused_and_not_a_failure(office: Office, issuer: Issuer):
    await office.owner()
    await provider(office, issuer, bearerAudience=AUDIENCE)
    said = encoded(issuer.claims(aud=AUDIENCE))
    heads: list[Any] = [
        [],
        ["alg"],
        "alg",
        5,
        None,
        {},
        {"alg": 5},
        {"alg": ["RS256"]},
        {"alg": None},
        {"alg": "RS256", "kid": 5},
        {"alg": "RS256", "kid": ["key-1"]},
        {"alg": "RS256", "crit": ["x"], "x": 1},
        {"alg": "RS256", "b64": False, "crit": ["b64"]},
        {"alg": "RS256", "jwk": issuer.key.as_dict(private=False)},
        {"alg": "ES256", "kid": "key-1"},
    ]
    tokens = [f"{encoded(head)}.{said}.{segment(b'x')}" for head in heads]
    good = encoded({"alg": "RS256", "kid": "key-1"})
    deep = segment(b'{"iss":' + b"[" * 20_000)
    tokens += [f"{good}.{payload}.x" for payload in (deep, segment(b"\xff"), encoded([]), "", "=")]
    tokens += [f"{deep}.{said}.x", "..", f"{good}.{said}."]
    statuses = [await status(office, token) for token in tokens]
    assert statuses == [401] * len(tokens)


async def test_an_issuer_without_a_bearer_audience_gives_no_tokens(office: Office, issuer: Issuer):
    await office.member("kim")
    id = await provider(office, issuer)
    for audience in (CLIENT_ID, AUDIENCE, "None"):
        assert await status(office, issuer.bearer(audience)) == 401
    path = f"{API}/login-providers/{id}"
    await office.operator.patch(path, json={"bearerAudience": AUDIENCE})
    assert await status(office, issuer.bearer(AUDIENCE)) == 200
    await office.operator.patch(path, json={"enabled": False})
    assert await status(office, issuer.bearer(AUDIENCE)) == 401


async def test_an_id_token_of_the_log_in_is_no_bearer_token_unless_so_configured(
    office: Office, issuer: Issuer
):
    await office.member("kim")
    id = await provider(office, issuer, bearerAudience=AUDIENCE)
    browser = office.browser()
    await sign_in(browser, issuer, id)
    id_token = issuer.sign(issuer.claims(nonce="n"))
    assert await status(office, id_token) == 401
    await office.operator.patch(f"{API}/login-providers/{id}", json={"bearerAudience": CLIENT_ID})
    assert await status(office, id_token) == 200


async def test_a_token_of_an_unknown_issuer_makes_us_ask_nobody(office: Office, issuer: Issuer):
    await office.owner()
    assert await status(office, issuer.bearer(AUDIENCE)) == 401
    assert issuer.asked == []


async def test_who_a_token_lets_in_follows_the_rules_of_log_in(office: Office, issuer: Issuer):
    kim = await user_id(await office.member("kim"))
    id = await provider(office, issuer, bearerAudience=AUDIENCE)
    new = {"sub": "lou", "email": "lou@example.com"}
    assert await status(office, issuer.bearer(AUDIENCE, email_verified=False)) == 403
    assert await status(office, issuer.bearer(AUDIENCE, **new)) == 403
    path = f"{API}/login-providers/{id}"
    await office.operator.patch(path, json={"createUsers": True, "allowedDomains": ["x.example"]})
    assert await status(office, issuer.bearer(AUDIENCE, **new)) == 403
    await office.operator.patch(path, json={"allowedDomains": ["example.com"]})
    assert await status(office, issuer.bearer(AUDIENCE, **new)) == 200
    assert await status(office, issuer.bearer(AUDIENCE)) == 200
    await (await office.owner()).patch(f"{API}/users/{kim}", json={"active": False})
    assert await status(office, issuer.bearer(AUDIENCE)) == 401


async def test_a_domain_that_may_no_longer_come_in_is_refused_with_a_token_too(
    office: Office, issuer: Issuer
):
    await office.member("kim")
    await provider(office, issuer, bearerAudience=AUDIENCE)
    assert await status(office, issuer.bearer(AUDIENCE)) == 200
    await office.set(login_domains=["example.org"])
    assert await status(office, issuer.bearer(AUDIENCE)) == 403


async def test_many_first_requests_at_once_are_all_served(any_office: Office, issuer: Issuer):
    await any_office.member("kim")
    await provider(any_office, issuer, bearerAudience=AUDIENCE)
    token = issuer.bearer(AUDIENCE)
    statuses = await asyncio.gather(*(status(any_office, token) for _ in range(6)))
    assert statuses == [200] * 6


async def test_one_issuer_may_serve_two_audiences(office: Office, issuer: Issuer):
    await office.member("kim")
    await provider(office, issuer, name="A", bearerAudience="https://a.example.com")
    await provider(office, issuer, name="B", bearerAudience="https://b.example.com")
    for audience in ("https://a.example.com", "https://b.example.com"):
        assert await status(office, issuer.bearer(audience)) == 200
    assert await status(office, issuer.bearer("https://c.example.com")) == 401


async def test_one_issuer_cannot_speak_for_the_people_of_another(office: Office, issuer: Issuer):
    await office.member("kim")
    await provider(office, issuer, bearerAudience=AUDIENCE)
    assert await status(office, issuer.bearer(AUDIENCE)) == 200
    with running_issuer() as other:
        other.key = rsa_key(2)
        await provider(office, other, name="Other", bearerAudience=AUDIENCE)
        stranger = {"email": "k@example.net"}
        assert await status(office, other.bearer(AUDIENCE, **stranger)) == 403, "the same subject"
        assert await status(office, other.bearer(AUDIENCE, iss=issuer.url)) == 401
