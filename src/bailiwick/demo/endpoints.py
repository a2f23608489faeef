"""REST of the sample office."""

from typing import Annotated

from fastapi import APIRouter, Depends

from bailiwick.accounts.dependencies import AccountsInPerson
from bailiwick.accounts.reader import TheReader, reader_of
from bailiwick.demo import service, views
from bailiwick.demo.schemas import DemoOut
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession, Stores
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import CONFLICT, IN_PERSON
from bailiwick.office import TheOffice
from bailiwick.workspaces.access import enter
from bailiwick.workspaces.dependencies import AsReader
from bailiwick.workspaces.schemas import WorkspaceId

router = APIRouter(
    prefix="/workspaces/{workspace_id}/demo", tags=["demo"], route_class=IdempotentRoute
)


async def _admin(workspace_id: WorkspaceId, who: AccountsInPerson, stores: Stores) -> Principal:
    async with stores.app.read() as session:
        await enter(session, who, workspace_id, need="admin")
    return who


DemoAdmin = Annotated[Principal, Depends(_admin)]


@router.get("")
async def read_demo(access: AsReader, reader: TheReader, session: ReadSession) -> DemoOut:
    """Whether the sample data is here, and what has happened with it."""
    return await views.of_workspace(session, access, reader)


@router.post("", status_code=202, openapi_extra=IN_PERSON | {"responses": CONFLICT})
async def add_demo(
    workspace_id: WorkspaceId, who: DemoAdmin, office: TheOffice, stores: Stores
) -> DemoOut:
    """Bring in a sample mailbox with agents; they set to work by themselves."""
    await service.add(office, who, workspace_id)
    async with stores.app.read() as session:
        access = await enter(session, who, workspace_id, need="read")
        return await views.of_workspace(session, access, await reader_of(session, who))


@router.delete("", status_code=204, openapi_extra=IN_PERSON)
async def remove_demo(workspace_id: WorkspaceId, who: DemoAdmin, office: TheOffice) -> None:
    """Take away everything that the sample data made, and nothing else."""
    await service.remove(office, who, workspace_id)
