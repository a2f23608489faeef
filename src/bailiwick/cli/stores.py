"""The stores without the app, for commands that need the data folder to themselves."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bailiwick.config import Settings
from bailiwick.kit.db import Storage
from bailiwick.kit.folder import DataFolder
from bailiwick.office import data_key, storage_of


@asynccontextmanager
async def stores(settings: Settings) -> AsyncGenerator[Storage]:
    """Own the data folder and open its databases, without migrating them."""
    folder = DataFolder(settings.data)
    folder.prepare()
    with folder.owned():
        storage = storage_of(settings, data_key(settings))
        try:
            await storage.ping()
            yield storage
        finally:
            await storage.close()
