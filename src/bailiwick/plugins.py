"""Plugins: what this installation can do. Built-in features come in by the same door as others."""

import asyncio
import mimetypes
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import pluggy

from bailiwick import hookspecs
from bailiwick.accounts.facts import facts_of
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.outputs import ListedAccounts
from bailiwick.accounts.own import ConnectorAccounts
from bailiwick.errors import BadConfiguration
from bailiwick.hookspecs import PROJECT, hookimpl
from bailiwick.library import tools as library
from bailiwick.library.resolver import PathResolver
from bailiwick.mail.tools.files import AttachedFile
from bailiwick.memory import tools as memory
from bailiwick.planner import tools as planner
from bailiwick.tools.arguments import NoArguments
from bailiwick.tools.facts import AccountFacts, Office
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.registry import DuplicateTool, Registry
from bailiwick.tools.tool import Ref, Tool, ToolContext, ToolOutput

BUILT_IN = (library, planner, memory)
HERE = AccountFacts(
    id="local",
    label="This office",
    address="",
    primary=True,
    connector="local",
    kinds=("files", "tasks"),
)


def found(office: Office) -> pluggy.PluginManager:
    """All plugins: built-in features, and what is installed beside them."""
    plugins = pluggy.PluginManager(PROJECT)
    plugins.add_hookspecs(hookspecs)
    for module in BUILT_IN:
        plugins.register(module)
    plugins.register(Accounts(plugins, office), name="accounts")
    for installed in sorted(entry_points(group=PROJECT), key=lambda each: each.name):
        _register(plugins, installed)
    return plugins


def tools(plugins: pluggy.PluginManager, office: Office) -> Registry:
    """The tools that they give."""
    try:
        # The last that was registered answers first; a list reads better the other way.
        given = reversed(plugins.hook.bailiwick_tools(office=office))
        return Registry(tool for some in given for tool in some)
    except (DuplicateTool, ValueError) as error:
        raise BadConfiguration(f"A plugin gives a tool that cannot be used: {error}") from None


class Accounts:
    """The accounts that all plugins together act on."""

    def __init__(self, plugins: pluggy.PluginManager, office: Office) -> None:
        self._plugins = plugins
        self._office = office

    @hookimpl
    def bailiwick_tools(self, office: Office) -> Sequence[Tool]:
        """The tool that lists them."""
        return [
            Tool(
                name="list_accounts",
                title="List accounts",
                description="List the accounts that tools can act on, by the names they have here.",
                arguments=NoArguments,
                output=schema_of(ListedAccounts),
                effect="read",
                run=self.list,
            )
        ]

    @hookimpl
    async def bailiwick_accounts(self, office: Office, workspace_id: str) -> list[AccountFacts]:
        """What is kept in this office itself, and what the workspace is connected to."""
        async with office.storage.app.read() as session:
            connected = await facts_of(session, workspace_id)
        return [HERE, *(AccountFacts(*facts) for facts in connected)]

    async def list(self, context: ToolContext, arguments: NoArguments) -> ToolOutput:
        """The accounts that the caller may use; never a provider's name or an address."""
        asked = self._plugins.hook.bailiwick_accounts(
            office=self._office, workspace_id=context.workspace_id
        )
        known = [account for some in await asyncio.gather(*asked) for account in some]
        shown = [
            _shown(account)
            for account in known
            if account.id == HERE.id or context.scope.allows_account(account.label)
        ]
        return ToolOutput({"accounts": shown}, summary=f"{len(shown)} accounts")


class Native:
    """The tools that connectors add of their own, each handed its own accounts."""

    def __init__(self, opener: AccountOpener) -> None:
        self._opener = opener

    @hookimpl
    def bailiwick_tools(self, office: Office) -> Sequence[Tool]:
        """All of them, under their connectors' names."""
        return [
            replace(tool, connector=connector.name, outside=True, native=True)
            for connector in self._opener.connectors
            if connector.tools
            for tool in connector.tools(ConnectorAccounts(self._opener, connector.name))
        ]


class Attaching:
    """Reads files of the library that are to go with a mail, where the caller may read them."""

    def __init__(self, office: Office) -> None:
        self._shelf = PathResolver(office)

    async def __call__(self, context: ToolContext, path: str) -> AttachedFile:
        """The file at a path."""
        place = await self._shelf.file(context, path, field="attach_files")
        content, _ = await asyncio.to_thread(place.root.read, place.names, most=_LARGEST_ATTACHED)
        name = place.path.name
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return AttachedFile(name=name, type=kind, content=content)


_LARGEST_ATTACHED = 25_000_000


def _shown(account: AccountFacts) -> dict[str, Any]:
    return {
        "id": Ref("account", account.id),
        "label": account.label,
        "primary": account.primary,
        "kinds": list(account.kinds),
    }


def _register(plugins: pluggy.PluginManager, found: EntryPoint) -> None:
    """A plugin that is installed beside us; one that fails says which it is."""
    try:
        plugins.register(found.load(), name=found.name)
        plugins.check_pending()
    except Exception as error:  # noqa: BLE001
        raise BadConfiguration(
            f"The plugin {found.name} ({found.value}) cannot be used: {error}. Uninstall it, or "
            f"install a version that fits."
        ) from None
