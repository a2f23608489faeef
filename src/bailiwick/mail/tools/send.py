"""The tools that send: a message is built, kept and held; the outbox hands it over later."""

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
from bailiwick.mail.tools.letters import Letters, Written
from bailiwick.mail.tools.mailroom import Mailroom
from bailiwick.tools.tool import Arguments, Receipt, Ref, TargetKind, ToolContext, ToolOutput

_MOST_SHOWN = 20_000


class MailSender:
    """What the sending tools do."""

    def __init__(self, office: Mailroom) -> None:
        self._office = office
        self._letters = Letters(office)

    async def send(self, context: ToolContext, arguments: Arguments) -> ToolOutput:
        """Put a new message into the outbox."""
        return await self._known(context) or await self._hold(
            context, await self._letters.new(context, arguments)
        )

    async def reply(self, context: ToolContext, arguments: Arguments) -> ToolOutput:
        """Put an answer into the outbox."""
        return await self._known(context) or await self._hold(
            context, await self._letters.reply(context, arguments)
        )

    async def unsend(
        self, context: ToolContext, arguments: Arguments, receipt: Receipt
    ) -> ToolOutput:
        """Take it back while it is held; afterwards this says when it was sent."""
        async with self._office.storage.app.write() as session:
            by = Actor(context.actor_id, context.actor_name)
            row = await service.cancel(session, receipt["outbox_id"], by=by)
        return ToolOutput({"status": row.status}, summary="taken back before it was sent")

    async def preview_send(self, context: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
        """The message as it would go out."""
        return await self._card(await self._letters.new(context, arguments))

    async def preview_reply(self, context: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
        """The answer as it would go out."""
        return await self._card(await self._letters.reply(context, arguments))

    async def reply_targets(
        self, context: ToolContext, arguments: Arguments
    ) -> Sequence[tuple[TargetKind, str]]:
        """Whoever gets an answer: its sender chose them, so they count as named by nobody."""
        try:
            found = await self._letters.recipients_of_reply(context, arguments)
        except BailiwickError:
            return ()  # it is refused when it is tried
        return [("address", address) for address in found.all]

    async def _known(self, context: ToolContext) -> ToolOutput | None:
        """What this very call has put into the outbox before."""
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
            "attachments": names,
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
