"""What people do to connect accounts."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from accounts.postbox import PASSWORD
from support.oauth_server import CLIENT_ID, CLIENT_SECRET, Provider
from support.office import API, Office
from support.redirected import said

NAVIGATION = {
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
}


async def home(person: httpx.AsyncClient) -> str:
    """The first workspace of someone; made on first use."""
    known = (await person.get(f"{API}/workspaces")).json()["items"]
    if known:
        return known[0]["id"]
    return (await person.post(f"{API}/workspaces", json={"name": "Own"})).json()["id"]


def form(
    workspace: str, provider: Provider, /, user: str = "olive", **given: Any
) -> dict[str, Any]:
    """What connects an account of the pillar box; the provider stands in for its server."""
    port = urlsplit(provider.url).port
    settings = {"host": "127.0.0.1", "port": port, "user": user, "password": PASSWORD}
    return {
        "workspaceId": workspace,
        "connector": "pillar",
        **given,
        "settings": settings | given.get("settings", {}),
    }


async def connected(
    person: httpx.AsyncClient, provider: Provider, /, user: str = "olive", **given: Any
) -> dict[str, Any]:
    """An account of the pillar box."""
    body = form(await home(person), provider, user, **given)
    made = await person.post(f"{API}/accounts", json=body)
    assert made.status_code == 201, made.text
    return made.json()


async def configure(office: Office, provider: Provider) -> None:
    """Give the postbox its client id."""
    options = {"url": provider.url, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}
    answer = await (await office.owner()).patch(
        f"{API}/connectors/postbox", json={"options": options}
    )
    assert answer.status_code == 200, answer.text


async def begin(person: httpx.AsyncClient, **query: Any) -> str:
    """Start a consent; returns the address of the provider's page."""
    query = {"workspaceId": await home(person), **query}
    begun = await person.get(f"{API}/connectors/postbox/oauth/start", params=query)
    assert begun.status_code == 200, begun.text
    return begun.json()["authorizeUrl"]


async def consented(person: httpx.AsyncClient, provider: Provider, **query: Any) -> dict[str, Any]:
    """The whole way through the provider and back; returns the account."""
    back = await person.get(provider.consent(await begin(person, **query)), headers=NAVIGATION)
    said = told(back)
    assert "connected" in said, said
    return (await person.get(f"{API}/accounts/{said['connected']}")).json()


def told(answer: httpx.Response) -> dict[str, str]:
    """What the page that a browser was sent to is told."""
    assert answer.status_code == 303, answer.text
    parts = urlsplit(answer.headers["Location"])
    assert (parts.scheme, parts.netloc) == ("", "")
    found = {name: values[0] for name, values in parse_qs(parts.query).items()}
    assert "problem" not in found, "what is in an address, anybody may have written"
    return found | ({"problem": problem} if (problem := said(answer)) else {})
