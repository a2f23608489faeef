"""REST of the panic stop."""

from fastapi import APIRouter

from bailiwick.gate.halts import service
from bailiwick.gate.halts.schemas import HaltIn, HaltOut
from bailiwick.gate.models import Halt
from bailiwick.identity.access import Admin, SignedIn
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute

router = APIRouter(tags=["gate"], route_class=IdempotentRoute)


@router.get("/halt")
async def read_halt(_: SignedIn, session: ReadSession) -> HaltOut:
    """Whether everything is stopped."""
    return _out(await service.find(session))


@router.post("/halt")
async def stop_everything(body: HaltIn, who: SignedIn, session: WriteSession) -> HaltOut:
    """Refuse every tool call, and stop what is under way, until an admin releases it."""
    return _out(await service.stop(session, who, reason=body.reason))


@router.delete("/halt")
async def release_halt(admin: Admin, session: WriteSession) -> HaltOut:
    """Let calls through again."""
    await service.release(session, admin)
    return HaltOut(stopped=False)


def _out(row: Halt | None) -> HaltOut:
    if row is None:
        return HaltOut(stopped=False)
    return HaltOut(stopped=True, at=row.at, by=row.by, reason=row.reason)
