"""What needs a person waits for one; what a person has allowed passes once."""

from bailiwick.errors import Conflict
from bailiwick.gate.approvals import service
from bailiwick.gate.call import Denied, Outcome, Pending
from bailiwick.gate.passage import Passage, Step
from bailiwick.gate.services import Services


async def check(services: Services, passage: Passage, proceed: Step) -> Outcome:
    """Park the call, unless nobody need be asked or the one who may has answered."""
    call = passage.call
    if call.approval_id:
        passage.approval_id = call.approval_id
        try:
            passage.approved_by = await service.redeem(services, passage)
        except Conflict as error:
            return Denied("approval_void", error.detail)
        return await proceed(services, passage)
    if passage.asks is None:
        return await proceed(services, passage)
    if call.caller.approves_itself:
        passage.approved_by = call.caller.id
        return await proceed(services, passage)
    if passage.known_tool.delegates_to:
        told = (
            "Asking another agent is allowed or blocked by a rule, but does not wait for a person."
        )
        return Denied("blocked", told, rule_id=passage.verdict.rule_id if passage.verdict else None)
    approval = await service.park(services, passage)
    passage.approval_id = approval.id
    return Pending(approval.id, approval.reason, approval.expires_at)
