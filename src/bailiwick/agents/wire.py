"""Between the wire and the table: flags and patterns become a scope, figures become limits."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import service
from bailiwick.agents.models import Agent
from bailiwick.agents.presets import Preset
from bailiwick.agents.prompts import repository as prompts
from bailiwick.agents.repository import ListedAgent
from bailiwick.agents.schemas import (
    AgentConfig,
    AgentOut,
    AgentScopeWire,
    PresetOut,
    PromptBlock,
)
from bailiwick.errors import Invalid, NotFound
from bailiwick.identity.principal import Principal
from bailiwick.llm import repository as models_repository
from bailiwick.llm.adapter import Models
from bailiwick.llm.config import Config
from bailiwick.llm.errors import ModelFailed
from bailiwick.tools.effects import Capability
from bailiwick.tools.scope import Limits, Scope

_FLAGS: dict[str, Capability] = {
    "can_read": "read",
    "can_write": "write",
    "can_create": "create",
    "can_delete": "delete",
    "can_execute_code": "execute",
    "can_access_integrations": "integrations",
}
_OF_DIRECTOR = 5_000
_PLAIN = (
    "name",
    "description",
    "kind",
    "ask_writes",
    "ask_tools",
    "colleagues",
    "accounts",
    "memory_access",
    "step_limit",
    "timeout_seconds",
    "tokens_per_run",
    "money_per_run",
)


async def values(session: AsyncSession, body: AgentConfig, *, workspace_id: str) -> dict[str, Any]:
    """The columns that a body asks for; what it names must be there."""
    scope = Scope.model_validate({**body.scope.model_dump(exclude={"operations"}), **_flags(body)})
    limits = Limits(
        requests_per_hour=_calls_per_hour(body),
        tokens_per_request=body.max_tokens_per_request,
        tokens_per_day=body.tokens_per_day,
        money_per_day=body.money_per_day,
    )
    if body.prompt_id:
        await _prompt(session, workspace_id, body.prompt_id)
    return {
        **{name: getattr(body, name) for name in _PLAIN},
        "model_id": await _model(session, body),
        "prompt_id": body.prompt_id,
        "prompt": [block.model_dump() for block in body.prompt],
        "imprint": [block.model_dump() for block in body.imprint],
        "scope": scope.model_dump(mode="json"),
        "limits": limits.model_dump(mode="json"),
        "active": body.is_active,
        "shared": getattr(body, "shared", False),
    }


def _flags(body: AgentConfig) -> dict[str, bool]:
    """What it may do; of a flag and `operations`, the stricter word counts."""
    said = body.scope.operations
    flags: dict[str, bool] = {flag: getattr(body, name) for name, flag in _FLAGS.items()}
    if said is None:
        return flags
    for name, flag in _FLAGS.items():
        if flag != "integrations":
            is_given = name in body.model_fields_set
            flags[flag] = flag in said and (flags[flag] or not is_given)
    return flags


def _calls_per_hour(body: AgentConfig) -> int | None:
    is_given = "max_requests_per_hour" in body.model_fields_set
    return _OF_DIRECTOR if body.kind == "director" and not is_given else body.max_requests_per_hour


async def shown(rows: Sequence[ListedAgent], who: Principal, models: Models) -> list[AgentOut]:
    """Agents as they are shown."""
    used: dict[str | None, Config | None] = {}
    for row in rows:
        id = row.agent.model_id
        if id not in used:
            used[id] = await _config(models, id)
    return [_out(row, who, used[row.agent.model_id]) for row in rows]


def preset(each: Preset) -> PresetOut:
    """A ready-made agent as it is shown."""
    flags: dict[str, Any] = {name: flag in each.flags for name, flag in _FLAGS.items()}
    return PresetOut(
        slug=each.slug,
        name=each.name,
        summary=each.summary,
        icon=each.icon,
        example=each.example,
        config=AgentConfig(
            name=each.name,
            description=each.summary,
            kind=each.kind,
            prompt=[PromptBlock(role=m.role, content=m.content) for m in each.messages],
            scope=AgentScopeWire(notebooks=["*"], tools=list(each.tools)),
            step_limit=each.limits.step_limit,
            timeout_seconds=each.limits.timeout_seconds,
            tokens_per_run=each.limits.tokens_per_run,
            **flags,
        ),
    )


def _out(row: ListedAgent, who: Principal, config: Config | None) -> AgentOut:
    agent = row.agent
    scope = Scope.model_validate(agent.scope)
    limits = Limits.model_validate(agent.limits)
    flags: dict[str, Any] = {name: scope.has(flag) for name, flag in _FLAGS.items()}
    return AgentOut(
        **{name: getattr(agent, name) for name in _PLAIN},
        **flags,
        id=agent.id,
        position=agent.position,
        workspace_id=agent.workspace_id,
        owner_id=agent.owner_id,
        owner_name=row.owner_name,
        shared=agent.shared,
        model_id=agent.model_id,
        provider=config.provider if config else None,
        model=config.model if config else None,
        model_label=_label(agent, config),
        is_offline=config is not None and config.provider == "offline",
        prompt_id=agent.prompt_id,
        prompt=[PromptBlock(**block) for block in agent.prompt],
        imprint=[PromptBlock(**block) for block in agent.imprint],
        scope=AgentScopeWire.model_validate(
            scope.model_dump(include=set(AgentScopeWire.model_fields))
        ),
        max_requests_per_hour=limits.requests_per_hour,
        max_tokens_per_request=limits.tokens_per_request,
        tokens_per_day=limits.tokens_per_day,
        money_per_day=limits.money_per_day,
        is_active=agent.active,
        credentials=list(row.credentials),
        can_edit=service.can_edit(row, who),
        revision=agent.revision,
        created_at=agent.created_at,
        updated_at=agent.updated_at,
    )


def _label(agent: Agent, config: Config | None) -> str:
    if config is None:
        return "a model that is gone or switched off"
    return config.name if agent.model_id else f"{config.name} (the default)"


async def _config(models: Models, id: str | None) -> Config | None:
    try:
        return await models.get(id)
    except ModelFailed:
        return None


async def _model(session: AsyncSession, body: AgentConfig) -> str | None:
    if body.model_id:
        try:
            return (await models_repository.get(session, body.model_id)).id
        except NotFound:
            raise Invalid.field(
                "modelId", "there is no such model; GET /models lists them"
            ) from None
    if body.provider is None and body.model is None:
        return None
    found = await models_repository.named(session, body.provider, body.model)
    if found is None:
        asked = "/".join(each for each in (body.provider, body.model) if each)
        raise Invalid.field("model", f"no model is configured as {asked}; add it first")
    return found.id


async def _prompt(session: AsyncSession, workspace_id: str, id: str) -> None:
    try:
        await prompts.get(session, workspace_id, id)
    except NotFound:
        raise Invalid.field("promptId", "there is no such prompt in this workspace") from None
