"""Wire forms of workspaces."""

from datetime import datetime
from typing import Annotated

from fastapi import Path
from pydantic import StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Email, Name, Wire
from bailiwick.workspaces.access import WorkspaceRole

WorkspaceId = Annotated[str, Path(pattern=ids.pattern("wsp"))]
OfWorkspace = Annotated[str, StringConstraints(pattern=ids.pattern("wsp"))]


class WorkspaceIn(Wire):
    """A workspace to make, or its new name."""

    name: Name


class WorkspaceOut(Wire):
    """A workspace, and what the caller may do in it."""

    id: str
    name: str
    role: WorkspaceRole
    created_at: datetime


class MemberIn(Wire):
    """A role to give."""

    role: WorkspaceRole


class NewMemberIn(Wire):
    """A person to add."""

    email: Email
    role: WorkspaceRole = "read"


class MemberOut(Wire):
    """A member of a workspace."""

    user_id: str
    name: str
    email: str
    role: WorkspaceRole
    created_at: datetime
