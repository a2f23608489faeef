"""Models that can be had at once: their keys are in the environment, or Ollama runs.

A key of the environment is read at each call and never stored. It goes to the address that its
provider has, or that the environment gives with it, and to no other.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr

from bailiwick.errors import Invalid
from bailiwick.kit.net.outbound import Outbound, OutboundFailed
from bailiwick.llm.addresses import LOCAL, checked_base_url
from bailiwick.llm.config import ModelProviderName
from bailiwick.llm.names import MODEL_NAME

_OLLAMA = "http://127.0.0.1:11434"
_PATIENCE = 1.0
_MOST = 100
_MODEL_NAME = re.compile(MODEL_NAME)
NAMES: dict[ModelProviderName, str] = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "mistral": "Mistral",
    "azure": "Azure OpenAI",
    "bedrock": "Amazon Bedrock",
    "ollama": "Ollama",
}
# The first is taken when nobody says otherwise: able, and not the dearest. Azure names its
# deployments as it likes.
SUGGESTED: dict[ModelProviderName, tuple[str, ...]] = {
    "openai": ("gpt-5.4-mini", "gpt-5.4", "gpt-5.4-nano"),
    "anthropic": ("claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5"),
    "google": ("gemini-3.5-flash", "gemini-3.1-pro-preview", "gemini-3.5-flash-lite"),
    "mistral": ("mistral-medium-latest", "mistral-small-latest", "mistral-large-latest"),
    "azure": (),
    "bedrock": ("amazon.nova-pro-v1:0", "amazon.nova-lite-v1:0"),
}
_KEYS: dict[ModelProviderName, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "mistral": ("MISTRAL_API_KEY",),
    "azure": ("AZURE_OPENAI_API_KEY",),
    "bedrock": ("AWS_BEARER_TOKEN_BEDROCK",),
}


@dataclass(frozen=True, slots=True)
class Environment:
    """What the environment says about one provider."""

    source: str | None = None  # the variable; None: there is nothing
    key: SecretStr | None = None
    base_url: str | None = None
    api_version: str | None = None
    region: str | None = None


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A provider that can be added with one click."""

    provider: ModelProviderName
    source: str
    models: tuple[str, ...]


NOTHING = Environment()


def environment(
    provider: ModelProviderName, environ: Mapping[str, str] | None = None
) -> Environment:
    """What the environment has for a provider at this moment."""
    given = os.environ if environ is None else environ
    if provider == "ollama":
        source = "OLLAMA_HOST" if given.get("OLLAMA_HOST") else "a running Ollama"
        return Environment(source, base_url=f"{_ollama_address(given)}/v1")
    source = next((name for name in _KEYS.get(provider, ()) if given.get(name)), None)
    key = SecretStr(given[source]) if source else None
    match provider:
        case "azure":
            return _azure(given, source, key)
        case "bedrock":
            return _bedrock(given, source, key)
        case _:
            return Environment(source, key) if source else NOTHING


async def everything() -> list[FoundModel]:
    """All that could be added."""
    items = [
        FoundModel(provider, source, SUGGESTED[provider])
        for provider in SUGGESTED
        if (source := environment(provider).source)
    ]
    running = await _ollama_models()
    if running:
        items.append(FoundModel("ollama", str(environment("ollama").source), running))
    return items


async def one(provider: ModelProviderName) -> FoundModel:
    """What was found of one provider, or `Invalid`."""
    for item in await everything():
        if item.provider == provider:
            return item
    raise Invalid.field("found", f"nothing of {NAMES.get(provider, provider)} is found here")


def _azure(given: Mapping[str, str], source: str | None, key: SecretStr | None) -> Environment:
    endpoint = _address(given.get("AZURE_OPENAI_ENDPOINT"))
    if not source or not endpoint:
        return NOTHING
    return Environment(source, key, endpoint, given.get("OPENAI_API_VERSION") or None)


def _bedrock(given: Mapping[str, str], source: str | None, key: SecretStr | None) -> Environment:
    region = given.get("AWS_REGION") or given.get("AWS_DEFAULT_REGION")
    if not source and given.get("AWS_ACCESS_KEY_ID") and given.get("AWS_SECRET_ACCESS_KEY"):
        source = "AWS_ACCESS_KEY_ID"
    if not source and given.get("AWS_PROFILE"):
        source = "AWS_PROFILE"
    if not source or not region:
        return NOTHING
    return Environment(source, key, region=region)


def _ollama_address(given: Mapping[str, str]) -> str:
    """OLLAMA_HOST may lack the scheme or the port, and may name all addresses."""
    host = given.get("OLLAMA_HOST", "").strip().rstrip("/")
    if not host:
        return _OLLAMA
    if "://" not in host:
        host = f"http://{host}" if ":" in host else f"http://{host}:11434"
    return _address(host.replace("//0.0.0.0", "//127.0.0.1")) or _OLLAMA


def _address(text: str | None) -> str | None:
    try:
        return checked_base_url(text) if text else None
    except Invalid:
        return None


async def _ollama_models() -> tuple[str, ...]:
    url = f"{_ollama_address(os.environ)}/api/tags"
    try:
        answer = await Outbound(LOCAL).get(url, timeout=_PATIENCE, longest=1_000_000)
        listed: Any = json.loads(answer.body)["models"] if answer.status == 200 else []
        names = [str(item["name"]) for item in listed[:_MOST]]
    except (OutboundFailed, ValueError, KeyError, TypeError):
        return ()
    return tuple(name for name in names if _MODEL_NAME.fullmatch(name))
