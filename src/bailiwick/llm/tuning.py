"""How a model shall think and write: a configuration's settings, in the words of its provider.

What a model is known not to take is left out. What it refuses is left out from then on, in this
process, and the call is made again at once: a setting never costs an answer. Both are told in words
when a model is tested.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, cast

from bailiwick.llm import parts
from bailiwick.llm.chat import ChatMessage
from bailiwick.llm.config import Config
from bailiwick.llm.errors import AttemptFailed
from bailiwick.llm.outgoing import RedactedRequest

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

Tunable = Literal[
    "temperature", "verbosity", "summary", "parts", "effort", "form", "usage", "cache_key"
]
# By what a refusal is known, in this order: the last are words that others use too.
_REFUSED: dict[Tunable, re.Pattern[str]] = {
    "temperature": re.compile("temperature|sampling", re.IGNORECASE),
    "verbosity": re.compile("verbosity", re.IGNORECASE),
    "summary": re.compile("summary|summaries|include_?thoughts", re.IGNORECASE),
    "parts": re.compile(
        "signature|encrypted|reasoning_content|reasoning_details|thinking.{0,40}block|'rs_",
        re.IGNORECASE,
    ),
    "effort": re.compile("effort|thinking|reasoning", re.IGNORECASE),
    "usage": re.compile("stream_options|include_usage", re.IGNORECASE),
    "cache_key": re.compile("prompt_cache_key", re.IGNORECASE),
    "form": re.compile(
        "response_?format|json.?schema|output_(?:format|config)|response_?schema|tool_choice"
        "|guided|grammar",
        re.IGNORECASE,
    ),
}
# llama.cpp says so with 500 too.
_GRAMMAR = re.compile("grammar", re.IGNORECASE)
_NEEDS_RESPONSES = re.compile(r"v1/responses\b")
_TOLD: dict[Tunable, str] = {
    "temperature": "It refuses a temperature: it is not sent.",
    "verbosity": "It refuses a verbosity: it is not sent.",
    "summary": "It does not show what it thinks: OpenAI shows it to verified organisations alone.",
    "parts": "It refused its own earlier reasoning: it is not sent back.",
    "effort": "It refuses an effort: it is not sent.",
    "usage": "It does not tell in a stream what it used: that is reckoned here.",
    "cache_key": "It refuses a word for its cache: it is not sent.",
    "form": "It refuses a schema for its answer: it is asked for a form in words.",
}
_OPENAI = frozenset(("openai", "azure", "compatible", "ollama"))
_OLD = ("gpt-3", "gpt-4", "chatgpt", "o1", "o3", "o4")
_NEVER_THINK = ("gpt-3", "gpt-4", "chatgpt")
# Anthropic's older models are told how many tokens to think: part of the room for the answer.
_BUDGETS = {"minimal": 1024, "low": 2048, "medium": 8192, "high": 16384}
_SMALLEST_BUDGET = 1024


@dataclass(slots=True)
class Learned:
    """What a process has found out about a model since its settings were changed."""

    config: Config
    refused: set[Tunable] = field(default_factory=set[Tunable])
    sent: set[Tunable] = field(default_factory=set[Tunable])
    notes: list[str] = field(default_factory=list[str])

    def heeds(self, failed: AttemptFailed) -> bool:
        """Learn from a refusal; whether it is worth asking again at once."""
        if failed.status not in (400, 404, 422) and not _GRAMMAR.search(failed.said):
            return False
        if _NEEDS_RESPONSES.search(failed.said) and self.config.provider in _OPENAI:
            known = self.config.effective_api == "responses"
            self.config = replace(self.config, api="responses")
            return not known
        for name, words in _REFUSED.items():
            if name in self.sent and words.search(failed.said):
                self.refused.add(name)
                return True
        return False

    def told(self) -> list[str]:
        """What was left out, in words."""
        return [*self.notes, *(_TOLD[name] for name in _REFUSED if name in self.refused)]


def settings(
    model: "Model", ask: RedactedRequest, learned: Learned, *, max_tokens: int | None
) -> "ModelSettings":
    """What goes with a request; what is left out of it is noted."""
    config, made = learned.config, dict[str, Any]()
    learned.notes, learned.sent = [], set()
    if max_tokens is not None:
        made["max_tokens"] = max_tokens
    if any(_goes_back(message, config) for message in ask.messages):
        learned.sent.add("parts")
    if config.provider in _OPENAI and config.effective_api == "chat":
        # Of vLLM, older versions refuse what they do not know.
        made["tells_usage"] = "usage" not in learned.refused
        learned.sent.add("usage")
    if ask.output is not None and "form" not in learned.refused:
        learned.sent.add("form")
    profile = cast("Mapping[str, Any]", model.profile)
    wanted: dict[Tunable, dict[str, Any] | str | None] = {
        "effort": _effort(profile, ask, config, max_tokens),
        "verbosity": _verbosity(config),
        "temperature": _temperature(profile, config),
        "summary": _summary(profile, config),
        "cache_key": _cache_key(ask, config),
    }
    for name, chosen in wanted.items():
        if isinstance(chosen, str):
            learned.notes.append(chosen)
        elif chosen and name not in learned.refused:
            made |= chosen
            learned.sent.add(name)
    if config.effective_api == "responses":
        # Nothing is kept there: the reasoning comes sealed, and goes back with the next request.
        made["openai_store"] = False
    return cast("ModelSettings", made)


def without_parts(ask: RedactedRequest, learned: Learned) -> RedactedRequest:
    """The request without earlier reasoning, if its provider has refused that."""
    if "parts" not in learned.refused:
        return ask
    bare = [{name: each[name] for name in each if name != "parts"} for each in ask.messages]
    return replace(ask, messages=bare)


def _effort(
    profile: Mapping[str, Any], ask: RedactedRequest, config: Config, most: int | None
) -> dict[str, Any] | str | None:
    effort = config.effort
    if effort is None:
        return None
    if not profile.get("supports_thinking", False):
        if config.provider in _OPENAI and not config.model.startswith(_NEVER_THINK):
            return {"openai_reasoning_effort": effort}
        return "This model does not reason: an effort is not sent."
    adaptive = profile.get("anthropic_supports_adaptive_thinking", False)
    if config.provider in ("anthropic", "bedrock") and effort != "none" and not adaptive:
        return _budget(ask, config, most)
    return {"thinking": False if effort == "none" else effort}


def _budget(ask: RedactedRequest, config: Config, most: int | None) -> dict[str, Any] | str | None:
    if _is_amid_calls_without_thought(ask.messages, config):
        # Within a row of calls, these models want to have thought from its beginning.
        return None
    budget = min(_BUDGETS.get(config.effort or "", 16384), (most or 32_000) // 2)
    if budget < _SMALLEST_BUDGET:
        return "Its answers may be too short to reason in: an effort is not sent."
    if config.provider == "bedrock":
        return {"thinking": config.effort}
    return {"anthropic_thinking": {"type": "enabled", "budget_tokens": budget}}


def _is_amid_calls_without_thought(messages: Sequence[ChatMessage], config: Config) -> bool:
    if not messages or messages[-1].get("role") != "tool":
        return False
    asked = next((m for m in reversed(messages) if m.get("role") == "assistant"), None)
    return asked is not None and not _goes_back(asked, config)


def _goes_back(message: ChatMessage, config: Config) -> bool:
    kept: parts.ProviderParts | None = message.get("parts")
    return kept is not None and parts.fit(kept, config)


def _verbosity(config: Config) -> dict[str, Any] | str | None:
    if config.verbosity is None:
        return None
    if config.provider not in _OPENAI or config.model.startswith(_OLD):
        return "This model has no verbosity: it is not sent."
    return {"openai_text_verbosity": config.verbosity}


def _temperature(profile: Mapping[str, Any], config: Config) -> dict[str, Any] | str | None:
    if config.temperature is None:
        return None
    if profile.get("anthropic_disallows_sampling_settings", False):
        return "This model takes no temperature: it is not sent."
    if _reasons(profile, config):
        return "A model that reasons takes no temperature: it is not sent."
    return {"temperature": config.temperature}


def _reasons(profile: Mapping[str, Any], config: Config) -> bool:
    thinks = config.provider == "anthropic" or profile.get("openai_supports_reasoning", False)
    if not thinks or not profile.get("supports_thinking", False):
        return False
    if profile.get("thinking_always_enabled", False):
        return True
    if config.effort is None:
        return profile.get("thinking_enabled_by_default", False)
    return config.effort != "none"


def _cache_key(ask: RedactedRequest, config: Config) -> dict[str, Any] | None:
    """What leads the steps of one conversation to the same machine there, and to its cache."""
    if config.provider != "openai" or ask.conversation is None:
        return None
    return {"openai_prompt_cache_key": ask.conversation}


def _summary(profile: Mapping[str, Any], config: Config) -> dict[str, Any] | None:
    """What asks to be shown the reasoning; it is done anyway."""
    if not profile.get("supports_thinking", False):
        return None
    if config.effective_api == "responses":
        return {"openai_reasoning_summary": "auto"}
    if config.provider == "google" and config.effort is None:
        return {"google_thinking_config": {"include_thoughts": True}}
    return None
