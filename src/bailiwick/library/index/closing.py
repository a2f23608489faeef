"""Closes a notebook: what the index knows of it goes first, some files at a time.

On SQLite there is one writer, and a notebook may have 100,000 files: nobody waits for all of them.
"""

from bailiwick.identity.principal import Principal
from bailiwick.library import repository as notebooks
from bailiwick.library import service
from bailiwick.library.index import repository, scan_rows
from bailiwick.library.index.service import request
from bailiwick.office import Office
from bailiwick.workspaces.access import AccessibleWorkspaceID


async def close(
    office: Office, who: Principal, workspace_id: AccessibleWorkspaceID, notebook_id: str
) -> None:
    """Close a notebook; its folder stays as it is."""
    store = office.storage.app
    async with store.write() as session:
        await notebooks.get(session, workspace_id, notebook_id)
        if await scan_rows.get(session, notebook_id):
            # A scan would bring back what goes.
            await request(session, who, workspace_id, notebook_id, action="stop")
    left = True
    while left:
        async with store.write() as session:
            left = await repository.drop_some(session, notebook_id)
    async with store.write() as session:
        await service.close(session, who, workspace_id, notebook_id)
