"""The record of attempts to sign in, kept whether they succeed or not; with its SQL."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

import structlog
from sqlalchemy import select
from starlette.requests import Request

from bailiwick.errors import BailiwickError
from bailiwick.identity.models import SignIn
from bailiwick.kit import clock, ids
from bailiwick.kit.correlation import current_trace_id
from bailiwick.kit.db import Storage
from bailiwick.kit.http.limits import client_address
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.kit.ledger.records import table as records

SIGN_INS = records.RecordTable(SignIn, "audit", "sign-in")
log = structlog.stdlib.get_logger("bailiwick.identity")


@dataclass(frozen=True, slots=True)
class Browser:
    """The origin of an attempt."""

    address: str
    user_agent: str

    @classmethod
    def of(cls, request: Request) -> "Browser":
        """The browser behind a request."""
        agent = request.headers.get("user-agent", "")
        return cls(client_address(request.scope)[:64], printable(agent, length=300))


def printable(text: str, *, length: int) -> str:
    """The printable part of a text that anyone may have sent."""
    return "".join(char for char in text if char.isprintable())[:length]


async def record(
    storage: Storage,
    browser: Browser,
    *,
    method: str,
    email: str,
    outcome: Literal["accepted", "refused"],
    reason: str = "",
    user_id: str | None = None,
) -> None:
    """Record one attempt, at once and for good."""
    row = SignIn(
        id=ids.new("sgn"),
        at=clock.now(),
        method=method[:100],
        email=printable(email, length=254),
        user_id=user_id,
        outcome=outcome,
        reason=reason[:200],
        address=browser.address,
        user_agent=browser.user_agent,
        trace_id=current_trace_id(),
    )
    async with storage.audit.write() as session:
        records.add(session, row)
    log.info("sign-in", method=method, outcome=outcome, reason=reason, userId=user_id, email=email)


@asynccontextmanager
async def refusals_recorded(
    storage: Storage, browser: Browser, *, method: str, email: str = ""
) -> AsyncGenerator[None]:
    """Record the attempt if the block is refused."""
    try:
        yield
    except BailiwickError as error:
        await record(
            storage, browser, method=method, email=email, outcome="refused", reason=error.detail
        )
        raise


async def listed(storage: Storage, page: PageRequest) -> Rows[SignIn]:
    """Attempts, newest first."""
    async with storage.audit.read() as session:
        return await paginate(session, select(SignIn), page, by=(SignIn.at, SignIn.id))
