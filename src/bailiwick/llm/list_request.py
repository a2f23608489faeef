"""Whose list of models is asked for: what a form holds, a stored model, or what was found.

A stored key is used for the address that it is stored with, and for no other.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from bailiwick.errors import Invalid
from bailiwick.llm import discovery, listing, prices, service
from bailiwick.llm.config import Config, ModelProviderName

if TYPE_CHECKING:
    from bailiwick.llm.adapter import Models
    from bailiwick.llm.schemas import ModelIn, ModelListIn, ModelPut

_MOVED = "the key belongs to the address before: give it again"


async def config_of(models: "Models", body: "ModelListIn") -> Config:
    """The configuration that the list is asked with."""
    given = _given(body)
    if body.model_id is None or given.key is not None:
        return given
    stored = await models.read(body.model_id)
    if stored.provider == "offline":
        raise Invalid.field("modelId", "the offline model is the only one of its kind")
    placed = given.base_url or (stored.base_url if stored.origin == "found" else None)
    if (given.provider, placed) != (stored.provider, stored.base_url):
        if stored.key is None:
            return given
        raise Invalid.field("key", _MOVED)
    return replace(given, key=stored.key, base_url=stored.base_url, api_version=stored.api_version)


async def hear(models: "Models", body: "ModelIn | ModelPut") -> None:
    """Ask an Ollama for the window of a model that is about to be stored."""
    if body.provider and body.model:
        placed = service.placed(body.provider, body.base_url)
        config = Config(
            id="", name="", provider=body.provider, model=body.model, base_url=placed, key=body.key
        )
        await _hear(models, config)


async def hear_found(models: "Models", offer: discovery.FoundModel, model: str | None) -> None:
    """The same for one that was found."""
    if named := model or next(iter(offer.models), None):
        env = discovery.environment(offer.provider)
        await _hear(models, _found(offer.provider, env, model=named))


async def _hear(models: "Models", config: Config) -> None:
    await prices.load()
    if not models.listed.knows(config) and (found := await listing.one(config)):
        models.listed.take(config, [found])


def _found(provider: ModelProviderName, env: discovery.Environment, *, model: str = "") -> Config:
    return Config(
        id="",
        name="",
        provider=provider,
        model=model,
        origin="found",
        base_url=env.base_url,
        api_version=env.api_version,
        key=env.key,
    )


def _given(body: "ModelListIn") -> Config:
    if body.found:
        env = discovery.environment(body.found)
        if env.source is None:
            name = discovery.NAMES[body.found]
            raise Invalid.field("found", f"nothing of {name} is found here")
        return _found(body.found, env)
    if body.provider is None:
        raise Invalid.field("provider", "is needed")
    return Config(
        id="",
        name="",
        provider=body.provider,
        model="",
        base_url=service.placed(body.provider, body.base_url),
        api_version=body.api_version,
        key=body.key,
    )
