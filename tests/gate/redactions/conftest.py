"""An office with the routes of redaction patterns in it."""

from collections.abc import AsyncIterator

import pytest

from bailiwick.config import Settings
from bailiwick.gate.redactions import endpoints, service
from support.office import API, Office, opened_office


async def with_redactions(office: Office) -> Office:
    if f"{API}/redactions" not in office.app.openapi()["paths"]:
        office.app.openapi_schema = None
        office.app.include_router(endpoints.router, prefix=API)
    await service.ensure(office.runtime.storage)
    return office


@pytest.fixture
async def office(sqlite_settings: Settings) -> AsyncIterator[Office]:
    async with opened_office(sqlite_settings) as made:
        yield await with_redactions(made)


@pytest.fixture
async def any_office(settings: Settings) -> AsyncIterator[Office]:
    async with opened_office(settings) as made:
        yield await with_redactions(made)
