"""Verbs of prompts and of templates, which are the same thing for another use.

A change names the revision that it was made from: whoever saves second is told, and overwrites
nothing unseen.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents.prompts import repository
from bailiwick.agents.prompts.models import Prompt, PromptKind
from bailiwick.agents.prompts.render import PromptMessage, read
from bailiwick.errors import Conflict, NotFound, RuleViolated
from bailiwick.identity.principal import Principal
from bailiwick.instance import changes
from bailiwick.kit import clock, ids
from bailiwick.workspaces.access import WorkspaceRole, enter

MOST = 500
_CLIP = 500


@dataclass(frozen=True, slots=True)
class PromptContent:
    """What a person writes."""

    name: str
    description: str
    messages: Sequence[PromptMessage]
    imprint: Sequence[PromptMessage]


async def enter_by_id(
    session: AsyncSession, principal: Principal, id: str, *, kind: PromptKind, need: WorkspaceRole
) -> Prompt:
    """A prompt of a workspace where the caller may do this, or a refusal."""
    row = await repository.find(session, id, kind=kind, lock=need != "read")
    if row is None:
        raise repository.missing(kind)
    try:
        await enter(session, principal, row.workspace_id, need=need)
    except NotFound:
        raise repository.missing(kind) from None
    return row


async def create(
    session: AsyncSession,
    principal: Principal,
    workspace_id: str,
    *,
    kind: PromptKind,
    content: PromptContent,
) -> Prompt:
    """A new prompt."""
    await enter(session, principal, workspace_id, need="write")
    now = clock.now()
    row = Prompt(
        id=ids.new("prm"),
        workspace_id=workspace_id,
        kind=kind,
        owner_id=principal.user_id,
        revision=1,
        created_at=now,
        updated_at=now,
    )
    await _check_name(session, row, content.name)
    _write(row, content)
    session.add(row)
    await _flush(session, row)
    _record(session, principal, "prompt.created", row, after=described(row))
    return row


async def change(
    session: AsyncSession,
    principal: Principal,
    row: Prompt,
    *,
    content: PromptContent,
    revision: int,
) -> Prompt:
    """Replace what a prompt says, if nobody else did since that revision."""
    if row.revision != revision:
        message = f"it is at revision {row.revision} now, and yours is {revision}"
        raise Conflict(
            f"Someone else changed this {row.kind} meanwhile. Yours was not saved.",
            errors={"revision": [message]},
        )
    if content == _content(row):
        return row
    before = described(row)
    await _check_name(session, row, content.name)
    _write(row, content)
    row.revision, row.updated_at = row.revision + 1, clock.now()
    await _flush(session, row)
    _record(session, principal, "prompt.changed", row, before=before, after=described(row))
    return row


async def remove(session: AsyncSession, principal: Principal, row: Prompt) -> None:
    """Remove a prompt that no agent uses."""
    if users := await _users(session, principal, row):
        raise Conflict(
            f"This {row.kind} is used by {', '.join(users)}. Give them another one first.",
            errors={"agents": users},
        )
    await session.delete(row)
    _record(session, principal, "prompt.removed", row, before=described(row))


def described(row: Prompt) -> dict[str, Any]:
    """What the change record keeps: enough to see what changed, not all of a long text."""
    return {
        "kind": row.kind,
        "name": row.name,
        "description": row.description,
        "messages": [_clipped(each) for each in read(row.messages)],
        "imprint": [_clipped(each) for each in read(row.imprint)],
        "revision": row.revision,
    }


async def _users(session: AsyncSession, principal: Principal, row: Prompt) -> list[str]:
    """The agents that use a prompt; one that a colleague keeps to themselves is not named."""
    agents = await repository.users(session, row.id)
    named = [each.name for each in agents if each.shared or each.owner_id == principal.user_id]
    if others := len(agents) - len(named):
        named.append(f"{others} of other members")
    return named


def _clipped(message: PromptMessage) -> str:
    text = message.content
    if len(text) > _CLIP:
        text = f"{text[:_CLIP]}… ({len(text):,} characters)"
    return f"{message.role}: {text}"


def _content(row: Prompt) -> PromptContent:
    return PromptContent(row.name, row.description, read(row.messages), read(row.imprint))


def _write(row: Prompt, content: PromptContent) -> None:
    row.name, row.description = content.name, content.description
    row.messages = [asdict(each) for each in content.messages]
    row.imprint = [asdict(each) for each in content.imprint]


async def _check_name(session: AsyncSession, row: Prompt, name: str) -> None:
    known = await repository.names(session, row.workspace_id, kind=row.kind)
    others = [other for id, other in known if id != row.id]
    if len(others) >= MOST:
        raise RuleViolated(f"This workspace has {MOST} {row.kind}s already. Remove one first.")
    if name.casefold() in (other.casefold() for other in others):
        raise _taken(row.kind, name)


async def _flush(session: AsyncSession, row: Prompt) -> None:
    kind, name = row.kind, row.name
    try:
        await session.flush()
    except IntegrityError:
        raise _taken(kind, name) from None


def _taken(kind: PromptKind, name: str) -> Conflict:
    return Conflict(
        f"There is already a {kind} called {name}. Choose another name.",
        errors={"name": [f"there is already a {kind} of this name"]},
    )


def _record(
    session: AsyncSession, principal: Principal, action: str, row: Prompt, **values: changes.Values
) -> None:
    about = {"kind": row.kind}
    changes.record_in_workspace(session, principal.actor, action, row, about=about, **values)
