"""`LocalMailbox`: the mail protocol on a Maildir. Nothing leaves the machine."""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from bailiwick.connectors import heads
from bailiwick.connectors.connector import AccountAccess
from bailiwick.connectors.errors import ConnectorFailed, SubmissionFailed
from bailiwick.connectors.local import keywords, names, sync
from bailiwick.connectors.local.maildir import INBOX, File, Maildir, files
from bailiwick.connectors.local.snapshot import MaildirLook, looked
from bailiwick.connectors.mail import (
    Cursor,
    FoundMessage,
    Identity,
    MailFlag,
    MailPage,
    OutgoingMessage,
    SubmittedMessage,
)
from bailiwick.kit.streamcipher import CipherBroken

_LOOK_EVERY = 1.0
_CLOSE_SECONDS = 30.0  # bounds every wait for a disk that does not answer
Answered = TypeVar("Answered")
Looks = Mapping[str, MaildirLook]


class LocalMailbox:
    """One account's Maildir."""

    def __init__(self, access: AccountAccess) -> None:
        self._access = access
        self._address = str(access.settings.get("address") or access.address)
        self._closed = asyncio.Event()
        self._under_way: set[asyncio.Future[Any]] = set()
        self._seen: Looks | None = None  # the folders when they were last read

    async def probe(self) -> Identity:
        """Check that the folder can be read and written."""
        await self._run(lambda maildir: maildir.folders())
        settings = self._access.settings
        return Identity(
            address=self._address,
            name=str(settings.get("name") or ""),
            authserv_id=str(settings.get("authserv_id") or "") or None,
        )

    async def changes(self, cursor: Cursor | None) -> AsyncIterator[MailPage]:
        """What happened since the cursor."""
        self._seen = await self._run(_looks)
        maildir = await self._run(lambda maildir: maildir)
        with _said():
            async for page in sync.changes(maildir, cursor):
                yield page

    async def wait(self, seconds: float) -> bool:
        """Check the folders' times every second; changes between two waits count too."""
        before = self._seen or await self._run(_looks)
        until = asyncio.get_running_loop().time() + seconds
        while _alike(now := await self._run(partial(_looks, before=before)), before):
            before = self._seen = now
            left = until - asyncio.get_running_loop().time()
            if left <= 0 or self._closed.is_set():
                return False
            try:
                async with asyncio.timeout(min(_LOOK_EVERY, left)):
                    await self._closed.wait()
            except TimeoutError:
                continue
        self._seen = now
        return True

    async def submit(self, message: OutgoingMessage) -> SubmittedMessage:
        """Put a message into Sent, and into the inbox if it is to oneself; never twice."""
        digest = sha256(message.message_id.encode()).hexdigest()[:32]
        to_self = self._address.lower() in (one.lower() for one in message.recipients)

        def handed_over(maildir: Maildir) -> str:
            sent = maildir.folder("sent")
            if to_self and not maildir.find(f"received.{digest}"):
                maildir.deliver(INBOX, message.raw, base=f"received.{digest}")
            if not maildir.find(f"sent.{digest}"):
                maildir.deliver(sent, message.raw, letters="S", base=f"sent.{digest}")
            return f"sent.{digest}"

        try:
            return SubmittedMessage(remote_id=await self._run(handed_over))
        except ConnectorFailed as error:
            raise SubmissionFailed(error.problem, error.detail, sent="no") from None

    async def find_sent(self, message_id: str) -> FoundMessage:
        """Whether Sent has the message, which is certain here."""

        def found(maildir: Maildir) -> str | None:
            digest = sha256(message_id.encode()).hexdigest()[:32]
            if maildir.find(f"sent.{digest}"):
                return f"sent.{digest}"
            return _of_message(maildir, maildir.path(maildir.folder("sent")), message_id)

        remote_id = await self._run(found)
        return FoundMessage("yes" if remote_id else "no", remote_id)

    async def save_draft(self, raw: bytes, *, thread: str | None = None) -> str:
        """Put a message among the drafts."""
        return await self._run(
            lambda maildir: maildir.deliver(maildir.folder("drafts"), raw, letters="DS")
        )

    async def remove_draft(self, remote_id: str) -> None:
        """Remove a draft; messages in other folders stay."""
        await self._run(lambda maildir: maildir.remove(remote_id, out_of=maildir.folder("drafts")))

    async def relabel(
        self, remote_id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> None:
        """Put keywords on and take keywords off."""

        def relabelled(maildir: Maildir) -> None:
            def change(file: File) -> str:
                folder = maildir.path(file.folder)
                less = keywords.letters(folder, remove, made=False, seal=maildir.seal)
                more = keywords.letters(folder, add, made=True, seal=maildir.seal)
                return "".join({*file.letters} - {*less} | {*more})

            maildir.reletter(remote_id, change)

        await self._run(relabelled)

    async def move(self, remote_id: str, *, to: str, out_of: str | None = None) -> str:
        """Put a message into a folder; it keeps its id."""
        await self._run(lambda maildir: maildir.move(remote_id, to, out_of=out_of))
        return remote_id

    async def set_flags(
        self, remote_id: str, *, add: Sequence[MailFlag] = (), remove: Sequence[MailFlag] = ()
    ) -> None:
        """Set and clear flags."""
        more, less = names.letters_of(add), names.letters_of(remove)
        await self._run(
            lambda maildir: maildir.reletter(
                remote_id, lambda file: "".join({*file.letters} - {*less} | {*more})
            )
        )

    async def signature(self) -> str | None:
        """None: a Maildir has no signature."""
        return None

    async def close(self) -> None:
        """End a pending wait; disk access that is under way finishes first."""
        self._closed.set()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=_CLOSE_SECONDS)

    async def _run(self, act: Callable[[Maildir], Answered]) -> Answered:
        def acted() -> Answered:
            with _said():
                return act(_opened(self._access))

        # Shielded, because a thread cannot be cancelled; `close` waits for it.
        work = asyncio.get_running_loop().run_in_executor(None, acted)
        self._under_way.add(work)
        work.add_done_callback(self._under_way.discard)
        return await asyncio.shield(work)


def _opened(access: AccountAccess) -> Maildir:
    """The account's own folder, or the one that an admin named."""
    named = str(access.settings.get("path") or "").strip()
    if not named:
        maildir = Maildir.kept(access.folder, access.seal)
        if not maildir.exists():
            maildir.make()
        return maildir
    if not access.by_admin:
        raise ConnectorFailed(
            "other", "Only an admin of the office can name a folder of this machine."
        )
    path = Path(named)
    if not path.is_absolute() or ".." in path.parts:
        raise ConnectorFailed("other", "The folder has to be named in full, from the root on.")
    maildir = Maildir(path.resolve())
    if not maildir.root.exists() or (maildir.root.is_dir() and not any(maildir.root.iterdir())):
        maildir.make()
    if not maildir.exists():
        raise ConnectorFailed("other", "There is something else than a Maildir in this folder.")
    return maildir


def _looks(maildir: Maildir, before: Looks | None = None) -> Looks:
    known = before or {}
    return {remote: looked(path, known.get(remote)) for remote, path in maildir.folders().items()}


def _alike(now: Looks, before: Looks) -> bool:
    return now.keys() == before.keys() and all(now[one].is_like(before[one]) for one in now)


def _of_message(maildir: Maildir, folder: Path, message_id: str) -> str | None:
    wanted = message_id.strip("<> ")
    for part, name in files(folder):
        content = maildir.read(folder / part / name)
        if content is None or wanted.encode() not in content.raw:
            continue
        if heads.message_id(content.raw).strip("<> ") == wanted:
            return names.id_of(names.split(name)[0])
    return None


@contextmanager
def _said() -> Generator[None]:
    """Turn errors of the disk into a person's words."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or "it cannot be used").lower()
        raise ConnectorFailed("other", f"The mailbox's folder: {reason}.") from None
    except CipherBroken:
        raise ConnectorFailed(
            "other", "A file of the mailbox was changed or moved on the disk, and does not open."
        ) from None
