"""The offline model as a feature: it comes in as any provider of models does."""

from typing import TYPE_CHECKING

from bailiwick.feature import Feature
from bailiwick.llm.config import Config
from bailiwick.llm.provider import ModelProvider
from bailiwick.offline.names import GULLIBLE, OFFLINE

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model


def _build(config: Config, _: "httpx2.AsyncClient") -> "Model":
    # Its words and examples take memory: read when it is first asked.
    from bailiwick.offline.model import offline_model

    return offline_model(config.model)


feature = Feature(
    name="offline", models=[ModelProvider("offline", _build, builtin=(OFFLINE, GULLIBLE))]
)
