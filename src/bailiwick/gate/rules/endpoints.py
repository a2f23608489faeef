"""REST of rules."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from bailiwick.gate.rules import repository, service, trials
from bailiwick.gate.rules.cache import RuleBookCache
from bailiwick.gate.rules.facts import unseen
from bailiwick.gate.rules.schemas import (
    CheckIn,
    CheckOut,
    FaultOut,
    OrderIn,
    RuleId,
    RuleIn,
    RuleOrderOut,
    RuleOut,
    RulePatch,
    RulesOut,
    TryIn,
    VerdictOut,
)
from bailiwick.identity.access import Admin, SignedIn, Widening
from bailiwick.kit import jsonlogic
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import PageQuery, page_of
from bailiwick.office import TheOffice
from bailiwick.tools.registry import Registry

router = APIRouter(prefix="/rules", tags=["rules"], route_class=IdempotentRoute)


async def _rulebooks(office: TheOffice) -> RuleBookCache:
    return office[RuleBookCache]


async def _tools(office: TheOffice) -> Registry:
    return office[Registry]


Books = Annotated[RuleBookCache, Depends(_rulebooks)]
Tools = Annotated[Registry, Depends(_tools)]


@router.get("")
async def list_rules(who: SignedIn, session: ReadSession, page: PageQuery) -> RulesOut:
    """The rules that concern the caller, in the order of evaluation; an admin sees all."""
    rows = await repository.seen_by(session, who)
    shown = page_of([RuleOut.model_validate(row) for row in rows], page, by=lambda rule: rule.id)
    return RulesOut(**dict(shown), version=await repository.version(session))


@router.post("", status_code=201)
async def create_rule(body: RuleIn, who: Widening, session: WriteSession) -> RuleOut:
    """Make a rule; it is in force from the next call on."""
    return RuleOut.model_validate(await service.create(session, who, dict(body)))


@router.put("/order")
async def order_rules(body: OrderIn, who: Admin, session: WriteSession) -> RuleOrderOut:
    """Say in which order the rules are asked; name all of them. Only admins can."""
    await service.reorder(session, who, body.ids)
    rows = await repository.seen_by(session, who)
    items = [RuleOut.model_validate(row) for row in rows]
    return RuleOrderOut(items=items, version=await repository.version(session))


@router.post("/check")
async def check_rule_condition(body: CheckIn, _: SignedIn) -> CheckOut:
    """What is wrong with a condition, and where; nothing, if it can be kept."""
    found = jsonlogic.faults(body.condition, sight=unseen)
    return CheckOut(faults=[FaultOut(path=each.path, message=each.message) for each in found])


@router.post("/try")
async def try_rules(
    body: TryIn, who: SignedIn, session: ReadSession, rulebooks: Books, tools: Tools
) -> VerdictOut:
    """What the rules would say to a call in the caller's name, and why; nothing is done."""
    facts = await trials.facts_of(session, who, body, tools=tools)
    return trials.ask(await rulebooks.current(), facts)


@router.get("/{rule_id}")
async def read_rule(rule_id: RuleId, who: SignedIn, session: ReadSession) -> RuleOut:
    """One rule."""
    return RuleOut.model_validate(await repository.get(session, who, rule_id))


@router.patch("/{rule_id}")
async def change_rule(
    rule_id: RuleId, body: RulePatch, who: Widening, session: WriteSession
) -> RuleOut:
    """Change a rule, or switch it on or off; what is left out stays as it is."""
    values: dict[str, Any] = {name: getattr(body, name) for name in body.model_fields_set}
    return RuleOut.model_validate(await service.change(session, who, rule_id, values=values))


@router.delete("/{rule_id}", status_code=204)
async def delete_rule(rule_id: RuleId, who: Widening, session: WriteSession) -> None:
    """Remove a rule; from the next call on it is not asked."""
    await service.delete(session, who, rule_id)
