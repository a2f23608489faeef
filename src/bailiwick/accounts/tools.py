"""The tool that lists accounts, and the tools that connectors add of their own."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bailiwick.accounts.facts import HERE
from bailiwick.accounts.outputs import ListedAccounts
from bailiwick.accounts.own import ConnectorAccounts
from bailiwick.connectors.registry import Connectors
from bailiwick.office import Office
from bailiwick.tools.arguments import NoArguments
from bailiwick.tools.facts import AccountFacts, HasAccounts
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Ref, Tool, ToolContext, ToolOutput


def tools(office: Office) -> Iterator[Tool]:
    """All tools; a connector's own act under its name, on its own accounts."""
    yield Tool(
        name="list_accounts",
        title="List accounts",
        description="List the accounts that tools can act on, by the names they have here.",
        arguments=NoArguments,
        output=schema_of(ListedAccounts),
        effect="read",
        run=AccountList(office).run,
    )
    for connector in Connectors.of_features(office.features):
        if connector.tools:
            for tool in connector.tools(ConnectorAccounts(office, connector.name)):
                yield replace(tool, connector=connector.name, outside=True, native=True)


@dataclass(frozen=True, slots=True)
class AccountList:
    """Lists accounts by asking all features for theirs."""

    _office: Office

    async def run(self, context: ToolContext, _: NoArguments) -> ToolOutput:
        """List the accounts in the caller's scope, without a provider's name or an address."""
        facts = self._office.facts(HasAccounts)
        asked = (
            fact.accounts(self._office, context.workspace_id, context.user_id) for fact in facts
        )
        known = [account for some in await asyncio.gather(*asked) for account in some]
        shown = [
            _shown(account)
            for account in known
            if account.id == HERE.id or context.scope.allows_account(account.label)
        ]
        return ToolOutput({"accounts": shown}, summary=f"{len(shown)} accounts")


def _shown(account: AccountFacts) -> dict[str, Any]:
    return {
        "id": Ref("account", account.id),
        "label": account.label,
        "primary": account.primary,
        "kinds": list(account.kinds),
    }
