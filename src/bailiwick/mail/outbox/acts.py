"""What a person alone does with mail on its way out: through the gate, so that it is audited.

These are no tools of the office: no agent and no program is ever offered them.
"""

from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import reader_for
from bailiwick.instance.changes import Actor
from bailiwick.kit.db import Store
from bailiwick.mail.models import Outgoing
from bailiwick.mail.outbox import repository, service
from bailiwick.mail.tools import accounts
from bailiwick.tools.arguments import ToolArguments
from bailiwick.tools.facts import AccountFacts
from bailiwick.tools.tool import Tool, ToolContext, ToolOutput


class OneOutgoing(ToolArguments):
    """The mail that it is about."""

    outbox_id: str


class ResolvedOutgoing(OneOutgoing):
    """A mail of which a person says whether it went out."""

    sent: bool


class OutboxActs:
    """What a person does, on one store."""

    def __init__(self, app: Store) -> None:
        self._app = app
        self.send_now = Tool(
            name="send_outgoing_now",
            title="Send a held mail at once",
            description="Let a mail go without further delay, or once more after it failed.",
            arguments=OneOutgoing,
            effect="send",
            run=self._send_now,
            outside=True,
            account=self._account,
        )
        self.cancel = Tool(
            name="cancel_outgoing",
            title="Take back a held mail",
            description="Take a mail back before it goes.",
            arguments=OneOutgoing,
            effect="edit",
            run=self._cancel,
            account=self._account,
        )
        self.resolve = Tool(
            name="resolve_outgoing",
            title="Say whether a mail went out",
            description="Say whether a mail went out; one that did not is sent now.",
            arguments=ResolvedOutgoing,
            effect="send",
            run=self._resolve,
            outside=True,
            account=self._account,
        )

    async def _send_now(self, context: ToolContext, arguments: OneOutgoing) -> ToolOutput:
        async with self._app.write() as session:
            row = await service.send_now(session, arguments.outbox_id)
        return _output(row, "goes out at once")

    async def _cancel(self, context: ToolContext, arguments: OneOutgoing) -> ToolOutput:
        by = Actor(context.actor_id, context.actor_name)
        async with self._app.write() as session:
            row = await service.cancel(session, arguments.outbox_id, by=by)
        return _output(row, "was taken back before it went")

    async def _resolve(self, context: ToolContext, arguments: ResolvedOutgoing) -> ToolOutput:
        by = Actor(context.actor_id, context.actor_name)
        async with self._app.write() as session:
            row = await service.resolve(session, arguments.outbox_id, by=by, sent=arguments.sent)
        return _output(row, "went out" if arguments.sent else "did not go out, and goes now")

    async def _account(self, context: ToolContext, arguments: OneOutgoing) -> AccountFacts | None:
        async with self._app.read() as session:
            reader = await reader_for(session, context.user_id)
            row = await repository.get(session, reader, arguments.outbox_id)
            account = await session.get(Account, row.account_id)
            return await accounts.facts(session, context, account) if account else None


def _output(row: Outgoing, what: str) -> ToolOutput:
    return ToolOutput({"outbox_id": row.id, "status": row.status}, summary=f"a mail {what}")
