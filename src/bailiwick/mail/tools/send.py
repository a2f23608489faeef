"""The tools that send: a message is built, stored and held; the outbox submits it later."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.errors import BailiwickError
from bailiwick.instance.changes import Actor
from bailiwick.kit import clock
from bailiwick.mail import raw
from bailiwick.mail.compose.message import build, text_of
from bailiwick.mail.models import Outgoing
from bailiwick.mail.outbox import repository, service
from bailiwick.mail.tools import attached
from bailiwick.mail.tools.arguments import ReplyEmail, SendEmail
from bailiwick.mail.tools.letters import Letters, Written
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.mail.tools.outputs import HeldEmail
from bailiwick.tools.facts import AttachedFile, digest
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Receipt, Ref, TargetKind, Tool, ToolContext, ToolOutput

_MOST_SHOWN = 20_000


def tools(office: Mailroom) -> list[Tool]:
    """The tools that send mail."""
    sending = MailSender(office)
    return [
        Tool(
            name="send_email",
            title="Send a mail",
            description=(
                "Send a new mail. It is held in the outbox for a short while, in which it can be "
                "taken back, and then goes out once. To answer a mail, use reply_email."
            ),
            arguments=SendEmail,
            output=schema_of(HeldEmail),
            effect="send",
            run=sending.send,
            undo=sending.unsend,
            preview=sending.preview_send,
            attached=sending.files_of_new,
            targets={
                "to": "address",
                "cc": "address",
                "bcc": "address",
                "account": "account",
                "attach_files": "file",
                "attach_from": "email",
            },
            ids={"account": "account", "attach_from": "email"},
            outside=True,
            account=office.account,
        ),
        Tool(
            name="reply_email",
            title="Answer a mail",
            description=(
                "Answer a mail from the account that got it, to its sender or to everyone. It is "
                "held in the outbox for a short while, in which it can be taken back."
            ),
            arguments=ReplyEmail,
            output=schema_of(HeldEmail),
            effect="send",
            run=sending.reply,
            undo=sending.unsend,
            preview=sending.preview_reply,
            attached=sending.files_of_reply,
            # Not the answered mail: the targets are the recipients.
            targets={"cc": "address", "attach_files": "file", "attach_from": "email"},
            more_targets=sending.reply_targets,
            ids={"email_id": "email", "attach_from": "email"},
            outside=True,
            account=office.account_of_mail,
        ),
    ]


class MailSender:
    """The code of the sending tools."""

    def __init__(self, office: Mailroom) -> None:
        self._office = office
        self._letters = Letters(office)

    async def send(self, context: ToolContext, arguments: SendEmail) -> ToolOutput:
        """Put a new mail into the outbox."""
        return await self._known(context) or await self._hold(
            context, await self._letters.new(context, arguments)
        )

    async def reply(self, context: ToolContext, arguments: ReplyEmail) -> ToolOutput:
        """Put a reply into the outbox."""
        return await self._known(context) or await self._hold(
            context, await self._letters.reply(context, arguments)
        )

    async def unsend(
        self, context: ToolContext, arguments: SendEmail | ReplyEmail, receipt: Receipt
    ) -> ToolOutput:
        """Cancel the mail while it is held; afterwards the refusal says when it was sent."""
        async with self._office.storage.app.write() as session:
            by = Actor(context.actor_id, context.actor_name)
            row = await service.cancel(session, receipt["outbox_id"], by=by)
        return ToolOutput({"status": row.status}, summary="taken back before it was sent")

    async def preview_send(self, context: ToolContext, arguments: SendEmail) -> Mapping[str, Any]:
        """The mail to be sent."""
        return await self._card(await self._letters.new(context, arguments))

    async def preview_reply(self, context: ToolContext, arguments: ReplyEmail) -> Mapping[str, Any]:
        """The reply to be sent."""
        return await self._card(await self._letters.reply(context, arguments))

    async def files_of_new(
        self, context: ToolContext, arguments: SendEmail
    ) -> Sequence[AttachedFile]:
        """What would go with a new message."""
        return attached.as_files((await self._letters.new(context, arguments)).letter.attachments)

    async def files_of_reply(
        self, context: ToolContext, arguments: ReplyEmail
    ) -> Sequence[AttachedFile]:
        """What would go with an answer."""
        return attached.as_files((await self._letters.reply(context, arguments)).letter.attachments)

    async def reply_targets(
        self, context: ToolContext, arguments: ReplyEmail
    ) -> Sequence[tuple[TargetKind, str]]:
        """The recipients of a reply: the mail's sender chose them, so they count as ungrounded."""
        try:
            found = await self._letters.recipients_of_reply(context, arguments.email_id, arguments)
        except BailiwickError:
            return ()  # the call itself refuses it
        return [("address", address) for address in found.all]

    async def _known(self, context: ToolContext) -> ToolOutput | None:
        """The outgoing mail that this call has made before."""
        async with self._office.storage.app.read() as session:
            row = await repository.by_key(session, service.digest(context.key))
        return _output(row) if row else None

    async def _hold(self, context: ToolContext, written: Written) -> ToolOutput:
        letter, account = written.letter, written.account
        self._office.check_permission(account, "send")
        built = await asyncio.to_thread(build, letter, key=context.key, at=clock.now())
        new = service.Finished(
            account=account,
            built=built,
            blob=await asyncio.to_thread(raw.own(self._office.blobs).put, built.raw),
            recipients=letter.recipients,
            subject=letter.subject,
            body=letter.body,
            answers=written.answers,
            label=context.label,
            by=Actor(context.actor_id, context.actor_name),
            key=context.key,
        )
        seconds = (await self._office.settings.current()).outbox_delay_seconds
        async with self._office.storage.app.write() as session:
            row = await service.hold(session, new, seconds=seconds)
        return _output(row)

    async def _card(self, written: Written) -> Mapping[str, Any]:
        letter, account = written.letter, written.account
        seconds = (await self._office.settings.current()).outbox_delay_seconds
        everyone = letter.recipients.stored()
        names = [attachment.name for attachment in letter.attachments]
        head = {
            "From": f"{account.label} <{account.address}>",
            **{kind.title(): ", ".join(some) for kind, some in everyone.items() if some},
            "Subject": letter.subject,
            **({"Attached": ", ".join(names)} if names else {}),
        }
        text = "\n".join(f"{name}: {value}" for name, value in head.items())
        whole = text_of(letter)
        held = f"It is held for {seconds} seconds, and can be taken back until then."
        return {
            "kind": "text",
            "note": held if seconds else "It goes out at once.",
            "text": f"{text}\n\n{whole[:_MOST_SHOWN]}",
            "truncated": len(whole) > _MOST_SHOWN,
            "account": account.label,
            "recipients": everyone,
            "subject": letter.subject,
            "digest": digest(whole.encode()),
            "attachments": attached.on_card(letter.attachments),
        }


def _output(row: Outgoing) -> ToolOutput:
    everyone: dict[str, list[str]] = row.recipients
    data = {
        "status": row.status,
        "outbox_id": row.id,
        "account": Ref("account", row.account_id),
        **everyone,
        "subject": row.subject,
        "goes_out_at": row.due_at.isoformat(),
    }
    count = sum(len(some) for some in everyone.values())
    return ToolOutput(
        data,
        summary=f"to {count} {'address' if count == 1 else 'addresses'}",
        receipt={"outbox_id": row.id},
    )
