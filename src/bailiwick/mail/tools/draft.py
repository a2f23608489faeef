"""The tool that puts a draft into the mailbox, beside its inverse."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.errors import BailiwickError
from bailiwick.kit import clock
from bailiwick.mail.compose.message import build, message_id, text_of
from bailiwick.mail.tools import attached, queries
from bailiwick.mail.tools.arguments import DraftEmail
from bailiwick.mail.tools.letters import Letters, Written
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.mail.tools.outputs import SavedDraft
from bailiwick.tools.facts import AttachedFile, digest
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Receipt, Ref, TargetKind, Tool, ToolContext, ToolOutput

_MOST_SHOWN = 20_000


def tools(office: Mailroom) -> list[Tool]:
    """The tool that drafts mail."""
    drafting = MailDrafter(office)
    return [
        Tool(
            name="draft_email",
            title="Draft a mail",
            description=(
                "Put a draft into the mailbox for a person to look at and send; an answer if a "
                "mail is named. Nothing is sent."
            ),
            arguments=DraftEmail,
            output=schema_of(SavedDraft),
            effect="create",
            run=drafting.draft,
            undo=drafting.undraft,
            replay="lookup",
            lookup=drafting.drafted,
            preview=drafting.preview,
            attached=drafting.files,
            targets={
                "to": "address",
                "cc": "address",
                "bcc": "address",
                "account": "account",
                "attach_files": "file",
                "attach_from": "email",
            },
            more_targets=drafting.targets,
            ids={"email_id": "email", "account": "account", "attach_from": "email"},
            outside=True,
            account=office.account_of_draft,
        ),
    ]


class MailDrafter:
    """The code of the draft tool."""

    def __init__(self, office: Mailroom) -> None:
        self._office = office
        self._letters = Letters(office)

    async def draft(self, context: ToolContext, arguments: DraftEmail) -> ToolOutput:
        """Save a draft in the mailbox; nothing is sent."""
        written = await self._letters.draft(context, arguments)
        thread = written.answers.remote_thread if written.answers else None
        built = await asyncio.to_thread(
            build, written.letter, key=context.key, at=clock.now(), is_draft=True
        )
        async with self._office.mailbox(written.account, need="drafts") as mailbox:
            remote = await mailbox.save_draft(built.raw, thread=thread)
        return _saved(written, remote)

    async def drafted(self, context: ToolContext, arguments: DraftEmail) -> ToolOutput | None:
        """Whether this draft is in the mailbox, by what the fetcher has stored."""
        written = await self._letters.draft(context, arguments)
        id = message_id(context.key, written.letter.sender)
        async with self._office.storage.app.read() as session:
            remote = await queries.find_draft(session, written.account.id, id)
        if remote is None:
            return None
        return _saved(written, remote)

    async def undraft(
        self, context: ToolContext, arguments: DraftEmail, receipt: Receipt
    ) -> ToolOutput:
        """Remove the draft."""
        async with self._office.storage.app.read() as session:
            account = await self._office.own_account(session, context, receipt["account_id"])
        async with self._office.mailbox(account, need="drafts") as mailbox:
            await mailbox.remove_draft(receipt["remote_id"])
        return ToolOutput({"status": "removed"}, summary="a draft is gone")

    async def preview(self, context: ToolContext, arguments: DraftEmail) -> Mapping[str, Any]:
        """The draft to be saved."""
        written = await self._letters.draft(context, arguments)
        letter = written.letter
        to = ", ".join(letter.recipients.all) or "nobody yet"
        whole = text_of(letter)
        text = f"To: {to}\nSubject: {letter.subject}\n\n{whole[:_MOST_SHOWN]}"
        return {
            "kind": "text",
            "note": f"A draft in {written.account.label}. Nothing is sent.",
            "text": text,
            "truncated": len(whole) > _MOST_SHOWN,
            "account": written.account.label,
            "digest": digest(whole.encode()),
            "attachments": attached.on_card(letter.attachments),
        }

    async def files(self, context: ToolContext, arguments: DraftEmail) -> Sequence[AttachedFile]:
        """What would go with a draft."""
        return attached.as_files((await self._letters.draft(context, arguments)).letter.attachments)

    async def targets(
        self, context: ToolContext, arguments: DraftEmail
    ) -> Sequence[tuple[TargetKind, str]]:
        """The recipients of the draft."""
        if not arguments.email_id:
            return ()
        try:
            found = await self._letters.recipients_of_reply(context, arguments.email_id, arguments)
        except BailiwickError:
            return ()
        return [("address", address) for address in found.all]


def _saved(written: Written, remote: str) -> ToolOutput:
    data = {
        "status": "saved among the drafts",
        "account": Ref("account", written.account.id),
        "subject": written.letter.subject,
    }
    receipt = {"remote_id": remote, "account_id": written.account.id}
    return ToolOutput(data, summary="a draft", receipt=receipt)
