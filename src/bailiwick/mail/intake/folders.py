"""An account's folders as a page tells of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.connectors.mail import MailPage, RemoteFolder
from bailiwick.kit import ids
from bailiwick.mail import folder_roles
from bailiwick.mail.intake import repository
from bailiwick.mail.models import MailFolder


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of an account by their remote names, and whose messages another role touches."""

    by_remote: Mapping[str, MailFolder]
    touched: frozenset[int]
    changed: bool = False

    def places(self, remotes: Iterable[str]) -> int:
        """What being in these folders makes of a message."""
        return folder_roles.bits(self.by_remote[remote].role for remote in remotes)


async def update(session: AsyncSession, account_id: str, page: MailPage) -> Folders:
    """Bring the folders in line with what a page says; one that it only mentions is made."""
    known = await repository.folders(session, account_id)
    touched: set[int] = set()
    if page.folders is not None:
        given = {folder.remote: folder for folder in page.folders}
        touched |= await _drop(session, [row for row in known.values() if row.remote not in given])
        known = {remote: row for remote, row in known.items() if remote in given}
        for folder in given.values():
            touched |= await _set(session, account_id, known, folder)
    for remote in _mentioned(page):
        if remote not in known:
            await _set(session, account_id, known, RemoteFolder(remote, remote))
    otherwise = any(session.is_modified(row) for row in known.values())
    changed = otherwise or bool(session.new or session.deleted)
    await session.flush()
    return Folders(known, frozenset(touched), changed)


async def void(session: AsyncSession, folders: Folders, remotes: Iterable[str]) -> set[int]:
    """Forget what these folders hold, for it is given anew; the messages that were there."""
    wanted = [folders.by_remote[remote].id for remote in remotes if remote in folders.by_remote]
    return await _emptied(session, wanted)


async def _set(
    session: AsyncSession, account_id: str, known: dict[str, MailFolder], folder: RemoteFolder
) -> set[int]:
    row = known.get(folder.remote)
    if row is None:
        row = known[folder.remote] = MailFolder(
            id=ids.new("fol"), account_id=account_id, remote=folder.remote
        )
        session.add(row)
        row.title, row.kind, row.role = folder.title, folder.kind, folder.role
        return set()
    other_role = row.role != folder.role
    row.title, row.kind, row.role = folder.title, folder.kind, folder.role
    if not other_role:
        return set()
    return await repository.held_by(session, [row.id])


async def _drop(session: AsyncSession, rows: list[MailFolder]) -> set[int]:
    touched = await _emptied(session, [row.id for row in rows])
    for row in rows:
        await session.delete(row)
    return touched


async def _emptied(session: AsyncSession, folder_ids: list[str]) -> set[int]:
    if not folder_ids:
        return set()
    touched = await repository.held_by(session, folder_ids)
    await repository.empty_folders(session, folder_ids)
    return touched


def _mentioned(page: MailPage) -> list[str]:
    some = [remote for one in page.arrived for remote in one.folders]
    some += [remote for one in page.changed for remote in one.folders or ()]
    return list(dict.fromkeys(some))
