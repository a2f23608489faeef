"""The facts that rules read, and the labels: what comes in is known before it can be acted on.

Targets pass only when they are positively grounded: in the owner's words captured before the first
untrusted read, or known to the owner. That they were seen in untrusted content explains a refusal;
it guards nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bailiwick.errors import BailiwickError, Invalid
from bailiwick.gate import invocation
from bailiwick.gate.call import Caller, Outcome, Result
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.rules.facts import time_facts
from bailiwick.gate.trust import grounding, reads
from bailiwick.tools.arguments import at
from bailiwick.tools.facts import AccountFacts
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.tool import TargetKind, Tool

start_afresh = reads.start_afresh
# Whether the rules let a call with these facts through without a question.
Verdicts = Callable[[dict[str, Any]], bool]


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Gather the facts before; remember after whose words the caller now has."""
    call = context.call
    context.reading = await dependencies.readings.get(call.context_id)
    try:
        await _find_out(context)
    except BailiwickError as error:
        return invocation.refusal(error)
    context.facts = await facts(dependencies, context)
    outcome = await proceed(dependencies, context)
    foreign = [source for source in context.sources if source.label != "owner"]
    if foreign and call.context_id:
        said = outcome.data if isinstance(outcome, Result) else getattr(outcome, "reason", "")
        await dependencies.readings.read(
            call.context_id,
            workspace_id=call.caller.workspace_id,
            sources=foreign,
            mentions=grounding.mentions(said),
        )
    return outcome


async def _find_out(context: CallContext) -> None:
    """Ask the tool which account it acts on, and at whom else it points."""
    tool, arguments = context.known_tool, context.arguments
    for name, kind in tool.targets.items():
        context.targets.extend((kind, value) for value in _values(at(arguments, name)))
    if not (tool.account or tool.more_targets):
        return
    tool_context = invocation.tool_context_of(context)
    # What is taken back may have been done under an older form of the arguments.
    model = tool.arguments
    read = model.recalled(arguments) if context.call.undoes else model.checked(arguments)
    if tool.account:
        context.account = await tool.account(tool_context, read)
    if tool.more_targets and not context.call.undoes:
        more = await tool.more_targets(tool_context, read)
        context.targets += [target for target in more if target not in context.targets]


async def facts(dependencies: GateDependencies, context: CallContext) -> dict[str, Any]:
    """All that a rule's condition may see."""
    call, tool, read = context.call, context.known_tool, context.reading
    caller, arguments = call.caller, context.arguments
    zone = (await dependencies.settings.current()).time_zone
    return {
        "tool": context.judged_as,
        "effect": context.effect,
        "args": arguments,
        "connector": context.connector,
        "account": context.account and account_facts(context.account),
        "caller": {"kind": caller.kind, "name": caller.name, "version": caller.version},
        "user": {"id": caller.user_id, "roles": list(caller.roles)},
        "agent": agent_facts(caller),
        "workspace": caller.workspace_id,
        "run": {
            "id": read.id,
            "tainted": read.is_tainted,
            "steps": call.run.steps if call.run else read.steps,
            "sources": [source.about for source in read.sources],
        },
        "recipients": await _recipients(dependencies, context),
        "path": path_facts(tool, arguments),
        "time": time_facts(zone),
        # What the run has spent so far.
        "cost": {
            "tokens": call.run.tokens if call.run else 0,
            "money": call.run.money if call.run else 0,
        },
    }


def _values(value: Any) -> Iterator[str]:
    """Every value within, whatever its form: what is not understood must not slip through."""
    match value:
        case None | "":
            return
        case list():
            for item in value:
                yield from _values(item)
        case dict():
            for item in value.values():
                yield from _values(item)
        case _:
            yield str(value)


async def ungrounded(
    dependencies: GateDependencies, context: CallContext
) -> list[tuple[TargetKind, str]]:
    """The targets that neither the owner's words nor what the owner knows vouch for."""
    effect, said = context.effect, context.reading.words
    words = grounding.words_of(said) if said else None
    return [
        (kind, value)
        for kind, value in context.targets
        if not (words and words.order_of(effect, kind, value))
        and not await _is_known(dependencies, context, kind, value)
    ]


async def _recipients(dependencies: GateDependencies, context: CallContext) -> dict[str, list[str]]:
    read = context.reading
    everyone = [target for target in context.targets if target[0] in ("address", "url")]
    if not everyone:
        return {"all": [], "new": [], "grounded": [], "seen_only_in_untrusted": []}
    loose = await ungrounded(dependencies, context)
    seen = await dependencies.readings.mentioned(read.id, everyone) if read.id else {}
    return {
        "all": [value for _, value in everyone],
        "new": [v for kind, v in everyone if not await _is_known(dependencies, context, kind, v)],
        "grounded": [value for kind, value in everyone if (kind, value) not in loose],
        "seen_only_in_untrusted": [
            value for kind, value in everyone if (kind, value) in loose and value in seen
        ],
    }


async def _is_known(
    dependencies: GateDependencies, context: CallContext, kind: TargetKind, value: str
) -> bool:
    """Whether the owner knows a target; features are asked once for each in a call."""
    target = (kind, value)
    if target not in context.known:
        context.known[target] = await dependencies.knows(context.call.caller, kind, value)
    return context.known[target]


def account_facts(account: AccountFacts) -> dict[str, Any]:
    """What a rule sees of an account."""
    return {"id": account.id, "address": account.address, "primary": account.primary}


async def kept_back(
    dependencies: GateDependencies, context: CallContext, verdicts: Verdicts
) -> Sequence[AccountFacts]:
    """Of a call about all accounts, those that the rules would not let it have by itself."""
    tool = context.known_tool
    if tool.accounts is None or context.account is not None:
        return ()
    return [
        account
        for account in await tool.accounts(invocation.tool_context_of(context))
        if not verdicts(
            {
                **context.facts,
                "connector": account.connector,
                "account": account_facts(account),
            }
        )
    ]


def agent_facts(caller: Caller) -> dict[str, Any] | None:
    """What a rule sees of an agent."""
    if caller.kind != "agent":
        return None
    return {"id": caller.id, "name": caller.name, "kind": caller.agent_kind}


def path_facts(tool: Tool, arguments: dict[str, Any]) -> dict[str, str] | None:
    """What a rule sees of where a call points."""
    named = [arguments[name] for name in tool.paths if isinstance(arguments.get(name), str)]
    if not named:
        return None
    try:
        # The last one: where something goes, if it goes anywhere.
        path = VirtualPath.parse(named[-1])
    except Invalid:
        return None  # the next check refuses it
    return {"folder": path.folder, "name": path.name, "suffix": path.suffix}
