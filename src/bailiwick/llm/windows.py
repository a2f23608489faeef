"""How much a model takes in one request, its answer included, and how that is known.

In this order: what an admin set, what the provider's own list says, what is kept here of models,
and a guess. A model that refused a request as too long has told its limit, whatever was thought
before: that holds until the process ends.
"""

import re
from dataclasses import dataclass, field, replace

from bailiwick.llm import prices
from bailiwick.llm.config import WINDOW, Config, ModelProviderName, WindowSource

# Where the provider's refusal names no limit.
_LESS = 0.8
# Models that people run themselves, of which no table of prices tells; the longest beginning holds.
_FAMILIES = {
    "codellama": 16_384,
    "deepseek-r1": 131_072,
    "gemma2": 8_192,
    "gemma3": 131_072,
    "gpt-oss": 131_072,
    "granite3": 131_072,
    "llama2": 4_096,
    "llama3": 8_192,
    "llama3.1": 131_072,
    "llama3.2": 131_072,
    "llama3.3": 131_072,
    "mistral": 32_768,
    "mistral-nemo": 131_072,
    "mixtral": 32_768,
    "phi3": 131_072,
    "phi4": 16_384,
    "qwen2.5": 32_768,
    "qwen3": 40_960,
    "smollm2": 8_192,
}
_OWN_SERVERS: frozenset[ModelProviderName] = frozenset(("ollama", "compatible"))
_Key = tuple[str, str | None, str]


@dataclass(slots=True)
class Windows:
    """What this process has heard from providers."""

    _refused: dict[_Key, int] = field(default_factory=dict[_Key, int])

    def take_refusal(self, config: Config, *, asked: int, limit: int | None) -> int:
        """Keep that a request of so many tokens was too long; the window from now on."""
        learned = (
            limit if limit and limit < config.window else int(min(asked, config.window) * _LESS)
        )
        self._refused[_key(config)] = learned
        return learned

    def applied(self, config: Config) -> Config:
        """A configuration with the window that it has as far as is known now."""
        refused = self._refused.get(_key(config))
        if refused and refused < config.window:
            config = replace(config, window=refused, window_source="learned")
        return config


def known(
    provider: ModelProviderName,
    model: str,
    base_url: str | None,
    *,
    own: int | None,
    listed: int | None,
) -> tuple[int, WindowSource]:
    """The window of a model before it refused anything, and where it comes from."""
    if own:
        return own, "yours"
    if listed:
        return listed, "listed"
    line = prices.known(provider, model, base_url=base_url)
    found = (line.window if line else None) or (provider in _OWN_SERVERS and _of_family(model))
    return (found, "known") if found else (WINDOW, "guess")


def _of_family(model: str) -> int | None:
    name = model.rsplit("/", 1)[-1].lower()
    fits = [each for each in _FAMILIES if re.match(rf"{re.escape(each)}(?![0-9.])", name)]
    return _FAMILIES[max(fits, key=len)] if fits else None


def _key(config: Config) -> _Key:
    return config.provider, config.base_url, config.model
