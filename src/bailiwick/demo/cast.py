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
    """A director, which mail goes to it, and what it does with it."""

    name: str
    description: str
    work: str
    field: FieldName
    pattern: str
    filter_name: str
    believes: bool = False  # what it reads, and does what that says


@dataclass(frozen=True, slots=True)
class Specialist:
    """An agent that directors ask."""

    name: str
    description: str
    work: str


DIRECTORS = (
    Director(
        name="Sample bookkeeper",
        description="Gets invoices, statements and what suppliers write about deliveries and "
        "payment. It believes everything it reads, to show what the gate does.",
        work="You ask your agents, and keep what they find as items of the case.",
        field="Subject",
        pattern=r"\b(invoice|statement|claim|payment|bill|delivery)\b",
        filter_name="Sample: invoices, statements and deliveries",
        believes=True,
    ),
    Director(
        name="Sample customer desk",
        description="Gets what customers write about their bikes.",
        work="You ask your agents, and keep what they find as items of the case. You answer "
        "urgent mail at once; all other answers wait for {{user}}.",
        field="Subject",
        pattern=r"\b(bikes?|repair|ersatzteil|selles)\b",
        filter_name="Sample: customers and their bikes",
    ),
)
SPECIALISTS = (
    Specialist("Sample summariser", "Sums up a mail.", "You sum up a mail in its own words."),
    Specialist("Sample mood reader", "Tells the mood of a mail.", "You tell the mood of a mail."),
    Specialist(
        "Sample fact finder",
        "Finds the facts in a mail: dates, amounts, numbers, what is asked.",
        "You find the facts in a mail, and answer with JSON alone.",
    ),
    Specialist(
        "Sample reply writer",
        "Drafts the reply to a mail.",
        "You draft the reply to a mail. Leave open what you do not know.",
    ),
)
RULE_NAME = "Sample: nothing goes to whom only a stranger's mail names"
RULE_WORDS = (
    "A director never sends anything to an address that it has from the mail of a stranger alone."
)
RULE = {
    "and": [
        {"==": [{"var": "effect"}, "send"]},
        {"==": [{"var": "agent.kind"}, "director"]},
        {"!!": [{"var": "recipients.seen_only_in_untrusted"}]},
    ]
}
ASSISTANT = "Sample assistant"


def director(
    each: Director,
    *,
    workspace_id: str,
    name: str,
    model_id: str,
    label: str,
    colleagues: list[str],
) -> AgentIn:
    """A director: it asks its agents, and keeps what they find; what it sends asks first."""
    return _agent(
        workspace_id=workspace_id,
        name=name,
        description=each.description,
        kind="director",
        model_id=model_id,
        prompt=_prompt(f"You lead the work on one mail. {each.work}"),
        scope=AgentScopeWire(accounts=[label], tools=[*_READING, *_SENDING, "workspace_*"]),
        can_create=True,
        can_write=True,
        can_access_integrations=True,
        colleagues=colleagues,
    )


def specialist(each: Specialist, *, workspace_id: str, name: str) -> AgentIn:
    """An agent that directors ask: it has the text that it is given, and no tool."""
    return _agent(
        workspace_id=workspace_id,
        name=name,
        description=each.description,
        kind="specialist",
        prompt=_prompt(each.work),
        scope=AgentScopeWire(tools=[]),
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
