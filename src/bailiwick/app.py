"""Builds the ASGI app from an opened installation. Only wiring."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from bailiwick import __version__
from bailiwick.accounts import endpoints as connector_endpoints
from bailiwick.accounts import redirects as account_redirects
from bailiwick.accounts import service as connector_service
from bailiwick.agents import endpoints as agents
from bailiwick.agents import repository as agent_repository
from bailiwick.agents.prompts import endpoints as prompts
from bailiwick.agents.prompts import template_endpoints as prompt_templates
from bailiwick.backstage import Backstage
from bailiwick.config import as_origin
from bailiwick.demo import endpoints as demo
from bailiwick.gate import endpoints as gate
from bailiwick.gate.actions import endpoints as actions
from bailiwick.gate.approvals import endpoints as approvals
from bailiwick.gate.audit import endpoints as records
from bailiwick.gate.redactions import endpoints as redactions
from bailiwick.gate.rules import endpoints as rules
from bailiwick.gatehouse import Gatehouse
from bailiwick.identity import endpoints as identity_endpoints
from bailiwick.identity.authenticate import Authenticate, Authenticator, caller_of
from bailiwick.identity.cookies import Cookies
from bailiwick.identity.endpoints.federation import redirects
from bailiwick.identity.federation import Federation
from bailiwick.identity.oidc import Issuers
from bailiwick.kit import clock
from bailiwick.kit.http import openapi, problems
from bailiwick.kit.http.bodies import BodyLimit
from bailiwick.kit.http.correlation import Correlate
from bailiwick.kit.http.guard import Guard
from bailiwick.kit.http.headers import SecurityHeaders
from bailiwick.kit.http.limits import MemoryBuckets, RateLimit, SharedBuckets
from bailiwick.kit.http.spa import SinglePageApp
from bailiwick.kit.net.outbound import Outbound
from bailiwick.library import endpoints as notebooks
from bailiwick.llm import endpoints as models
from bailiwick.mail import endpoints as mail
from bailiwick.mail.contacts import endpoints as contacts
from bailiwick.mail.fetcher import endpoints as fetcher
from bailiwick.mail.filters import endpoints as filters
from bailiwick.mail.filters import service as filter_service
from bailiwick.mail.outbox import endpoints as outbox
from bailiwick.mcp.clients import endpoints as clients
from bailiwick.mcp.http import McpEndpoint, McpMiddleware
from bailiwick.memory import endpoints as memories
from bailiwick.notify import endpoints as events
from bailiwick.notify import streams
from bailiwick.notify.webhooks import endpoints as webhooks
from bailiwick.operations import endpoints as operations_endpoints
from bailiwick.operations import health
from bailiwick.operations.limits import limit_of
from bailiwick.runs import endpoints as runs
from bailiwick.runs import service as run_service
from bailiwick.runs.schedules import endpoints as schedules
from bailiwick.runs.tasks import endpoints as tasks
from bailiwick.runtime import Runtime
from bailiwick.workspaces import endpoints as workspaces_endpoints
from bailiwick.workspaces import service as workspaces

API = "/api/v1"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def create_app(
    runtime: Runtime, backstage: Backstage | None = None, gatehouse: Gatehouse | None = None
) -> FastAPI:
    """The whole product as one ASGI app; without what runs backstage it streams nothing."""
    gatehouse = backstage.gatehouse if backstage else gatehouse
    authenticator = _authenticator(runtime)
    buckets = (
        SharedBuckets(runtime.storage) if runtime.storage.kind == "postgresql" else MemoryBuckets()
    )

    mcp = gatehouse and McpEndpoint(
        gatehouse.gate,
        gatehouse.clients,
        hasher=runtime.hasher,
        origin=runtime.settings.origin,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            if mcp:
                await stack.enter_async_context(mcp.running())
            if backstage:
                app.state.streams = await stack.enter_async_context(
                    streams.opened(runtime.storage, backstage.bus, backstage.tail, authenticator)
                )
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
        middleware=_middleware(runtime, authenticator, buckets, mcp),
    )
    app.state.runtime = runtime
    app.state.settings = runtime.settings
    app.state.storage = runtime.storage
    app.state.vault = runtime.vault
    app.state.blobs = runtime.blobs
    app.state.authenticator = authenticator
    app.state.buckets = buckets
    app.state.digest = runtime.hasher
    app.state.welcomes = [workspaces.welcome]
    app.state.agent_farewells = [run_service.agent_removed, filter_service.agent_removed]
    app.state.workspace_farewells = [connector_service.none_left]
    app.state.directors = agent_repository.directors
    app.state.model_users = [agent_repository.using_model]
    app.state.started_at = clock.now()
    app.state.streams = None
    app.state.engine = backstage.engine if backstage else None
    app.state.gate = gatehouse.gate if gatehouse else None
    app.state.mcp = mcp
    app.state.clients = gatehouse.clients if gatehouse else None
    app.state.models = gatehouse.models if gatehouse else None
    app.state.opener = gatehouse.opener if gatehouse else None
    app.state.connectors = gatehouse.opener.connectors if gatehouse else None
    if gatehouse:
        app.state.registry = gatehouse.gate.services.registry
        app.state.rulebooks = gatehouse.gate.services.rulebooks

    async def idempotency_hours() -> int:
        return (await runtime.changeable.current()).idempotency_hours

    app.state.idempotency_hours = idempotency_hours
    problems.install(app)
    openapi.install(app, cookie=authenticator.cookies.session)
    for router in (
        identity_endpoints.router,
        workspaces_endpoints.router,
        operations_endpoints.router,
        events.router,
        webhooks.router,
        gate.router,
        approvals.router,
        actions.router,
        rules.router,
        redactions.router,
        records.router,
        notebooks.router,
        memories.router,
        mail.router,
        contacts.router,
        outbox.router,
        clients.router,
        models.router,
        connector_endpoints.connectors,
        connector_endpoints.accounts,
        filters.router,
        fetcher.router,
        prompts.router,
        prompt_templates.router,
        agents.router,
        runs.router,
        tasks.router,
        schedules.router,
        demo.router,
    ):
        app.include_router(router, prefix=API)
    app.include_router(redirects)
    app.include_router(account_redirects.router)
    app.include_router(health.router)
    # Not mounted: a mount would match every method of every path, and hide 405 behind itself.
    app.router.default = SinglePageApp(Path(str(files("bailiwick"))) / "web" / "dist")
    return app


def _authenticator(runtime: Runtime) -> Authenticator:
    origin = runtime.settings.origin
    # A redirect could lead a client's secret elsewhere.
    outbound = Outbound(runtime.settings.allowed_networks, follow=False)
    federation = Federation(
        storage=runtime.storage,
        vault=runtime.vault,
        hasher=runtime.hasher,
        issuers=Issuers(outbound),
        origin=origin,
        welcomes=[workspaces.welcome],
    )
    return Authenticator(
        storage=runtime.storage,
        settings=runtime.changeable,
        hasher=runtime.hasher,
        cookies=Cookies(runtime.instance_id, secure=origin.startswith("https://")),
        federation=federation,
        operator_token=runtime.operator_token,
    )


def _middleware(
    runtime: Runtime,
    authenticator: Authenticator,
    buckets: MemoryBuckets | SharedBuckets,
    mcp: McpEndpoint | None,
) -> list[Middleware]:
    """From the outermost inwards."""
    settings = runtime.settings

    async def percent() -> int:
        return (await runtime.changeable.current()).rate_limit_percent

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
        Middleware(McpMiddleware, endpoint=mcp),
        Middleware(BodyLimit),
        Middleware(Authenticate, authenticator=authenticator),
        Middleware(RateLimit, buckets=buckets, rule=limit_of, percent=percent, caller=caller_of),
    ]
