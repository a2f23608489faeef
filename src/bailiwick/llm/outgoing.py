"""What leaves for a model: the adapter sends redacted requests alone, and the gate redacts them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bailiwick.llm.chat import ModelRequest


@dataclass(frozen=True, slots=True)
class RedactedRequest(ModelRequest):
    """A request as a model may see it; only the gate makes one."""


@dataclass(frozen=True, slots=True)
class OutgoingRedaction:
    """How a request is redacted, with the patterns in force at that moment."""

    redacted: Callable[[ModelRequest], Awaitable[RedactedRequest]]
