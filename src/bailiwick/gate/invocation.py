"""The end of the way: the tool runs, or what it did is taken back."""

from bailiwick.errors import BailiwickError, Conflict, Invalid, NotFound
from bailiwick.gate.call import Delegate, Denied, Outcome, RefusalCode, Result
from bailiwick.gate.context import CallContext
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.tools import execution
from bailiwick.tools.tool import ToolContext, ToolOutput
from bailiwick.tools.trust import Label, Source, lowest

_CODES: dict[type[BailiwickError], RefusalCode] = {
    Invalid: "invalid_arguments",
    NotFound: "not_found",
    Conflict: "conflict",
}


async def execute(_: GateDependencies, context: CallContext) -> Outcome:
    """Do it; an error that the tool foresaw is an answer, any other is a bug and propagates."""
    tool, arguments = context.known_tool, context.arguments
    if tool.delegates_to:
        return Delegate(tool.delegates_to, arguments)
    tool_context = tool_context_of(context)
    try:
        if context.undoing is None:
            output = await execution.run(tool, tool_context, arguments)
        else:
            output = await execution.undo(tool, tool_context, arguments, context.undoing)
    except BailiwickError as error:
        if tool.outside:
            # Whoever is out there wrote the error too.
            context.sources = (Source("stranger", f"what {context.call.tool} answered"),)
        return refusal(error)
    except TimeoutError:
        reason = f"{context.call.tool} did not end within {execution.LONGEST_SECONDS:.0f} seconds."
        return Denied("unknown_outcome", reason)
    return settle(context, output)


def refusal(error: BailiwickError) -> Denied:
    """An error that was foreseen, as an answer."""
    fields = {name: list(faults) for name, faults in (error.errors or {}).items()}
    return Denied(_CODES.get(type(error), "failed"), error.detail, fields=fields or None)


def settle(context: CallContext, output: ToolOutput) -> Result:
    """Take over what the tool gave."""
    context.sources = output.sources
    context.summary = output.summary
    context.receipt = output.receipt
    label = lowest(source.label for source in output.sources)
    return Result(output.data, label=label, files=output.files, action_id=context.action_id)


def tool_context_of(context: CallContext) -> ToolContext:
    """What the tool may know of the call."""
    caller = context.call.caller
    # Nobody knows what a program has read elsewhere: its words are not the owner's.
    is_program = caller.kind == "client" or (caller.kind == "user" and not caller.approves_itself)
    own: Label = "contact" if is_program else "owner"
    return ToolContext(
        workspace_id=caller.workspace_id,
        user_id=caller.user_id,
        actor_id=caller.id,
        actor_name=caller.name,
        scope=caller.scope,
        # What is written takes the label of what its writer has read.
        label=lowest((own, context.reading.label)),
        # Callers choose their keys: two of them may choose the same.
        key=f"{caller.id}/{context.key}",
        withheld=context.withheld,
        in_person=caller.approves_itself,
        context_id=context.call.context_id,
        card=context.card,
        director_id=caller.director_id,
        memory_access=caller.memory_access,
        tools=context.own_tools,
    )
