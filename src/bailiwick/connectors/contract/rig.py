"""The rig: a provider for tests, and helpers for its account."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from email.message import EmailMessage
from typing import Protocol

from bailiwick.connectors.connector import AccountAccess, Connector
from bailiwick.connectors.contract.copy import MailboxCopy
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.mail import Cursor, Mailbox, MailPage


class Rig(Protocol):
    """A provider for tests, with one account that begins empty."""

    connector: Connector
    access: AccountAccess  # with every permission
    wrong_secret: Mapping[str, str] | None  # one that the provider refuses; None: it takes none
    has_labels: bool

    async def deliver(self, raw: bytes) -> None:
        """A message arrives in the inbox."""
        ...

    async def sent(self) -> Sequence[bytes]:
        """The messages that were submitted, one entry for each submission."""
        ...

    async def destroy(self, message_id: str) -> None:
        """Another program removes a message for good."""
        ...

    async def mark_seen(self, message_id: str) -> None:
        """Another program marks a message as read."""
        ...


def letter(message_id: str, *, sender: str = "anna@example.org") -> bytes:
    """A small message."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = "someone@example.org"
    message["Subject"] = f"About {message_id}"
    message["Date"] = "Mon, 02 Nov 2026 10:00:00 +0000"
    message["Message-ID"] = f"<{message_id}>"
    message.set_content(f"Words of {message_id}.\n")
    return message.as_bytes().replace(b"\n", b"\r\n")


@asynccontextmanager
async def opened(rig: Rig, access: AccountAccess | None = None) -> AsyncGenerator[Mailbox]:
    """Open the account's mailbox, and close it at the end."""
    assert rig.connector.open_mail is not None
    mailbox = rig.connector.open_mail(access or rig.access)
    try:
        yield mailbox
    finally:
        await mailbox.close()


async def paged(rig: Rig, cursor: Cursor | None) -> list[MailPage]:
    """All pages since a cursor."""
    async with opened(rig) as mailbox:
        pages = [page async for page in mailbox.changes(cursor)]
    assert pages, "There is always a page."
    return pages


async def synced(rig: Rig, copy: MailboxCopy | None = None) -> MailboxCopy:
    """The mailbox after a sync from the copy's cursor."""
    made = copy.twin() if copy else MailboxCopy()
    for page in await paged(rig, made.cursor):
        made.take_in(page)
    return made


async def refused(act: Callable[[], Awaitable[object]]) -> ConnectorFailed:
    """The `ConnectorFailed` that the call must raise."""
    try:
        await act()
    except ConnectorFailed as error:
        return error
    raise AssertionError("This should have been refused.")
