"""The facts that rules read, and the labels: what comes in is known before it can be acted on.

Targets pass only when they are positively grounded: in the owner's words captured before the first
untrusted read, or known to the owner. That they were seen in untrusted content explains a refusal;
it guards nothing.
"""

from collections.abc import Awaitable, Iterator
from typing import Any

from bailiwick.errors import Invalid
from bailiwick.gate import grounding, reading
from bailiwick.gate.call import Call, Caller, Outcome, Result
from bailiwick.gate.passage import Passage, Step
from bailiwick.gate.reading import Reading
from bailiwick.gate.rules.facts import time_facts
from bailiwick.gate.services import Services
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.tool import TargetKind, Tool

start_afresh = reading.start_afresh


async def check(services: Services, passage: Passage, proceed: Step) -> Outcome:
    """Gather the facts before; remember after whose words the caller now has."""
    call, tool = passage.call, passage.known_tool
    passage.reading = await services.readings.get(call.context_id)
    passage.facts = await facts(services, call, tool, passage.arguments, passage.reading)
    outcome = await proceed(services, passage)
    foreign = [source for source in passage.sources if source.label != "owner"]
    if foreign and call.context_id:
        said = outcome.data if isinstance(outcome, Result) else getattr(outcome, "reason", "")
        await services.readings.read(
            call.context_id,
            workspace_id=call.caller.workspace_id,
            sources=foreign,
            mentions=grounding.mentions(said),
        )
    return outcome


async def facts(
    services: Services, call: Call, tool: Tool, arguments: dict[str, Any], read: Reading
) -> dict[str, Any]:
    """All that a rule's condition may see."""
    caller = call.caller
    zone = (await services.settings.current()).time_zone
    return {
        "tool": tool.name,
        "effect": tool.effect,
        "args": arguments,
        "connector": tool.connector,
        "account": None,
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
        "recipients": await _recipients(services, call, tool, arguments, read),
        "path": path_facts(tool, arguments),
        "time": time_facts(zone),
        "cost": _cost(call),
    }


def _cost(call: Call) -> dict[str, Any]:
    """What the run has spent so far."""
    run = call.run
    return {"tokens": run.tokens if run else 0, "money": run.money if run else 0}


def targets(tool: Tool, arguments: dict[str, Any]) -> list[tuple[TargetKind, str]]:
    """What a call points at."""
    found: list[tuple[TargetKind, str]] = []
    for name, kind in tool.targets.items():
        found.extend((kind, value) for value in _values(arguments.get(name)))
    return found


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
    services: Services, call: Call, tool: Tool, arguments: dict[str, Any], read: Reading
) -> list[tuple[TargetKind, str]]:
    """The targets that neither the owner's words nor what the owner knows vouch for."""
    words = grounding.words_of(read.words) if read.words else None
    return [
        (kind, value)
        for kind, value in targets(tool, arguments)
        if not (words and words.order_of(tool.effect, kind, value))
        and not await _is_known(services, call, kind, value)
    ]


async def _recipients(
    services: Services, call: Call, tool: Tool, arguments: dict[str, Any], read: Reading
) -> dict[str, list[str]]:
    everyone = [target for target in targets(tool, arguments) if target[0] in ("address", "url")]
    if not everyone:
        return {"all": [], "new": [], "grounded": [], "seen_only_in_untrusted": []}
    loose = await ungrounded(services, call, tool, arguments, read)
    seen = await services.readings.mentioned(read.id, everyone) if read.id else {}
    return {
        "all": [value for _, value in everyone],
        "new": [v for kind, v in everyone if not await _is_known(services, call, kind, v)],
        "grounded": [value for kind, value in everyone if (kind, value) not in loose],
        "seen_only_in_untrusted": [
            value for kind, value in everyone if (kind, value) in loose and value in seen
        ],
    }


async def _is_known(services: Services, call: Call, kind: TargetKind, value: str) -> bool:
    answers: list[Awaitable[bool]] = services.plugins.hook.bailiwick_knows(
        office=services.office, workspace_id=call.caller.workspace_id, kind=kind, value=value
    )
    # Every answer is awaited, so that none is left behind.
    return any([await answer for answer in answers])


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
