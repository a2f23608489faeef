"""Builds the ASGI app of an opened office. Only wiring: a loop over its features."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from bailiwick import __version__
from bailiwick.config import as_origin
from bailiwick.files.bodies import LARGE
from bailiwick.identity.authenticate import Authenticate, Authenticator, caller_of
from bailiwick.kit.http import openapi, problems
from bailiwick.kit.http.bodies import BodyLimit
from bailiwick.kit.http.correlation import Correlate
from bailiwick.kit.http.guard import Guard
from bailiwick.kit.http.headers import SecurityHeaders
from bailiwick.kit.http.limits import Buckets, RateLimit
from bailiwick.kit.http.spa import SinglePageApp
from bailiwick.library.file_endpoints import UPLOADS
from bailiwick.mcp.http import McpEndpoint, McpMiddleware
from bailiwick.office import Office
from bailiwick.operations.limits import LIMITS, categorise

API = "/api/v1"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def create_app(office: Office) -> FastAPI:
    """The whole product as one ASGI app; an office that is not at work streams nothing."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with office[McpEndpoint].running():
            yield

    app = FastAPI(
        title="Bailiwick",
        version=__version__,
        description="A local-first office for AI agents, where every action passes one gate.",
        openapi_url=f"{API}/openapi.json",
        generate_unique_id_function=openapi.operation_id,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        middleware=_middleware(office),
    )
    app.state.office = office
    problems.install(app)
    openapi.install(app, cookie=office[Authenticator].cookies.session)
    for feature in office.features:
        for router in feature.routers:
            app.include_router(router, prefix=API)
        for router in feature.root_routers:
            app.include_router(router)
    # Not mounted: a mount would match every method of every path, and hide 405 behind itself.
    app.router.default = SinglePageApp(Path(str(files("bailiwick"))) / "web" / "dist")
    return app


def _middleware(office: Office) -> list[Middleware]:
    """From the outermost inwards."""
    settings = office.settings

    async def percent() -> int:
        return (await office.changeable.current()).rate_limit_percent

    return [
        Middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies)),
        Middleware(SecurityHeaders, secure=settings.origin.startswith("https://")),
        Middleware(Correlate),
        Middleware(
            Guard,
            origin=settings.origin,
            local=[as_origin("http", host, settings.port) for host in (*_LOOPBACK, settings.host)],
            public=settings.url is not None,
        ),
        Middleware(McpMiddleware, endpoint=office[McpEndpoint]),
        Middleware(BodyLimit, larger=[UPLOADS, *LARGE]),
        Middleware(Authenticate, authenticator=office[Authenticator]),
        Middleware(
            RateLimit,
            buckets=office[Buckets],
            categorise=categorise,
            limits=LIMITS,
            percent=percent,
            caller=caller_of,
        ),
    ]
