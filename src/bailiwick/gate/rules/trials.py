"""Asking the rules about a call that nobody makes."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Invalid
from bailiwick.gate.checks.provenance import path_facts
from bailiwick.gate.rules.book import RuleBook
from bailiwick.gate.rules.facts import time_facts
from bailiwick.gate.rules.schemas import LookedAtOut, TryIn, VerdictOut
from bailiwick.identity.principal import Principal
from bailiwick.instance.settings import stored
from bailiwick.kit.jsonlogic import Unusable
from bailiwick.tools.effects import EFFECTS
from bailiwick.tools.registry import Registry
from bailiwick.workspaces.access import enter


async def facts_of(
    session: AsyncSession, principal: Principal, given: TryIn, *, tools: Registry | None
) -> dict[str, Any]:
    """The call as a condition sees it, in the name of whoever asks."""
    tool = tools.get(given.tool) if tools else None
    effect = given.effect or (tool and tool.effect)
    if effect is None:
        raise Invalid.field("effect", f"say what the tool does: one of {', '.join(EFFECTS)}")
    roles: list[str] = [principal.role]
    if given.workspace_id:
        access = await enter(session, principal, given.workspace_id, need="read")
        roles.append(f"workspace:{access.role}")
    named = ("account", "caller", "agent", "run", "recipients", "path", "cost")
    return {
        **{name: part.model_dump() for name in named if (part := getattr(given, name))},
        "tool": given.tool,
        "effect": effect,
        "args": given.arguments,
        "connector": given.connector or (tool.connector if tool else "local"),
        "workspace": given.workspace_id,
        "user": {"id": principal.user_id, "roles": roles},
        "time": time_facts((await stored(session)).time_zone),
        **({"path": path_facts(tool, given.arguments)} if tool and not given.path else {}),
    }


def ask(book: RuleBook, facts: dict[str, Any]) -> VerdictOut:
    """What the rules say to it, and which of them were asked."""
    try:
        looked_at = book.looked_at(facts)
    except Unusable as error:
        raise Invalid.field("arguments", str(error)) from None
    verdict = book.decide(facts)
    return VerdictOut(
        action=verdict.action,
        rule_id=verdict.rule_id,
        rule_name=verdict.rule_name,
        reason=verdict.reason,
        fields=list(verdict.fields),
        looked_at=[
            LookedAtOut(rule_id=each.id, name=each.name, action=each.action, holds=holds)
            for each, holds in looked_at
        ],
    )
