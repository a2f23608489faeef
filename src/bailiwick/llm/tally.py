"""What an answer has used so far, also when it never comes to its end.

Some servers tell the usage once at the end, some at the beginning, some in every piece as the sum
so far. The largest figures are taken and nothing is added up. What nobody told is reckoned from
what was sent and what has come.
"""

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bailiwick.llm import tokens
from bailiwick.llm.chat import ModelRequest, TokenUsage

if TYPE_CHECKING:
    from pydantic_ai.models import StreamedResponse
    from pydantic_ai.usage import RequestUsage

_FIGURES = (
    *("input_tokens", "output_tokens", "output_reasoning_tokens"),
    *("cache_read_tokens", "cache_write_tokens"),
)


@dataclass(slots=True)
class StreamTally:
    """Follows one answer."""

    ask: ModelRequest
    # The request left, and was not refused: the provider counts it.
    begun: bool = False
    ended: bool = False
    _response: "StreamedResponse | None" = None
    _told: int = 0
    _untold: str = ""  # what came since the server last told

    def open(self, response: "StreamedResponse") -> None:
        """The server answers."""
        self._response = response
        _take_largest(response)

    def add(self, text: str) -> None:
        """A piece has come: words, thoughts or arguments."""
        self.begun = True
        told = self._response.usage.output_tokens if self._response else 0
        if told != self._told:
            self._told, self._untold = told, ""
        self._untold += text

    @property
    def usage(self) -> TokenUsage:
        """What was used, without its price."""
        told = self._response.usage if self._response else None
        if told is None or not (told.input_tokens or told.output_tokens):
            return self._reckoned() if self.begun else TokenUsage()
        read = min(_cached(told), told.input_tokens)
        rest = "" if self.ended or told.output_tokens != self._told else self._untold
        return TokenUsage(
            told.input_tokens,
            told.output_tokens + (tokens.of_text(rest) if rest else 0),
            cache_read_tokens=read,
            cache_write_tokens=min(told.cache_write_tokens, told.input_tokens - read),
            reasoning_tokens=told.output_reasoning_tokens,
            estimated=bool(rest),
        )

    def _reckoned(self) -> TokenUsage:
        asked = tokens.count(self.ask.messages, self.ask.tools)
        said = tokens.of_text(self._untold) if self._untold else 0
        return TokenUsage(asked, said, estimated=True)


def _take_largest(response: "StreamedResponse") -> None:
    """Usage in several pieces of a stream is the sum so far: pydantic-ai would add it up."""
    hooked: Any = response
    add = hooked._add_usage  # noqa: SLF001 (there is no other way in)

    def take(usage: "RequestUsage", *, reported: bool, cumulative: bool = False) -> None:
        if not reported:
            return
        whole = copy(usage)
        for name in _FIGURES:
            setattr(whole, name, max(getattr(whole, name), getattr(hooked.usage, name)))
        add(whole, reported=True, cumulative=True)

    hooked._add_usage = take  # noqa: SLF001


def _cached(told: "RequestUsage") -> int:
    details: dict[str, Any] = dict(told.details)
    # As DeepSeek names it.
    return told.cache_read_tokens or int(details.get("prompt_cache_hit_tokens", 0))
