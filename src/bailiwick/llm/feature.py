"""Models as a feature."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bailiwick.feature import Feature
from bailiwick.llm import endpoints
from bailiwick.llm.adapter import Models
from bailiwick.llm.outgoing import OutgoingRedaction
from bailiwick.llm.providers import PROVIDERS
from bailiwick.office import Office


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    given = (provider for feature in office.features for provider in feature.models)
    outgoing, read = office[OutgoingRedaction], office.blobs.read
    models = Models(office.storage, office.vault, given, outgoing, read_blob=read)
    await models.ensure()
    office.add(models)
    try:
        yield
    finally:
        await models.close()


feature = Feature(name="llm", routers=[endpoints.router], open=_open, models=PROVIDERS)
