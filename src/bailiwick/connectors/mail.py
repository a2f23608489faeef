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
    """Who the account belongs to, as the provider says."""

    address: str
    name: str = ""
    authserv_id: str | None = None  # under which its server writes Authentication-Results


@dataclass(frozen=True, slots=True)
class RemoteFolder:
    """A place that a message can be in; of labels, a message may have many."""

    remote: str
    title: str
    kind: Literal["folder", "label"] = "folder"
    role: FolderRole | None = None


@dataclass(frozen=True, slots=True)
class ArrivedMessage:
    """A message that was not given before, or is given again."""

    remote_id: str  # unique within the account
    folders: tuple[str, ...]  # where it is, by `RemoteFolder.remote`
    flags: frozenset[MailFlag]
    received_at: datetime
    raw: bytes
    thread: str | None = None  # the provider's own thread id
    # Only the headers were fetched: the message is larger than anyone wants to read.
    cut_size: int | None = None


@dataclass(frozen=True, slots=True)
class ChangedMessage:
    """A known message whose places or flags are others now; None: as before."""

    remote_id: str
    folders: tuple[str, ...] | None = None
    flags: frozenset[MailFlag] | None = None


@dataclass(frozen=True, slots=True)
class MailPage:
    """A part of what happened since a cursor, and the cursor behind it."""

    cursor: Cursor
    folders: tuple[RemoteFolder, ...] | None = None  # all there are, where the page tells
    # Folders whose ids mean nothing any more (UIDVALIDITY): what they hold is given anew.
    voided: tuple[str, ...] = ()
    arrived: tuple[ArrivedMessage, ...] = ()
    changed: tuple[ChangedMessage, ...] = ()
    gone: tuple[str, ...] = ()
    # The ids of all messages there are, where the provider cannot say what went: of those that were
    # given before, any other is gone. (One that is given again later is back.)
    complete: frozenset[str] | None = None
    left: int | None = None  # messages that are still to come, as far as known


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
    """It was taken. `remote_id` is the copy in Sent, `note` what did not work besides."""

    remote_id: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """Whether a message was sent. `unknown` is an answer, a guess is not."""

    sent: Literal["yes", "no", "unknown"]
    remote_id: str | None = None


class Mailbox(Protocol):
    """One account's mail. Methods raise `ConnectorFailed`; `submit` raises `SubmissionFailed`."""

    async def probe(self) -> Identity:
        """Sign in and out again: does it work, and whose is it."""
        ...

    def changes(self, cursor: Cursor | None) -> AsyncIterator[MailPage]:
        """What happened since the cursor, in pages of some 50 messages or 8 MB; None: everything.

        Always at least one page, so that a quiet mailbox still says that it was asked.
        """
        ...

    async def wait(self, seconds: float) -> bool:
        """Wait for something new, at most so long; False at once where the provider cannot tell."""
        ...

    async def submit(self, message: OutgoingMessage) -> SubmittedMessage:
        """Hand a message over to be sent, and see that a copy is in Sent."""
        ...

    async def find_sent(self, message_id: str) -> FoundMessage:
        """Whether a message of this Message-ID was sent."""
        ...

    async def save_draft(self, raw: bytes, *, thread: str | None = None) -> str:
        """Put a message among the drafts; its remote id."""
        ...

    async def remove_draft(self, remote_id: str) -> None:
        """Take a draft away; one that is gone already is no error."""
        ...

    async def relabel(
        self, remote_id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> None:
        """Put labels on and take labels off, by their titles; unknown ones are made."""
        ...

    async def move(self, remote_id: str, *, to: str, out_of: str | None = None) -> str:
        """Put a message into a folder (its remote name, or a role such as `archive`).

        The id that it has there. Where messages have labels, `archive` takes it out of the inbox,
        and `inbox` puts it back.
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
        """Let go of connections."""
        ...
