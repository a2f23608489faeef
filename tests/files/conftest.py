"""Fixtures for uploaded files."""

import pytest

from support.office import Office
from support.workshop import Workshop, workshop_in


@pytest.fixture
async def shop(office: Office) -> Workshop:
    """On SQLite, for what storage plays no part in."""
    return await workshop_in(office)


@pytest.fixture
async def any_shop(any_office: Office) -> Workshop:
    """Once on each database."""
    return await workshop_in(any_office)
