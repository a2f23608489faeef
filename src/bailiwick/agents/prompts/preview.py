"""What a model would read of a prompt: a look never fails because a value is missing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bailiwick.agents.prompts.render import (
    BUILT_IN,
    PromptMessage,
    VariableValues,
    render,
    variables,
)
from bailiwick.llm.chat import ModelRequest
from bailiwick.llm.outgoing import OutgoingRedaction


@dataclass(frozen=True, slots=True)
class Preview:
    """What a model would read, and what is missing for it."""

    messages: list[PromptMessage]
    variables: list[str]
    missing: list[str]


async def preview(
    redaction: OutgoingRedaction,
    messages: Sequence[PromptMessage],
    imprint: Sequence[PromptMessage],
    *,
    values: VariableValues,
) -> Preview:
    """The messages with their values, redacted; a variable without one stays as it is written."""
    used = variables([*messages, *imprint])
    known = {each.name: each.example for each in BUILT_IN} | dict(values)
    missing = [name for name in used if name not in known]
    known |= {name: f"{{{{{name}}}}}" for name in missing}
    rendered = [
        *render(messages, known, field="messages"),
        *render(imprint, known, field="imprint"),
    ]
    request = ModelRequest([{"role": each.role, "content": each.content} for each in rendered])
    sent = (await redaction.redacted(request)).messages
    seen = [replace(each, content=got["content"]) for each, got in zip(rendered, sent, strict=True)]
    return Preview(seen, used, missing)
