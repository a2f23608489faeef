"""A model's configuration as it is used: complete, and with its key."""

from dataclasses import dataclass
from typing import Literal

from pydantic import SecretStr

ModelProviderName = Literal[
    "openai",
    "anthropic",
    "google",
    "azure",
    "bedrock",
    "mistral",
    "ollama",
    "compatible",
    "offline",
]
# Made by an admin, found in the environment (whose key it uses), or part of the product.
Origin = Literal["made", "found", "builtin"]
# OpenAI's two: the newer one keeps reasoning between steps.
ModelApi = Literal["chat", "responses"]
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
Verbosity = Literal["low", "medium", "high"]
# Set by an admin, told by a refusal or the provider's list, kept here, or none of these.
WindowSource = Literal["yours", "learned", "listed", "known", "guess"]
WINDOW = 128_000


@dataclass(frozen=True, slots=True)
class Config:
    """Whom to ask, where, with which key and within which bounds."""

    id: str
    name: str
    provider: ModelProviderName
    model: str
    origin: Origin = "made"
    enabled: bool = True
    base_url: str | None = None
    api_version: str | None = None
    region: str | None = None
    key: SecretStr | None = None
    window: int = WINDOW  # the most tokens of a request and its answer
    window_source: WindowSource = "guess"
    max_output: int | None = None
    # Millionths of a dollar for a million tokens; None: what is known, if anything is.
    input_price: int | None = None
    output_price: int | None = None
    cache_read_price: int | None = None
    cache_write_price: int | None = None
    # As the provider's own list said, if it did.
    listed_input_price: int | None = None
    listed_output_price: int | None = None
    fallback_id: str | None = None
    parallel: int = 8
    timeout_seconds: int = 120
    api: ModelApi | None = None  # None: the one that works, `effective_api`
    # None: as the provider has it.
    effort: Effort | None = None
    verbosity: Verbosity | None = None
    temperature: float | None = None
    # Whether it sees pictures and documents; None: as its name is known.
    sees_images: bool | None = None
    sees_documents: bool | None = None

    @property
    def effective_api(self) -> ModelApi:
        """The one that is spoken: OpenAI itself has the newer one, of others nobody knows."""
        own = self.base_url is None or "api.openai.com" in self.base_url
        return self.api or ("responses" if self.provider == "openai" and own else "chat")
