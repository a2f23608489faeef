"""The card of a call: all that a person sees of what would happen, and says yes to.

A yes holds for the card as it was. It is made again when the person answers and once more when the
call runs, so that a file, a mail or a memory that changed in between is asked about anew.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.errors import BailiwickError, Conflict, NotFound
from bailiwick.gate import invocation
from bailiwick.gate.call import Call, Caller
from bailiwick.gate.checks import virtual_ids
from bailiwick.gate.context import CallContext
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.models import Action, Approval
from bailiwick.tools.facts import AttachedFile, digest
from bailiwick.tools.tool import Arguments

ApprovalCard = Mapping[str, Any]


async def card_of(context: CallContext) -> ApprovalCard | None:
    """What a person sees of a call whose arguments have their real ids."""
    tool = context.known_tool
    if context.undone:
        return _of_undo(context.undone)
    if tool.preview is None:
        return None
    try:
        arguments = tool.arguments.checked(context.arguments)
        made = await tool.preview(invocation.tool_context_of(context), arguments)
    except BailiwickError as error:
        return {"note": error.detail}
    # As the database gives it back, so that two of them can be compared.
    return json.loads(json.dumps(made))


async def card_now(
    dependencies: GateDependencies, caller: Caller | None, row: Approval, arguments: Arguments
) -> ApprovalCard | None:
    """The card of a call that waits, as it is now; as it was if there is nobody to make it for."""
    context = await _context(dependencies, caller, row, arguments)
    if context is None:
        return row.preview
    if refusal := await virtual_ids.resolve(dependencies, context):
        return {"note": refusal.reason}
    return await card_of(context)


async def file_of(
    dependencies: GateDependencies, caller: Caller | None, row: Approval, number: int
) -> AttachedFile:
    """A file that the card names, if it still is what the card says."""
    named = attachments(row.preview)
    context = await _context(dependencies, caller, row, row.edited or row.arguments)
    if number >= len(named) or context is None or context.known_tool.attached is None:
        raise NotFound("There is no such file on the card.")
    if refusal := await virtual_ids.resolve(dependencies, context):
        raise NotFound(refusal.reason)
    tool = context.known_tool
    arguments = tool.arguments.checked(context.arguments)
    assert tool.attached
    found = await tool.attached(invocation.tool_context_of(context), arguments)
    if number >= len(found) or digest(found[number].content) != named[number].get("digest"):
        raise Conflict("This file is no longer what the card shows. Look at the card again.")
    return found[number]


def attachments(card: ApprovalCard | None) -> Sequence[Mapping[str, Any]]:
    """The files that a card names."""
    found = (card or {}).get("attachments")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def difference(before: ApprovalCard | None, after: ApprovalCard | None) -> str:
    """What is not as it was when the person looked, in words."""
    known = {(each.get("name"), each.get("digest")) for each in attachments(before)}
    other = [each for each in attachments(after) if (each["name"], each["digest"]) not in known]
    if other:
        names = ", ".join(str(each["name"]) for each in other[:3])
        return f"The content of {names} changed since."
    if note := (after or {}).get("note") if "kind" not in (after or {}) else None:
        return str(note)
    return "What it would do changed since."


async def _context(
    dependencies: GateDependencies, caller: Caller | None, row: Approval, arguments: Arguments
) -> CallContext | None:
    """The call as its caller would make it now; None if the caller or the tool is gone."""
    tool = dependencies.find_tool(caller, row.tool) if caller else None
    if caller is None or tool is None:
        return None
    call = Call(caller, row.tool, arguments, context_id=row.context_id, undoes=row.undoes)
    context = CallContext(call, row.id, arguments, tool=tool)
    if row.undoes:
        async with dependencies.storage.app.read() as session:
            context.undone = await session.get(Action, row.undoes)
    return context


def _of_undo(done: Action) -> ApprovalCard:
    what = f" ({done.summary})" if done.summary else ""
    at = done.created_at.strftime("%Y-%m-%d %H:%M")
    return {
        "kind": "note",
        "text": f"Takes back what {done.caller_name} did on {at} UTC{what}.",
        "action_id": done.id,
    }
