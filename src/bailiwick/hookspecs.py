"""Every hook of a plugin. Built-in features use these, and nothing else, to be seen by agents."""

from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from bailiwick.connectors.connector import Connector
    from bailiwick.tools.facts import AccountFacts, Office
    from bailiwick.tools.tool import TargetKind, Tool

PROJECT = "bailiwick"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def bailiwick_connectors() -> "Iterable[Connector]":  # pyright: ignore[reportReturnType]
    """The connectors that this plugin adds; asked once, at the start."""


@hookspec
def bailiwick_tools(office: "Office") -> "Iterable[Tool]":  # pyright: ignore[reportReturnType]
    """The tools that this plugin adds; asked once, at the start."""


@hookspec
def bailiwick_accounts(office: "Office", workspace_id: str) -> "Awaitable[Iterable[AccountFacts]]":  # pyright: ignore[reportReturnType]
    """The accounts of a workspace that this plugin's tools act on."""


@hookspec
def bailiwick_knows(
    office: "Office", workspace_id: str, kind: "TargetKind", value: str
) -> "Awaitable[bool]":  # pyright: ignore[reportReturnType]
    """Whether the owner knows a target: it is in the address book, or they wrote to it before."""
