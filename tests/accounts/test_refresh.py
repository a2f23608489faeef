"""Tokens: refreshed ahead of their end, by one at a time, and failures told apart."""

import asyncio
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from accounts.connecting import configure, consented
from bailiwick.accounts import oauth
from bailiwick.accounts.models import Account, AccountCredential
from bailiwick.accounts.opener import AccountOpener
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.kit import clock
from support.oauth_server import Provider
from support.office import API, Office
from support.server import PATIENCE

pytestmark = [pytest.mark.req("ACC-03", "ACC-04")]
LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)


async def account(office: Office, provider: Provider) -> str:
    await configure(office, provider)
    return (await consented(await office.owner(), provider))["id"]


async def outdate(office: Office) -> None:
    """Let time pass: the stored token is over."""
    async with office.product.storage.app.write() as session:
        await session.execute(update(AccountCredential).values(expires_at=LONG_AGO))


async def token(opener: AccountOpener, id: str) -> str:
    found, using = await opener.found(id)
    return (await opener.secret_of(found, using))["access_token"]


def another_process(office: Office) -> AccountOpener:
    """A opener that knows nothing of the first one but what is in the database."""
    opener, runtime = office.product[AccountOpener], office.product
    return AccountOpener(
        runtime.storage, runtime.vault, opener.connectors, data=runtime.settings.data
    )


async def failure(opener: AccountOpener, id: str) -> ConnectorFailed:
    with pytest.raises(ConnectorFailed) as caught:
        await token(opener, id)
    assert "canary" not in str(caught.value)
    return caught.value


async def test_a_token_that_lasts_is_not_refreshed_and_one_that_ends_soon_is(
    office: Office, provider: Provider
):
    id, opener = await account(office, provider), office.product[AccountOpener]
    first = await token(opener, id)
    assert await token(opener, id) == first
    assert provider.refreshed == 0
    await outdate(office)
    second = await token(opener, id)
    assert (second != first, provider.refreshed) == (True, 1)
    assert await token(opener, id) == second
    assert provider.refreshed == 1


async def test_many_tasks_and_processes_lead_to_one_refresh(any_office: Office, provider: Provider):
    provider.rotates = True
    id = await account(any_office, provider)
    await outdate(any_office)
    provider.slow = threading.Event()
    desks = [
        any_office.product[AccountOpener],
        any_office.product[AccountOpener],
        another_process(any_office),
    ]
    asking = [asyncio.create_task(token(opener, id)) for opener in (*desks, *desks)]
    assert await asyncio.to_thread(provider.asking.wait, PATIENCE)
    provider.slow.set()
    assert len(set(await asyncio.gather(*asking))) == 1
    assert provider.refreshed == 1


async def test_a_rotated_refresh_token_is_kept(office: Office, provider: Provider):
    provider.rotates = True
    id, opener = await account(office, provider), office.product[AccountOpener]
    for times in (1, 2, 3):
        await outdate(office)
        await token(opener, id)
        assert provider.refreshed == times


async def test_who_is_cancelled_while_refreshing_loses_no_rotated_token(
    office: Office, provider: Provider
):
    provider.rotates = True
    id, opener = await account(office, provider), office.product[AccountOpener]
    await outdate(office)
    provider.slow = threading.Event()
    asking = asyncio.create_task(token(opener, id))
    assert await asyncio.to_thread(provider.asking.wait, PATIENCE)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    provider.slow.set()
    assert await token(opener, id), "what the provider gave to the first is kept"
    assert provider.refreshed == 1


async def test_a_process_that_died_while_refreshing_holds_nobody_up(
    office: Office, provider: Provider
):
    id, opener = await account(office, provider), office.product[AccountOpener]
    await outdate(office)
    async with office.product.storage.app.write() as session:
        dead = {"lease_holder": "hld-dead", "lease_until": LONG_AGO}
        await session.execute(update(AccountCredential).values(**dead))
    assert await token(opener, id)
    assert provider.refreshed == 1


async def test_a_wrong_clock_is_healed_by_the_providers_refusal(office: Office, provider: Provider):
    id = await account(office, provider)
    provider.outdate()  # long before our clock says so
    probe = await (await office.owner()).get(f"{API}/accounts/{id}/test")
    assert probe.json()["ok"], probe.text
    assert provider.refreshed == 1


async def test_odd_lifetimes_do_no_harm(office: Office, provider: Provider):
    odd: list[Any] = [None, "3600", -5, "soon", 10**12, "nan", "inf"]
    for provider.lifetime in odd:
        made = await account(office, provider)
        assert await token(office.product[AccountOpener], made), provider.lifetime


async def test_consent_taken_back_is_invalid_grant_and_not_asked_for_again_at_once(
    office: Office, provider: Provider
):
    id, opener = await account(office, provider), office.product[AccountOpener]
    provider.forget()
    await outdate(office)
    for _ in range(3):
        assert (await failure(opener, id)).problem == "invalid_grant"
    assert provider.refreshed == 1
    async with office.product.storage.app.read() as session:
        assert (await session.get_one(Account, id)).problem == "invalid_grant"


async def test_without_a_refresh_token_a_token_serves_to_its_end(
    office: Office, provider: Provider
):
    provider.refreshes, provider.lifetime = False, 200
    id, opener = await account(office, provider), office.product[AccountOpener]
    assert await token(opener, id)
    await outdate(office)
    assert (await failure(opener, id)).problem == "missing_refresh_token"
    answer = (await (await office.owner()).get(f"{API}/accounts/{id}/test")).json()
    assert answer["error"] == "missing_refresh_token"
    assert answer["authorizeUrl"].startswith(f"{office.origin}/oauth/accounts/start?account=acc-")


async def test_a_provider_in_trouble_is_no_lost_consent(office: Office, provider: Provider):
    id, opener = await account(office, provider), office.product[AccountOpener]
    await outdate(office)
    for status, problem in ((500, "network"), (503, "network"), (429, "network"), (403, "other")):
        provider.failing = status
        assert (await failure(opener, id)).problem == problem
    provider.failing = None
    assert await token(opener, id), "nothing was lost"


@pytest.mark.parametrize(
    ("told", "least", "most"),
    [("120", 120, 120), ("in an hour", 3000, 3600), ("soon", None, None)],
)
async def test_a_busy_token_endpoint_is_left_alone_for_as_long_as_it_says(
    told: str, least: float | None, most: float | None
):
    if told == "in an hour":
        told = format_datetime(clock.now() + timedelta(hours=1), usegmt=True)

    def busy(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(503, headers={"Retry-After": told})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(busy)) as client:
        with pytest.raises(oauth.TokenRefused) as caught:
            await oauth.request(client, "https://provider.example/token", {})
    asked = caught.value.retry_after
    assert asked is None if least is None else least <= (asked or 0) <= (most or 0)


async def test_a_provider_that_is_away_is_a_matter_of_the_network(
    office: Office, provider: Provider
):
    id = await account(office, provider)
    await outdate(office)
    options = {"url": "http://127.0.0.1:9", "client_secret": None}
    owner = await office.owner()
    moved = await owner.patch(f"{API}/connectors/postbox", json={"options": options})
    assert moved.status_code == 200, moved.text
    assert (await failure(office.product[AccountOpener], id)).problem == "network"


async def test_a_disconnected_account_opens_no_more(office: Office, provider: Provider):
    id, opener = await account(office, provider), office.product[AccountOpener]
    found, using = await opener.found(id)
    await (await office.owner()).delete(f"{API}/accounts/{id}")
    with pytest.raises(ConnectorFailed, match="no longer here"):
        await opener.secret_of(found, using)
    with pytest.raises(ConnectorFailed, match="no longer connected"):
        async with opener.mailbox(id):
            pass
