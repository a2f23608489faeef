"""Routes built once a process: all apps have the same ones, and they are most of what one costs.

FastAPI makes each route from its endpoint's signature again for every app that it is included in,
when the first request comes.
"""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from fastapi.routing import _EffectiveRouteContext as Built

from bailiwick import features
from bailiwick.app import create_app
from bailiwick.config import Settings
from bailiwick.office import opened


def remember() -> None:
    """From here on, what was built for one app serves the next."""
    build, known = Built.from_api_route, dict[tuple[int, str], Any]()

    def remembered(*, original_route: Any, include_context: Any) -> Any:
        key = (id(original_route), include_context.prefix)
        if key not in known:
            known[key] = build(original_route=original_route, include_context=include_context)
        return known[key]

    Built.from_api_route = staticmethod(remembered)


async def build_all() -> None:
    """Build every route, as the OpenAPI document needs them."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Settings(data=Path(folder)), features.installed()) as office:
            create_app(office).openapi()


def prepare() -> None:
    """Remember all routes before anybody asks for one."""
    remember()
    asyncio.run(build_all())
