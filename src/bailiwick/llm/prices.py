"""What models cost: the admin's own figures, or else those of the public table.

Prices are millionths of a dollar for a million tokens; costs are millionths of a dollar, and
rounded up. The table is in a library that is read only when a price is asked for.
"""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from bailiwick.kit import clock
from bailiwick.llm.chat import TokenUsage
from bailiwick.llm.config import Config, ModelProviderName

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo
    from genai_prices.types import Provider as Seller

PriceSource = Literal["yours", "listed", "known", "none"]
# For input, output, and input from the provider's cache and into it.
_Figures = tuple[int | None, int | None, int | None, int | None]
_COLUMNS = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok")
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
    cache_read_price: int | None = None
    cache_write_price: int | None = None


@dataclass(frozen=True, slots=True)
class EffectivePrice:
    """What is reckoned with."""

    input_price: int | None
    output_price: int | None
    source: PriceSource
    cache_read_price: int | None = None
    cache_write_price: int | None = None


async def load() -> None:
    """Read the public table aside, before the first price is asked for: it is large."""
    if _TABLE not in sys.modules:
        await asyncio.to_thread(import_module, _TABLE)


def price(config: Config, used: TokenUsage) -> int | None:
    """What tokens cost, in millionths of a dollar; None if that is not known."""
    if _listed(config) is None and not _is_own(config):
        return 0 if config.provider in _FREE else _public_price(config, used)
    found = effective(config)
    if found.input_price is None or found.output_price is None:
        return None
    read, written = used.cache_read_tokens, used.cache_write_tokens
    total = (
        max(0, used.input_tokens - read - written) * found.input_price
        + read * (found.cache_read_price or 0)
        + written * (found.cache_write_price or 0)
        + used.output_tokens * found.output_price
    )
    return -(-total // _MILLION)


def priced(config: Config, used: TokenUsage) -> TokenUsage:
    """The same with what it cost, and what caching saved of what it would have cost without."""
    money = price(config, used)
    bare = price(config, replace(used, cache_read_tokens=0, cache_write_tokens=0))
    return replace(used, money=money, saved=(bare or 0) - (money or 0))


def effective(config: Config) -> EffectivePrice:
    """The prices of a configuration, and where they come from."""
    own = _own(config)
    if config.provider in _FREE:
        public: _Figures = (0, 0, 0, 0)
    else:
        line = known(config.provider, config.model, base_url=config.base_url)
        public = _figures(line) if line else (None, None, None, None)
        if listed := _listed(config):
            public = (*listed, public[2], public[3])
    asked, said = (
        other if mine is None else mine for mine, other in zip(own[:2], public[:2], strict=True)
    )
    read, written = (
        _cached(mine, other, bare=own[0], asked=asked)
        for mine, other in zip(own[2:], public[2:], strict=True)
    )
    return EffectivePrice(asked, said, _source(config, asked, said), read, written)


def _source(config: Config, asked: int | None, said: int | None) -> PriceSource:
    if _is_own(config):
        return "yours"
    if asked is None or said is None:
        return "none"
    return "listed" if _listed(config) else "known"


def _is_own(config: Config) -> bool:
    return any(each is not None for each in _own(config))


def _listed(config: Config) -> tuple[int, int] | None:
    """What the provider's own list says: it is nearer to the bill than the public table."""
    asked, said = config.listed_input_price, config.listed_output_price
    return None if asked is None or said is None else (asked, said)


def _cached(
    mine: int | None, other: int | None, *, bare: int | None, asked: int | None
) -> int | None:
    """The price of cached input; whoever pays a price of their own has no discount by itself."""
    if mine is not None:
        return mine
    return asked if bare is not None or other is None else other


def _own(config: Config) -> _Figures:
    return (
        config.input_price,
        config.output_price,
        config.cache_read_price,
        config.cache_write_price,
    )


def _figures(line: KnownPrice) -> _Figures:
    return line.input_price, line.output_price, line.cache_read_price, line.cache_write_price


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


def _public_price(config: Config, used: TokenUsage) -> int | None:
    from genai_prices import Usage

    found = _find(config.provider, config.model, config.base_url)
    # A line without a price for tokens is one for something else, such as images.
    if found is None or _line(*found) is None:
        return None
    seller, info = found
    usage = Usage(
        input_tokens=used.input_tokens,
        cache_read_tokens=used.cache_read_tokens,
        cache_write_tokens=used.cache_write_tokens,
        output_tokens=used.output_tokens,
    )
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
    asked, said, read, written = (_shown(getattr(listed, name, None)) for name in _COLUMNS)
    if asked is None or said is None:
        return None
    return KnownPrice(seller.id, info.id, asked, said, info.context_window, read, written)


def _shown(figure: Any) -> int | None:
    figure = getattr(figure, "base", figure)
    return None if figure is None else _millionths(figure)


def _millionths(dollars: Decimal) -> int:
    return int((dollars * _MILLION).to_integral_value(ROUND_CEILING))
