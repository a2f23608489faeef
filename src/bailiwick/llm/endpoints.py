"""REST of models. Everyone sees which there are; admins change them, in person."""

import time
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from bailiwick.identity.access import Admin, SignedIn, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.llm import (
    config_rows,
    discovery,
    list_request,
    listing,
    prices,
    repository,
    service,
)
from bailiwick.llm.adapter import Models
from bailiwick.llm.chat import ModelRequest
from bailiwick.llm.errors import ModelFailed
from bailiwick.llm.models import Model
from bailiwick.llm.schemas import (
    Configurable,
    FoundModelOut,
    KnownPriceOut,
    ListedModelOut,
    ModelId,
    ModelIn,
    ModelListIn,
    ModelListOut,
    ModelOut,
    ModelPut,
    ModelTestOut,
)
from bailiwick.llm.sight import sight_of
from bailiwick.office import TheOffice, TheVault

router = APIRouter(prefix="/models", tags=["models"], route_class=IdempotentRoute)
_QUESTION = ModelRequest(
    [{"role": "user", "content": "Answer with one word: ready"}], max_tokens=512
)


async def _models(office: TheOffice) -> Models:
    return office[Models]


async def _in_person(
    _: Admin,
    principal: Annotated[Principal, in_person("a token cannot add or change models")],
) -> Principal:
    return principal


ModelsInPerson = Annotated[Principal, Depends(_in_person)]


TheModels = Annotated[Models, Depends(_models)]


async def _offer(
    _: ModelsInPerson, body: ModelIn, models: TheModels
) -> discovery.FoundModel | None:
    """Looked for before the transaction: that may take a second."""
    if not body.found:
        await list_request.hear(models, body)
        return None
    offer = await discovery.one(body.found)
    await list_request.hear_found(models, offer, body.model)
    return offer


async def _heard(_: ModelsInPerson, body: ModelPut, models: TheModels) -> None:
    """Asked for before the transaction, too."""
    await list_request.hear(models, body)


TheOffer = Annotated[discovery.FoundModel | None, Depends(_offer)]


@router.get("")
async def list_models(
    _: SignedIn, session: ReadSession, models: TheModels, page: PageQuery
) -> Page[ModelOut]:
    """All models that agents can be given."""
    shown = [await _out(models, row) for row in await repository.listed(session)]
    return page_of(shown, page, by=lambda model: model.id)


@router.post("", status_code=201, openapi_extra=IN_PERSON)
async def create_model(
    body: ModelIn,
    who: ModelsInPerson,
    offer: TheOffer,
    session: WriteSession,
    vault: TheVault,
    models: TheModels,
) -> ModelOut:
    """Add a model: `found` for one whose key is in the environment, else name, provider, model."""
    values = {name: getattr(body, name) for name in ModelIn.model_fields if name != "found"}
    made = await service.create(session, who, values, vault=vault, offer=offer)
    models.listed.keep(made)
    return await _out(models, made)


@router.get("/found")
async def list_found_models(_: Admin, page: PageQuery) -> Page[FoundModelOut]:
    """What can be added without giving a key: keys in the environment, and a running Ollama."""
    shown = [
        FoundModelOut(
            found=item.provider,  # pyright: ignore[reportArgumentType]
            name=discovery.NAMES[item.provider],
            source=item.source,
            models=list(item.models),
        )
        for item in await discovery.everything()
    ]
    return page_of(shown, page, by=lambda one: one.found)


@router.get("/prices")
async def list_known_prices(
    _: SignedIn,
    page: PageQuery,
    provider: Annotated[Configurable | None, Query()] = None,
    model: Annotated[str, Query(max_length=200)] = "",
) -> Page[KnownPriceOut]:
    """What the public table of prices says, by provider and by a part of a model's name."""
    await prices.load()
    found = prices.search(provider=provider, model=model)
    shown = [KnownPriceOut.model_validate(line) for line in found]
    return page_of(shown, page, by=lambda line: f"{line.seller} {line.model}")


@router.post("/list", openapi_extra=IN_PERSON)
async def list_models_of_key(
    body: ModelListIn, _: ModelsInPerson, models: TheModels, office: TheOffice
) -> ModelListOut:
    """Ask a provider which models a key can have; the key goes to its own address alone.

    What it says of the windows and prices of models that are here already is kept with them.
    """
    config = await list_request.config_of(models, body)
    found = await listing.fetch(config)
    models.listed.take(config, found)
    async with office.storage.app.write() as session:
        for row in await repository.of_provider(session, config.provider):
            models.listed.keep(row)
    return ModelListOut(models=[ListedModelOut.model_validate(each) for each in found])


@router.get("/{model_id}")
async def read_model(
    model_id: ModelId, _: Admin, session: ReadSession, models: TheModels
) -> ModelOut:
    """One model."""
    return await _out(models, await repository.get(session, model_id))


@router.put("/{model_id}", openapi_extra=IN_PERSON, dependencies=[Depends(_heard)])
async def replace_model(
    model_id: ModelId,
    body: ModelPut,
    who: ModelsInPerson,
    session: WriteSession,
    vault: TheVault,
    models: TheModels,
) -> ModelOut:
    """Replace a model's settings. A key that is left out stays, unless the address changes."""
    values = {name: getattr(body, name) for name in ModelPut.model_fields}
    if "key" not in body.model_fields_set:
        del values["key"]
    row = await service.replace(session, who, model_id, values=values, vault=vault)
    models.listed.keep(row)
    return await _out(models, row)


@router.delete("/{model_id}", status_code=204, openapi_extra=IN_PERSON)
async def delete_model(
    model_id: ModelId, who: ModelsInPerson, session: WriteSession, office: TheOffice
) -> None:
    """Remove a model; not the default, nor another one's fallback, nor what an agent uses."""
    await office.removing("model", session, who.actor, model_id)
    await service.delete(session, who, model_id)


@router.post("/{model_id}/default", openapi_extra=IN_PERSON)
async def make_default_model(
    model_id: ModelId, who: ModelsInPerson, session: WriteSession, models: TheModels
) -> ModelOut:
    """Let whoever names no model have this one."""
    return await _out(models, await service.make_default(session, who, model_id, models=models))


@router.post("/{model_id}/test", openapi_extra=IN_PERSON)
async def try_model(model_id: ModelId, _: ModelsInPerson, models: TheModels) -> ModelTestOut:
    """Ask it something tiny, once; this may cost a little."""
    config = await models.read(model_id)
    begun = time.monotonic()
    try:
        reply = await models.probe(config, _QUESTION)
    except ModelFailed as error:
        return _tested(begun, error=error.detail, notes=models.notes(config))
    spent = reply.spent
    return _tested(
        begun,
        said=reply.content[:500],
        asked=spent.input_tokens,
        answered=spent.output_tokens,
        money=spent.money,
        notes=models.notes(config),
    )


def _tested(
    begun: float,
    *,
    said: str = "",
    asked: int = 0,
    answered: int = 0,
    money: int | None = None,
    error: str | None = None,
    notes: list[str],
) -> ModelTestOut:
    return ModelTestOut(
        ok=error is None,
        said=said,
        latency_ms=round((time.monotonic() - begun) * 1000),
        input_tokens=asked,
        output_tokens=answered,
        money=money,
        error=error,
        notes=notes,
    )


async def _out(models: Models, row: Model) -> ModelOut:
    if row.provider != "offline":
        await prices.load()
    config = models.windows.applied(config_rows.of(row, None))
    costs, seen = prices.effective(config), sight_of(config)
    builtin = models.builtin(row.provider, row.model)
    plain = {name: getattr(row, name) for name in ModelOut.model_fields if hasattr(row, name)}
    return ModelOut(
        **plain,
        label=builtin.label if builtin else None,
        has_key=config_rows.has_key(row),
        effective_window=config.window,
        effective_api=config.effective_api,
        window_source=config.window_source,
        effective_input_price=costs.input_price,
        effective_output_price=costs.output_price,
        effective_cache_read_price=costs.cache_read_price,
        effective_cache_write_price=costs.cache_write_price,
        price_source=costs.source,
        effective_sees_images=seen.images,
        effective_sees_documents=seen.documents,
    )
