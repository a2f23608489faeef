"""Builds pydantic-ai's model for a configuration.

Invariant: a key goes nowhere but to the address of its own configuration. Libraries take a key or
an address from the environment where none is given, so both are always given.

No library tries again by itself: the adapter does, and honours Retry-After.
"""

from typing import TYPE_CHECKING, Any

import structlog

from bailiwick.llm.config import Config
from bailiwick.llm.errors import AttemptFailed
from bailiwick.llm.provider import ModelProvider

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
    "mistral": "https://api.mistral.ai",
    "ollama": "http://127.0.0.1:11434/v1",
}
AZURE_VERSION = "2024-10-21"
log = structlog.stdlib.get_logger("bailiwick.llm")
_EXTRAS = ("anthropic", "bedrock", "google", "mistral")
# Servers that want no key are sent this: an empty one would be looked up in the environment.
_NO_KEY = "none"


def build(provider: ModelProvider, config: Config, client: "httpx2.AsyncClient") -> "Model":
    """The model that a configuration names, or `AttemptFailed` with what is missing."""
    try:
        return provider.build(config, client)
    except AttemptFailed:
        raise
    except Exception as error:
        if isinstance(error, ImportError) and config.provider in _EXTRAS:
            raise AttemptFailed(
                f"what speaks to {config.provider} is not installed",
                again=False,
                advice=f"Install it: pip install 'bailiwick[{config.provider}]'",
            ) from error
        log.exception("a model could not be set up", model=config.id)
        said = f"it could not be set up ({type(error).__name__}; the log has the details)"
        raise AttemptFailed(said, again=False, advice="Check it in Settings → Models.") from error


def _key(config: Config) -> str:
    return config.key.get_secret_value() if config.key else _NO_KEY


def _base_url(config: Config) -> str:
    if address := config.base_url or ADDRESSES.get(config.provider):
        return address
    raise AttemptFailed(
        "it has no address", again=False, advice="Give it one in Settings → Models."
    )


def _openai_client(config: Config, client: "httpx2.AsyncClient") -> Any:
    from openai import AsyncOpenAI

    made = AsyncOpenAI(
        api_key=_key(config), base_url=_base_url(config), http_client=client, max_retries=0
    )
    if config.provider != "openai":
        # From the environment, and nobody else's business.
        made.organization = made.project = None
    return made


def _responses(config: Config, provider: Any) -> "Model":
    from pydantic_ai.models.openai import OpenAIResponsesModel

    return OpenAIResponsesModel(config.model, provider=provider)


def _openai(config: Config, client: "httpx2.AsyncClient") -> "Model":
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    from bailiwick.llm.chat_completions import ChatModel

    provider = OpenAIProvider(openai_client=_openai_client(config, client))
    if config.effective_api == "responses":
        return _responses(config, provider)
    return ChatModel(
        config.model,
        provider=provider,
        # OpenAI always says how an answer ended: without it, the rest of it was lost.
        profile=OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True),
    )


def _compatible(config: Config, client: "httpx2.AsyncClient") -> "Model":
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    from bailiwick.llm.chat_completions import NO_TAGS, ChatModel

    made = _openai_client(config, client)
    provider = OpenAICompatibleProvider("compatible", openai_client=made)
    if config.effective_api == "responses":
        return _responses(config, provider)
    return ChatModel(
        config.model,
        provider=provider,
        # The name that every server knows; the newer one is OpenAI's.
        profile=OpenAIModelProfile(
            thinking_tags=NO_TAGS,
            openai_chat_supports_max_completion_tokens=False,
            # Some refuse to be asked for any JSON; all can be asked in words.
            supports_json_object_output=False,
        ),
    )


def _ollama(config: Config, client: "httpx2.AsyncClient") -> "Model":
    from pydantic_ai.providers.ollama import OllamaProvider

    from bailiwick.llm.chat_completions import NO_TAGS, ChatModel
    from bailiwick.llm.ollama import native_client

    if _base_url(config).endswith("/v1"):
        client = native_client(client, window=config.window)
    provider = OllamaProvider(openai_client=_openai_client(config, client))
    if config.effective_api == "responses":
        return _responses(config, provider)
    return ChatModel(config.model, provider=provider, profile={"thinking_tags": NO_TAGS})


def _azure(config: Config, client: "httpx2.AsyncClient") -> "Model":
    from openai import AsyncAzureOpenAI
    from pydantic_ai.providers.azure import AzureProvider

    from bailiwick.llm.chat_completions import NO_TAGS, ChatModel

    if _base_url(config).endswith("/v1"):
        made = _openai_client(config, client)  # Azure's newer way, without versions
    else:
        made = AsyncAzureOpenAI(
            azure_endpoint=_base_url(config),
            api_version=config.api_version or AZURE_VERSION,
            api_key=_key(config),
            http_client=client,
            max_retries=0,
        )
    made.organization = made.project = None
    provider = AzureProvider(openai_client=made)
    if config.effective_api == "responses":
        return _responses(config, provider)
    return ChatModel(config.model, provider=provider, profile={"thinking_tags": NO_TAGS})


def _anthropic(config: Config, client: "httpx2.AsyncClient") -> "Model":
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    made = AsyncAnthropic(
        api_key=_key(config), base_url=_base_url(config), http_client=client, max_retries=0
    )
    return AnthropicModel(config.model, provider=AnthropicProvider(anthropic_client=made))


def _google(config: Config, client: "httpx2.AsyncClient") -> "Model":
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=_key(config), base_url=_base_url(config), http_client=client)
    return GoogleModel(config.model, provider=provider, settings={"max_retries": 0})


def _mistral(config: Config, client: "httpx2.AsyncClient") -> "Model":
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    provider = MistralProvider(api_key=_key(config), base_url=_base_url(config), http_client=client)
    return MistralModel(config.model, provider=provider)


def _bedrock(config: Config, client: "httpx2.AsyncClient") -> "Model":
    """Amazon's own library connects; its address comes from the region alone."""
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    # Without a key it was found, and the library takes the environment's access keys.
    key: dict[str, Any] = {"api_key": _key(config)} if config.key else {}
    provider = BedrockProvider(
        **key,
        region_name=config.region,
        aws_read_timeout=config.timeout_seconds,
        aws_connect_timeout=10,
    )
    return BedrockConverseModel(config.model, provider=provider)


PROVIDERS = (
    ModelProvider("openai", _openai),
    ModelProvider("compatible", _compatible),
    ModelProvider("ollama", _ollama),
    ModelProvider("azure", _azure),
    ModelProvider("anthropic", _anthropic),
    ModelProvider("google", _google),
    ModelProvider("mistral", _mistral),
    ModelProvider("bedrock", _bedrock),
)
