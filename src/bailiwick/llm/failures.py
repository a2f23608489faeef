"""What a provider's error means: whether to try again, and what to tell a person."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    UserError,
)

from bailiwick.kit.net.addresses import AddressRefused
from bailiwick.llm.errors import AttemptFailed

_LONGEST = 500
_AGAIN = frozenset((408, 409, 429))
_PLACE = "Settings → Models"
_ADVICE = {
    400: f"Check the model's name and limits in {_PLACE}.",
    401: f"Check its key in {_PLACE}.",
    403: f"Check what its key may do, and the key in {_PLACE}.",
    404: f"Check the model's name and address in {_PLACE}.",
    429: f"Wait a while, or give it a fallback in {_PLACE}.",
}
_QUOTA = "Look after the account's credit with the provider."
_REACH = f"Check that the server runs and that its address in {_PLACE} is right."
_MOVED = f"It answered with a redirect: give the right address in {_PLACE}."
_SHORTER = "Start a new session, or use a model with a larger window."
_GRAMMAR = (
    "Its server could not make a grammar of a tool's schema: use a newer version of it, or give "
    "the agent fewer tools."
)
_LATER = f"Try again later, or give it a fallback in {_PLACE}."


# As OpenAI and vLLM, Anthropic, Gemini, Mistral, Bedrock, llama.cpp and Ollama say it.
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|exceeds? (?:the )?context (?:window|limit)"
    r"|exceeds the (?:available )?context (?:size|length|window)|exceed_context_size"
    r"|prompt is too long|input is too long|exceeds the maximum number of tokens"
    r"|exceeds maximum context",
    re.IGNORECASE,
)
_LIMITS = (
    r"maximum context length (?:is|of) ([0-9,]+)",
    r"([0-9,]+) maximum context",
    r"allowed \(([0-9,]+)\)",
    r"context size \(([0-9,]+)",
    r"> ([0-9,]+)",
)
_BAD = frozenset((400, 413, 422, 500))


def failure(error: Exception) -> AttemptFailed:
    """An error of pydantic-ai, or of a library below it, as a failed try."""
    refused = next((e for e in _causes(error) if isinstance(e, AddressRefused)), None)
    if refused:
        return AttemptFailed(str(refused), again=False, advice=_REACH)
    match error:
        case ModelAPIError():
            return _of_provider(error)
        case UserError():
            return AttemptFailed(_cut(error.message), again=False, advice=_ADVICE[400])
        case _:
            said = f"its answer could not be understood ({type(error).__name__})"
            return AttemptFailed(said, again=True, advice=_LATER)


def _of_provider(error: ModelAPIError) -> AttemptFailed:
    # Of a redirect, only the library below knows the status.
    holders = (error, error.__cause__)
    found = next((s for e in holders if (s := getattr(e, "status_code", None))), 0)
    # A success whose body could not be read is no status to speak of.
    status = found if found >= 300 else None
    said = _cut(_words(error.body) or error.message)
    if status:
        said = f"{said} (HTTP {status})"
    about = f"{said} {error.body}"
    if status == 413 or ((status is None or status in _BAD) and _TOO_LONG.search(about)):
        limit = _limit(about)
        return AttemptFailed(
            said, again=False, status=status, advice=_SHORTER, too_long=True, limit=limit
        )
    if isinstance(error, ModelQuotaExceededError):
        return AttemptFailed(said, again=False, status=status, advice=_QUOTA)
    if isinstance(error, ModelConnectionError):
        return AttemptFailed(said, again=True, status=status, advice=_REACH)
    if status is None:
        rejected = isinstance(error, ModelRequestRejectedError)
        return AttemptFailed(said, again=not rejected, retry_after=error.retry_after, advice=_LATER)
    if status in _BAD and "grammar" in about.lower():
        return AttemptFailed(said, again=False, status=status, advice=_GRAMMAR)
    return AttemptFailed(
        said,
        again=status in _AGAIN or status >= 500,
        status=status,
        retry_after=error.retry_after,
        advice=_ADVICE.get(status, _MOVED if status < 400 else _LATER),
    )


def _limit(about: str) -> int | None:
    """The window that a refusal names, in tokens."""
    found = (re.search(pattern, about, re.IGNORECASE) for pattern in _LIMITS)
    return next((int(one[1].replace(",", "")) for one in found if one), None)


def _words(body: object) -> str:
    """The message in an error's body, wherever the provider puts it."""
    while isinstance(body, Mapping):
        found = cast("Mapping[str, Any]", body)
        body = found.get("message") or found.get("error") or found.get("detail")
    return body.strip() if isinstance(body, str) else ""


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
