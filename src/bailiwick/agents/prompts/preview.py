"""What a prompt would look like: a look never fails because a value is missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from bailiwick.agents.prompts.render import (
    BUILT_IN,
    PromptMessage,
    VariableValues,
    render,
    variables,
)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a model would read, and what is missing for it."""

    messages: list[PromptMessage]
    variables: list[str]
    missing: list[str]


def preview(
    messages: Sequence[PromptMessage], imprint: Sequence[PromptMessage], *, values: VariableValues
) -> Preview:
    """The messages with their values; a variable without one stays as it is written."""
    used = variables([*messages, *imprint])
    known = {each.name: each.example for each in BUILT_IN} | dict(values)
    missing = [name for name in used if name not in known]
    known |= {name: f"{{{{{name}}}}}" for name in missing}
    rendered = [
        *render(messages, known, field="messages"),
        *render(imprint, known, field="imprint"),
    ]
    return Preview(rendered, used, missing)
