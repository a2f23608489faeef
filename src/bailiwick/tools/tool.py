"""`Tool`: the one form in which everything that an agent can do is described."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from bailiwick.kit.plain_schema import plain
from bailiwick.tools.arguments import ToolArguments
from bailiwick.tools.effects import INVERSES, Effect
from bailiwick.tools.facts import AccountFacts, AttachedFile
from bailiwick.tools.scope import Scope
from bailiwick.tools.trust import Label, Source

Replay = Literal["idempotent", "lookup", "ask"]
# What an argument points at. Grounding compares values of the same kind only.
TargetKind = Literal[
    "address", "url", "file", "folder", "account", "task", "note", "event", "email", "item", "name"
]
IdKind = Literal["email", "account", "event", "task", "file", "note", "item"]
# A call's arguments as rules, approvals and the audit see them: a JSON object.
Arguments = dict[str, Any]
Receipt = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ref:
    """A real id in a tool's output; the gate shows the caller its virtual id instead."""

    kind: IdKind
    id: str
    account: str = "local"


@dataclass(frozen=True, slots=True)
class CallForecast:
    """What the gate would say to a call."""

    passes: bool
    code: str | None = None  # "asks": a person would be asked
    reason: str | None = None
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])


class OwnTools(Protocol):
    """What a caller can find out of its own tools."""

    async def offered(self) -> "list[Tool]":
        """Those that the caller may use now."""
        ...

    async def forecast(self, name: str, arguments: Arguments) -> CallForecast:
        """What the gate would say to a call, without making it."""
        ...


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool knows besides its arguments."""

    workspace_id: str
    user_id: str | None
    actor_id: str
    actor_name: str
    scope: Scope
    label: Label  # what it writes takes this label
    key: str  # the same when the same call is tried again after a crash
    # Accounts that a rule keeps back, though the call is about all of them.
    withheld: frozenset[str] = frozenset()
    # A person acts under their own name: nobody follows what they have read.
    in_person: bool = False
    # The run in which it is called, or what stands for one: where its reading is kept.
    context_id: str | None = None
    # The card that a person said yes to; None if nobody was asked.
    card: Mapping[str, Any] | None = None
    # The director in whose run it is called, and whose local memories that one may read.
    director_id: str | None = None
    memory_access: tuple[str, ...] = ()
    # The caller's own tools; None outside the gate.
    tools: OwnTools | None = None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool gives back. `data` is JSON, with `Ref` where a real id would stand."""

    data: Any
    summary: str  # "3 files", for the audit; no content
    sources: tuple[Source, ...] = ()  # whose words the data holds; none: the office's own
    receipt: Receipt | None = None  # what undoing it needs to know
    files: tuple[AttachedFile, ...] = ()  # pictures and documents, for a model that sees


# Each of these is handed the tool's own model of arguments.
ToolRun = Callable[[ToolContext, Any], Awaitable[ToolOutput]]
Undo = Callable[[ToolContext, Any, Receipt], Awaitable[ToolOutput]]
# Whether it took effect: its output if so, None if not.
ToolLookup = Callable[[ToolContext, Any], Awaitable[ToolOutput | None]]
# What a person sees before they allow it, such as a diff; never changes anything.
ToolPreview = Callable[[ToolContext, Any], Awaitable[Mapping[str, Any]]]
# The files that would go with a call, as they are now.
FilesOf = Callable[[ToolContext, Any], Awaitable[Sequence[AttachedFile]]]
EffectWith = Callable[[Arguments], Effect]
# The account that a call acts on; raises where it cannot be told, and says between which.
AccountOf = Callable[[ToolContext, Any], Awaitable[AccountFacts | None]]
# The accounts that a call about none in particular is about.
AccountsOf = Callable[[ToolContext], Awaitable[Sequence[AccountFacts]]]
# What a call points at besides its arguments, such as whoever gets a reply.
TargetsOf = Callable[[ToolContext, Any], Awaitable[Sequence[tuple[TargetKind, str]]]]


@dataclass(frozen=True)
class Tool:
    """A named action with one effect, and its inverse or the word that it has none."""

    name: str
    title: str
    description: str
    arguments: type[ToolArguments]
    effect: Effect
    run: ToolRun = field(repr=False)
    undo: Undo | None = field(default=None, repr=False)  # None: irreversible (or nothing to undo)
    replay: Replay = "idempotent"
    lookup: ToolLookup | None = field(default=None, repr=False)
    preview: ToolPreview | None = field(default=None, repr=False)
    attached: FilesOf | None = field(default=None, repr=False)
    undone_as: str | None = None  # the tool that does what undoing it does, if there is one
    connector: str = "local"
    output: Mapping[str, Any] | None = None  # JSON Schema of the data
    targets: Mapping[str, TargetKind] = field(default_factory=dict[str, TargetKind])
    ids: Mapping[str, IdKind] = field(default_factory=dict[str, IdKind])
    # Arguments that are paths, beneath the virtual root.
    paths: tuple[str, ...] = ()
    outside: bool = False  # acts on an outside account
    account: AccountOf | None = field(default=None, repr=False)
    accounts: AccountsOf | None = field(default=None, repr=False)
    more_targets: TargetsOf | None = field(default=None, repr=False)
    # What it changes is the workspace's, such as a notebook: members may see that it was changed.
    shared: bool = False
    native: bool = False  # its connector's own: offered while that is enabled and active
    delegates_to: str | None = None  # the agent that is asked to do it
    # What a call does to the world, where its arguments make that another effect.
    effect_with: EffectWith | None = field(default=None, repr=False)
    # In a run it changes nothing but the case that it is for, and what it writes has its label.
    contained: bool = False
    # Kinds of agents that have it without ado; others only if their scope names it. None: all.
    offered_to: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.replay == "lookup" and self.lookup is None:
            raise ValueError(f"{self.name}: replay 'lookup' needs a lookup")

    @property
    def writes(self) -> bool:
        """Whether it changes anything."""
        return self.effect != "read"

    def effect_of(self, arguments: Arguments) -> Effect:
        """What a call with these arguments does to the world."""
        return self.effect_with(arguments) if self.effect_with else self.effect

    @property
    def undo_effect(self) -> Effect:
        """What taking it back does to the world."""
        return INVERSES.get(self.effect, self.effect)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The JSON Schema of its arguments, as the gate checks it and clients see it."""
        return self.arguments.as_schema()

    @cached_property
    def plain_parameters(self) -> Mapping[str, Any]:
        """The same in the plain form that models are shown."""
        return plain(self.parameters)

    @cached_property
    def version(self) -> str:
        """Changes with anything that a person may have looked at before they allowed it."""
        parts = [
            self.name,
            self.description,
            self.parameters,
            self.effect,
            self.replay,
            self.connector,
            self.undo is not None,
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
