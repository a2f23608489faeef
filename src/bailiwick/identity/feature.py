"""Identity as a feature."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bailiwick.feature import Feature, Tidy
from bailiwick.identity import sessions
from bailiwick.identity.authenticate import Authenticator
from bailiwick.identity.cookies import Cookies
from bailiwick.identity.endpoints import router
from bailiwick.identity.endpoints.federation import redirects
from bailiwick.identity.facts import Welcome
from bailiwick.identity.federation import Federation
from bailiwick.identity.oidc import Issuers
from bailiwick.kit.http.limits import Buckets, MemoryBuckets, SharedBuckets
from bailiwick.kit.net.outbound import Outbound
from bailiwick.office import Office


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    origin, storage = office.settings.origin, office.storage
    # A redirect could lead a client's secret elsewhere.
    outbound = Outbound(office.settings.allowed_networks, follow=False)
    federation = Federation(
        storage=storage,
        vault=office.vault,
        hasher=office.hasher,
        issuers=Issuers(outbound),
        origin=origin,
        welcomes=office.facts(Welcome),
    )
    authenticator = Authenticator(
        storage=storage,
        settings=office.changeable,
        hasher=office.hasher,
        cookies=Cookies(office.instance_id, secure=origin.startswith("https://")),
        federation=federation,
        operator_token=office.operator_token,
    )
    office.add(authenticator)
    buckets = SharedBuckets(storage) if storage.kind == "postgresql" else MemoryBuckets()
    office.add(buckets, of=Buckets)
    yield


feature = Feature(
    name="identity",
    routers=[router],
    root_routers=[redirects],
    open=_open,
    tidies=[Tidy.of("sessions", sessions.forget_ended)],
)
