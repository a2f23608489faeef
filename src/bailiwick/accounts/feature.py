"""Accounts as a feature."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bailiwick.accounts import endpoints, redirects, service, switches
from bailiwick.accounts.facts import accounts_of
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.switches import Switches
from bailiwick.accounts.tools import tools
from bailiwick.connectors.registry import Connectors
from bailiwick.feature import Feature, Follower, Removal
from bailiwick.identity.facts import Welcome
from bailiwick.office import Office
from bailiwick.tools.facts import HasAccounts, SwitchesTools
from bailiwick.tools.tool import Tool


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    connectors = Connectors.of_features(office.features)
    office.add(connectors)
    opener = AccountOpener(
        office.storage,
        office.vault,
        connectors,
        data=office.data,
        data_key=office.data_key,
        allowed=office.settings.allowed_networks,
    )
    office.add(opener)
    async with office.storage.app.read() as session:
        office.add(Switches(await switches.read(session, connectors)))
    yield


def _is_offered(office: Office, tool: Tool) -> bool:
    return not tool.native or office[Switches].is_open(tool.connector)


feature = Feature(
    name="accounts",
    routers=[endpoints.connectors, endpoints.accounts],
    root_routers=[redirects.router],
    open=_open,
    tools=tools,
    follows=[Follower(lambda office: office[Switches].follow, at_once=True)],
    removals={"workspace": Removal(within=service.none_left)},
    facts=[
        HasAccounts(accounts_of),
        SwitchesTools(_is_offered),
        Welcome(service.welcome),
    ],
)
