"""Wire forms of mail."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import ConfigDict, Field, StringConstraints

from bailiwick.connectors.mail import FolderRole
from bailiwick.kit import ids
from bailiwick.kit.http.pages import Page
from bailiwick.kit.http.wire import Wire
from bailiwick.mail import folder_roles
from bailiwick.mail.models import MailFolder, MailMessage, Routing
from bailiwick.mail.repository import Counted, MailRow
from bailiwick.mail.search import MailHit, Order, SnippetPiece
from bailiwick.mail.search.language import LONGEST
from bailiwick.mail.search.run import RANKED
from bailiwick.tools.trust import Label

MailId = Annotated[str, Path(pattern=ids.pattern("mail"))]
MailThreadId = Annotated[str, Path(pattern=ids.pattern("thr"))]
PartNumber = Annotated[str, Path(pattern=r"^[0-9]{1,4}(\.[0-9]{1,4}){0,40}$")]
_InWorkspace = Annotated[str, StringConstraints(pattern=ids.pattern("wsp"))]
_OfAccount = Annotated[str, StringConstraints(pattern=ids.pattern("acc"))]
_OfFolder = Annotated[str, StringConstraints(pattern=ids.pattern("fol"))]
Dmarc = Literal["pass", "fail", "none", "unknown"]


class MailListParams(Wire):
    """Which mails are asked for; without a folder or role all but what was thrown away."""

    model_config = ConfigDict(extra="ignore")

    workspace_id: _InWorkspace
    account_id: _OfAccount | None = None
    folder_id: _OfFolder | None = None
    role: FolderRole | None = Field(default=None, description="A kind of folder, in all accounts")
    unread: bool = False
    flagged: bool = False


class MailFoldersParams(Wire):
    """Whose folders are asked for."""

    model_config = ConfigDict(extra="ignore")

    workspace_id: _InWorkspace
    account_id: _OfAccount | None = None


class MailSearched(Wire):
    """What is looked for, and where."""

    model_config = ConfigDict(extra="ignore")

    workspace_id: _InWorkspace
    q: Annotated[
        str, StringConstraints(min_length=1, max_length=LONGEST, pattern=r"^[^\x00]*$")
    ] = Field(
        description="Words, “phrases”, from: to: cc: subject: before: after: has:attachment "
        "in: label: account: is:unread is:flagged, -not, OR and parentheses",
        examples=['from:anna invoice after:2026-03 -"final reminder"'],
    )
    account_id: _OfAccount | None = None
    order: Order = "best"


class MailPersonOut(Wire):
    """Someone as a mail names them; the name is what they call themselves."""

    name: str
    address: str


class MailLineOut(Wire):
    """A mail in a list."""

    id: str
    account_id: str
    thread_id: str
    subject: str
    sender: MailPersonOut
    snippet: str
    date: datetime
    roles: list[FolderRole] = Field(description="The kinds of folders that hold it")
    seen: bool
    flagged: bool
    answered: bool
    draft: bool
    has_attachment: bool
    label: Label = Field(description="Whose words it holds")

    @classmethod
    def of(cls, line: "MailRow | MailMessage") -> "MailLineOut":
        """A row as it is shown."""
        return cls(**_line(line))


class MailPieceOut(Wire):
    """A piece of a text; `found` if it is what was looked for."""

    text: str
    found: bool


class MailHitOut(MailLineOut):
    """A mail that was found."""

    marked_subject: list[MailPieceOut]
    marked_snippet: list[MailPieceOut]

    @classmethod
    def found(cls, hit: MailHit) -> "MailHitOut":
        """A hit as it is shown."""
        return cls(
            **_line(hit.message),
            marked_subject=_pieces(hit.subject),
            marked_snippet=_pieces(hit.snippet),
        )


class MailHitsOut(Page[MailHitOut]):
    """What was found, the best first; `totalItems` counts no further than what is ranked."""

    more: bool = Field(description=f"Whether there are more than {RANKED}, which are ranked")


class MailAttachmentOut(Wire):
    """Something attached; `inline` if it is shown within the text."""

    part: str
    name: str
    type: str
    size: int
    inline: bool


class MailPlaceOut(Wire):
    """A folder or label that holds a mail."""

    id: str
    title: str
    kind: Literal["folder", "label"]
    role: FolderRole | None


class MailRoutingOut(Wire):
    """A director that a filter gave a mail to."""

    director_id: str
    filter_id: str
    routed_at: datetime


class MailOut(MailLineOut):
    """A mail."""

    workspace_id: str
    virtual_id: str = Field(description="The name under which tools know it here")
    to: list[MailPersonOut]
    cc: list[MailPersonOut]
    bcc: list[MailPersonOut]
    reply_to: list[MailPersonOut]
    message_id: str
    sent_at: datetime | None = Field(description="What the mail itself says")
    size: int
    text: str
    has_html: bool
    hidden: bool = Field(description="Whether it holds text that no person would have seen")
    automatic: bool = Field(description="Whether a program wrote it, such as an out-of-office note")
    attachments: list[MailAttachmentOut]
    label_why: str = Field(description="Why it has its label, in one sentence")
    dmarc: Dmarc = Field(description="Whether the receiving server proved whose it is")
    fault: str | None = Field(description="What is wrong with the mail, if it is shown as it came")
    folders: list[MailPlaceOut]
    routings: list[MailRoutingOut]

    @classmethod
    def whole(
        cls,
        message: MailMessage,
        folders: Sequence[MailFolder],
        *,
        routings: Sequence[Routing],
        virtual_id: str,
    ) -> "MailOut":
        """A mail as it is shown."""
        people = message.recipients
        return cls(
            **_line(message),
            workspace_id=message.workspace_id,
            virtual_id=virtual_id,
            to=_people(people["to"]),
            cc=_people(people["cc"]),
            bcc=_people(people["bcc"]),
            reply_to=_people(people["reply_to"]),
            message_id=message.message_id,
            sent_at=message.sent_at,
            size=message.size,
            text=message.text,
            has_html=message.has_html,
            hidden=message.hidden,
            automatic=message.automatic,
            attachments=[_attachment(each) for each in message.attachments],
            label_why=message.label_why,
            dmarc=message.dmarc,  # pyright: ignore[reportArgumentType]
            fault=message.fault,
            folders=[MailPlaceOut.model_validate(folder) for folder in folders],
            routings=[MailRoutingOut.model_validate(routing) for routing in routings],
        )


class MailThreadOut(Wire):
    """The mails of a thread, oldest first."""

    id: str
    items: list[MailLineOut]


class MailFolderOut(MailPlaceOut):
    """A folder of an account."""

    account_id: str
    total: int
    unread: int

    @classmethod
    def of(cls, counted: Counted) -> "MailFolderOut":
        """A folder and its numbers as they are shown."""
        place = MailPlaceOut.model_validate(counted.folder).model_dump()
        account_id = counted.folder.account_id
        return cls(**place, account_id=account_id, total=counted.total, unread=counted.unread)


def _line(row: "MailRow | MailMessage") -> dict[str, Any]:
    return {
        "id": row.id,
        "account_id": row.account_id,
        "thread_id": row.thread_id,
        "subject": row.subject,
        "sender": MailPersonOut(name=row.sender_name, address=row.sender_address),
        "snippet": row.snippet,
        "date": row.date_at,
        "roles": folder_roles.roles(row.places),
        "seen": row.seen,
        "flagged": row.flagged,
        "answered": row.answered,
        "draft": row.draft,
        "has_attachment": row.has_attachment,
        "label": row.label,
    }


def _people(pairs: Sequence[Sequence[str]]) -> list[MailPersonOut]:
    return [MailPersonOut(name=name, address=address) for name, address in pairs]


def _pieces(pieces: Sequence[SnippetPiece]) -> list[MailPieceOut]:
    return [MailPieceOut(text=piece.text, found=piece.found) for piece in pieces]


def _attachment(part: dict[str, Any]) -> MailAttachmentOut:
    names = ("part", "name", "type", "size", "inline")
    return MailAttachmentOut(**{name: part[name] for name in names})
