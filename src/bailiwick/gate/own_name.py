"""What a person does under their own name, in the page or by REST: through the gate, as all do."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bailiwick.gate.call import Call, Denied, Pending, Result
from bailiwick.gate.gate import Gate
from bailiwick.gate.people import caller_of, context_of
from bailiwick.gate.responses import error_of
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.identity.principal import Principal
from bailiwick.office import Office
from bailiwick.tools.tool import IdKind, Ref, Tool
from bailiwick.workspaces.access import WorkspaceAccess


async def act(
    office: Office,
    who: Principal,
    access: WorkspaceAccess,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    own: tuple[Tool, ...] = (),
    holds_back: bool = False,
) -> Result | Pending:
    """Use a tool; a refusal is raised as the error that it is over HTTP.

    `own` are tools that nobody but this person is offered. What only `holds_back` something that
    would go out is asked of nobody, also if a program does it, and passes a stop.
    """
    caller = replace(caller_of(who, access), own_tools=own)
    if holds_back:
        caller = replace(caller, approves_itself=True)
    context_id = context_of(who)
    call = Call(caller, tool, dict(arguments), context_id=context_id, holds_back=holds_back)
    match await office[Gate].call(call):
        case Result() | Pending() as outcome:
            return outcome
        case Denied() as refusal:
            raise error_of(refusal)
        case other:
            raise AssertionError(other)


async def name_of(office: Office, who: Principal, access: WorkspaceAccess, ref: Ref) -> str:
    """The name under which tools know a thing."""
    return (await office[VirtualNames].names(caller_of(who, access).realm, [ref]))[ref]


async def id_in(
    office: Office, who: Principal, access: WorkspaceAccess, kind: IdKind, done: Result
) -> str | None:
    """The id of what an answer is about; a rule may have taken it out."""
    name = done.data.get("id") if isinstance(done.data, dict) else None
    ref = await office[VirtualNames].resolve(caller_of(who, access).realm, kind, str(name))
    return ref.id if ref else None
