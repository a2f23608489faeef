"""The mail protocol: what a connector does for one account's mail.

Ids are the provider's own and mean something to the connector alone. A cursor is JSON that the
connector made: kept in the same transaction as the page it came with, so that after a crash the
sync goes on exactly behind the last page that was stored. A page may repeat what was given before;
it must never leave anything out.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

Cursor = dict[str, Any]
MailFlag = Literal["seen", "flagged", "answered", "draft"]
FolderRole = Literal["inbox", "sent", "drafts", "archive", "trash", "junk", "all", "flagged"]


@dataclass(frozen=True, slots=True)
class Identity:
    """The account's owner, as the provider names them."""

    address: str
    name: str = ""
    authserv_id: str | None = None  # the authserv-id in its server's Authentication-Results


@dataclass(frozen=True, slots=True)
class RemoteFolder:
    """A folder or a label; a message may have many labels."""

    remote: str
    title: str
    kind: Literal["folder", "label"] = "folder"
    role: FolderRole | None = None


@dataclass(frozen=True, slots=True)
class ArrivedMessage:
    """A message that is new to the caller, or is given again."""

    remote_id: str  # unique within the account
    folders: tuple[str, ...]  # its folders and labels, by `RemoteFolder.remote`
    flags: frozenset[MailFlag]
    received_at: datetime
    raw: bytes
    thread: str | None = None  # the provider's own thread id
    # Only the headers were fetched, because the message is too large.
    cut_size: int | None = None


@dataclass(frozen=True, slots=True)
class ChangedMessage:
    """New places or flags of a known message; None: unchanged."""

    remote_id: str
    folders: tuple[str, ...] | None = None
    flags: frozenset[MailFlag] | None = None


@dataclass(frozen=True, slots=True)
class MailPage:
    """A part of the changes since a cursor, and the cursor after it."""

    cursor: Cursor
    folders: tuple[RemoteFolder, ...] | None = None  # all folders and labels; None: unchanged
    # Folders with a new UIDVALIDITY: their ids are void, and what they hold is given again.
    voided: tuple[str, ...] = ()
    arrived: tuple[ArrivedMessage, ...] = ()
    changed: tuple[ChangedMessage, ...] = ()
    gone: tuple[str, ...] = ()
    # The ids of all messages there are, where the provider cannot say what went: of those that were
    # given before, any other is gone. (One that is given again later is back.)
    complete: frozenset[str] | None = None
    left: int | None = None  # messages still to come, if known


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A finished message and its envelope."""

    raw: bytes
    message_id: str
    sender: str
    recipients: tuple[str, ...]
    thread: str | None = None  # the provider's own thread id, for a reply


@dataclass(frozen=True, slots=True)
class SubmittedMessage:
    """A submitted message; `remote_id` is the copy in Sent, `note` a minor failure."""

    remote_id: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """Whether a message was sent; `unknown` rather than a guess."""

    sent: Literal["yes", "no", "unknown"]
    remote_id: str | None = None


class Mailbox(Protocol):
    """One account's mail. Methods raise `ConnectorFailed`; `submit` raises `SubmissionFailed`."""

    async def probe(self) -> Identity:
        """Sign in and out again; return the account's owner."""
        ...

    def changes(self, cursor: Cursor | None) -> AsyncIterator[MailPage]:
        """The changes since the cursor, in pages of some 50 messages or 8 MB; None: everything.

        There is always at least one page, so that a quiet mailbox still shows that it was asked.
        """
        ...

    async def wait(self, seconds: float) -> bool:
        """Wait for a change until the time is over; False at once if the provider cannot notify."""
        ...

    async def submit(self, message: OutgoingMessage) -> SubmittedMessage:
        """Submit a message, and make sure that Sent has a copy."""
        ...

    async def find_sent(self, message_id: str) -> FoundMessage:
        """Whether a message with this Message-ID was sent."""
        ...

    async def save_draft(self, raw: bytes, *, thread: str | None = None) -> str:
        """Save a draft; return its remote id."""
        ...

    async def remove_draft(self, remote_id: str) -> None:
        """Remove a draft; a missing one is no error."""
        ...

    async def relabel(
        self, remote_id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> None:
        """Add and remove labels by their titles; unknown ones are created."""
        ...

    async def move(self, remote_id: str, *, to: str, out_of: str | None = None) -> str:
        """Move a message to a folder, named by its remote name or by a role such as `archive`.

        Returns the id that it has there. Where messages have labels, `archive` takes it out of the
        inbox, and `inbox` puts it back.
        """
        ...

    async def set_flags(
        self, remote_id: str, *, add: Sequence[MailFlag] = (), remove: Sequence[MailFlag] = ()
    ) -> None:
        """Set and clear flags."""
        ...

    async def signature(self) -> str | None:
        """The provider's own signature, as HTML; None where it has none."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...
