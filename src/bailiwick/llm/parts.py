"""Provider parts: what a provider wants back of its own answers, as plain JSON.

That is reasoning with its signatures, in its order among words and calls. The words and the calls
themselves are in the message: a part only says how many characters it is, or that a call is here.

They go back to the very model at the very address that they came from, and to no other, because
nobody else can read a signature. A part is never changed: a provider refuses a signed text that is
another. What cannot go back as it is does not go back at all.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bailiwick.llm.config import Config

# {"provider", "address", "model", "api", "ms", "parts": [{"kind": "thought" | "text" | "call", …}]}
ProviderParts = Mapping[str, Any]
# Of all parts of one message; only what people read is kept of more.
LONGEST = 500_000
_LONGEST_THOUGHT = 100_000
# What no person reads: it is checked by its provider, and says nothing to anyone else.
_OPAQUE = frozenset(
    ("signature", "thought_signature", "encrypted_content", "data", "id", "format", "type")
)


def made(
    config: Config, parts: Sequence[Mapping[str, Any]], *, ms: int | None
) -> ProviderParts | None:
    """What is kept of an answer; None if a provider wants nothing back and thought nothing."""
    if not any(part["kind"] == "thought" or part.get("details") for part in parts):
        return None
    kept: dict[str, Any] = {**_origin(config), "ms": ms, "parts": list(parts)}
    if _is_storable(kept):
        return kept
    said = "\n\n".join(part["text"] for part in parts if part["kind"] == "thought")
    said = said.replace("\x00", "").encode(errors="replace").decode()[:_LONGEST_THOUGHT]
    # Another origin than any: it is there to be read, and is sent to nobody.
    return {"provider": "", "ms": ms, "parts": [{"kind": "thought", "text": said}]}


def fit(parts: ProviderParts, config: Config) -> bool:
    """Whether parts came from the model that is asked now."""
    return {name: parts.get(name) for name in _origin(config)} == _origin(config)


def thought(parts: ProviderParts | None) -> str:
    """What a person can read of the reasoning."""
    thoughts = (part for part in (parts or {}).get("parts", ()) if part["kind"] == "thought")
    said = (part.get("text") or "\n\n".join(_raw(part)) for part in thoughts)
    return "\n\n".join(text.strip() for text in said if text.strip())


def texts(parts: ProviderParts) -> Iterator[str]:
    """Every text in them that says something, for whoever has to look into it."""
    for part in parts.get("parts", ()):
        yield from _strings({name: part[name] for name in ("text", "details") if name in part})


def characters(parts: ProviderParts) -> str:
    """All that is sent back, to count it."""
    told = [
        (part.get("text", ""), part.get("signature", ""), part.get("details") or "")
        for part in parts.get("parts", ())
        if part["kind"] == "thought" or part.get("details")
    ]
    return json.dumps(told, ensure_ascii=False) if told else ""


def _origin(config: Config) -> dict[str, Any]:
    return {
        "provider": config.provider,
        "address": config.base_url,
        "model": config.model,
        "api": config.effective_api,
    }


def _raw(part: Mapping[str, Any]) -> list[str]:
    """The thoughts of open models, which come beside the summary."""
    return (part.get("details") or {}).get("raw_content") or []


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for name, inner in value.items():
                if name not in _OPAQUE:
                    yield from _strings(inner)
        case list() | tuple():
            for inner in value:
                yield from _strings(inner)
        case _:
            pass


def _is_storable(parts: ProviderParts) -> bool:
    """Whether every database takes it as it is: no NUL, no half of a character, not too much."""
    try:
        text = json.dumps(parts, ensure_ascii=False)
        text.encode()
    except (TypeError, UnicodeEncodeError):
        return False
    return len(text) <= LONGEST and "\\u0000" not in text
