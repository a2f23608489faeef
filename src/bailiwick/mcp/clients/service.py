"""Verbs of outside clients.

A client acts for its owner and never has more rights than they have. So admins of the workspace can
disable or remove it, but give it neither more rights nor a token: they would act as the owner.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Forbidden, Invalid, RuleViolated
from bailiwick.gate.checks import provenance
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience, changes
from bailiwick.instance.service import TokenHasher
from bailiwick.kit import clock, ids
from bailiwick.mcp.clients import passes, repository
from bailiwick.mcp.clients.models import Client
from bailiwick.tools.effects import CAPABILITIES
from bailiwick.tools.scope import Limits, Scope
from bailiwick.workspaces.access import enter
from bailiwick.workspaces.models import Member

PREFIX = "bwc_"
MOST = 100
_RECORDED = ("name", "scope", "limits", "ask_writes", "ask_tools", "enabled")


@dataclass(frozen=True, slots=True)
class NewClient:
    """The settings of a new client."""

    name: str
    workspace_id: str
    scope: Scope
    limits: Limits
    ask_writes: bool
    ask_tools: list[str]
    expires_in_days: int | None
    user_id: str | None


def context_of(id: str) -> str:
    """The id under which the gate keeps what a client has read."""
    return f"client:{id}"


async def create(
    session: AsyncSession, principal: Principal, new: NewClient, *, hasher: TokenHasher
) -> tuple[Client, str]:
    """Make a client; its token is returned only here."""
    await enter(session, principal, new.workspace_id, need="read")
    owner_id = await _owner_of(session, principal, new)
    await _within_owner(session, owner_id, new.workspace_id, new.scope)
    if await repository.count_of(session, owner_id) >= MOST:
        raise RuleViolated(f"There are {MOST} clients already. Remove one first.")
    client = Client(
        id=ids.new("cli"),
        workspace_id=new.workspace_id,
        user_id=owner_id,
        name=new.name,
        scope=new.scope.model_dump(mode="json"),
        limits=new.limits.model_dump(mode="json"),
        ask_writes=new.ask_writes,
        ask_tools=new.ask_tools,
        enabled=True,
        created_at=clock.now(),
        expires_at=_end(new.expires_in_days),
    )
    token = _give_token(client, hasher)
    session.add(client)
    await session.flush()
    _record(session, principal, "client.created", client, after=described(client))
    return client, token


async def change(
    session: AsyncSession, principal: Principal, id: str, *, values: Mapping[str, Any]
) -> Client:
    """Change some of a client's settings, or switch it on or off."""
    client = (await repository.get(session, principal, id, lock=True)).client
    if set(values) != {"enabled"} or values["enabled"]:
        _only_owner(principal, client)
    before = described(client)
    for name, value in values.items():
        match name:
            case "scope":
                await _within_owner(session, client.user_id, client.workspace_id, value)
                client.scope = value.model_dump(mode="json")
            case "limits":
                client.limits = value.model_dump(mode="json")
            case "expires_in_days":
                client.expires_at = _end(value)
            case _:
                setattr(client, name, value)
    if (after := described(client)) != before:
        _record(session, principal, "client.changed", client, before=before, after=after)
    return client


async def revoke(session: AsyncSession, principal: Principal, id: str) -> None:
    """Remove a client; its token and its passes end at once."""
    client = (await repository.get(session, principal, id, lock=True)).client
    before = described(client)
    await session.delete(client)
    _record(session, principal, "client.revoked", client, before=before)


async def new_token(
    session: AsyncSession, principal: Principal, id: str, *, hasher: TokenHasher
) -> str:
    """Make a new token; the one before, and every pass, becomes invalid."""
    client = (await repository.get(session, principal, id, lock=True)).client
    _only_owner(principal, client)
    token = _give_token(client, hasher)
    _record(session, principal, "client.changed", client, after={"new_token": True})
    return token


async def new_pass(
    session: AsyncSession, principal: Principal, id: str, *, hasher: TokenHasher
) -> tuple[str, datetime]:
    """A token for a few hours, beside the lasting one."""
    client = (await repository.get(session, principal, id)).client
    _only_owner(principal, client)
    return passes.issue(client, hasher=hasher)


async def start_afresh(session: AsyncSession, principal: Principal, id: str) -> None:
    """Begin a new task, on a person's word: what the client has read no longer counts."""
    client = (await repository.get(session, principal, id, lock=True)).client
    _only_owner(principal, client)
    await provenance.start_afresh(session, context_of(client.id))
    _record(session, principal, "client.fresh", client)


def described(client: Client) -> dict[str, Any]:
    """The client in the change record, without its token."""
    kept = {name: getattr(client, name) for name in _RECORDED}
    return {**kept, "expires_at": client.expires_at and client.expires_at.isoformat()}


def _give_token(client: Client, hasher: TokenHasher) -> str:
    token = PREFIX + secrets.token_urlsafe(32)
    client.token_hash, client.hint = hasher(token), token[: len(PREFIX) + 4]
    return token


def _end(days: int | None) -> datetime | None:
    return clock.now() + timedelta(days=days) if days else None


async def _owner_of(session: AsyncSession, principal: Principal, new: NewClient) -> str:
    if principal.user_id:
        if new.user_id not in (None, principal.user_id):
            raise Invalid.field("userId", "a client can only act in your own name")
        return principal.user_id
    found = new.user_id or await repository.first_admin(session, new.workspace_id)
    if found is None:
        raise Invalid.field("userId", "name the user in whose name the client acts")
    return found


async def _within_owner(
    session: AsyncSession, user_id: str, workspace_id: str, scope: Scope
) -> None:
    member = await session.get(Member, (workspace_id, user_id))
    if member is None:
        raise Invalid.field("userId", "the client's owner is not a member of that workspace")
    wanted = [flag for flag in CAPABILITIES if flag != "read" and scope.has(flag)]
    if wanted and member.role == "read":
        raise Forbidden(
            f"The client's owner may only read in that workspace, so the client cannot have "
            f"{', '.join(wanted)}."
        )


def _only_owner(principal: Principal, client: Client) -> None:
    if principal.via != "operator" and principal.user_id != client.user_id:
        raise Forbidden(
            "Only the client's owner can do this. You can switch the client off, or remove it."
        )


def _record(
    session: AsyncSession,
    principal: Principal,
    action: str,
    client: Client,
    *,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    changes.record(
        session,
        principal.actor,
        action=action,
        subject=client.id,
        before=before,
        after=after,
        to=(audience.user(client.user_id),),
        workspace=client.workspace_id,
    )
