"""Verbs of models.

A key belongs to one address. Whoever changes the address gives the key again: otherwise, pointing
a configuration elsewhere would send a key there that one was never shown. For the same reason a key
of the environment goes nowhere but to the address that its provider or the environment names.
"""

import re
from typing import TYPE_CHECKING, Any, cast

from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict, Invalid, RuleViolated
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience, changes
from bailiwick.instance.changes import Values
from bailiwick.kit import clock, ids
from bailiwick.kit.db import Storage
from bailiwick.kit.vault import Vault
from bailiwick.llm import config_rows, discovery, list_figures, repository
from bailiwick.llm.addresses import checked_base_url
from bailiwick.llm.config import ModelProviderName
from bailiwick.llm.models import Model
from bailiwick.llm.provider import BuiltinModel, ModelProvider

if TYPE_CHECKING:
    from bailiwick.llm.adapter import Models

MOST = 100
_LOCK = 0x62616973
_KEYED = frozenset(("openai", "anthropic", "google", "azure", "bedrock", "mistral"))
_RESPONSES = frozenset(("openai", "azure", "compatible", "ollama"))
_PLACED = frozenset(("azure", "compatible"))
_RECORDED = (
    *("name", "provider", "model", "base_url", "api_version", "region", "window", "max_output"),
    *("input_price", "output_price", "cache_read_price", "cache_write_price", "fallback_id"),
    *("is_default", "enabled", "parallel", "timeout_seconds", "origin"),
    *("sees_images", "sees_documents"),
    *("api", "effort", "verbosity", "temperature"),
)
_NEVER = "This model does what any text it reads tells it: it cannot be the default."
_BUILTIN = "The offline model is part of the product: it cannot be changed or removed."
# It becomes a header.
_KEY = re.compile("[!-~]+")


async def ensure(storage: Storage, provider: ModelProvider) -> None:
    """Give an office a provider's own models; the first is the default until one is chosen."""
    for builtin in provider.builtin:
        if builtin.ready:
            async with storage.app.write() as session:
                await storage.app.alone(session, lock=_LOCK)
                if await repository.builtin(session, builtin.model) is None:
                    row = await _built_in(session, provider.name, builtin)
                    row.is_default = not await repository.has_default(session)
                    session.add(row)


async def add_builtin(session: AsyncSession, provider: str, builtin: BuiltinModel) -> Model:
    """A model that is made when it is first wanted."""
    await repository.lock_all(session)
    if known := await repository.builtin(session, builtin.model):
        return known
    row = await _built_in(session, provider, builtin)
    session.add(row)
    await session.flush()
    return row


async def _built_in(session: AsyncSession, provider: str, builtin: BuiltinModel) -> Model:
    taken, now = await repository.is_named(session, builtin.name), clock.now()
    return Model(
        id=ids.new("mdl"),
        name=f"{builtin.name} (built in)" if taken else builtin.name,
        provider=provider,
        model=builtin.model,
        is_default=False,
        enabled=True,
        parallel=4,
        timeout_seconds=120,
        origin="builtin",
        created_at=now,
        updated_at=now,
    )


async def create(
    session: AsyncSession,
    principal: Principal,
    values: Values,
    *,
    vault: Vault,
    offer: discovery.FoundModel | None = None,
) -> Model:
    """A new model; `offer` is what was found, if it is one of those."""
    await repository.lock_all(session)
    if await repository.count(session) >= MOST:
        raise RuleViolated(f"There are {MOST} models already. Remove one first.")
    values = _of_found(values, offer) if offer else _of_ones_own(values)
    key: SecretStr | None = values["key"]
    now = clock.now()
    row = Model(id=ids.new("mdl"), is_default=False, created_at=now, updated_at=now)
    row.origin = "found" if offer else "made"
    _assign(row, values)
    row.key = _sealed(row, key, vault)
    await _check(session, row)
    session.add(row)
    await session.flush()
    _record(session, principal, "model.created", row, after=described(row))
    return row


async def replace(
    session: AsyncSession, principal: Principal, id: str, *, values: Values, vault: Vault
) -> Model:
    """Make a model what `values` say; without a key in them, the one that is there stays."""
    await repository.lock_all(session)
    row = await repository.get(session, id, lock=True)
    if row.origin == "builtin":
        raise Conflict(_BUILTIN)
    before, place, model = described(row), (row.provider, row.base_url), row.model
    with session.no_autoflush:
        _assign(row, values)
        moved = place != (row.provider, row.base_url)
        if moved or row.model != model:
            list_figures.forget(row)
        if moved and row.origin == "found":
            row.origin = "made"
        if "key" in values:
            row.key = _sealed(row, values["key"], vault)
            row.origin = "made" if row.key else row.origin
        elif moved and row.key:
            raise Invalid.field(
                "key", "the key belongs to the address before: give it again, or null for none"
            )
        await _check(session, row)
    after = described(row)
    if "key" in values:
        after["new_key"] = True
    if after != before:
        row.updated_at = clock.now()
        _record(session, principal, "model.changed", row, before=before, after=after)
    return row


async def make_default(
    session: AsyncSession, principal: Principal, id: str, *, models: "Models"
) -> Model:
    """Let whoever names no model have this one."""
    await repository.lock_all(session)
    row = await repository.get(session, id)
    builtin = models.builtin(row.provider, row.model)
    if builtin and not builtin.may_be_default:
        raise Conflict(_NEVER)
    if not row.enabled:
        raise Conflict("This model is switched off. Switch it on first.")
    if not row.is_default:
        await repository.no_default(session)
        row.is_default = True
        after = {"is_default": True}
        _record(session, principal, "model.changed", row, before={"is_default": False}, after=after)
    return row


async def delete(session: AsyncSession, principal: Principal, id: str) -> None:
    """Remove a model that nothing relies on."""
    await repository.lock_all(session)
    row = await repository.get(session, id)
    if row.origin == "builtin":
        raise Conflict(_BUILTIN)
    if row.is_default:
        raise Conflict("This is the default model. Make another one the default first.")
    if others := await repository.relying_on(session, id):
        names = ", ".join(f"“{other.name}”" for other in others)
        raise Conflict(f"This is the fallback of {names}. Give them another fallback first.")
    await session.delete(row)
    _record(session, principal, "model.removed", row, before=described(row))


def described(row: Model) -> dict[str, Any]:
    """What the change record keeps; never the key."""
    return {name: getattr(row, name) for name in _RECORDED}


def _of_ones_own(values: Values) -> Values:
    for name in ("name", "provider", "model"):
        if values[name] is None:
            raise Invalid.field(name, "is needed")
    return values


def _of_found(values: Values, offer: discovery.FoundModel) -> Values:
    for name, wire in (("provider", "provider"), ("key", "key"), ("base_url", "baseUrl")):
        if values[name] is not None:
            raise Invalid.field(wire, "what was found has its own; leave this out")
    model = values["model"] or next(iter(offer.models), None)
    if model is None:
        raise Invalid.field("model", "is needed: the name of your deployment")
    name = values["name"] or f"{discovery.NAMES[offer.provider]} {model}"[:100]
    return {**values, "provider": offer.provider, "model": model, "name": name}


def _assign(row: Model, values: Values) -> None:
    for name, value in values.items():
        if name in _RECORDED and name != "base_url":
            setattr(row, name, value)
    row.base_url = placed(row.provider, values["base_url"])


def placed(provider: str, given: str | None) -> str | None:
    """An address as it is kept and asked."""
    if given is None:
        return None
    url = checked_base_url(given)
    # Ollama is known by its port; what we speak is one step further in.
    bare = provider == "ollama" and url.count("/") == 2
    return f"{url}/v1" if bare else url


def _sealed(row: Model, key: SecretStr | None, vault: Vault) -> bytes | None:
    if key is None:
        return None
    plain = key.get_secret_value().strip()
    if not _KEY.fullmatch(plain):
        raise Invalid.field("key", "must have visible ASCII characters only")
    return config_rows.drawer(vault).seal(SecretStr(plain), column="key", row=row.id)


async def _check(session: AsyncSession, row: Model) -> None:
    if await repository.is_named(session, row.name, besides=row.id):
        raise Conflict(f"There is a model called “{row.name}” already. Choose another name.")
    if row.is_default and not row.enabled:
        raise Conflict("This is the default model. Make another one the default first.")
    if row.origin == "made":
        _check_made(row)
    if row.provider == "bedrock" and row.origin == "made" and not row.region:
        raise Invalid.field("region", "is needed, such as eu-central-1")
    _check_tuning(row)
    await _check_fallback(session, row)


def _check_made(row: Model) -> None:
    provider = discovery.NAMES.get(cast("ModelProviderName", row.provider), row.provider)
    if row.provider in _PLACED and not row.base_url:
        raise Invalid.field("baseUrl", "is needed")
    if row.provider == "bedrock" and row.base_url:
        raise Invalid.field("baseUrl", "Amazon's address comes from the region; leave this out")
    if row.provider in _KEYED and not row.key:
        raise Invalid.field("key", f"{provider} needs a key")


def _check_tuning(row: Model) -> None:
    if row.api == "responses" and row.provider not in _RESPONSES:
        raise Invalid.field("api", "is OpenAI's, and of servers that speak as it does")
    versioned = row.provider == "azure" and not (row.base_url or "").endswith("/v1")
    if row.api == "responses" and versioned:
        raise Invalid.field("api", "needs Azure's newer address, which ends in /v1")
    if row.provider == "anthropic" and (row.temperature or 0) > 1:
        raise Invalid.field("temperature", "is at most 1 for Anthropic")


async def _check_fallback(session: AsyncSession, row: Model) -> None:
    seen, next_id = {row.id}, row.fallback_id
    while next_id:
        if next_id in seen:
            raise Invalid.field("fallbackId", "fallbacks must not lead back to where they began")
        seen.add(next_id)
        other = await session.get(Model, next_id)
        if other is None:
            raise Invalid.field("fallbackId", "that model does not exist")
        next_id = other.fallback_id


def _record(
    session: AsyncSession,
    principal: Principal,
    action: str,
    row: Model,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    changes.record(
        session,
        principal.actor,
        action=action,
        subject=row.id,
        before=before,
        after=after,
        to=(audience.EVERYONE,),
    )
