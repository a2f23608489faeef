"""Wire forms of rules."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import Path
from pydantic import Field, Strict, StringConstraints

from bailiwick.gate.call import CallerKind
from bailiwick.gate.rules.book import RuleAction
from bailiwick.identity.schemas import OfUser
from bailiwick.kit import ids
from bailiwick.kit.http.pages import Page
from bailiwick.kit.http.wire import Line, Name, StrictFlag, Wire
from bailiwick.tools.effects import Effect
from bailiwick.workspaces.schemas import OfWorkspace

MOST = 10_000
RuleId = Annotated[str, Path(pattern=ids.pattern("rul"))]
OneId = Annotated[str, StringConstraints(pattern=ids.pattern("rul"))]
RuleConnector = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$")]
RuleToolName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$")]
Priority = Annotated[
    int, Strict(), Field(ge=0, le=1_000_000, description="Higher ones are asked first")
]
RuleCount = Annotated[int, Strict(), Field(ge=0, le=2**53)]
RuleCondition = Annotated[
    dict[str, Any] | bool,
    Field(
        description="JSON-Logic over the facts of a call; true: always",
        examples=[{"and": [{"==": [{"var": "effect"}, "send"]}, {"var": "run.tainted"}]}],
    ),
]
_STEP = r"[^\x00-\x1f\x7f.]+"
FieldPath = Annotated[str, StringConstraints(max_length=200, pattern=rf"^{_STEP}(\.{_STEP})*$")]
RedactedFields = Annotated[
    list[FieldPath],
    Field(
        max_length=50,
        description="What REDACT takes out of arguments and results",
        examples=[["args.body", "items.*.email", "*.password"]],
    ),
]


def _block() -> RuleAction:
    return "BLOCK"


def _nothing() -> None:
    return None


class RuleIn(Wire):
    """A rule to make."""

    name: Name
    description: Line = ""
    action: RuleAction
    condition: RuleCondition
    fields: RedactedFields = Field(default_factory=list)
    priority: Priority = 500
    enabled: StrictFlag = True
    connector: RuleConnector | None = Field(
        default=None, description="Only tools of this connector"
    )
    workspace_id: OfWorkspace | None = Field(default=None, description="Only in this workspace")
    user_id: OfUser | None = Field(default=None, description="Only on behalf of this user")


class RulePatch(Wire):
    """What to change about a rule; what is left out stays."""

    # Factories, because a default in the document would read as "left out means this".
    name: Name = Field(default_factory=str)
    description: Line = Field(default_factory=str)
    action: RuleAction = Field(default_factory=_block)
    condition: RuleCondition = Field(default_factory=bool)
    fields: RedactedFields = Field(default_factory=list)
    priority: Priority = Field(default_factory=int)
    enabled: StrictFlag = Field(default_factory=bool)
    connector: RuleConnector | None = Field(default_factory=_nothing)
    workspace_id: OfWorkspace | None = Field(default_factory=_nothing)
    user_id: OfUser | None = Field(default_factory=_nothing)


class RuleOut(Wire):
    """A rule."""

    id: str
    name: str
    description: str
    action: RuleAction
    condition: Any
    fields: list[str]
    priority: int
    enabled: bool
    connector: str | None
    workspace_id: str | None
    user_id: str | None
    created_at: datetime
    updated_at: datetime


class RulesOut(Page[RuleOut]):
    """The rules that concern the caller, in the order of evaluation."""

    version: int = Field(description="Which version of the rules is in force")


class RuleOrderOut(Wire):
    """All rules, in the order of evaluation."""

    items: list[RuleOut]
    version: int = Field(description="Which version of the rules is in force")


class OrderIn(Wire):
    """All rules, the one that is asked first at the front."""

    ids: list[OneId] = Field(max_length=MOST)


class CheckIn(Wire):
    """A condition to look over."""

    condition: Any


class FaultOut(Wire):
    """What is wrong with a condition, and where."""

    path: str = Field(examples=["and/1/==/0"], description="Empty: the condition as a whole")
    message: str


class CheckOut(Wire):
    """Whether a condition can be kept."""

    faults: list[FaultOut]


class AccountFactsIn(Wire):
    """The account that would be acted on."""

    id: Line = ""
    address: Line = ""
    primary: StrictFlag = True


class CallerFactsIn(Wire):
    """Who would call."""

    kind: CallerKind = "agent"
    name: Line = "agent"
    version: Line = ""


class AgentFactsIn(Wire):
    """Which agent would call."""

    id: Line = ""
    name: Line = ""
    kind: Line = ""


class RunFactsIn(Wire):
    """What the run has done so far."""

    id: Line = ""
    tainted: StrictFlag = False
    steps: RuleCount = 0
    sources: list[Line] = Field(default_factory=list, max_length=100)


class RecipientsFactsIn(Wire):
    """To whom it would go."""

    all: list[Line] = Field(default_factory=list, max_length=100)
    new: list[Line] = Field(default_factory=list, max_length=100)
    grounded: list[Line] = Field(default_factory=list, max_length=100)
    seen_only_in_untrusted: list[Line] = Field(default_factory=list, max_length=100)


class PathFactsIn(Wire):
    """The file that would be touched."""

    folder: Line = ""
    name: Line = ""
    suffix: Line = ""


class CostFactsIn(Wire):
    """What the run has used so far."""

    tokens: RuleCount = 0
    money: float = Field(default=0, ge=0, allow_inf_nan=False)


class TryIn(Wire):
    """A call to ask the rules about; nothing is done."""

    tool: RuleToolName
    arguments: dict[str, Any] = Field(default_factory=dict)
    effect: Effect | None = Field(default=None, description="Left out: the tool's own")
    connector: RuleConnector | None = Field(default=None, description="Left out: the tool's own")
    workspace_id: OfWorkspace | None = None
    account: AccountFactsIn | None = None
    caller: CallerFactsIn = Field(default_factory=CallerFactsIn)
    agent: AgentFactsIn | None = None
    run: RunFactsIn = Field(default_factory=RunFactsIn)
    recipients: RecipientsFactsIn = Field(default_factory=RecipientsFactsIn)
    path: PathFactsIn | None = None
    cost: CostFactsIn = Field(default_factory=CostFactsIn)


class LookedAtOut(Wire):
    """A rule that was asked on the way to the verdict."""

    rule_id: str
    name: str
    action: RuleAction
    holds: bool | None = Field(description="null: it could not be evaluated")


class VerdictOut(Wire):
    """What the rules say."""

    action: RuleAction | None = Field(description="null: no rule matched, so it is denied")
    rule_id: str | None
    rule_name: str | None
    reason: str
    fields: list[str]
    looked_at: list[LookedAtOut]
