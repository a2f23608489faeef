"""The results of the mail tools."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from bailiwick.tools.arguments import Omittable


class ShownPerson(BaseModel):
    """A name and an address."""

    name: str
    address: str


class EmailHead(BaseModel):
    """What is known of a mail without its text."""

    id: str
    account: str
    account_label: str
    sender: ShownPerson = Field(alias="from")
    to: list[ShownPerson]
    subject: str
    date: str
    unread: bool
    flagged: bool
    answered: bool
    has_attachment: bool
    trust: Literal["contact", "stranger"] = Field(description="Whose words these are.")


class ListedEmail(EmailHead):
    """A mail in a list."""

    snippet: str


class AccountProblem(BaseModel):
    """An account that does not work at present."""

    account: str
    label: str
    reason: str
    since: str | None = None


class _Listed(BaseModel):
    emails: list[ListedEmail]
    problems: list[AccountProblem] = Field(
        description="Accounts that do not work at present; what is known of them is given anyhow."
    )


class EmailList(_Listed):
    """Mails, and where the list goes on."""

    cursor: str | None


class FoundEmails(_Listed):
    """Mails that were found."""

    more: bool


class ShownAttachment(BaseModel):
    """An attachment, with its text if it is one."""

    name: str
    type: str
    size: int
    text: str | None
    note: str | None = None


class ShownEmail(EmailHead):
    """A mail with its text."""

    cc: list[ShownPerson]
    sent: str | None
    folders: list[str]
    trust_reason: str
    text: str
    next_offset: int | None
    attachments: list[dict[str, Any]]
    note: str | None


class HeldEmail(BaseModel):
    """What is in the outbox now."""

    status: str
    outbox_id: str
    account: Omittable[str] = None
    to: list[str]
    cc: Omittable[list[str]] = None
    bcc: Omittable[list[str]] = None
    subject: str
    goes_out_at: str


class SavedDraft(BaseModel):
    """Where a draft is now."""

    status: str
    account: str
    subject: str


class FiledEmail(BaseModel):
    """What became of a mail: how it is filed or marked now."""

    id: str
    status: Omittable[str] = None
    labels: Omittable[list[str]] = None
    seen: Omittable[bool] = None
    flagged: Omittable[bool] = None
