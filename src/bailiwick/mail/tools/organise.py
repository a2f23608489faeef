"""The tools that file mail at its provider, each beside its inverse."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.connectors.mail import Flag
from bailiwick.errors import BailiwickError, Invalid
from bailiwick.kit import clock
from bailiwick.mail.compose.message import build, message_id, text_of
from bailiwick.mail.models import MailFolder, MailMessage
from bailiwick.mail.tools import placements, queries
from bailiwick.mail.tools.letters import Letters
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.tools.tool import Arguments, Receipt, Ref, TargetKind, ToolContext, ToolOutput

_FLAGS: tuple[Flag, ...] = ("seen", "flagged")
# Words under which providers keep what is no label: putting one on would move or delete the mail.
_RESERVED = re.compile(
    r"(?i)[\\$\[%#].*|inbox|sent|sent (mail|items|messages)|drafts?|trash|bin|deleted( items)?|"
    r"spam|junk|junk e-?mail|all mail|archive|starred|unread|important|chats?|category_.*"
)
_MOST_SHOWN = 20_000


class MailOrganiser:
    """What the filing tools do."""

    def __init__(self, office: Mailroom) -> None:
        self._office = office
        self._letters = Letters(office)

    async def label(self, context: ToolContext, arguments: Arguments) -> ToolOutput:
        """Put labels on a mail, and take labels off."""
        add, remove = _wanted(arguments)
        message, account = await self._office.mail(context, arguments["email_id"])
        async with self._office.storage.app.read() as session:
            known = await placements.of(session, message)
            _check_labels((*add, *remove), await queries.folders(session, account.id))
        before = set(placements.labels(known))
        async with self._office.mailbox(account, need="organise") as mailbox:
            await mailbox.relabel(placements.remote_id(known), add=add, remove=remove)
        receipt = {
            "add": [title for title in remove if title in before],
            "remove": [title for title in add if title not in before],
        }
        shown = sorted((before | set(add)) - set(remove))
        data = {"id": _ref(message), "labels": shown}
        return ToolOutput(data, summary=f"{len(add)} on, {len(remove)} off", receipt=receipt)

    async def unlabel(
        self, context: ToolContext, arguments: Arguments, receipt: Receipt
    ) -> ToolOutput:
        """Give a mail the labels that it had."""
        message, account = await self._office.mail(context, arguments["email_id"])
        async with self._office.storage.app.read() as session:
            known = await placements.of(session, message)
        async with self._office.mailbox(account, need="organise") as mailbox:
            await mailbox.relabel(
                placements.remote_id(known), add=receipt["add"], remove=receipt["remove"]
            )
        return ToolOutput({"id": _ref(message), "status": "as before"}, summary="labels as before")

    async def archive(self, context: ToolContext, arguments: Arguments) -> ToolOutput:
        """Take a mail out of the inbox."""
        message, account = await self._office.mail(context, arguments["email_id"])
        async with self._office.storage.app.read() as session:
            known = await placements.of(session, message)
        inbox = next((place for place in known if place.folder.role == "inbox"), None)
        data = {"id": _ref(message), "status": "archived"}
        if inbox is None:
            return ToolOutput(data, summary="was not in the inbox", receipt={"remote_id": None})
        async with self._office.mailbox(account, need="organise") as mailbox:
            remote = await mailbox.move(inbox.remote_id, to="archive", out_of=inbox.folder.remote)
        async with self._office.storage.app.write() as session:
            await placements.moved(
                session, message, out_of=inbox.folder, remote=remote, to_role="archive"
            )
        return ToolOutput(data, summary="archived", receipt={"remote_id": remote})

    async def unarchive(
        self, context: ToolContext, arguments: Arguments, receipt: Receipt
    ) -> ToolOutput:
        """Put a mail back into the inbox."""
        message, account = await self._office.mail(context, arguments["email_id"])
        data = {"id": _ref(message), "status": "in the inbox"}
        if receipt["remote_id"] is None:
            return ToolOutput(data, summary="nothing to take back")
        async with self._office.storage.app.read() as session:
            known = await placements.of(session, message)
        archive = next((place for place in known if place.folder.role == "archive"), None)
        # By what the fetcher has seen since, if it has: an id may change with every move.
        now = archive.remote_id if archive else receipt["remote_id"]
        async with self._office.mailbox(account, need="organise") as mailbox:
            remote = await mailbox.move(
                now, to="inbox", out_of=archive.folder.remote if archive else None
            )
        if archive:
            async with self._office.storage.app.write() as session:
                await placements.moved(
                    session, message, out_of=archive.folder, remote=remote, to_role="inbox"
                )
        return ToolOutput(data, summary="back in the inbox")

    async def mark(self, context: ToolContext, arguments: Arguments) -> ToolOutput:
        """Mark a mail as read or unread, flagged or not."""
        wanted = {flag: arguments[flag] for flag in _FLAGS if flag in arguments}
        if not wanted:
            raise Invalid.field("seen", "say what to change: seen, flagged or both")
        message, _ = await self._office.mail(context, arguments["email_id"])
        before = {flag: bool(getattr(message, flag)) for flag in wanted}
        await self._flag(context, message, wanted)
        data = {"id": _ref(message), **wanted}
        return ToolOutput(data, summary=", ".join(wanted), receipt={"before": before})

    async def unmark(
        self, context: ToolContext, arguments: Arguments, receipt: Receipt
    ) -> ToolOutput:
        """Mark a mail as it was marked."""
        message, _ = await self._office.mail(context, arguments["email_id"])
        await self._flag(context, message, receipt["before"])
        return ToolOutput({"id": _ref(message), **receipt["before"]}, summary="marked as before")

    async def draft(self, context: ToolContext, arguments: Arguments) -> ToolOutput:
        """Put a draft into the mailbox; nothing is sent."""
        written = await self._letters.draft(context, arguments)
        thread = written.answers.remote_thread if written.answers else None
        built = await asyncio.to_thread(
            build, written.letter, key=context.key, at=clock.now(), is_draft=True
        )
        async with self._office.mailbox(written.account, need="drafts") as mailbox:
            remote = await mailbox.save_draft(built.raw, thread=thread)
        data = {
            "status": "saved among the drafts",
            "account": Ref("account", written.account.id),
            "subject": written.letter.subject,
        }
        receipt = {"remote_id": remote, "account_id": written.account.id}
        return ToolOutput(data, summary="a draft", receipt=receipt)

    async def drafted(self, context: ToolContext, arguments: Arguments) -> ToolOutput | None:
        """Whether this very draft is in the mailbox, as far as the fetcher has seen."""
        written = await self._letters.draft(context, arguments)
        id = message_id(context.key, written.letter.sender)
        async with self._office.storage.app.read() as session:
            remote = await queries.find_draft(session, written.account.id, id)
        if remote is None:
            return None
        data = {
            "status": "saved among the drafts",
            "account": Ref("account", written.account.id),
            "subject": written.letter.subject,
        }
        receipt = {"remote_id": remote, "account_id": written.account.id}
        return ToolOutput(data, summary="a draft", receipt=receipt)

    async def undraft(
        self, context: ToolContext, arguments: Arguments, receipt: Receipt
    ) -> ToolOutput:
        """Take a draft away again."""
        async with self._office.storage.app.read() as session:
            account = await self._office.own_account(session, context, receipt["account_id"])
        async with self._office.mailbox(account, need="drafts") as mailbox:
            await mailbox.remove_draft(receipt["remote_id"])
        return ToolOutput({"status": "removed"}, summary="a draft is gone")

    async def preview_draft(self, context: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
        """The draft."""
        written = await self._letters.draft(context, arguments)
        letter = written.letter
        to = ", ".join(letter.recipients.all) or "nobody yet"
        text = f"To: {to}\nSubject: {letter.subject}\n\n{text_of(letter)[:_MOST_SHOWN]}"
        note = f"A draft in {written.account.label}. Nothing is sent."
        return {"kind": "text", "note": note, "text": text, "account": written.account.label}

    async def preview_label(self, context: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
        """What would be put on and taken off."""
        add, remove = _wanted(arguments)
        on = f"Puts on {', '.join(add)}. " if add else ""
        off = f"Takes off {', '.join(remove)}." if remove else ""
        return await self._note(context, arguments, f"{on}{off}")

    async def preview_archive(
        self, context: ToolContext, arguments: Arguments
    ) -> Mapping[str, Any]:
        """Which mail would leave the inbox."""
        return await self._note(context, arguments, "Takes it out of the inbox.")

    async def preview_mark(self, context: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
        """How it would be marked."""
        words = {"seen": ("read", "unread"), "flagged": ("flagged", "not flagged")}
        told = [words[flag][0 if arguments[flag] else 1] for flag in _FLAGS if flag in arguments]
        return await self._note(context, arguments, f"Marks it as {' and '.join(told)}.")

    async def draft_targets(
        self, context: ToolContext, arguments: Arguments
    ) -> Sequence[tuple[TargetKind, str]]:
        """Whoever a draft would go to, if it were sent."""
        if not arguments.get("email_id"):
            return ()
        try:
            found = await self._letters.recipients_of_reply(context, arguments)
        except BailiwickError:
            return ()
        return [("address", address) for address in found.all]

    async def _note(
        self, context: ToolContext, arguments: Arguments, told: str
    ) -> Mapping[str, Any]:
        message, account = await self._office.mail(context, arguments["email_id"])
        about = f"“{message.subject[:200]}” from {message.sender_address} in {account.label}."
        return {"kind": "note", "text": f"{about} {told} This can be undone."}

    async def _flag(
        self, context: ToolContext, message: MailMessage, wanted: Mapping[str, bool]
    ) -> None:
        async with self._office.storage.app.read() as session:
            account = await self._office.own_account(session, context, message.account_id)
            known = await placements.of(session, message)
        add: list[Flag] = [flag for flag in _FLAGS if wanted.get(flag) is True]
        remove: list[Flag] = [flag for flag in _FLAGS if wanted.get(flag) is False]
        async with self._office.mailbox(account, need="organise") as mailbox:
            await mailbox.set_flags(placements.remote_id(known), add=add, remove=remove)
        async with self._office.storage.app.write() as session:
            row = await session.get(MailMessage, message.number)
            if row:
                for flag, value in wanted.items():
                    setattr(row, flag, value)
                placements.tell(session, row)


def _wanted(arguments: Arguments) -> tuple[list[str], list[str]]:
    add = list(dict.fromkeys(title.strip() for title in arguments.get("add", ())))
    remove = list(dict.fromkeys(title.strip() for title in arguments.get("remove", ())))
    if not add and not remove:
        raise Invalid.field("add", "name at least one label to put on or take off")
    if both := set(add) & set(remove):
        raise Invalid.field("remove", f"{min(both)!r} cannot be put on and taken off at once")
    return add, remove


def _check_labels(titles: Sequence[str], known: Sequence[MailFolder]) -> None:
    """Labels only: a folder's name in their place would move a mail, or throw it away."""
    taken = {
        name.casefold()
        for folder in known
        if folder.kind != "label" or folder.role
        for name in (folder.title, folder.remote)
    }
    for title in titles:
        if _RESERVED.fullmatch(title) or title.casefold() in taken:
            raise Invalid.field("add", f"{title!r} is no label that can be put on or taken off")


def _ref(message: MailMessage) -> Ref:
    return Ref("email", message.id, message.account_id)
