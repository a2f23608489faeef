"""Wire forms of models. Prices are millionths of a dollar for a million tokens."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field, SecretStr, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Name, StrictFlag, Wire
from bailiwick.llm.config import (
    Effort,
    ModelApi,
    ModelProviderName,
    Origin,
    Verbosity,
    WindowSource,
)
from bailiwick.llm.list_entries import ListedSource
from bailiwick.llm.names import API_VERSION, MODEL_NAME, REGION
from bailiwick.llm.prices import PriceSource

ModelId = Annotated[str, Path(pattern=ids.pattern("mdl"))]
OtherModel = Annotated[str, StringConstraints(pattern=ids.pattern("mdl"))]
Configurable = Literal[
    "openai", "anthropic", "google", "azure", "bedrock", "mistral", "ollama", "compatible"
]
FoundProvider = Literal["openai", "anthropic", "google", "azure", "bedrock", "mistral", "ollama"]
ProvidersName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200, pattern=MODEL_NAME),
    Field(examples=["gpt-5.4-mini"], description="The provider's name for the model"),
]
BaseUrl = Annotated[
    str,
    StringConstraints(min_length=1, max_length=2000),
    Field(
        examples=["http://127.0.0.1:8000/v1"],
        description="Where it is; needed for azure and compatible, else the provider's own",
    ),
]
ModelKey = Annotated[
    SecretStr, Field(min_length=1, max_length=4000, description="Never shown again")
]
Price = Annotated[int, Field(ge=0, le=1_000_000_000_000)]
TokenCount = Annotated[int, Field(ge=1, le=100_000_000)]


class _Settings(Wire):
    base_url: BaseUrl | None = None
    api_version: (
        Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=API_VERSION)] | None
    ) = Field(default=None, description="Of Azure")
    region: (
        Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=REGION)] | None
    ) = Field(default=None, description="Of Amazon Bedrock", examples=["eu-central-1"])
    window: TokenCount | None = Field(
        default=None,
        description="The most tokens of a request and its answer; null: as known, or 128000",
    )
    max_output: TokenCount | None = Field(default=None, description="The most tokens of an answer")
    input_price: Price | None = Field(default=None, description="Null: as known")
    output_price: Price | None = Field(default=None, description="Null: as known")
    cache_read_price: Price | None = Field(
        default=None, description="Of input from the provider's cache; null: as known"
    )
    cache_write_price: Price | None = Field(
        default=None, description="Of input that goes into the provider's cache; null: as known"
    )
    fallback_id: OtherModel | None = Field(
        default=None, description="Who is asked when this one does not answer"
    )
    enabled: StrictFlag = True
    parallel: int = Field(default=8, ge=1, le=1000, description="Calls at a time in a process")
    timeout_seconds: int = Field(default=120, ge=1, le=3600, description="Of silence")
    api: ModelApi | None = Field(
        default=None,
        description="Which of OpenAI's APIs is spoken; null: responses to OpenAI, chat to others",
    )
    effort: Effort | None = Field(
        default=None, description="How long it reasons; null: as the provider has it"
    )
    verbosity: Verbosity | None = Field(
        default=None, description="How much it writes; null: as the provider has it"
    )
    temperature: Annotated[float, Field(ge=0, le=2)] | None = Field(
        default=None, description="How much chance is in it; null: as the provider has it"
    )
    sees_images: StrictFlag | None = Field(
        default=None, description="Whether it is shown pictures; null: as its name is known"
    )
    sees_documents: StrictFlag | None = Field(
        default=None, description="Whether it is shown PDF documents; null: as its name is known"
    )


class ModelIn(_Settings):
    """A model to add: one of one's own, or one that was found in the environment."""

    found: FoundProvider | None = Field(
        default=None, description="Use the environment's key; provider and key are left out then"
    )
    name: Name | None = Field(default=None, description="May be left out for what was found")
    provider: Configurable | None = Field(default=None, description="Left out for what was found")
    model: ProvidersName | None = Field(
        default=None, description="May be left out for what was found"
    )
    key: ModelKey | None = None


class ModelPut(_Settings):
    """A model as it is to be; a key that is left out stays, null removes it."""

    name: Name
    provider: Configurable
    model: ProvidersName
    # A factory, because a default in the document would read as "left out means this".
    key: ModelKey | None = Field(default_factory=lambda: None)


class ModelOut(Wire):
    """A model; its key is never shown."""

    id: str
    name: str
    provider: ModelProviderName
    model: str
    label: str | None = Field(description="What must be said of it wherever it is offered")
    origin: Origin
    base_url: str | None
    api_version: str | None
    region: str | None
    has_key: bool
    window: int | None
    effective_window: int
    window_source: WindowSource = Field(description="Where the effective window comes from")
    max_output: int | None
    input_price: int | None
    output_price: int | None
    cache_read_price: int | None
    cache_write_price: int | None
    effective_input_price: int | None
    effective_output_price: int | None
    effective_cache_read_price: int | None
    effective_cache_write_price: int | None
    price_source: PriceSource = Field(description="Whose the effective prices are")
    fallback_id: str | None
    is_default: bool
    enabled: bool
    parallel: int
    timeout_seconds: int
    api: ModelApi | None
    effective_api: ModelApi
    effort: Effort | None
    verbosity: Verbosity | None
    temperature: float | None
    sees_images: bool | None
    sees_documents: bool | None
    effective_sees_images: bool
    effective_sees_documents: bool
    created_at: datetime
    updated_at: datetime


class ModelTestOut(Wire):
    """How a model answered a tiny question."""

    ok: bool
    said: str
    latency_ms: int
    input_tokens: int
    output_tokens: int
    money: int | None = Field(description="Millionths of a dollar; null if it is not known")
    error: str | None
    notes: list[str] = Field(description="Which settings it does not take, and were left out")


class FoundModelOut(Wire):
    """A provider that can be added without giving a key."""

    found: FoundProvider
    name: str
    source: str = Field(description="Where it was found", examples=["OPENAI_API_KEY"])
    models: list[str] = Field(description="The first is taken if none is named; empty: name one")


class ModelListIn(Wire):
    """Whose models are wanted: of what a form holds, of a stored model, or of what was found."""

    model_id: OtherModel | None = Field(
        default=None, description="Use its stored key, for the address that it is stored with"
    )
    found: FoundProvider | None = Field(default=None, description="Use the environment's key")
    provider: Configurable | None = None
    base_url: BaseUrl | None = None
    api_version: (
        Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=API_VERSION)] | None
    ) = None
    key: ModelKey | None = None


class ListedModelOut(Wire):
    """A model that a key can have."""

    model: str
    name: str | None = Field(description="For people, if the provider has one")
    window: int | None
    max_output: int | None
    input_price: int | None
    output_price: int | None
    price_source: ListedSource = Field(description="The provider's own list, or the public table")


class ModelListOut(Wire):
    """All models that a key can have, by name."""

    models: list[ListedModelOut]


class KnownPriceOut(Wire):
    """A line of the public table of prices."""

    seller: str
    model: str
    input_price: int
    output_price: int
    cache_read_price: int | None
    cache_write_price: int | None
    window: int | None
