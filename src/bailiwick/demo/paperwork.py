"""The sample papers: a notebook in the office's own folder, some filed and some in its inbox."""

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.opener import AccountOpener
from bailiwick.agents.models import Agent
from bailiwick.errors import NotFound
from bailiwick.identity.principal import Principal
from bailiwick.inbox import settings as inbox
from bailiwick.kit.files import PRIVATE_FOLDER
from bailiwick.kit.keys import Key
from bailiwick.library import changes, sealing, service
from bailiwick.library.root import PathNames
from bailiwick.workspaces.access import AccessibleWorkspaceID, enter

NAME = "Workshop papers"
_PAPERS = "papers"


async def prepare(opener: AccountOpener, key: Key | None, id: str) -> None:
    """Write the papers to the disk, as the notebook of this id will have them."""
    await asyncio.to_thread(_write, opener.storage.folder, key, id)


async def open_notebook(
    session: AsyncSession, who: Principal, workspace_id: AccessibleWorkspaceID, id: str
) -> None:
    """Open them to the workspace. What is filed is the owner's own; what arrives is anyone's."""
    await service.open_own(session, who, workspace_id, id=id, name=NAME, trusted=True)


async def close_notebook(session: AsyncSession, who: Principal, workspace_id: str, id: str) -> None:
    """Close them, unless a person did already."""
    access = await enter(session, who, workspace_id, need="admin")
    with suppress(NotFound):
        await service.close(session, who, access.id, id)


async def add_organiser(session: AsyncSession, workspace_id: str) -> list[str]:
    """Who organises the papers; none is made where the workspace has its own."""
    if await inbox.has_organiser(session, workspace_id):
        return []
    return [(await inbox.organiser(session, workspace_id)).id]


async def kept_organisers(
    session: AsyncSession, found: Sequence[Agent], *, notebook_id: str | None
) -> set[str]:
    """The organiser stays if a person changed it, or if it works for other papers too."""
    kept: set[str] = set()
    for agent in found:
        if agent.kind != "organiser":
            continue
        if await inbox.is_own(session, agent, notebook_id=notebook_id):
            await inbox.leave(session, agent)
        else:
            kept.add(agent.id)
    return kept


async def remove(data: Path, key: Key | None, id: str) -> None:
    """Remove the folder of the papers as far as possible."""
    root = sealing.root(data / sealing.FOLDER, id, key)
    await asyncio.to_thread(shutil.rmtree, root.path, ignore_errors=True)


def _write(data: Path, key: Key | None, id: str) -> None:
    root = sealing.root(data / sealing.FOLDER, id, key)
    root.path.mkdir(parents=True, mode=PRIVATE_FOLDER)
    for names, paper in _found(files("bailiwick.demo").joinpath(_PAPERS), ()):
        changes.create(root, names, [paper.read_bytes()])


def _found(folder: Traversable, within: PathNames) -> Iterator[tuple[PathNames, Traversable]]:
    for each in folder.iterdir():
        names = (*within, each.name)
        if each.is_dir():
            yield from _found(each, names)
        else:
            yield names, each
