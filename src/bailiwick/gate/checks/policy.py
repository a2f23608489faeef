"""The rules decide; the built-in protection can only make their verdict stricter."""

from dataclasses import replace
from functools import partial
from typing import Any

from bailiwick.gate.call import Denied, Outcome, Result
from bailiwick.gate.checks import provenance
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.rules.book import RuleBook
from bailiwick.gate.trust import grounding
from bailiwick.gate.trust.reads import ReadState
from bailiwick.tools.effects import Effect
from bailiwick.tools.scope import matches
from bailiwick.tools.tool import TargetKind
from bailiwick.tools.trust import is_untrusted


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Ask the rules, then look whether a person must be asked all the same."""
    book = await dependencies.rulebooks.current()
    verdict = context.verdict = book.decide(context.facts)
    if verdict.action is None:
        return Denied("no_rule", "No rule allows this, and what no rule allows is denied.")
    if verdict.action == "BLOCK":
        return Denied("blocked", verdict.reason, rule_id=verdict.rule_id)
    kept_back = await provenance.kept_back(dependencies, context, partial(_passes, book))
    context.withheld = frozenset(account.id for account in kept_back)
    context.asks = await protection(dependencies, context) or _caller_asks(context)
    if verdict.action == "REQUIRE_APPROVAL":
        context.asks = context.asks or verdict.reason
    outcome = await proceed(dependencies, context)
    if isinstance(outcome, Result):
        return replace(outcome, rule_id=verdict.rule_id, rule_name=verdict.rule_name)
    return outcome


def _passes(book: RuleBook, facts: dict[str, Any]) -> bool:
    return book.decide(facts).action in ("ALLOW", "REDACT")


def _caller_asks(context: CallContext) -> str | None:
    """Why the settings of this caller want a person asked."""
    caller, tool = context.call.caller, context.known_tool
    if caller.ask_writes and tool.writes:
        return f"{caller.name} asks before everything that it changes."
    if matches(caller.ask_tools, context.judged_as):
        return f"{caller.name} asks before every use of {context.judged_as}."
    return None


async def protection(dependencies: GateDependencies, context: CallContext) -> str | None:
    """Why an act after an untrusted read needs a person, whatever the rules say.

    Every effect beyond reading counts, and it passes only if the owner's own words ask for this
    kind of act and name each of its targets. What stays within the caller's own case needs no
    words: it keeps the label of what was read, and reaches nobody until a person takes it further.
    """
    call, tool, read = context.call, context.known_tool, context.reading
    if call.caller.approves_itself or not tool.writes or not read.is_tainted:
        return None
    if tool.contained and call.run and context.effect != "delete":
        return None
    whose = _whose(read)
    if read.words is None:
        return f"{call.caller.name} has read {whose}, and may be acting on that."
    loose = await provenance.ungrounded(dependencies, context)
    if loose:
        return await _unnamed(dependencies, read, loose[0], whose)
    if not context.targets:
        return f"It has read {whose}, and nothing says that you asked for this."
    words = grounding.words_of(read.words)
    effect = context.effect
    if all(
        words.order_of(effect, kind, value) or words.order(effect, kind)
        for kind, value in context.targets
    ):
        return None
    return f"It has read {whose}, and you did not ask {_ACT[effect]}."


async def _unnamed(
    dependencies: GateDependencies, read: ReadState, target: tuple[TargetKind, str], whose: str
) -> str:
    kind, value = target
    assert read.id
    seen = await dependencies.readings.mentioned(read.id, [(kind, value)])
    shown = value if len(value) <= 120 else value[:120] + "…"
    if source := next(iter(seen.values()), None):
        return f"You did not name {shown!r}; it comes from {source}."
    return f"You did not name {shown!r}, and it has read {whose}."


def _whose(read: ReadState) -> str:
    untrusted = [source for source in read.sources if is_untrusted(source.label)]
    if not untrusted:
        return "a stranger's words"
    named = f"{untrusted[-1].about} (not your words)"
    return named if len(untrusted) == 1 else f"{named} and {len(untrusted) - 1} more"


_ACT: dict[Effect, str] = {
    "read": "to read",
    "create": "to make anything",
    "edit": "to change anything",
    "move": "to move anything",
    "label": "to mark anything",
    "complete": "to complete anything",
    "send": "to send anything",
    "share": "to share anything",
    "invite": "to invite anyone",
    "fetch": "to fetch anything",
    "delete": "to delete anything",
    "execute": "to run anything",
}
