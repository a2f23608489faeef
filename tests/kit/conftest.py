"""Fixtures of the kit's tests."""

import logging
from collections.abc import Iterator

import pytest
import structlog

LIBRARIES = (
    "httpx",
    "httpcore",
    "httpx2",
    "httpcore2",
    "aiosqlite",
    "alembic",
    "asyncio",
    "uvicorn.access",
)


@pytest.fixture
def logging_restored() -> Iterator[None]:
    """A test may configure logging as it likes."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    config = structlog.get_config()
    levels = {name: logging.getLogger(name).level for name in LIBRARIES}
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers, root.level = handlers, level
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)
    structlog.configure(**config)
