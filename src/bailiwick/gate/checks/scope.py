"""Scope: what a caller may do at all. What is outside it is impossible, whatever anyone says."""

from bailiwick.errors import Invalid
from bailiwick.gate.call import Caller, Denied, Outcome
from bailiwick.gate.checks.schema import invalid
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.tools.effects import NEEDED, Capability, Effect
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import matches
from bailiwick.tools.tool import Arguments, Tool

_INTEGRATIONS: frozenset[Capability] = frozenset(("integrations",))


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Refuse what lies outside the caller's scope."""
    caller, tool = context.call.caller, context.known_tool
    reason = unable(caller, context.judged_as, context.effect, outside=tool.outside)
    if reason:
        return Denied("out_of_scope", reason)
    account = context.account
    if account and not caller.scope.allows_account(account.label):
        reason = f"{caller.name} may not use the account {account.label!r}."
        return Denied("out_of_scope", reason)
    if account and account.read_only and tool.writes:
        reason = f"The account {account.label!r} is shared to be read, and nothing else."
        return Denied("out_of_scope", reason)
    try:
        reason = _misplaced(caller, tool, context.arguments)
    except Invalid as error:
        return invalid({name: list(faults) for name, faults in (error.errors or {}).items()})
    if reason:
        return Denied("out_of_scope", reason)
    return await proceed(dependencies, context)


def obstacle(caller: Caller, tool: Tool) -> str | None:
    """Why this caller may never use this tool, whatever the arguments."""
    return unable(caller, tool.name, tool.effect, outside=tool.outside)


def is_meant_for(caller: Caller, tool: Tool) -> bool:
    """Whether a tool is offered to this caller: it is for its kind, or its scope names it."""
    if tool.offered_to is None or caller.kind == "user" or caller.agent_kind in tool.offered_to:
        return True
    named = tuple(pattern for pattern in caller.scope.tools if pattern.strip("*"))
    return matches(named, tool.name)


def unable(caller: Caller, name: str, effect: Effect, *, outside: bool) -> str | None:
    """Why this caller may never do what a tool of this name and effect does."""
    if not caller.scope.allows_tool(name):
        return f"{name} is not among the tools that {caller.name} may use."
    if caller.only_tools is not None and not matches(caller.only_tools, name):
        return f"Whoever asked {caller.name} did not leave it {name} for this."
    needed: frozenset[Capability] = NEEDED[effect] | (_INTEGRATIONS if outside else frozenset())
    if missing := sorted(flag for flag in needed if not caller.scope.has(flag)):
        flags = " and ".join(f"'{flag}'" for flag in missing)
        return f"{caller.name} does not have the capability {flags}, which {name} needs."
    return None


def _misplaced(caller: Caller, tool: Tool, arguments: Arguments) -> str | None:
    for name in tool.paths:
        if (value := arguments.get(name)) is None:
            continue
        is_folder = tool.targets.get(name) == "folder"
        parse = VirtualPath.parse if is_folder else VirtualPath.of_file
        path = parse(value, field=name)
        allowed = caller.scope.allows_folder if is_folder else caller.scope.allows_file
        if not allowed(path):
            return f"{path} is outside what {caller.name} may touch."
    return None
