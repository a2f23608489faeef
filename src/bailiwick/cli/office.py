"""How commands reach the office: through the server that owns the data folder, or in process."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from fastapi import FastAPI

from bailiwick import features
from bailiwick import office as offices
from bailiwick.app import create_app
from bailiwick.cli.options import settings
from bailiwick.config import Settings
from bailiwick.errors import BailiwickError, Unavailable
from bailiwick.kit import logs
from bailiwick.kit.folder import DataFolder
from bailiwick.office import Office, opened

_API = "/api/v1"
_PATIENCE = httpx2.Timeout(10, read=None)


def call(method: str, path: str, body: Any = None) -> Any:
    """Make one API call as the operator."""
    return asyncio.run(_call(settings(), method, path, body))


def exchange(method: str, path: str, **sent: Any) -> httpx2.Response:
    """Make one request as the operator, of any form."""

    async def made() -> httpx2.Response:
        async with connected(settings()) as client:
            return await _answer(client, method, path, **sent)

    return asyncio.run(made())


def every(path: str, **query: str) -> list[Any]:
    """All items of a paged list."""

    async def collect() -> list[Any]:
        async with connected(settings()) as client:
            return await all_pages(client, path, **query)

    return asyncio.run(collect())


async def all_pages(client: httpx2.AsyncClient, path: str, **query: str) -> list[Any]:
    """All items of a paged list, with an open client."""
    found: list[Any] = []
    query["PageSize"] = "100"
    while True:
        page = await _send(client, "GET", path, None, query)
        found += page["items"]
        if not page["hasMore"]:
            return found
        query["ContinuationToken"] = page["continuationToken"]


@asynccontextmanager
async def connected(given: Settings) -> AsyncGenerator[httpx2.AsyncClient]:
    """A client with the operator's rights."""
    async with _reached(given) as server:
        if server:
            yield server
            return
        async with _held(given) as office, _within(create_app(office), office) as client:
            yield client


@asynccontextmanager
async def at_work(given: Settings) -> AsyncGenerator[httpx2.AsyncClient]:
    """A client with the operator's rights, while the office's jobs run."""
    async with _reached(given) as server:
        if server:
            yield server
            return
        async with _held(given) as office, offices.at_work(office):
            app = create_app(office)
            async with app.router.lifespan_context(app), _within(app, office) as client:
                yield client


@asynccontextmanager
async def _reached(given: Settings) -> AsyncGenerator[httpx2.AsyncClient | None]:
    """The server that owns the data folder, if one runs."""
    running = DataFolder(given.data).server()
    if running is None:
        yield None
        return
    headers = _bearer(running.token.get_secret_value())
    async with httpx2.AsyncClient(
        base_url=running.url, headers=headers, timeout=_PATIENCE
    ) as client:
        yield client


@asynccontextmanager
async def _held(given: Settings) -> AsyncGenerator[Office]:
    """The office on the data folder, opened by this process alone."""
    folder = DataFolder(given.data)
    folder.prepare()
    # A command prints its answer, not the log.
    given = given.model_copy(update={"log_level": "warning"})
    logs.configure(level=given.log_level, format=given.log_format, file=given.log_file)
    with folder.owned():
        async with opened(given, features.installed()) as office:
            yield office


@asynccontextmanager
async def _within(app: FastAPI, office: Office) -> AsyncGenerator[httpx2.AsyncClient]:
    token = office.operator_token.get_secret_value()
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app),
        base_url=office.settings.origin,
        headers=_bearer(token),
    ) as client:
        yield client


async def _call(given: Settings, method: str, path: str, body: Any) -> Any:
    async with connected(given) as client:
        return await _send(client, method, path, body, {})


async def _send(
    client: httpx2.AsyncClient,
    method: str,
    path: str,
    body: Any,
    query: dict[str, str],
) -> Any:
    answer = await _answer(client, method, path, json=body, params=query or None)
    return answer.json() if answer.content else None


async def _answer(
    client: httpx2.AsyncClient, method: str, path: str, **sent: Any
) -> httpx2.Response:
    try:
        answer = await client.request(method, _API + path, **sent)
    except httpx2.TransportError as error:
        raise Unavailable(f"The server does not answer: {error}.") from None
    if answer.is_error:
        raise BailiwickError(_explained(answer))
    return answer


def _explained(answer: httpx2.Response) -> str:
    problem = answer.json()
    fields = [f"{name}: {'; '.join(said)}" for name, said in problem.get("errors", {}).items()]
    more = [f"  {each}" for each in fields if each not in problem["detail"]]
    return "\n".join([problem["detail"], *more])


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
