"""Callers see virtual ids only: they become real ones on the way in, and new ones on the way out.

A name that is unknown, of another kind or of another realm is refused alike.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bailiwick.gate.call import Denied, Outcome, Result
from bailiwick.gate.checks.schema import invalid
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.virtual_names import looks_virtual
from bailiwick.tools.arguments import at, changed_at
from bailiwick.tools.tool import IdKind, Ref


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Put real ids into the arguments, and virtual ones into the result."""
    realm = context.call.caller.realm
    if refusal := await resolve(dependencies, context):
        return refusal
    outcome = await proceed(dependencies, context)
    if isinstance(outcome, Result):
        return replace(outcome, data=await shown(dependencies, realm, outcome.data))
    return outcome


async def resolve(dependencies: GateDependencies, context: CallContext) -> Denied | None:
    """Put real ids into the arguments; a refusal if one is not known to the caller."""
    if context.undone:
        # What is taken back was kept with its real ids.
        context.arguments = context.undone.arguments
        return None
    arguments = dict(context.call.arguments)
    for name, kind in context.known_tool.ids.items():
        value = at(arguments, name)
        given = value if isinstance(value, list) else [value]
        found = list[Any]()
        for each in given:
            if not isinstance(each, str) or _is_plain(kind, each):
                found.append(each)
                continue
            ref = await dependencies.names.resolve(context.call.caller.realm, kind, each)
            if ref is None:
                fault = f"there is no {kind} {each[:60]!r} that you have seen"
                return replace(invalid({name: [fault]}), code="unknown_id")
            found.append(ref.id)
        if found != given:
            arguments = changed_at(arguments, name, found if value is given else found[0])
    context.arguments = arguments
    return None


async def shown(dependencies: GateDependencies, realm: str, data: Any) -> Any:
    """The data with virtual ids where real ones stood."""
    refs = list(_refs(data))
    return _replaced(data, await dependencies.names.names(realm, refs)) if refs else data


def _is_plain(kind: IdKind, value: str) -> bool:
    # A file may be named by its path as well, an account by what its user calls it.
    return kind in ("file", "account") and not looks_virtual(value)


def _refs(data: Any) -> Iterator[Ref]:
    match data:
        case Ref():
            yield data
        case dict():
            for value in data.values():
                yield from _refs(value)
        case list():
            for value in data:
                yield from _refs(value)
        case _:
            return


def _replaced(data: Any, names: dict[Ref, str]) -> Any:
    match data:
        case Ref():
            return names[data]
        case dict():
            return {key: _replaced(value, names) for key, value in data.items()}
        case list():
            return [_replaced(value, names) for value in data]
        case _:
            return data


def frozen(data: Any) -> Any:
    """The data as JSON that can be kept: a real id becomes a marked list."""
    match data:
        case Ref():
            return {"$ref": [data.kind, data.id, data.account]}
        case dict():
            return {key: frozen(value) for key, value in data.items()}
        case list():
            return [frozen(value) for value in data]
        case _:
            return data


def thawed(data: Any) -> Any:
    """The data as a tool gave it."""
    match data:
        case {"$ref": [kind, id, account]}:
            return Ref(kind, id, account)
        case dict():
            return {key: thawed(value) for key, value in data.items()}
        case list():
            return [thawed(value) for value in data]
        case _:
            return data
