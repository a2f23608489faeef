"""The end of the way: the tool runs, or what it did is taken back."""

from bailiwick.errors import BailiwickError, Conflict, Invalid, NotFound
from bailiwick.gate.call import Code, Delegate, Denied, Outcome, Result
from bailiwick.gate.passage import Passage
from bailiwick.gate.services import Services
from bailiwick.instance.changes import Actor
from bailiwick.tools import execution
from bailiwick.tools.tool import Context, Output
from bailiwick.tools.trust import Label, Source, lowest

_CODES: dict[type[BailiwickError], Code] = {
    Invalid: "invalid_arguments",
    NotFound: "not_found",
    Conflict: "conflict",
}


async def execute(_: Services, passage: Passage) -> Outcome:
    """Do it; an error that the tool foresaw is an answer, any other is a bug and propagates."""
    if agent_id := passage.known_tool.delegates_to:
        return Delegate(agent_id, passage.arguments)
    try:
        output = await _run(passage)
    except BailiwickError as error:
        if passage.known_tool.outside:
            # Whoever is out there wrote the error too.
            passage.sources = (Source("stranger", f"what {passage.call.tool} answered"),)
        return refusal(error)
    except TimeoutError:
        told = f"{passage.call.tool} did not end within {execution.LONGEST_SECONDS:.0f} seconds."
        return Denied("unknown_outcome", told)
    return settle(passage, output)


def refusal(error: BailiwickError) -> Denied:
    """An error that was foreseen, as an answer."""
    fields = {name: list(faults) for name, faults in (error.errors or {}).items()}
    return Denied(_CODES.get(type(error), "failed"), error.detail, fields=fields or None)


def settle(passage: Passage, output: Output) -> Result:
    """Take over what the tool gave."""
    passage.sources = output.sources
    passage.summary = output.summary
    passage.receipt = output.receipt
    label = lowest(source.label for source in output.sources)
    return Result(output.data, label=label, action_id=passage.action_id)


async def _run(passage: Passage) -> Output:
    tool, context = passage.known_tool, context_of(passage)
    if passage.undoing is None:
        return await execution.run(tool, context, passage.arguments)
    return await execution.undo(tool, context, passage.arguments, passage.undoing)


def context_of(passage: Passage) -> Context:
    """What the tool may know of the call."""
    caller = passage.call.caller
    actor = passage.actor or Actor(caller.id, caller.name)
    return Context(
        workspace_id=caller.workspace_id,
        user_id=caller.user_id,
        actor_id=actor.id,
        actor_name=actor.name,
        scope=caller.scope,
        label=_label(passage),
        # Callers choose their keys: two of them may choose the same.
        key=f"{caller.id}/{passage.key}",
        withheld=passage.withheld,
    )


def _label(passage: Passage) -> Label:
    """What is written takes the label of what its writer has read."""
    # Nobody knows what a program has read elsewhere: its words are not the owner's.
    caller = passage.call.caller
    is_program = caller.kind == "client" or (caller.kind == "user" and not caller.approves_itself)
    own: Label = "contact" if is_program else "owner"
    return lowest((own, passage.reading.label))
