"""One call on its way through the checks: what is known of it so far."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from bailiwick.gate.call import Call, Outcome
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.models import Action
from bailiwick.gate.rules.book import Verdict
from bailiwick.gate.trust.reads import ReadState
from bailiwick.identity.principal import OPERATOR
from bailiwick.tools.effects import Effect
from bailiwick.tools.facts import AccountFacts
from bailiwick.tools.tool import Arguments, OwnTools, Receipt, TargetKind, Tool
from bailiwick.tools.trust import Source


@dataclass(slots=True)
class CallContext:
    """Filled in by one check after the other; the audit writes it down at the end."""

    call: Call
    id: str
    arguments: Arguments  # what will be executed: real ids
    tool: Tool | None = None
    reading: ReadState = field(default_factory=ReadState)
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    account: AccountFacts | None = None  # the one that it acts on
    withheld: frozenset[str] = frozenset()  # accounts that rules keep back from it
    known: dict[tuple[TargetKind, str], bool] = field(
        default_factory=dict[tuple["TargetKind", str], bool]
    )  # which targets the owner knows, as far as that was asked
    targets: list[tuple[TargetKind, str]] = field(default_factory=list[tuple[TargetKind, str]])
    verdict: Verdict | None = None
    asks: str | None = None  # why a person is asked
    approved_by: str | None = None
    redacted: list[str] = field(default_factory=list[str])
    sources: tuple[Source, ...] = ()
    summary: str | None = None
    receipt: Receipt | None = None
    card: Mapping[str, Any] | None = None  # what a person said yes to
    undone: Action | None = None  # what is to be taken back
    undoing: Receipt | None = None  # the receipt of what is taken back
    approval_id: str | None = None
    action_id: str | None = None
    own_tools: OwnTools | None = None
    started: float = field(default_factory=time.perf_counter)

    @property
    def key(self) -> str:
        """Under which it happens once; what a caller chose is never mistaken for one of ours."""
        call = self.call
        if call.idempotency_key is None:
            return self.id
        ours = call.approval_id or call.undoes
        return call.idempotency_key if ours else f"own:{call.idempotency_key}"

    @property
    def connector(self) -> str | None:
        """The connector of the account that it acts on, else the tool's own."""
        if self.account:
            return self.account.connector
        return self.tool.connector if self.tool else None

    @property
    def owner_id(self) -> str:
        """Whose business it is: of the account that it acts on, or of whom the caller acts for."""
        if self.account and self.account.owner_id:
            return self.account.owner_id
        return self.call.caller.user_id or OPERATOR.id

    @property
    def known_tool(self) -> Tool:
        """The tool, once the schema check has found it."""
        assert self.tool
        return self.tool

    @property
    def effect(self) -> Effect:
        """What the call does to the world: of an undo, what taking it back does."""
        tool = self.known_tool
        return tool.undo_effect if self.call.undoes else tool.effect_of(self.arguments)

    @property
    def judged_as(self) -> str:
        """The tool as which rules and scopes judge it: of an undo, the one that does the same."""
        tool = self.known_tool
        return (self.call.undoes and tool.undone_as) or tool.name


GateStep = Callable[[GateDependencies, CallContext], Awaitable[Outcome]]


class Check(Protocol):
    """One check: it answers itself, or lets the call proceed and sees what comes back."""

    __module__: str

    def __call__(
        self, dependencies: GateDependencies, context: CallContext, proceed: GateStep
    ) -> Awaitable[Outcome]:
        """Look at a call."""
        ...
