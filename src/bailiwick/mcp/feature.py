"""Outside clients over MCP as a feature."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bailiwick.feature import Feature, Follower
from bailiwick.gate.facts import FindsCaller
from bailiwick.gate.gate import Gate
from bailiwick.mcp.clients import endpoints
from bailiwick.mcp.clients.directory import ClientDirectory, find_client
from bailiwick.mcp.http import McpEndpoint
from bailiwick.office import Office


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    clients = ClientDirectory(office.storage, office.hasher)
    office.add(clients)
    endpoint = McpEndpoint(
        office[Gate], clients, hasher=office.hasher, origin=office.settings.origin
    )
    office.add(endpoint)
    yield


feature = Feature(
    name="mcp",
    routers=[endpoints.router],
    open=_open,
    follows=[Follower(lambda office: office[ClientDirectory].follow, at_once=True)],
    facts=[FindsCaller("client", find_client)],
)
