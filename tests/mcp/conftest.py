"""Fixtures of `/mcp`."""

import pytest
from mcp_support import Desk, with_tools

from support.office import Office


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
async def house(office: Office, desk: Desk) -> Office:
    """An office on SQLite that programs can come to."""
    return await with_tools(office, desk)


@pytest.fixture
async def any_house(any_office: Office, desk: Desk) -> Office:
    """The same, once on each database."""
    return await with_tools(any_office, desk)
