"""Finds the address and token of an office, on this machine or elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import httpx2
from pydantic import SecretStr

from bailiwick.kit.folder import DataFolder, RunningServer

_API = "/api/v1/clients"
PATH = "/mcp"


class Unreachable(Exception):
    """No office can be reached, or there is no token for it; says what to do."""


@dataclass(frozen=True, slots=True)
class OfficeTarget:
    """An office's address and token."""

    url: str
    token: str


class OfficeRoute(Protocol):
    """A way to find the office."""

    async def find(self, *, anew: bool) -> OfficeTarget:
        """Find it; again, if the last target no longer works."""
        ...


class FixedRoute:
    """An office at a known address."""

    def __init__(self, url: str, token: SecretStr) -> None:
        self._target = OfficeTarget(url, token.get_secret_value())

    async def find(self, *, anew: bool) -> OfficeTarget:
        """Return the same target every time."""
        return self._target


class LocalRoute:
    """The office of this machine's data folder, by a token or by the name of a client."""

    def __init__(
        self, folder: DataFolder, *, token: SecretStr | None = None, client: str | None = None
    ) -> None:
        self._folder = folder
        self._token = token
        self._client = client
        self._found: OfficeTarget | None = None

    async def find(self, *, anew: bool) -> OfficeTarget:
        """Find the server that owns the folder."""
        if self._found is None or anew:
            server = self._folder.server()
            if server is None:
                raise Unreachable("No office is running here now. Try again in a moment.")
            self._found = OfficeTarget(server.url + PATH, await self._show(server))
        return self._found

    async def _show(self, server: RunningServer) -> str:
        if self._token:
            return self._token.get_secret_value()
        headers = {"Authorization": f"Bearer {server.token.get_secret_value()}"}
        async with httpx2.AsyncClient(base_url=server.url, headers=headers, timeout=30) as http:
            try:
                id = self._chosen(await _clients(http))
                return (await _asked(http, "POST", f"{_API}/{id}/pass"))["token"]
            except httpx2.HTTPError as error:
                raise Unreachable(f"The office does not answer: {error}.") from None

    def _chosen(self, listed: Sequence[Any]) -> str:
        found = [one for one in listed if self._client in (one["id"], one["name"])]
        if len(found) == 1:
            return found[0]["id"]
        names = ", ".join(sorted(f"{one['name']} ({one['id']})" for one in listed))
        if found:
            raise Unreachable(f"Several clients are called {self._client!r}; give the id: {names}.")
        raise Unreachable(
            f"There is no client {self._client!r}. "
            + (f"There are: {names}." if names else "Make one in the office's settings.")
        )


async def _clients(http: httpx2.AsyncClient) -> Sequence[Any]:
    """All of them, page by page."""
    found: list[Any] = []
    query = {"PageSize": "100"}
    while True:
        page = await _asked(http, "GET", _API, query)
        found += page["items"]
        if not page["hasMore"]:
            return found
        query["ContinuationToken"] = page["continuationToken"]


async def _asked(
    http: httpx2.AsyncClient, method: str, path: str, query: dict[str, str] | None = None
) -> Any:
    answer = await http.request(method, path, params=query)
    if answer.is_error:
        detail = answer.json().get("detail", "") if answer.content else ""
        raise Unreachable(f"The office refused: {detail or answer.status_code}")
    return answer.json()
