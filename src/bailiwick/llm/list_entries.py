"""One model in a provider's list: each server has its own words for a window and a price."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from typing import Any, Literal

ListEntry = dict[str, Any]
ListedSource = Literal["listed", "known", "none"]
_MILLION = 1_000_000
_MOST_TOKENS = 100_000_000
_DEAREST = 1_000_000_000_000
# Names of OpenAI's models that are no chat models; its list does not say what they are for.
_OTHERS = re.compile(
    "embedding|whisper|dall-e|tts|moderation|image|realtime|audio|transcribe|sora|babbage|davinci"
)
_WINDOWS = (
    *("max_input_tokens", "max_model_len", "loaded_context_length", "context_length"),
    *("max_context_length", "context_window", "inputTokenLimit"),
)
_OUTPUTS = ("max_output_tokens", "max_tokens", "outputTokenLimit", "max_completion_tokens")


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that a key can have; prices are millionths of a dollar for a million tokens."""

    model: str
    name: str | None = None
    window: int | None = None
    max_output: int | None = None
    input_price: int | None = None
    output_price: int | None = None
    price_source: ListedSource = "none"


def listed(entry: ListEntry) -> ListedModel:
    """An entry in one form."""
    costs = _costs(entry)
    return ListedModel(
        model=_model(entry),
        name=_text(entry.get("display_name") or entry.get("displayName")),
        window=window(entry),
        max_output=_first(_inner(entry, "top_provider"), _OUTPUTS) or _first(entry, _OUTPUTS),
        input_price=costs[0],
        output_price=costs[1],
        price_source="listed" if None not in costs else "none",
    )


def window(entry: ListEntry) -> int | None:
    """The most tokens of a request, by whichever name."""
    return _first(entry, _WINDOWS) or _tokens(_inner(entry, "meta").get("n_ctx_train"))


def started(entry: ListEntry, props: ListEntry) -> ListEntry:
    """With the window that llama.cpp was started with: often smaller than the model's."""
    running = _tokens(_inner(props, "default_generation_settings").get("n_ctx"))
    return {**entry, "max_model_len": running} if running else entry


def joined(entries: list[ListEntry], more: list[ListEntry]) -> list[ListEntry]:
    """With what LM Studio or LiteLLM say of each model elsewhere."""
    about = {each.get("id") or each.get("model_name"): each for each in more}
    return [
        {**each, **_inner(about.get(each.get("id"), {}), "model_info"), **_plain(about, each)}
        for each in entries
        if about.get(each.get("id"), {}).get("type") != "embeddings"
    ]


def trained(shown: ListEntry) -> int | None:
    """The window of a model of Ollama's, under the name of its architecture."""
    info = _inner(shown, "model_info")
    return _tokens(info.get(f"{info.get('general.architecture')}.context_length"))


def chats(entry: ListEntry) -> bool:
    """Whether OpenAI's name sounds like a chat model's."""
    return _OTHERS.search(str(entry.get("id", ""))) is None


def generates(entry: ListEntry) -> bool:
    """Whether one of Google's writes text."""
    methods = entry.get("supportedGenerationMethods")
    return not isinstance(methods, list) or "generateContent" in methods


def converses(entry: ListEntry) -> bool:
    """Whether one of Mistral's is for chats."""
    return _inner(entry, "capabilities").get("completion_chat") is not False


def completes(entry: ListEntry) -> bool:
    """Whether one of Azure's is for chats."""
    return _inner(entry, "capabilities").get("chat_completion") is not False


def _model(entry: ListEntry) -> str:
    found = entry.get("id") or entry.get("name") or ""
    return str(found).removeprefix("models/") if "id" not in entry else str(found)


def _plain(about: Mapping[Any, ListEntry], entry: ListEntry) -> ListEntry:
    other = about.get(entry.get("id"), {})
    return {name: other[name] for name in _WINDOWS if name in other}


def _costs(entry: ListEntry) -> tuple[int | None, int | None]:
    """Dollars for one token, as OpenRouter and LiteLLM have it."""
    pricing = _inner(entry, "pricing")
    asked = pricing.get("prompt", entry.get("input_cost_per_token"))
    said = pricing.get("completion", entry.get("output_cost_per_token"))
    return _millionths(asked), _millionths(said)


def _millionths(dollars: Any) -> int | None:
    if isinstance(dollars, bool) or not isinstance(dollars, str | int | float):
        return None
    try:
        found = Decimal(str(dollars)) * _MILLION * _MILLION
        # OpenRouter's routers have -1: it depends.
        return int(found.to_integral_value(ROUND_CEILING)) if 0 <= found <= _DEAREST else None
    except (InvalidOperation, ValueError):
        return None


def _first(entry: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    return next((found for name in names if (found := _tokens(entry.get(name)))), None)


def _tokens(value: Any) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 < value <= _MOST_TOKENS else None


def _inner(entry: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = entry.get(name)
    return found if isinstance(found, dict) else {}


def _text(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) and value.strip() else None
