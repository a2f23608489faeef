"""What models cost: the admin's own figures, or else those of the public table.

Prices are millionths of a dollar for a million tokens; costs are millionths of a dollar, and
rounded up. The table is in a library that is read only when a price is asked for.
"""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from bailiwick.kit import clock
from bailiwick.llm.config import Config, ModelProviderName

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo
    from genai_prices.types import Provider as Seller

PriceSource = Literal["yours", "known", "none"]
_MILLION = 1_000_000
_TABLE = "genai_prices.data"
_SELLERS: dict[ModelProviderName, str] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google",
    "azure": "azure",
    "bedrock": "aws",
    "mistral": "mistral",
}
# They run on the owner's machines.
_FREE: frozenset[ModelProviderName] = frozenset(("offline", "ollama"))


@dataclass(frozen=True, slots=True)
class KnownPrice:
    """A line of the public table."""

    seller: str
    model: str
    input_price: int
    output_price: int
    window: int | None


@dataclass(frozen=True, slots=True)
class EffectivePrice:
    """What is reckoned with."""

    input_price: int | None
    output_price: int | None
    source: PriceSource


async def load() -> None:
    """Read the public table aside, before the first price is asked for: it is large."""
    if _TABLE not in sys.modules:
        await asyncio.to_thread(import_module, _TABLE)


def price(config: Config, input_tokens: int, output_tokens: int) -> int | None:
    """What a call costs, in millionths of a dollar; None if that is not known."""
    if config.provider in _FREE and config.input_price is config.output_price is None:
        return 0
    if config.input_price is config.output_price is None:
        return _public_price(config, input_tokens, output_tokens)
    found = effective(config)
    if found.input_price is None or found.output_price is None:
        return None
    total = input_tokens * found.input_price + output_tokens * found.output_price
    return -(-total // _MILLION)


def effective(config: Config) -> EffectivePrice:
    """The prices of a configuration, and where they come from."""
    given = (config.input_price, config.output_price)
    if None not in given:
        return EffectivePrice(*given, source="yours")
    if config.provider in _FREE:
        public = (0, 0)
    else:
        line = known(config.provider, config.model, base_url=config.base_url)
        public = (line.input_price, line.output_price) if line else (None, None)
    chosen = [own if own is not None else other for own, other in zip(given, public, strict=True)]
    if given != (None, None):
        return EffectivePrice(*chosen, source="yours")
    return EffectivePrice(*chosen, source="none" if None in chosen else "known")


@lru_cache(maxsize=256)
def known(
    provider: ModelProviderName, model: str, *, base_url: str | None = None
) -> KnownPrice | None:
    """What the public table says of a model; None if it does not know it."""
    found = _find(provider, model, base_url)
    return _line(*found) if found else None


def search(*, provider: ModelProviderName | None = None, model: str = "") -> Iterator[KnownPrice]:
    """Lines of the public table, of one provider or of all, whose model's name has this in it."""
    from genai_prices.data_snapshot import get_snapshot

    for seller in get_snapshot().providers:
        if provider is None or seller.id == _SELLERS.get(provider):
            for info in seller.models:
                if model.lower() in info.id.lower() and (line := _line(seller, info)):
                    yield line


def _public_price(config: Config, input_tokens: int, output_tokens: int) -> int | None:
    from genai_prices import Usage

    found = _find(config.provider, config.model, config.base_url)
    # A line without a price for tokens is one for something else, such as images.
    if found is None or _line(*found) is None:
        return None
    seller, info = found
    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    total = info.calc_price(usage, seller, genai_request_timestamp=clock.now()).total_price
    return _millionths(total)


def _find(
    provider: ModelProviderName, model: str, base_url: str | None
) -> "tuple[Seller, ModelInfo] | None":
    seller = _SELLERS.get(provider)
    address = base_url if provider == "compatible" else None
    if seller is None and address is None:
        return None
    from genai_prices.data_snapshot import get_snapshot

    try:
        return get_snapshot().find_provider_model(model, None, seller, address)
    except LookupError:
        return None


def _line(seller: "Seller", info: "ModelInfo") -> KnownPrice | None:
    listed = info.get_prices(clock.now())
    # A model with several prices has a dearer one for long inputs; the first is shown.
    figures = [getattr(listed, name, None) for name in ("input_mtok", "output_mtok")]
    asked, said = (getattr(figure, "base", figure) for figure in figures)
    if asked is None or said is None:
        return None
    return KnownPrice(
        seller.id, info.id, _millionths(asked), _millionths(said), info.context_window
    )


def _millionths(dollars: Decimal) -> int:
    return int((dollars * _MILLION).to_integral_value(ROUND_CEILING))
