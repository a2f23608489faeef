"""Statements compiled once a process: each office has engines of its own, and asks them the same.

SQLAlchemy keeps what it compiled with the engine, for the engine's dialect. All engines for one
kind of database have dialects alike, so what was compiled for one serves the next.
"""

from typing import Any

from sqlalchemy.sql.elements import ClauseElement
from sqlalchemy.util import LRUCache


def remember() -> None:
    """From here on, what was compiled for one engine serves the next."""
    compile, known = ClauseElement._compile_w_cache, dict[type, tuple[Any, LRUCache[Any, Any]]]()

    def remembered(self: ClauseElement, dialect: Any, *, compiled_cache: Any, **more: Any) -> Any:
        if compiled_cache is not None:
            dialect, compiled_cache = known.setdefault(type(dialect), (dialect, LRUCache(10_000)))
        return compile(self, dialect, compiled_cache=compiled_cache, **more)

    ClauseElement._compile_w_cache = remembered
