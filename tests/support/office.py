"""An installation under test, and the people who use it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi import FastAPI

from bailiwick import features
from bailiwick.app import create_app
from bailiwick.config import Settings
from bailiwick.feature import Feature
from bailiwick.gate.gate import Gate
from bailiwick.identity import links
from bailiwick.kit.folder import DataFolder
from bailiwick.office import Office as Product
from bailiwick.office import opened

API = "/api/v1"
PASSWORD = "four unrelated garden words"


@dataclass
class Office:
    """The app of one installation, with a client for each person."""

    app: FastAPI
    product: Product
    stack: AsyncExitStack
    people: dict[str, httpx.AsyncClient] = field(default_factory=dict)

    @property
    def gate(self) -> Gate:
        return self.product[Gate]

    @property
    def origin(self) -> str:
        return self.product.settings.origin

    def browser(self, **headers: str) -> httpx.AsyncClient:
        """A browser on one of our own pages, with an empty cookie jar."""
        return self._client({"Origin": self.origin, **headers})

    def program(self, token: str) -> httpx.AsyncClient:
        """A program with a bearer token."""
        return self._client({"Authorization": f"Bearer {token}"})

    @property
    def operator(self) -> httpx.AsyncClient:
        return self.program(self.product.operator_token.get_secret_value())

    async def owner_link(self) -> str:
        async with self.product.storage.app.write() as session:
            return await links.create(session, "owner", hasher=self.product.hasher)

    async def owner(self, email: str = "olive@example.com") -> httpx.AsyncClient:
        """The first user, signed in; made on first use."""
        if "owner" not in self.people:
            browser = self.browser()
            body = {
                "link": await self.owner_link(),
                "email": email,
                "name": "Olive Owner",
                "password": PASSWORD,
            }
            made = await browser.post(f"{API}/auth/setup", json=body)
            assert made.status_code == 201, made.text
            self.people["owner"] = browser
        return self.people["owner"]

    async def member(self, name: str, *, role: str = "user") -> httpx.AsyncClient:
        """Another user, invited by the owner and signed in; made on first use."""
        if name not in self.people:
            body = {"email": f"{name}@example.com", "name": name.title(), "role": role}
            invited = await (await self.owner()).post(f"{API}/users", json=body)
            assert invited.status_code == 201, invited.text
            browser = self.browser()
            secret = invited.json()["link"].partition("#")[2]
            entered = await browser.post(
                f"{API}/auth/password", json={"link": secret, "password": PASSWORD}
            )
            assert entered.status_code == 200, entered.text
            self.people[name] = browser
        return self.people[name]

    async def token(self, person: httpx.AsyncClient, *scopes: str) -> httpx.AsyncClient:
        """A program with a new token of that person."""
        body = {"name": "test", "scopes": list(scopes or ("read", "write"))}
        made = await person.post(f"{API}/tokens", json=body)
        assert made.status_code == 201, made.text
        return self.program(made.json()["secret"])

    async def set(self, **values: Any) -> None:
        """Change run-time settings."""
        changed = await self.operator.patch(f"{API}/settings", json=values)
        assert changed.status_code == 200, changed.text

    def _client(self, headers: dict[str, str]) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=("127.0.0.1", 50000))
        made = httpx.AsyncClient(transport=transport, base_url=self.origin, headers=headers)
        self.stack.push_async_callback(made.aclose)
        return made


@asynccontextmanager
async def opened_office(settings: Settings, more: Sequence[Feature] = ()) -> AsyncIterator[Office]:
    """Open an installation as the server does; what more features know is asked first."""
    folder = DataFolder(settings.data)
    folder.prepare()
    with folder.owned():
        async with (
            opened(settings, [*more, *features.installed()]) as product,
            AsyncExitStack() as stack,
        ):
            app = create_app(product)
            await stack.enter_async_context(app.router.lifespan_context(app))
            yield Office(app, product, stack)


async def user_id(person: httpx.AsyncClient) -> str:
    """The id of a signed-in person."""
    return (await person.get(f"{API}/auth/whoami")).json()["user"]["id"]


async def every(person: httpx.AsyncClient, path: str, **query: Any) -> list[Any]:
    """All items of a list, page by page."""
    found: list[Any] = []
    asked: dict[str, Any] = {"PageSize": 100, **query}
    while True:
        answer = await person.get(f"{API}{path}", params=asked)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += page["items"]
        if not page["hasMore"]:
            assert page["totalItems"] == len(found)
            return found
        asked["ContinuationToken"] = page["continuationToken"]
