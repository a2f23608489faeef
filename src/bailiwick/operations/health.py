"""What anyone may ask: whether the server lives and is ready, and what a problem type means."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from bailiwick.errors import DatabaseUnreachable, NotFound, Unavailable
from bailiwick.kit.http import problems
from bailiwick.kit.http.database import Stores
from bailiwick.kit.http.openapi import PUBLIC, UNAVAILABLE

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """A short answer for probes."""

    status: str


@router.get("/healthz", openapi_extra=PUBLIC)
async def read_liveness() -> Health:
    """The process answers."""
    return Health(status="ok")


@router.get("/readyz", openapi_extra=PUBLIC | {"responses": UNAVAILABLE})
async def read_readiness(stores: Stores) -> Health:
    """The databases answer too."""
    try:
        await stores.ping()
    except DatabaseUnreachable:
        raise Unavailable("The database does not answer.") from None
    return Health(status="ready")


class ProblemType(BaseModel):
    """What the `type` of a problem stands for."""

    type: str
    title: str
    status: int


@router.get("/problems/{name}", openapi_extra=PUBLIC)
async def explain_problem(
    name: Annotated[str, Path(pattern=r"^[a-z-]{1,50}$")],
) -> ProblemType:
    """What the `type` of a problem stands for: its address leads here."""
    for status, (known, title) in problems.TYPES.items():
        if known == name:
            return ProblemType(type=problems.BASE + known, title=title, status=status)
    raise NotFound("There is no such type of problem.")
