"""One account on an IMAP and an SMTP server.

Each operation borrows an idle connection or opens a new one. So a slow sync blocks nobody, and a
broken one leaves no connection behind.
"""

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, asynccontextmanager

from bailiwick.connectors.connector import AccountAccess
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.imap import actions, boxes, folders, names, providers, signin, smtp, sync
from bailiwick.connectors.imap.client import Imap
from bailiwick.connectors.imap.folders import ImapFolder
from bailiwick.connectors.imap.settings import ImapSettings
from bailiwick.connectors.imap.sync import ImapSync, Mark
from bailiwick.connectors.mail import (
    Cursor,
    FoundMessage,
    Identity,
    MailFlag,
    MailPage,
    OutgoingMessage,
    SubmittedMessage,
)

# RFC 2177 asks for less than 29 minutes; routers on the way forget connections sooner.
_IDLE_SECONDS = 14 * 60.0
_KEPT = 2


class ImapMailbox:
    """The mail of one account."""

    def __init__(self, access: AccountAccess, settings: ImapSettings) -> None:
        self._access = access
        self._settings = settings
        self._idle: list[Imap] = []
        self._lent: set[Imap] = set()
        self._closed = False
        self._inbox: Mark | None = None  # at the last look

    async def probe(self) -> Identity:
        """Sign in to both servers, and log out."""
        async with self._imap() as imap:
            await imap.command(b"NOOP")
        try:
            await (await smtp.connected(self._access, self._settings)).leave()
        except ConnectorFailed as error:
            text = f"Reading mail works, but sending does not. {error.detail}"
            field = "smtp_host" if error.problem == "network" else None
            raise ConnectorFailed(error.problem, text, field=field) from None
        address = self._settings.address
        return Identity(address, authserv_id=providers.authserv_id(self._settings.imap.host))

    async def changes(self, cursor: Cursor | None) -> AsyncGenerator[MailPage, None]:
        """What happened since the cursor."""
        async with self._imap() as imap:
            run = ImapSync(imap, cursor)
            async with aclosing(run.pages()) as pages:
                async for page in pages:
                    yield page
            self._inbox = run.inbox

    async def wait(self, seconds: float) -> bool:
        """Wait for the inbox to change; closing the mailbox ends it."""
        try:
            async with self._imap() as imap:
                return imap.can("IDLE") and await self._wait(imap, seconds)
        except ConnectorFailed:
            if self._closed:
                return False
            raise

    async def submit(self, message: OutgoingMessage) -> SubmittedMessage:
        """Send a message by SMTP, and make sure that Sent has a copy."""
        await smtp.handed_over(self._access, self._settings, message)
        try:
            return await self._keep(message)
        except ConnectorFailed as error:
            return SubmittedMessage(note=f"It was sent, but no copy is in Sent: {error.detail}")

    async def find_sent(self, message_id: str) -> FoundMessage:
        """Whether Sent has it, else `unknown`: SMTP cannot prove that it was not sent."""
        async with self._imap() as imap:
            known = await folders.listed(imap)
            for folder in sorted(known, key=lambda each: each.role != "sent"):
                if folder.role == "drafts":
                    continue
                remote_id = await actions.with_message_id(imap, folder, message_id)
                if remote_id is not None:
                    return FoundMessage("yes", remote_id)
        return FoundMessage("unknown")

    async def save_draft(self, raw: bytes, *, thread: str | None = None) -> str:
        """Put a message among the drafts."""
        async with self._imap() as imap:
            drafts = await folders.with_role(imap, "drafts", await folders.listed(imap))
            return await actions.append(imap, drafts, raw, flags="\\Draft \\Seen")

    async def remove_draft(self, remote_id: str) -> None:
        """Take a draft away."""
        async with self._imap() as imap:
            known = await folders.listed(imap)
            drafts = next((each.name for each in known if each.role == "drafts"), None)
            await actions.remove_draft(imap, remote_id, drafts=drafts)

    async def relabel(
        self, remote_id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> None:
        """Add and remove labels, which are keywords here."""
        async with self._imap() as imap:
            await actions.relabel(imap, remote_id, add=add, remove=remove)

    async def move(self, remote_id: str, *, to: str, out_of: str | None = None) -> str:
        """Move a message; `out_of` is ignored, because a message is in one folder only."""
        async with self._imap() as imap:
            target = await _target(imap, to)
            return await actions.move(imap, remote_id, target)

    async def set_flags(
        self, remote_id: str, *, add: Sequence[MailFlag] = (), remove: Sequence[MailFlag] = ()
    ) -> None:
        """Set and clear flags."""
        async with self._imap() as imap:
            await actions.set_flags(imap, remote_id, add=add, remove=remove)

    async def signature(self) -> str | None:
        """None: IMAP servers keep no signatures."""
        return None

    async def close(self) -> None:
        """Close all connections, those in use too."""
        self._closed = True
        for imap in self._lent:
            imap.wire.close()
        while self._idle:
            await self._idle.pop().leave()

    @asynccontextmanager
    async def _imap(self) -> AsyncGenerator[Imap, None]:
        imap = await self._borrowed()
        self._lent.add(imap)
        try:
            yield imap
        finally:
            self._lent.discard(imap)
            if self._closed or len(self._idle) >= _KEPT:
                imap.wire.close()
            elif not imap.wire.closed:
                self._idle.append(imap)

    async def _borrowed(self) -> Imap:
        while self._idle and not self._closed:
            imap = self._idle.pop()
            try:
                await imap.command(b"NOOP")
                return imap
            except ConnectorFailed:
                imap.wire.close()  # the server ended an idle connection, which is normal
        self._check_open()
        imap = await signin.opened(self._access, self._settings)
        try:
            self._check_open()  # it may have been closed meanwhile
        except ConnectorFailed:
            imap.wire.close()
            raise
        return imap

    def _check_open(self) -> None:
        if self._closed:
            raise ConnectorFailed("other", "The mailbox is closed.")

    async def _wait(self, imap: Imap, seconds: float) -> bool:
        end = time.monotonic() + seconds
        if await self._has_changed(imap):
            return True
        while (left := end - time.monotonic()) > 0:
            if await imap.idle(min(left, _IDLE_SECONDS)):
                await self._has_changed(imap)
                return True
        return False

    async def _has_changed(self, imap: Imap) -> bool:
        """Whether the inbox's status differs from the last one read; reads it."""
        before, self._inbox = self._inbox, sync.mark(await boxes.opened(imap, "INBOX"))
        return before is not None and before != self._inbox

    async def _keep(self, message: OutgoingMessage) -> SubmittedMessage:
        async with self._imap() as imap:
            sent = await folders.with_role(imap, "sent", await folders.listed(imap))
            there = await actions.with_message_id(imap, sent, message.message_id)
            if there is None and not providers.keeps_sent(self._settings.smtp.host):
                there = await actions.append(imap, sent, message.raw, flags="\\Seen")
            return SubmittedMessage(remote_id=there)


async def _target(imap: Imap, to: str) -> ImapFolder:
    known = await folders.listed(imap)
    name = names.folder_of(to)
    if name is None:
        return await folders.with_role(imap, to, known)
    for folder in known:
        if folder.name == name:
            return folder
    raise ConnectorFailed("other", "The folder is not there any more.")
