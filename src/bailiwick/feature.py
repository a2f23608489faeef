"""`Feature`: what a part of the product brings. `features.py` lists them, in order.

Everything that starts (server, worker, commands, tests) is a loop over that list. A plugin exports
the same type through the entry point group `bailiwick.features`; built-in ones have no other door.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from fastapi import APIRouter
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance.changes import Actor
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.engine import Queue
from bailiwick.kit.engine.jobs import JobBody
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.sealing import KeptFolder

if TYPE_CHECKING:
    from bailiwick.connectors.connector import Connector
    from bailiwick.llm.provider import ModelProvider
    from bailiwick.office import Office
    from bailiwick.tools.tool import Tool

Opener = Callable[["Office"], AbstractAsyncContextManager[None]]
# Asked once, before anything is opened: a tool finds what it works with when it runs.
ToolSource = Callable[["Office"], "Iterable[Tool]"]
Removable = Literal["agent", "account", "workspace", "model"]


@dataclass(frozen=True, slots=True)
class Job:
    """Durable work under a name; `body` gives the function that does it in this office."""

    name: str
    body: "Callable[[Office], JobBody]"
    queue: Queue


@dataclass(frozen=True, slots=True)
class Follower:
    """Hears of every commit that holds events, of all processes, in order. It must not wait."""

    # Gives the function that is told, in this office; asked once, when every feature is open.
    body: "Callable[[Office], Callable[[Sequence[Recorded]], None]]"
    # Commits of this process also before whoever made them goes on: for caches that must be true.
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Tidy:
    """Housekeeping of one kind, done every hour."""

    name: str
    tidy: "Callable[[Office], Awaitable[Any]]"

    @classmethod
    def of(
        cls, name: str, forget: Callable[[AsyncSession, RuntimeSettings], Awaitable[Any]]
    ) -> "Tidy":
        """One that is a single transaction."""

        async def tidy(office: "Office") -> None:
            settings = await office.changeable.current()
            async with office.storage.app.write() as session:
                await forget(session, settings)

        return cls(name, tidy)


@dataclass(frozen=True, slots=True)
class Removal:
    """What a feature does when something that others own goes."""

    # In the transaction that removes it; an error keeps it, and says why.
    within: Callable[[AsyncSession, Actor, str], Awaitable[None]] | None = None
    # Before that transaction, piece by piece: for what there may be much of.
    before: "Callable[[Office, str], Awaitable[None]] | None" = None


class Fact:
    """Something that a feature can be asked. Who asks defines the class, who knows fills it in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """One part of the product: it states only what it has."""

    name: str
    routers: Sequence[APIRouter] = ()  # its REST, under /api/v1
    root_routers: Sequence[APIRouter] = ()  # what has its place elsewhere: redirects, health
    open: Opener | None = None  # what it keeps alive while the office is open
    work: Opener | None = None  # what it does by itself while the engine runs
    tools: ToolSource | None = None  # what agents may call
    connectors: "Sequence[Connector]" = ()  # providers that accounts can be connected to
    models: "Sequence[ModelProvider]" = ()  # providers of models
    jobs: Sequence[Job] = ()  # durable work, by name
    wakes: Sequence[Wake] = ()  # which events begin which job
    follows: Sequence[Follower] = ()  # hears commits of this and other processes
    tidies: Sequence[Tidy] = ()  # housekeeping
    # What it does, or why not, when something of another feature goes.
    removals: Mapping[Removable, Removal] = field(default_factory=dict["Removable", "Removal"])
    facts: Sequence[Fact] = ()  # what others may ask it
    folders: Sequence[KeptFolder] = ()  # what it keeps beneath the data folder, in backups too
