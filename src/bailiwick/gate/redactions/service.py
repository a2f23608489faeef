"""Verbs of redaction patterns."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict, Invalid, RuleViolated
from bailiwick.gate.models import RedactionPattern
from bailiwick.gate.redactions import repository
from bailiwick.gate.redactions.kinds import KINDS
from bailiwick.identity.principal import Principal
from bailiwick.instance import changes
from bailiwick.kit import clock, ids, patterns
from bailiwick.kit.db import Storage
from bailiwick.kit.patterns import BadPattern

MOST = 200
_LOCK = 0x62616972
_RECORDED = ("name", "description", "pattern", "builtin", "replacement", "enabled")
_OF_BUILTINS = frozenset(("enabled", "replacement"))
# What a pattern may take, in instructions of its program: each may cost a step for each letter.
_LARGEST = 1100


async def ensure(storage: Storage) -> None:
    """Add the built-in kinds that this office does not know yet."""
    async with storage.app.write() as session:
        await storage.app.alone(session, lock=_LOCK)
        known = {row.builtin for row in await repository.everything(session)}
        now = clock.now()
        for kind in KINDS:
            if kind.id not in known:
                row = RedactionPattern(
                    id=ids.new("red"),
                    name=await _free_name(session, kind.name),
                    description=kind.description,
                    builtin=kind.id,
                    replacement=kind.replacement,
                    enabled=kind.enabled,
                    created_at=now,
                    updated_at=now,
                )
                session.add(row)


async def create(
    session: AsyncSession, principal: Principal, values: Mapping[str, Any]
) -> RedactionPattern:
    """A new pattern."""
    if await repository.count(session) >= MOST:
        raise RuleViolated(f"There are {MOST} patterns already. Remove one first.")
    now = clock.now()
    row = RedactionPattern(id=ids.new("red"), created_at=now, updated_at=now, **values)
    await _check(session, row)
    session.add(row)
    _record(session, principal.actor, "redaction.created", row, after=described(row))
    return row


async def change(
    session: AsyncSession, principal: Principal, id: str, *, values: Mapping[str, Any]
) -> RedactionPattern:
    """Change a pattern, or switch it on or off."""
    row = await repository.get(session, id)
    if row.builtin and not _OF_BUILTINS.issuperset(values):
        raise Conflict(
            "This is a built-in kind: it can be switched off or given another replacement. "
            "Add a pattern of your own for anything else."
        )
    before = described(row)
    with session.no_autoflush:
        for name, value in values.items():
            setattr(row, name, value)
        await _check(session, row)
    if (after := described(row)) != before:
        row.updated_at = clock.now()
        _record(session, principal.actor, "redaction.changed", row, before=before, after=after)
    return row


async def delete(session: AsyncSession, principal: Principal, id: str) -> None:
    """Remove a pattern; a built-in kind stays, and can be switched off."""
    row = await repository.get(session, id)
    if row.builtin:
        raise Conflict("A built-in kind cannot be removed. Switch it off instead.")
    await session.delete(row)
    _record(session, principal.actor, "redaction.deleted", row, before=described(row))


def described(row: RedactionPattern) -> dict[str, Any]:
    """What the change record keeps."""
    return {name: getattr(row, name) for name in _RECORDED}


def checked(pattern: str) -> patterns.Pattern:
    """The pattern compiled, or `Invalid` that says where its fault is."""
    try:
        made = patterns.compile(pattern)
    except BadPattern as error:
        raise Invalid.field("pattern", str(error)) from None
    if made.size > _LARGEST:
        raise Invalid.field("pattern", "takes too much work on a long text; let it repeat less")
    return made


async def _check(session: AsyncSession, row: RedactionPattern) -> None:
    if row.pattern is not None:
        checked(row.pattern)
    if await repository.is_named(session, row.name, besides=row.id):
        raise Conflict(f"There is a pattern called “{row.name}” already. Choose another name.")


async def _free_name(session: AsyncSession, name: str) -> str:
    taken = await repository.is_named(session, name, besides="")
    return f"{name} (built in)" if taken else name


def _record(
    session: AsyncSession,
    actor: changes.Actor,
    action: str,
    row: RedactionPattern,
    *,
    before: changes.Values | None = None,
    after: changes.Values | None = None,
) -> None:
    changes.record(session, actor, action=action, subject=row.id, before=before, after=after)
