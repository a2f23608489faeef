"""Verbs of rules. Each change makes another version of the policy, in its own transaction.

The office's admins change any rule. An admin of a workspace changes those that are bound to it,
and none of them may come before a rule of the office that blocks or redacts: what the office
keeps back cannot be given away by one of its workspaces.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict, Forbidden, Invalid, RuleViolated
from bailiwick.gate.models import Policy, Rule
from bailiwick.gate.rules import repository
from bailiwick.gate.rules.facts import unseen
from bailiwick.gate.rules.schemas import MOST
from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience, changes
from bailiwick.kit import clock, ids, jsonlogic
from bailiwick.workspaces.access import enter
from bailiwick.workspaces.models import Member, Workspace

MOST_OF_A_WORKSPACE = 500
_STEP = 10
_RECORDED = (
    "name",
    "description",
    "action",
    "condition",
    "fields",
    "priority",
    "enabled",
    "connector",
    "workspace_id",
    "user_id",
)


async def create(session: AsyncSession, principal: Principal, values: Mapping[str, Any]) -> Rule:
    """A new rule."""
    policy = await repository.policy(session)
    await _check_room(session, principal, values["workspace_id"])
    now = clock.now()
    rule = Rule(id=ids.new("rul"), created_at=now, updated_at=now, **values)
    await _check(session, principal, rule)
    session.add(rule)
    _record(session, principal, policy, "rule.created", rule, after=described(rule))
    return rule


async def change(
    session: AsyncSession, principal: Principal, id: str, *, values: Mapping[str, Any]
) -> Rule:
    """Change some of a rule, or switch it on or off."""
    policy = await repository.policy(session)
    rule = await repository.get(session, principal, id, lock=True)
    await _may_govern(session, principal, rule)
    before, audience = described(rule), _audience(rule)
    for name, value in values.items():
        setattr(rule, name, value)
    after = described(rule)
    if after != before:
        with session.no_autoflush:
            await _check(session, principal, rule)
        rule.updated_at = clock.now()
        _record(
            session,
            principal,
            policy,
            "rule.changed",
            rule,
            before=before,
            after=after,
            also=audience,
        )
    return rule


async def delete(session: AsyncSession, principal: Principal, id: str) -> None:
    """Remove a rule."""
    policy = await repository.policy(session)
    rule = await repository.get(session, principal, id, lock=True)
    await _may_govern(session, principal, rule)
    await session.delete(rule)
    _record(session, principal, policy, "rule.deleted", rule, before=described(rule))


async def reorder(session: AsyncSession, principal: Principal, order: Sequence[str]) -> None:
    """Give all rules new priorities, so that they are asked in this order."""
    _only_admins(principal)
    policy = await repository.policy(session)
    rules = {rule.id: rule for rule in await repository.everything(session)}
    if len(order) != len(rules) or set(order) != rules.keys():
        raise Conflict("Name every rule once. Some were added or removed: load them again.")
    before = list(rules)
    if before == list(order):
        return
    for place, id in enumerate(reversed(order), start=1):
        rules[id].priority = place * _STEP
    _renew(session, policy)
    changes.record(
        session,
        principal.actor,
        action="rule.reordered",
        subject="rules",
        before={"order": before},
        after={"order": list(order)},
        to=(audience.EVERYONE,),
    )


def described(rule: Rule) -> dict[str, Any]:
    """What the change record keeps."""
    return {name: getattr(rule, name) for name in _RECORDED}


def _renew(session: AsyncSession, policy: Policy) -> None:
    policy.version += 1


async def _check_room(
    session: AsyncSession, principal: Principal, workspace_id: str | None
) -> None:
    """Anyone can make a workspace: their rules must not take the office's place."""
    count = await repository.count(session)
    if count >= MOST:
        raise RuleViolated(f"There are {MOST:,} rules already. Remove one first.")
    if principal.is_admin:
        return
    if await repository.count_in(session, workspace_id) >= MOST_OF_A_WORKSPACE:
        raise RuleViolated(
            f"This workspace has {MOST_OF_A_WORKSPACE} rules already. Remove one first."
        )
    if count >= MOST // 2:
        raise RuleViolated("The rest of the rules is kept for the admins of this office.")


async def _check(session: AsyncSession, principal: Principal, rule: Rule) -> None:
    """Refuse a rule that means nothing, or that the caller may not make."""
    await _may_govern(session, principal, rule)
    await _check_bounds(session, rule)
    if not principal.is_admin:
        await _check_rank(session, rule)
    if fault := jsonlogic.check(rule.condition, sight=unseen):
        place = f"at {fault.path}: " if fault.path else ""
        raise Invalid.field("condition", f"{place}{fault.message}")
    if rule.action == "REDACT" and not rule.fields:
        raise Invalid.field("fields", "say which fields are taken out, for example args.body")
    if rule.action != "REDACT" and rule.fields:
        raise Invalid.field("fields", "only a rule that redacts takes fields out")


async def _may_govern(session: AsyncSession, principal: Principal, rule: Rule) -> None:
    if principal.is_admin:
        return
    if rule.workspace_id is None:
        _only_admins(principal)
    else:
        await enter(session, principal, rule.workspace_id, need="admin")


def _only_admins(principal: Principal) -> None:
    if not principal.is_admin:
        raise Forbidden(
            "Only an admin of this office can change rules that hold everywhere. "
            "An admin of a workspace can make rules for that workspace."
        )


async def _check_bounds(session: AsyncSession, rule: Rule) -> None:
    if rule.workspace_id and not await session.get(Workspace, rule.workspace_id):
        raise Invalid.field("workspaceId", "that workspace does not exist")
    if rule.user_id and not await session.get(User, rule.user_id):
        raise Invalid.field("userId", "that user does not exist")
    both = (rule.workspace_id, rule.user_id)
    if all(both) and not await session.get(Member, both):
        raise Invalid.field("userId", "that user is not a member of the workspace")


async def _check_rank(session: AsyncSession, rule: Rule) -> None:
    first = await repository.lowest_that_holds_back(session)
    if first and rule.priority >= first.priority:
        # A rule about one person is not for everyone to know.
        named = "A rule of the office" if first.user_id else f"The office's rule “{first.name}”"
        raise RuleViolated(
            f"{named} comes before the rules of a workspace. "
            f"Choose a priority below {first.priority}."
        )


def _audience(rule: Rule) -> tuple[str, ...]:
    """Whom a rule concerns."""
    if rule.user_id:
        return (audience.user(rule.user_id),)
    return (audience.workspace(rule.workspace_id) if rule.workspace_id else audience.EVERYONE,)


def _record(
    session: AsyncSession,
    principal: Principal,
    policy: Policy,
    action: str,
    rule: Rule,
    *,
    before: changes.Values | None = None,
    after: changes.Values | None = None,
    also: Sequence[str] = (),
) -> None:
    _renew(session, policy)
    changes.record(
        session,
        principal.actor,
        action=action,
        subject=rule.id,
        before=before,
        after=after,
        to=tuple(dict.fromkeys((*_audience(rule), *also))),
        workspace=rule.workspace_id,
    )
