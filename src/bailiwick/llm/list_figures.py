"""What providers' lists say of windows and prices: heard when one is asked for, kept with models.

Between the list in a form and the model that is chosen from it lies a request; this process
remembers. What the public table knows as well is not kept: the table changes with the product.
"""

from collections.abc import Iterable

from bailiwick.llm import config_rows, prices
from bailiwick.llm.config import Config
from bailiwick.llm.list_entries import ListedModel
from bailiwick.llm.models import Model

_MOST = 10_000
_Key = tuple[str, str | None, str]


class ListFigures:
    """The figures that this process has heard."""

    def __init__(self) -> None:
        self._heard: dict[_Key, ListedModel] = {}

    def take(self, config: Config, found: Iterable[ListedModel]) -> None:
        """Keep a list that was fetched with a configuration."""
        if len(self._heard) > _MOST:
            self._heard.clear()
        for each in found:
            self._heard[config.provider, config.base_url, each.model] = each

    def knows(self, config: Config) -> bool:
        """Whether a list was heard that has this model."""
        return _key(config) in self._heard

    def keep(self, row: Model) -> None:
        """Write down in a model's row what was heard of it; what was not heard of stays."""
        config = config_rows.of(row, None)
        if found := self._heard.get(_key(config)):
            line = prices.known(config.provider, config.model, base_url=config.base_url)
            row.listed_window = None if line and line.window == found.window else found.window
            own = found if found.price_source == "listed" else ListedModel(found.model)
            row.listed_input_price, row.listed_output_price = own.input_price, own.output_price


def forget(row: Model) -> None:
    """A model that is another now has nothing of the one before."""
    row.listed_window = row.listed_input_price = row.listed_output_price = None


def _key(config: Config) -> _Key:
    return config.provider, config.base_url, config.model
