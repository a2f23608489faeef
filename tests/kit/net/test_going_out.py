"""Whoever goes out: webhooks, log-in providers, models and connectors keep to the same rules."""

import errno
import secrets
import socket
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from bailiwick.config import Settings
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.network import Network
from bailiwick.kit.engine.engine import Engine
from bailiwick.kit.engine.flags import Flags
from bailiwick.kit.net.outbound import Outbound
from bailiwick.kit.net.private import LOCAL
from bailiwick.notify.webhooks.deliveries import Deliveries
from support.issuer import reaching_issuers
from support.office import API, Office
from support.receiver import Reply, receiving

NAME = "elsewhere.example"
PUBLIC = "93.184.216.34"
METADATA = "169.254.169.254"
Ask = Callable[[Office, str], Awaitable[str]]


async def webhook(office: Office, url: str) -> str:
    """Send a test event; what the log of deliveries says."""
    body = {"name": "Build", "url": url, "types": ["*"]}
    made = (await office.operator.post(f"{API}/webhooks", json=body)).json()["id"]
    sent = (await office.operator.post(f"{API}/webhooks/{made}/test")).json()["id"]
    runtime, storage = office.product, office.product.storage
    outcome = await Deliveries(
        storage=storage,
        vault=runtime.vault,
        engine=Engine(storage),
        flags=Flags(storage),
        outbound=Outbound(runtime.settings.allowed_networks),
        settings=runtime.changeable,
        origin=runtime.settings.origin,
    ).send(sent, 1)
    assert outcome
    return str(outcome["error"])


async def login_provider(office: Office, url: str) -> str:
    """Begin to log in; what the page says."""
    body = {"name": "Elsewhere", "issuer": url, "clientId": "bailiwick", "clientSecret": "secret"}
    made = await office.operator.post(f"{API}/login-providers", json=body)
    begun = await office.browser().get(f"{API}/auth/providers/{made.json()['id']}/initiate")
    assert begun.status_code == 409, begun.text
    return begun.json()["detail"]


async def model(office: Office, url: str) -> str:
    """Try a model; what the page says."""
    body = {"name": secrets.token_hex(4), "provider": "compatible", "model": "m", "baseUrl": url}
    owner = await office.owner()
    made = await owner.post(f"{API}/models", json=body)
    assert made.status_code == 201, made.text
    return (await owner.post(f"{API}/models/{made.json()['id']}/test")).json()["error"]


def account(url: str) -> Network:
    """The net of an admin's account at that server."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return Network([f"{parts.hostname}:{port}"], allowed=LOCAL)


async def connector(_office: Office, url: str) -> str:
    """Ask a service of the web as a connector does."""
    async with account(url).http() as client:
        try:
            return str(await client.get(url))
        except ConnectorFailed as error:
            return error.detail
        except httpx2.HTTPError as error:
            return str(error)


async def mailbox(_office: Office, url: str) -> str:
    """Dial a mail server as a connector does."""
    try:
        (await account(url).dial(NAME, 443)).close()
    except ConnectorFailed as error:
        return error.detail
    return "connected"


BY_HTTP: list[Ask] = [webhook, login_provider, model, connector]
EVERYONE: list[Ask] = [*BY_HTTP, mailbox]


def named(ask: Ask) -> str:
    return ask.__name__  # pyright: ignore[reportFunctionMemberAccess]


@pytest.fixture
def sqlite_settings(sqlite_settings: Settings) -> Settings:
    """The operator has allowed loopback."""
    return reaching_issuers(sqlite_settings)


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses to which connections were tried; only those on this machine succeed."""
    tried: list[str] = []
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family not in (socket.AF_INET, socket.AF_INET6):
            return real(self, address)
        tried.append(address[0])
        if not address[0].startswith("127."):
            raise OSError(errno.ENETUNREACH, "not in a test")
        return real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    return tried


def leads_to(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Each look-up of the name is given the next answer, and at last the same ones for ever."""
    real, given = socket.getaddrinfo, list[str]()

    def getaddrinfo(host: Any, *more: Any, **named: Any) -> Any:
        if host != NAME:
            return real(host, *more, **named)
        given.append(answers[min(len(given), len(answers) - 1)])
        return real(given[-1], *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return given


def is_refusal(said: str) -> bool:
    # Anyone may begin a log-in, so that page does not tell what a name leads to.
    told = f"{NAME} leads to {METADATA}, a link-local address"
    return told in said or "BAILIWICK_ALLOWED_NETWORKS" in said


@pytest.mark.req("EVT-02")
@pytest.mark.parametrize("ask", EVERYONE, ids=named)
async def test_a_name_that_leads_elsewhere_the_second_time_gets_nobody_inside(
    office: Office, dialled: list[str], monkeypatch: pytest.MonkeyPatch, ask: Ask
):
    given = leads_to(monkeypatch, PUBLIC, METADATA)
    await ask(office, f"https://{NAME}")
    assert dialled == [PUBLIC], "what was looked at is what is connected to"
    said = await ask(office, f"https://{NAME}")
    assert is_refusal(said), said
    assert METADATA in given
    assert dialled == [PUBLIC]


@pytest.mark.parametrize("ask", EVERYONE, ids=named)
async def test_one_address_inside_among_public_ones_refuses_the_name(
    office: Office, dialled: list[str], monkeypatch: pytest.MonkeyPatch, ask: Ask
):
    real = socket.getaddrinfo

    def both(host: Any, *more: Any, **named: Any) -> Any:
        places = [PUBLIC, METADATA] if host == NAME else [host]
        return [found for place in places for found in real(place, *more, **named)]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    assert is_refusal(await ask(office, f"https://{NAME}"))
    assert dialled == []


@pytest.mark.req("EVT-02")
@pytest.mark.parametrize("status", [302, 307])
@pytest.mark.parametrize("ask", BY_HTTP, ids=named)
async def test_a_redirect_inwards_is_not_followed(
    office: Office, dialled: list[str], ask: Ask, status: int
):
    with receiving("127.0.0.1") as server:
        server.usual = Reply(status, headers={"Location": f"http://{METADATA}/latest/"})
        said = await ask(office, server.url)
    assert len(server.received) == 1
    assert set(dialled) == {"127.0.0.1"}
    assert str(status) in said or "redirect" in said or "BAILIWICK_ALLOWED_NETWORKS" in said


@pytest.mark.parametrize("ask", BY_HTTP, ids=named)
async def test_no_proxy_of_the_environment_goes_between(
    office: Office, dialled: list[str], monkeypatch: pytest.MonkeyPatch, ask: Ask
):
    leads_to(monkeypatch, PUBLIC)
    with receiving("127.0.0.1") as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
            monkeypatch.setenv(name.lower(), proxy.url)
        await ask(office, f"https://{NAME}")
    assert proxy.connections == 0
    assert set(dialled) == {PUBLIC}
