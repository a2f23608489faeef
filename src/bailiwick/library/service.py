"""Verbs of notebooks."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict, Forbidden, Invalid, RuleViolated
from bailiwick.identity.principal import Principal
from bailiwick.instance import changes
from bailiwick.kit import clock, ids
from bailiwick.kit.db import Storage
from bailiwick.library import allowed_folders, repository
from bailiwick.library.models import Notebook
from bailiwick.tools.paths import VirtualPath
from bailiwick.workspaces.access import AccessibleWorkspaceID

MOST = 100
FILES = "Files"
_OPENING = 0x6E6F7465
_RECORDED = ("name", "path", "trusted")


@dataclass(frozen=True, slots=True)
class NewNotebook:
    """What a notebook is made from; without a path it gets a folder of our own."""

    name: str
    path: str | None = None


async def open_one(
    storage: Storage,
    principal: Principal,
    workspace_id: AccessibleWorkspaceID,
    new: NewNotebook,
    *,
    data: Path,
) -> Notebook:
    """Open a folder to a workspace."""
    if new.path is not None and not principal.is_admin:
        raise Forbidden(
            "Only an admin of this office can open a folder of the server's disk. Leave the path "
            "out to get a new, empty folder."
        )
    path = (
        await asyncio.to_thread(allowed_folders.checked, new.path, data=data) if new.path else None
    )
    async with storage.app.write() as session:
        # Two that are opened at the same moment must see one another.
        await storage.app.alone(session, lock=_OPENING)
        name = await _free_name(session, workspace_id, new.name)
        if path:
            await _refuse_overlap(session, path)
        return _add(session, principal.actor, workspace_id, name=name, path=path)


async def change(
    session: AsyncSession,
    principal: Principal,
    workspace_id: AccessibleWorkspaceID,
    id: str,
    *,
    values: Mapping[str, Any],
) -> Notebook:
    """Give a notebook another name, or say whether all in it is the owner's own words."""
    notebook = await repository.get(session, workspace_id, id, lock=True)
    before = described(notebook)
    for field, value in values.items():
        if field == "name":
            notebook.name = await _free_name(session, workspace_id, value, but=id)
        else:
            notebook.trusted = value
    if (after := described(notebook)) != before:
        changes.record_in_workspace(
            session, principal.actor, "notebook.changed", notebook, before=before, after=after
        )
    return notebook


async def close(
    session: AsyncSession, principal: Principal, workspace_id: AccessibleWorkspaceID, id: str
) -> None:
    """Close a notebook; its folder stays as it is."""
    notebook = await repository.get(session, workspace_id, id, lock=True)
    await session.delete(notebook)
    changes.record_in_workspace(
        session, principal.actor, "notebook.closed", notebook, before=described(notebook)
    )


async def open_own(
    session: AsyncSession,
    principal: Principal,
    workspace_id: AccessibleWorkspaceID,
    *,
    id: str,
    name: str,
    trusted: bool,
) -> Notebook:
    """Open a folder of our own that is on the disk already; a name that is taken gets a number."""
    free, number = name, 2
    while await _is_taken(session, workspace_id, free):
        free, number = f"{name} {number}", number + 1
    made = _add(session, principal.actor, workspace_id, name=free, path=None, id=id)
    made.trusted = trusted
    return made


async def ensure_files(storage: Storage, workspace_id: str) -> None:
    """A workspace that has no notebook of our own gets one."""
    async with storage.app.write() as session:
        await storage.app.alone(session, lock=_OPENING)
        if lacks_files(await repository.of_workspace(session, workspace_id)):
            _add(session, changes.SYSTEM, workspace_id, name=FILES, path=None)


def lacks_files(notebooks: Sequence[Notebook]) -> bool:
    """Whether none of these is our own, and the name for one is free."""
    return not any(row.path is None or row.name.casefold() == FILES.casefold() for row in notebooks)


def described(notebook: Notebook) -> dict[str, Any]:
    """What the change record keeps."""
    return {name: getattr(notebook, name) for name in _RECORDED}


def _add(
    session: AsyncSession,
    actor: changes.Actor,
    workspace_id: str,
    *,
    name: str,
    path: Path | None,
    id: str | None = None,
) -> Notebook:
    notebook = Notebook(
        id=id or ids.new("ntb"),
        workspace_id=workspace_id,
        name=name,
        path=str(path) if path else None,
        trusted=False,
        created_at=clock.now(),
    )
    session.add(notebook)
    changes.record_in_workspace(
        session, actor, "notebook.opened", notebook, after=described(notebook)
    )
    return notebook


async def _free_name(
    session: AsyncSession, workspace_id: str, text: str, *, but: str | None = None
) -> str:
    names = VirtualPath.parse(text, field="name").names
    if len(names) != 1:
        raise Invalid.field("name", "must be one name, without slashes")
    others = [row for row in await repository.of_workspace(session, workspace_id) if row.id != but]
    if len(others) >= MOST:
        raise RuleViolated(f"There are {MOST} notebooks already. Close one first.")
    if _has(others, names[0]):
        raise Conflict(f"There is already a notebook called {names[0]}. Choose another name.")
    return names[0]


async def _is_taken(session: AsyncSession, workspace_id: str, name: str) -> bool:
    return _has(await repository.of_workspace(session, workspace_id), name)


def _has(notebooks: Sequence[Notebook], name: str) -> bool:
    return any(row.name.casefold() == name.casefold() for row in notebooks)


async def _refuse_overlap(session: AsyncSession, path: Path) -> None:
    # Labels belong to a notebook: the same file in two would have two, and one could be wrong.
    for other in await repository.on_disk(session):
        if other.path and allowed_folders.overlap(path, Path(other.path)):
            raise Conflict(
                f"That folder, one in it or one above it is already open, as the notebook "
                f"{other.name}. Close that one first."
            )
