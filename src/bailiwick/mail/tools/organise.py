"""The tools that organise mail at its provider, each beside its inverse."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.connectors.mail import MailFlag
from bailiwick.errors import Invalid
from bailiwick.mail.models import MailFolder, MailMessage
from bailiwick.mail.tools import placements, queries
from bailiwick.mail.tools.arguments import LabelEmail, MarkEmail, OneEmail
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.mail.tools.outputs import FiledEmail
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Receipt, Ref, Tool, ToolContext, ToolOutput

_FLAGS: tuple[MailFlag, ...] = ("seen", "flagged")
# Names that providers use for folders: as a label, one would move or delete the mail.
_RESERVED = re.compile(
    r"(?i)[\\$\[%#].*|inbox|sent|sent (mail|items|messages)|drafts?|trash|bin|deleted( items)?|"
    r"spam|junk|junk e-?mail|all mail|archive|starred|unread|important|chats?|category_.*"
)
_MOST_SHOWN = 20_000


def tools(office: Mailroom) -> list[Tool]:
    """The tools that organise mail."""
    filing = MailOrganiser(office)
    by_id: dict[str, Any] = {
        "targets": {"email_id": "email"},
        "ids": {"email_id": "email"},
        "outside": True,
        "account": office.account_of_mail,
        "output": schema_of(FiledEmail),
    }
    return [
        Tool(
            name="label_email",
            title="Label a mail",
            description="Put labels on a mail and take labels off. A label that is new is made.",
            arguments=LabelEmail,
            effect="label",
            run=filing.label,
            undo=filing.unlabel,
            preview=filing.preview_label,
            **by_id,
        ),
        Tool(
            name="archive_email",
            title="Archive a mail",
            description="Take a mail out of the inbox. It stays in the archive.",
            arguments=OneEmail,
            effect="move",
            run=filing.archive,
            undo=filing.unarchive,
            preview=filing.preview_archive,
            **by_id,
        ),
        Tool(
            name="mark_email",
            title="Mark a mail",
            description="Mark a mail as read or unread, flagged or not.",
            arguments=MarkEmail,
            effect="label",
            run=filing.mark,
            undo=filing.unmark,
            preview=filing.preview_mark,
            **by_id,
        ),
    ]


class MailOrganiser:
    """The code of the organising tools."""

    def __init__(self, office: Mailroom) -> None:
        self._office = office

    async def label(self, context: ToolContext, arguments: LabelEmail) -> ToolOutput:
        """Add and remove labels of a mail."""
        add, remove = _labels(arguments)
        message, account = await self._office.mail(context, arguments.email_id)
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
        self, context: ToolContext, arguments: LabelEmail, receipt: Receipt
    ) -> ToolOutput:
        """Restore the labels that a mail had."""
        message, account = await self._office.mail(context, arguments.email_id)
        async with self._office.storage.app.read() as session:
            known = await placements.of(session, message)
        async with self._office.mailbox(account, need="organise") as mailbox:
            await mailbox.relabel(
                placements.remote_id(known), add=receipt["add"], remove=receipt["remove"]
            )
        return ToolOutput({"id": _ref(message), "status": "as before"}, summary="labels as before")

    async def archive(self, context: ToolContext, arguments: OneEmail) -> ToolOutput:
        """Take a mail out of the inbox."""
        message, account = await self._office.mail(context, arguments.email_id)
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
        self, context: ToolContext, arguments: OneEmail, receipt: Receipt
    ) -> ToolOutput:
        """Put a mail back into the inbox."""
        message, account = await self._office.mail(context, arguments.email_id)
        data = {"id": _ref(message), "status": "in the inbox"}
        if receipt["remote_id"] is None:
            return ToolOutput(data, summary="nothing to take back")
        async with self._office.storage.app.read() as session:
            known = await placements.of(session, message)
        archive = next((place for place in known if place.folder.role == "archive"), None)
        # The fetcher's newer id, if there is one: an id may change with every move.
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

    async def mark(self, context: ToolContext, arguments: MarkEmail) -> ToolOutput:
        """Mark a mail as read or unread, flagged or not."""
        flags = arguments.flags
        if not flags:
            raise Invalid.field("seen", "say what to change: seen, flagged or both")
        message, _ = await self._office.mail(context, arguments.email_id)
        before = {flag: bool(getattr(message, flag)) for flag in flags}
        await self._flag(context, message, flags)
        data = {"id": _ref(message), **flags}
        return ToolOutput(data, summary=", ".join(flags), receipt={"before": before})

    async def unmark(
        self, context: ToolContext, arguments: MarkEmail, receipt: Receipt
    ) -> ToolOutput:
        """Restore the marks that a mail had."""
        message, _ = await self._office.mail(context, arguments.email_id)
        await self._flag(context, message, receipt["before"])
        return ToolOutput({"id": _ref(message), **receipt["before"]}, summary="marked as before")

    async def preview_label(self, context: ToolContext, arguments: LabelEmail) -> Mapping[str, Any]:
        """The labels to be added and removed."""
        add, remove = _labels(arguments)
        on = f"Puts on {', '.join(add)}. " if add else ""
        off = f"Takes off {', '.join(remove)}." if remove else ""
        return await self._note(context, arguments, f"{on}{off}")

    async def preview_archive(self, context: ToolContext, arguments: OneEmail) -> Mapping[str, Any]:
        """The mail to be archived."""
        return await self._note(context, arguments, "Takes it out of the inbox.")

    async def preview_mark(self, context: ToolContext, arguments: MarkEmail) -> Mapping[str, Any]:
        """The marks to be set."""
        words = {"seen": ("read", "unread"), "flagged": ("flagged", "not flagged")}
        marks = [words[flag][0 if on else 1] for flag, on in arguments.flags.items()]
        return await self._note(context, arguments, f"Marks it as {' and '.join(marks)}.")

    async def _note(
        self, context: ToolContext, arguments: OneEmail, text: str
    ) -> Mapping[str, Any]:
        message, account = await self._office.mail(context, arguments.email_id)
        about = f"“{message.subject[:200]}” from {message.sender_address} in {account.label}."
        return {"kind": "note", "text": f"{about} {text} This can be undone."}

    async def _flag(
        self, context: ToolContext, message: MailMessage, flags: Mapping[MailFlag, bool]
    ) -> None:
        async with self._office.storage.app.read() as session:
            account = await self._office.own_account(session, context, message.account_id)
            known = await placements.of(session, message)
        add: list[MailFlag] = [flag for flag in _FLAGS if flags.get(flag) is True]
        remove: list[MailFlag] = [flag for flag in _FLAGS if flags.get(flag) is False]
        async with self._office.mailbox(account, need="organise") as mailbox:
            await mailbox.set_flags(placements.remote_id(known), add=add, remove=remove)
        async with self._office.storage.app.write() as session:
            row = await session.get(MailMessage, message.number)
            if row:
                for flag, value in flags.items():
                    setattr(row, flag, value)
                placements.emit(session, row)


def _labels(arguments: LabelEmail) -> tuple[list[str], list[str]]:
    add = list(dict.fromkeys(title.strip() for title in arguments.add))
    remove = list(dict.fromkeys(title.strip() for title in arguments.remove))
    if not add and not remove:
        raise Invalid.field("add", "name at least one label to put on or take off")
    if both := set(add) & set(remove):
        raise Invalid.field("remove", f"{min(both)!r} cannot be put on and taken off at once")
    return add, remove


def _check_labels(titles: Sequence[str], known: Sequence[MailFolder]) -> None:
    """Refuse a folder's name as a label, which would move or delete the mail."""
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
