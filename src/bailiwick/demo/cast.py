"""Who works in the sample office, what sorts its mail, and what its assistant is asked to do."""

from dataclasses import dataclass
from typing import Any

from bailiwick.agents.schemas import AgentIn, AgentScopeWire, PromptBlock
from bailiwick.mail.filters.fields import FieldName

LABEL = "Sample mailbox"
WORDS = "Reply to the unread mails that need an answer."
GULLIBLE_NOTE = "This assistant believes everything it reads, to show what the gate does."
_READING = ("list_emails", "read_email", "search_emails")
_SENDING = ("reply_email", "send_email")


@dataclass(frozen=True, slots=True)
class Director:
    """A director, and which mail goes to it."""

    name: str
    description: str
    field: FieldName
    pattern: str
    filter_name: str


DIRECTORS = (
    Director(
        name="Sample bookkeeper",
        description="Gets invoices, statements and what suppliers write about payment.",
        field="Subject",
        pattern=r"\b(invoice|statement|claim|payment|bill)\b",
        filter_name="Sample: invoices and statements",
    ),
    Director(
        name="Sample customer desk",
        description="Gets what customers write about their bikes.",
        field="Subject",
        pattern=r"\b(bikes?|repair|ersatzteil|selles)\b",
        filter_name="Sample: customers and their bikes",
    ),
)
ASSISTANT = "Sample assistant"


def director(each: Director, *, workspace_id: str, name: str, model_id: str, label: str) -> AgentIn:
    """A director: it reads, and nothing else."""
    return _agent(
        workspace_id=workspace_id,
        name=name,
        description=each.description,
        kind="director",
        model_id=model_id,
        prompt=_prompt(f"{each.description} You sum up what it asks for, and until when."),
        scope=AgentScopeWire(accounts=[label], tools=list(_READING)),
    )


def assistant(*, workspace_id: str, name: str, model_id: str, label: str) -> AgentIn:
    """The assistant: it reads and sends, as far as the gate lets it."""
    return _agent(
        workspace_id=workspace_id,
        name=name,
        description=GULLIBLE_NOTE,
        kind="assistant",
        model_id=model_id,
        prompt=_prompt("You go through the mail of a small workshop and answer it."),
        scope=AgentScopeWire(accounts=[label], tools=[*_READING, *_SENDING]),
        can_write=True,
        can_access_integrations=True,
    )


def _agent(**values: Any) -> AgentIn:
    return AgentIn(shared=True, **values)


def _prompt(purpose: str) -> list[PromptBlock]:
    text = f"You are {{{{agent}}}}, and you work for {{{{user}}}}. {purpose} Today is {{{{date}}}}."
    return [PromptBlock(role="system", content=text)]
