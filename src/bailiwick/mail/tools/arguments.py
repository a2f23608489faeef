"""What the mail tools are called with."""

from typing import Annotated, Literal

from pydantic import Field

from bailiwick.connectors.mail import MailFlag
from bailiwick.mail.compose.addresses import LONGEST, MOST_RECIPIENTS
from bailiwick.mail.compose.replies import LONGEST_SUBJECT
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.paths import LONGEST_PATH
from bailiwick.tools.texts import NOT_BLANK, ONE_LINE, PLAIN

EmailId = Annotated[
    str, Field(max_length=64, description="The id of the mail.", examples=["email_1"])
]
AccountName = Annotated[
    str,
    Field(
        min_length=1, max_length=320, description="The account: its id, its label or its address."
    ),
    ONE_LINE,
]
MailAddress = Annotated[str, Field(min_length=3, max_length=LONGEST), ONE_LINE]
Addresses = Annotated[tuple[MailAddress, ...], Field(max_length=MOST_RECIPIENTS)]
Subject = Annotated[
    str,
    Field(
        max_length=LONGEST_SUBJECT,
        description="One line that says what it is about.",
        examples=["The roof"],
    ),
    ONE_LINE,
]
MailBody = Annotated[
    str,
    Field(
        max_length=500_000,
        description="The text, plain. The account's signature is added.",
        examples=["Work begins on Monday."],
    ),
    PLAIN,
]
Files = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=LONGEST_PATH)], ...],
    Field(max_length=20, description="Files to attach, by their paths."),
]
Parts = Annotated[
    tuple[Annotated[str, Field(max_length=40)], ...],
    Field(max_length=50, description="Which attachments of that mail, by their part. Else all."),
]
MailLabels = Annotated[
    tuple[Annotated[str, Field(max_length=100), ONE_LINE, NOT_BLANK], ...], Field(max_length=20)
]
_ANY = "The account: its id, its label or its address. Left out: all of them."
_FROM = "The account: its id, its label or its address. Left out: the primary one."
_SOURCE = "The id of a mail in the same account whose attachments are sent on."
_EACH = "One plain address in each item."


class ListEmails(ToolArguments):
    """Which mails to list."""

    account: Omittable[AccountName] = Field(None, description=_ANY)
    folder: Omittable[str] = Field(
        None,
        min_length=1,
        max_length=200,
        description="inbox, sent, archive, junk, trash, drafts, or its name.",
        examples=["inbox"],
    )
    unread: Omittable[bool] = Field(
        None, description="Only unread ones, or read ones.", examples=[True]
    )
    sender: Omittable[str] = Field(
        None,
        alias="from",
        min_length=1,
        max_length=LONGEST,
        description="A part of the sender's name or address.",
    )
    since: Omittable[str] = Field(
        None, max_length=40, description="Not older than this day or time, like 2026-03-31."
    )
    limit: int = Field(25, ge=1, le=100, description="How many at most.")
    cursor: Omittable[str] = Field(
        None, max_length=200, description="From the list before, for what comes after it."
    )


class SearchEmails(ToolArguments):
    """What to find."""

    query: Annotated[str, Field(min_length=1, max_length=500), ONE_LINE] = Field(
        description="The words, and where they stand.", examples=["from:ada roof"]
    )
    account: Omittable[AccountName] = Field(None, description=_ANY)
    limit: int = Field(20, ge=1, le=100, description="How many at most.")


class OneEmail(ToolArguments):
    """The mail that it is about."""

    email_id: EmailId


class ReadAttachment(OneEmail):
    """Which attachment of which mail."""

    part: str = Field(
        min_length=1, max_length=40, description="Which, as read_email lists it.", examples=["2"]
    )


class ReadEmail(OneEmail):
    """Which part of which mail."""

    format: Literal["text"] = Field("text", description="The form of the text: plain.")
    offset: int = Field(
        0, ge=0, le=10**7, description="How many characters to leave out at the beginning."
    )
    limit: int = Field(20_000, ge=1, le=100_000, description="How many characters.")


class SendEmail(ToolArguments):
    """A new mail."""

    to: Addresses = Field(
        min_length=1, description=f"Who gets it. {_EACH}", examples=[["ada@example.org"]]
    )
    cc: Addresses = Field((), description=f"Who gets a copy. {_EACH}")
    bcc: Addresses = Field((), description=f"Who gets a copy that the others do not see. {_EACH}")
    subject: Subject
    body: MailBody
    account: Omittable[AccountName] = Field(None, description=_FROM)
    attach_files: Files = ()
    attach_from: Omittable[EmailId] = Field(None, description=_SOURCE, examples=[])
    attach_parts: Omittable[Parts] = None


class ReplyEmail(ToolArguments):
    """An answer to a mail."""

    email_id: EmailId = Field(description="The id of the mail to answer.")
    body: MailBody
    all: bool = Field(False, description="Whether everyone who got the mail gets the answer.")
    cc: Addresses = Field((), description=f"Who gets a copy besides. {_EACH}")
    attach_files: Files = ()
    attach_from: Omittable[EmailId] = Field(None, description=_SOURCE, examples=[])
    attach_parts: Omittable[Parts] = None


class DraftEmail(ToolArguments):
    """A mail for a person to look at; it answers a mail if it names one."""

    to: Addresses = Field(
        (),
        description=f"Who is to get it; not for an answer. {_EACH}",
        examples=[["ada@example.org"]],
    )
    cc: Addresses = Field((), description=f"Who is to get a copy. {_EACH}")
    bcc: Addresses = Field(
        (), description=f"Who is to get a copy that the others do not see. {_EACH}"
    )
    subject: Subject = Field("", description="Not for an answer.")
    body: MailBody
    email_id: Omittable[EmailId] = Field(
        None, description="The id of the mail that it answers.", examples=[]
    )
    all: bool = Field(False, description="Whether the answer goes to everyone who got the mail.")
    account: Omittable[AccountName] = Field(None, description=_FROM)
    attach_files: Files = ()
    attach_from: Omittable[EmailId] = Field(None, description=_SOURCE, examples=[])
    attach_parts: Omittable[Parts] = None


class LabelEmail(OneEmail):
    """Labels to put on a mail, and to take off."""

    add: MailLabels = Field((), description="Labels to put on.", examples=[["Invoices"]])
    remove: MailLabels = Field((), description="Labels to take off.")


class MarkEmail(OneEmail):
    """How to mark a mail."""

    seen: Omittable[bool] = Field(None, description="Whether it counts as read.", examples=[True])
    flagged: Omittable[bool] = Field(None, description="Whether it has a flag.")

    @property
    def flags(self) -> dict[MailFlag, bool]:
        """The marks that were given."""
        marks: dict[MailFlag, bool | None] = {"seen": self.seen, "flagged": self.flagged}
        return {flag: on for flag, on in marks.items() if on is not None}
