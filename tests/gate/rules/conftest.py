"""An office with the routes of rules in it."""

from collections.abc import AsyncIterator

import pytest

from bailiwick.config import Settings
from bailiwick.gate.rules import defaults, endpoints
from support.office import API, Office, opened_office


async def with_rules(office: Office) -> Office:
    if f"{API}/rules" not in office.app.openapi()["paths"]:
        office.app.openapi_schema = None
        office.app.include_router(endpoints.router, prefix=API)
    await defaults.ensure(office.runtime.storage)
    return office


@pytest.fixture
async def office(sqlite_settings: Settings) -> AsyncIterator[Office]:
    async with opened_office(sqlite_settings) as made:
        yield await with_rules(made)


@pytest.fixture
async def any_office(settings: Settings) -> AsyncIterator[Office]:
    async with opened_office(settings) as made:
        yield await with_rules(made)
