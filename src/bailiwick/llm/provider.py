"""`ModelProvider`: the door through which models come in, built-in ones and strangers' alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bailiwick.llm.config import Config

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model


@dataclass(frozen=True, slots=True)
class BuiltinModel:
    """A model that an office has without anyone's configuring it."""

    model: str
    name: str
    label: str  # what has to be said wherever it is shown
    ready: bool = True  # there from the first start; else made when it is first wanted
    may_be_default: bool = True


@dataclass(frozen=True, slots=True)
class ModelProvider:
    """Builds models for the configurations of one provider."""

    name: str
    # Called aside, in a thread: the libraries are large.
    build: "Callable[[Config, httpx2.AsyncClient], Model]"
    builtin: Sequence[BuiltinModel] = ()
