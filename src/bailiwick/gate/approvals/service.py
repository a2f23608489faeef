"""Verbs of approvals.

An approval is bound to the tool and its version, the arguments, the account, the version of the
rules, the action that it takes back, and the card with the content of what is attached; it works
once, for the caller who asked. Answering is for a person with the right, in time.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import EVERYONE
from bailiwick.errors import Conflict, Invalid
from bailiwick.gate.actions import repository as actions
from bailiwick.gate.approvals import cards, repository
from bailiwick.gate.approvals.cards import ApprovalCard
from bailiwick.gate.context import CallContext
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.models import Approval
from bailiwick.gate.rules.cache import RuleBookCache
from bailiwick.identity.principal import OPERATOR, Principal
from bailiwick.instance import audience
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock, eventlog, ids
from bailiwick.office import Office
from bailiwick.tools.registry import Registry
from bailiwick.tools.tool import Arguments, Tool

REQUESTED, ALLOWED, DENIED = "approval.requested", "approval.allowed", "approval.denied"
EXPIRED, FINISHED = "approval.expired", "approval.finished"
log = structlog.stdlib.get_logger("bailiwick.approvals")


def key_of(id: str) -> str:
    """The idempotency key of the call that an approval lets through."""
    return f"approval:{id}"


def bind(
    tool: Tool,
    arguments: Arguments,
    *,
    account: str | None,
    policy: int,
    undoes: str | None,
    card: ApprovalCard | None,
) -> str:
    """What exactly a person says yes to."""
    parts = [tool.name, tool.version, arguments, account, policy, undoes, card]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _account(context: CallContext) -> str | None:
    return context.account.id if context.account else None


async def park(dependencies: GateDependencies, context: CallContext) -> Approval:
    """Keep the call until a person answers; the same call waits once."""
    call, tool = context.call, context.known_tool
    policy = (await dependencies.rulebooks.current()).version
    card = await cards.card_of(context)
    binding = bind(
        tool,
        call.arguments,
        account=_account(context),
        policy=policy,
        undoes=call.undoes,
        card=card,
    )
    hours = (await dependencies.settings.current()).approval_hours
    async with dependencies.storage.app.write() as session:
        if waiting := await repository.same(session, call.caller.id, call.context_id, binding):
            return waiting
        row = _row(context, binding=binding, policy=policy, hours=hours, card=card)
        session.add(row)
        emit(session, row, REQUESTED)
    return row


async def redeem(dependencies: GateDependencies, context: CallContext) -> Approval:
    """The approval of exactly this call, or `Conflict`; asked anew if its card has changed."""
    call = context.call
    assert call.approval_id
    async with dependencies.storage.app.read() as session:
        row = await repository.get(session, EVERYONE, call.approval_id)
    if row.status != "allowed" or call.idempotency_key != key_of(row.id):
        raise Conflict("This approval was not given, or was used already.")
    if row.caller_id != call.caller.id or row.caller_kind != call.caller.kind:
        raise Conflict("This approval was given to another caller.")
    policy = (await dependencies.rulebooks.current()).version
    # Who changes the arguments says which account; else it is the one that was on the card.
    account = None if row.edited else _account(context)
    binding = bind(
        context.known_tool,
        call.arguments,
        account=account,
        policy=policy,
        undoes=call.undoes,
        card=row.preview,
    )
    if row.binding != binding:
        raise Conflict("The rules, the tool or the account changed after it was allowed.")
    card = await cards.card_of(context)
    if card == row.preview or await _has_begun(dependencies, row):
        return row
    return await _asked_anew(dependencies, context, card)


async def _has_begun(dependencies: GateDependencies, row: Approval) -> bool:
    """Whether this very call was begun before a crash: then it is its own work that differs."""
    async with dependencies.storage.app.read() as session:
        begun = await actions.of_approval(session, row.id)
    return begun is not None and begun.status != "failed"


async def _asked_anew(
    dependencies: GateDependencies, context: CallContext, card: ApprovalCard | None
) -> Approval:
    """Put the question again, with what it would do now; the yes of before is void."""
    hours = (await dependencies.settings.current()).approval_hours
    assert context.call.approval_id
    async with dependencies.storage.app.write() as session:
        row = await repository.get(session, EVERYONE, context.call.approval_id, lock=True)
        if row.status != "allowed":
            raise Conflict("This approval was not given, or was used already.")
        row.reason = f"{cards.difference(row.preview, card)} It was allowed before; look again."
        row.arguments, row.edited = row.edited or row.arguments, None
        row.account_id, row.preview = _account(context), card
        row.binding = bind(
            context.known_tool,
            row.arguments,
            account=row.account_id,
            policy=row.policy_version,
            undoes=row.undoes,
            card=card,
        )
        row.status, row.answered_by, row.answered_at = "pending", None, None
        row.expires_at = clock.now() + timedelta(hours=hours)
        emit(session, row, REQUESTED)
    return row


async def allow(
    session: AsyncSession,
    principal: Principal,
    row: Approval,
    *,
    office: Office,
    arguments: Arguments | None,
    card: ApprovalCard | None,
) -> Approval:
    """Let the call through, with other arguments if the person changed them.

    `card` is what those arguments would do now; of changed ones nobody has seen another.
    """
    _still_open(row)
    tool = office[Registry].get(row.tool)
    if tool is None:
        raise Conflict(f"The tool {row.tool} is gone. Deny this one.")
    if arguments is not None and arguments != row.arguments:
        if row.undoes:
            raise Invalid.field("arguments", "what is taken back cannot be changed; leave them out")
        _check_edited(tool, arguments)
        row.edited = arguments
    policy = (await office[RuleBookCache].current()).version
    if policy != row.policy_version or tool.version != row.tool_version:
        raise ApprovalStale(row, policy=policy, tool=tool, card=row.preview)
    if card != row.preview and not row.edited:
        raise ApprovalStale(row, policy=policy, tool=tool, card=card)
    account = None if row.edited else row.account_id
    row.preview = card
    row.binding = bind(
        tool,
        row.edited or row.arguments,
        account=account,
        policy=policy,
        undoes=row.undoes,
        card=card,
    )
    _answered(session, row, principal, status="allowed", event=ALLOWED)
    return row


async def deny(
    session: AsyncSession, principal: Principal, row: Approval, *, note: str | None
) -> Approval:
    """Refuse the call for good."""
    _still_open(row)
    row.note = note
    row.finished_at = clock.now()
    _answered(session, row, principal, status="denied", event=DENIED)
    return row


class ApprovalStale(Conflict):
    """The rules, the tool or the card changed since the person was asked."""

    def __init__(
        self, row: Approval, *, policy: int, tool: Tool, card: ApprovalCard | None
    ) -> None:
        what = "The rules or the tool changed since this was asked."
        if card != row.preview:
            what = cards.difference(row.preview, card)
        super().__init__(f"{what} Look at it again, then answer.")
        self.id, self.policy, self.tool, self.card = row.id, policy, tool, card


def renew(row: Approval, stale: ApprovalStale) -> None:
    """Bind the question to what holds now; the person looks again."""
    row.policy_version, row.tool_version = stale.policy, stale.tool.version
    row.preview = stale.card
    row.binding = bind(
        stale.tool,
        row.arguments,
        account=row.account_id,
        policy=stale.policy,
        undoes=row.undoes,
        card=stale.card,
    )


async def expire(session: AsyncSession, _: RuntimeSettings) -> None:
    """End what nobody answered in time."""
    for row in await repository.overdue(session):
        row.status, row.finished_at = "expired", clock.now()
        emit(session, row, EXPIRED)


def emit(session: AsyncSession, row: Approval, type: str) -> None:
    """The event of an approval."""
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=tuple(
                {audience.user(row.owner_id), audience.user(row.user_id or OPERATOR.id)}
            ),
            workspace_id=row.workspace_id,
            actor_id=row.answered_by or row.caller_id,
            subject_id=row.id,
            data={"tool": row.tool, "status": row.status},
        ),
    )


def _still_open(row: Approval) -> None:
    if row.status == "pending" and row.expires_at <= clock.now():
        raise Conflict("It was asked too long ago, and has expired. It has to be asked again.")
    if row.status != "pending":
        raise Conflict(f"This was answered already: it is {_SAID.get(row.status, row.status)}.")


_SAID = {
    "allowed": "allowed, and about to run",
    "done": "allowed and done",
    "failed": "allowed, but it failed",
    "denied": "denied",
    "expired": "expired",
    "unknown": "allowed, but nobody knows whether it happened",
}


def _check_edited(tool: Tool, arguments: Mapping[str, Any]) -> None:
    if found := tool.arguments.faults_in(arguments):
        raise Invalid("The changed arguments do not fit the tool.", errors=found)


def _answered(
    session: AsyncSession, row: Approval, principal: Principal, *, status: str, event: str
) -> None:
    row.status, row.answered_by, row.answered_at = status, principal.id, clock.now()
    emit(session, row, event)


def _row(
    context: CallContext,
    *,
    binding: str,
    policy: int,
    hours: int,
    card: ApprovalCard | None,
) -> Approval:
    call, tool = context.call, context.known_tool
    now = clock.now()
    return Approval(
        id=ids.new("apv"),
        workspace_id=call.caller.workspace_id,
        user_id=call.caller.user_id,
        owner_id=context.owner_id,
        caller_kind=call.caller.kind,
        caller_id=call.caller.id,
        caller_name=call.caller.name,
        caller_version=call.caller.version,
        context_id=call.context_id,
        idempotency_key=call.idempotency_key,
        tool=tool.name,
        tool_version=tool.version,
        effect=context.effect,
        connector=context.connector or tool.connector,
        account_id=_account(context),
        undoes=call.undoes,
        arguments=call.arguments,
        preview=card,
        reason=context.asks or "",
        rule_id=context.verdict.rule_id if context.verdict else None,
        sources=[[source.label, source.about] for source in context.reading.sources],
        policy_version=policy,
        binding=binding,
        status="pending",
        created_at=now,
        expires_at=now + timedelta(hours=hours),
    )
