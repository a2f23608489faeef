"""Health: alive at all, and ready to serve."""

from fastapi import APIRouter
from pydantic import BaseModel

from bailiwick.errors import DatabaseUnreachable, Unavailable
from bailiwick.kit.http.database import Stores
from bailiwick.kit.http.openapi import PUBLIC, UNAVAILABLE

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """A short answer for probes."""

    status: str


@router.get("/healthz", openapi_extra=PUBLIC)
async def alive() -> Health:
    """The process answers."""
    return Health(status="ok")


@router.get("/readyz", openapi_extra=PUBLIC | {"responses": UNAVAILABLE})
async def ready(stores: Stores) -> Health:
    """The databases answer too."""
    try:
        await stores.ping()
    except DatabaseUnreachable:
        raise Unavailable("The database does not answer.") from None
    return Health(status="ready")
