"""Dependencies of endpoints under a workspace's path: the proof that the caller may enter it."""

from typing import Annotated

from fastapi import Depends

from bailiwick.identity.access import SignedIn, Widening
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.workspaces.access import WorkspaceAccess, enter
from bailiwick.workspaces.schemas import WorkspaceId


async def _reader(
    workspace_id: WorkspaceId, who: SignedIn, session: ReadSession
) -> WorkspaceAccess:
    return await enter(session, who, workspace_id, need="read")


async def _writer(
    workspace_id: WorkspaceId, who: SignedIn, session: WriteSession
) -> WorkspaceAccess:
    return await enter(session, who, workspace_id, need="write")


async def _admin(
    workspace_id: WorkspaceId, who: Widening, session: WriteSession
) -> WorkspaceAccess:
    return await enter(session, who, workspace_id, need="admin")


AsReader = Annotated[WorkspaceAccess, Depends(_reader)]
AsEditor = Annotated[WorkspaceAccess, Depends(_writer)]
AsAdmin = Annotated[WorkspaceAccess, Depends(_admin)]
