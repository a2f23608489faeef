"""What needs a person waits for one; what a person has allowed passes once."""

from bailiwick.errors import Conflict
from bailiwick.gate.approvals import service
from bailiwick.gate.call import Denied, Outcome, Pending
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Park the call, unless nobody need be asked or the one who may has answered."""
    call = context.call
    if call.approval_id:
        context.approval_id = call.approval_id
        try:
            given = await service.redeem(dependencies, context)
        except Conflict as error:
            return Denied("approval_void", error.detail)
        if given.status == "pending":
            context.asks = given.reason
            return Pending(given.id, given.reason, given.expires_at)
        context.approved_by, context.card = given.answered_by or "operator", given.preview
        return await proceed(dependencies, context)
    if context.asks is None:
        return await proceed(dependencies, context)
    if call.caller.approves_itself:
        context.approved_by = call.caller.id
        return await proceed(dependencies, context)
    if context.known_tool.delegates_to:
        reason = (
            "Asking another agent is allowed or blocked by a rule, but does not wait for a person."
        )
        return Denied(
            "blocked", reason, rule_id=context.verdict.rule_id if context.verdict else None
        )
    approval = await service.park(dependencies, context)
    context.approval_id = approval.id
    return Pending(approval.id, approval.reason, approval.expires_at)
