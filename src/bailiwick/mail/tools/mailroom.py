"""`Mailroom`: the dependencies of the mail tools; finds mails and opens their accounts."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository
from bailiwick.accounts.models import Account
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.reader import reader_for
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.mail import Mailbox
from bailiwick.errors import Invalid, NotFound, RuleViolated, Unavailable
from bailiwick.mail.models import MailMessage
from bailiwick.mail.tools import accounts, queries
from bailiwick.mail.tools.arguments import (
    DraftEmail,
    ListEmails,
    OneEmail,
    ReplyEmail,
    SearchEmails,
    SendEmail,
)
from bailiwick.office import Office
from bailiwick.tools.facts import AccountFacts, AttachedFile, ReadsFiles
from bailiwick.tools.tool import ToolContext

NO_MAIL = "There is no such mail, or it is not open to you."


class Mailroom:
    """The dependencies of a mail tool, looked up in the office on use."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self.storage = office.storage
        self.blobs = office.blobs
        self.settings = office.changeable

    @property
    def opener(self) -> AccountOpener:
        """Opens accounts at their providers."""
        return self._office[AccountOpener]

    async def file(self, context: ToolContext, path: str) -> AttachedFile:
        """A file to attach, if the caller may read it."""
        for fact in self._office.facts(ReadsFiles):
            return await fact.read(self._office, context, path)
        raise Invalid.field("attach_files", "there are no files in this office")

    async def account(
        self, context: ToolContext, arguments: SendEmail | DraftEmail | ListEmails | SearchEmails
    ) -> AccountFacts:
        """The account that sends a new mail."""
        async with self.storage.app.read() as session:
            account = await accounts.chosen(session, context, arguments.account)
            return await accounts.facts(session, context, account)

    async def named_account(
        self, context: ToolContext, arguments: ListEmails | SearchEmails
    ) -> AccountFacts | None:
        """The named account, if one is named."""
        return await self.account(context, arguments) if arguments.account else None

    async def account_of_mail(
        self, context: ToolContext, arguments: OneEmail | ReplyEmail
    ) -> AccountFacts:
        """The account of a mail, even of one that is gone, so that actions can be undone."""
        return await self._holder(context, arguments.email_id)

    async def account_of_draft(self, context: ToolContext, arguments: DraftEmail) -> AccountFacts:
        """The account of a draft: that of the mail it answers, if it answers one."""
        if arguments.email_id:
            return await self._holder(context, arguments.email_id)
        return await self.account(context, arguments)

    async def accounts(self, context: ToolContext) -> list[AccountFacts]:
        """All accounts that a call without an account concerns."""
        async with self.storage.app.read() as session:
            known = await accounts.open_to(session, context)
            return [await accounts.facts(session, context, each) for each in known]

    async def _holder(self, context: ToolContext, email_id: str) -> AccountFacts:
        async with self.storage.app.read() as session:
            _, account = await find_mail(session, context, email_id, gone=True)
            return await accounts.facts(session, context, account)

    async def mail(self, context: ToolContext, id: str) -> tuple[MailMessage, Account]:
        """A mail in the caller's scope, and its account."""
        async with self.storage.app.read() as session:
            return await find_mail(session, context, id)

    async def own_account(self, session: AsyncSession, context: ToolContext, id: str) -> Account:
        """An account of this workspace that the caller may use, by its id."""
        known = await accounts.open_to(session, context)
        found = next((account for account in known if account.id == id), None)
        if found is None:
            raise NotFound("That account is not connected, or not open to you.")
        return found

    @asynccontextmanager
    async def mailbox(self, account: Account, *, need: str) -> AsyncGenerator[Mailbox]:
        """The account's mailbox at its provider; errors are worded without the provider's name."""
        self.check_permission(account, need)
        try:
            async with self.opener.mailbox(account.id) as mailbox:
                yield mailbox
        except ConnectorFailed as error:
            if error.problem != "other":
                await self.opener.failed(account.id, error)
            raise Unavailable(f"{account.label}: {accounts.reason(error.problem)}") from None

    def check_permission(self, account: Account, name: str) -> None:
        """Refuse what the user did not permit for this account."""
        connector = self.opener.connectors.find(account.connector)
        declared = {one.name: one.title for one in connector.permissions} if connector else {}
        if name in declared and name not in account.permissions:
            raise RuleViolated(
                f"{account.label}: “{declared[name]}” is not switched on for this account. A "
                f"person can change that on the accounts page."
            )


async def find_mail(
    session: AsyncSession, context: ToolContext, id: str, *, gone: bool = False
) -> tuple[MailMessage, Account]:
    """A mail of this workspace in an account that the caller may use, or `NotFound`."""
    reader = await reader_for(session, context.user_id)
    message = await queries.find(session, reader, context.workspace_id, id)
    if message is None or (message.gone_at and not gone):
        raise NotFound(NO_MAIL)
    account = await repository.find(session, message.account_id)
    if account is None or not account.enabled or not context.scope.allows_account(account.label):
        raise NotFound(NO_MAIL)
    return message, account
