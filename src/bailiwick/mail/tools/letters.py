"""Turns the arguments of a call into a letter: its recipients and its content."""

from collections.abc import Sequence
from dataclasses import dataclass

from bailiwick.accounts import repository as accounts_repository
from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import reader_for
from bailiwick.errors import Forbidden, Invalid
from bailiwick.mail import raw
from bailiwick.mail.compose import replies
from bailiwick.mail.compose.addresses import all_checked, usable, without_doubles
from bailiwick.mail.compose.message import LARGEST, Attachment, Letter
from bailiwick.mail.compose.replies import Recipients
from bailiwick.mail.models import MailMessage
from bailiwick.mail.tools import accounts, attached
from bailiwick.mail.tools.arguments import DraftEmail, ReplyEmail, SendEmail
from bailiwick.mail.tools.mailroom import Mailroom, find_mail
from bailiwick.tools.tool import ToolContext


@dataclass(frozen=True, slots=True)
class Written:
    """A letter, its account, and the mail that it answers."""

    letter: Letter
    account: Account
    answers: MailMessage | None = None


class Letters:
    """Builds letters from arguments."""

    def __init__(self, office: Mailroom) -> None:
        self._office = office

    async def new(self, context: ToolContext, arguments: SendEmail) -> Written:
        """The letter of a new mail."""
        async with self._office.storage.app.read() as session:
            account = await accounts.chosen(session, context, arguments.account)
        letter = Letter(
            sender=usable(account.address) or account.address,
            sender_name=account.display_name,
            recipients=_named(arguments).counted(),
            subject=arguments.subject,
            body=arguments.body,
            signature=account.signature,
            attachments=await self._attachments(context, account, arguments),
        )
        return Written(letter, account)

    async def reply(self, context: ToolContext, arguments: ReplyEmail) -> Written:
        """The reply to a mail, from the account that received it."""
        return await self._reply(context, arguments.email_id, arguments)

    async def _reply(
        self, context: ToolContext, email_id: str, arguments: ReplyEmail | DraftEmail
    ) -> Written:
        message, account = await self._office.mail(context, email_id)
        letter = Letter(
            sender=usable(account.address) or account.address,
            sender_name=account.display_name,
            recipients=(await self._answered(context, message, arguments)).counted(),
            subject=replies.subject(message),
            body=arguments.body,
            signature=account.signature,
            quote=replies.quoted(message),
            references=replies.references(message),
            attachments=await self._attachments(context, account, arguments),
        )
        return Written(letter, account, message)

    async def draft(self, context: ToolContext, arguments: DraftEmail) -> Written:
        """The draft: a reply if it names a mail, else a new mail; it may lack recipients."""
        if arguments.email_id:
            return await self._reply(context, arguments.email_id, arguments)
        async with self._office.storage.app.read() as session:
            account = await accounts.chosen(session, context, arguments.account)
        letter = Letter(
            sender=usable(account.address) or account.address,
            sender_name=account.display_name,
            recipients=_named(arguments),
            subject=arguments.subject,
            body=arguments.body,
            signature=account.signature,
            attachments=await self._attachments(context, account, arguments),
        )
        return Written(letter, account)

    async def recipients_of_reply(
        self, context: ToolContext, email_id: str, arguments: ReplyEmail | DraftEmail
    ) -> Recipients:
        """The recipients of a reply."""
        message, _ = await self._office.mail(context, email_id)
        return await self._answered(context, message, arguments)

    async def _answered(
        self, context: ToolContext, message: MailMessage, arguments: ReplyEmail | DraftEmail
    ) -> Recipients:
        async with self._office.storage.app.read() as session:
            reader = await reader_for(session, context.user_id)
            of_all = await accounts_repository.of_workspace(
                session, reader, message.workspace_id, enabled_only=False
            )
        own = [account.address for account in of_all]
        found = replies.recipients(message, own=own, all=arguments.all)
        more = all_checked(arguments.cc, field="cc")
        cc = without_doubles((*found.cc, *more), but=found.to)
        hidden = arguments.bcc if isinstance(arguments, DraftEmail) else ()
        bcc = all_checked(hidden, field="bcc")
        return Recipients(found.to, cc, without_doubles(bcc, but=(*found.to, *cc)))

    async def _attachments(
        self, context: ToolContext, account: Account, arguments: SendEmail | ReplyEmail | DraftEmail
    ) -> tuple[Attachment, ...]:
        paths, source = arguments.attach_files, arguments.attach_from
        if (paths or source) and not context.scope.read:
            raise Forbidden("Who may not read may not send what there is to read.")
        files = [await self._office.file(context, path) for path in paths]
        found = [Attachment(file.name, file.type, file.content) for file in files]
        if source:
            found += await self._of_mail(context, account, source, arguments.attach_parts)
        if sum(len(each.content) for each in found) > LARGEST:
            raise Invalid.field(
                "attach_files", f"together they are larger than {LARGEST // 1_000_000} MB"
            )
        attached.require_as_allowed(context, found)
        return tuple(found)

    async def _of_mail(
        self, context: ToolContext, account: Account, id: str, wanted: Sequence[str] | None
    ) -> list[Attachment]:
        async with self._office.storage.app.read() as session:
            message, holder = await find_mail(session, context, id)
        if holder.id != account.id:
            # Sending from another account would get round a rule about this one's mail.
            reason = f"that mail is in {holder.label!r}; send it on from there"
            raise Invalid.field("attach_from", reason)
        kept = {part["part"]: part for part in message.attachments}
        parts = wanted if wanted is not None else [n for n in kept if not kept[n]["inline"]]
        if unknown := [number for number in parts if number not in kept]:
            raise Invalid.field("attach_parts", f"that mail has no part {unknown[0][:20]!r}")
        once = list(dict.fromkeys(parts))
        async with self._office.storage.app.read() as session:
            found = await raw.attached(session, self._office.blobs, message, once)
        return [Attachment(each.name, each.type, each.content) for each in found]


def _named(arguments: SendEmail | DraftEmail) -> Recipients:
    to = all_checked(arguments.to, field="to")
    cc = without_doubles(all_checked(arguments.cc, field="cc"), but=to)
    bcc = all_checked(arguments.bcc, field="bcc")
    return Recipients(to, cc, without_doubles(bcc, but=(*to, *cc)))
