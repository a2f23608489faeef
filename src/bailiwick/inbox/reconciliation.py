"""Suggestions are brought in line with the disk, whoever moved the file, and however it ended.

A move through the gate is on record as an action: so an answer that a crash cut short, one that a
person allowed later, and a move in the library are told from a file that is simply gone.
"""

import asyncio
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.actions import repository as actions
from bailiwick.gate.models import Action
from bailiwick.inbox import events, places, repository
from bailiwick.inbox.models import Suggestion
from bailiwick.kit import clock
from bailiwick.library.index.models import IndexedFile
from bailiwick.library.models import Notebook
from bailiwick.library.resolver import PathResolver
from bailiwick.office import Office
from bailiwick.tools.paths import VirtualPath

Moves = dict[str, Action]  # by the path that a file was moved from


def reopen(row: Suggestion, file: IndexedFile | None = None) -> None:
    """It waits for an answer again; the file may be known under another id since."""
    row.status = "pending"
    row.resolved_at = row.resolved_by = row.new_path = row.chosen_folder = None
    row.action_id = row.batch_id = None
    if file is not None:
        row.file_id = file.id


def expire(row: Suggestion) -> None:
    """It no longer holds."""
    if row.status == "pending":
        row.status, row.resolved_at = "expired", clock.now()


async def refresh(office: Office, workspace_id: str) -> int:
    """Bring what waits in line with the disk; how many were answered or no longer hold.

    A file that was renamed within the inbox keeps its suggestion. One that was moved through the
    gate, or that lies where it was suggested, was answered.
    """
    changed = await _returned(office, workspace_id)
    async with office.storage.app.write() as session:
        found = await repository.pending_with_files(session, workspace_id)
        away = [each for each in found if _path(*each) != each[0].file_path]
        moves = await _moves(session, [row for row, _, _ in away])
        for row, file, notebook in away:
            if await _is_there(session, row):
                continue
            _follow(row, _path(row, file, notebook), moves.get(row.file_path))
            if row.status != "pending":
                changed += 1
                kind = events.EXPIRED if row.status == "expired" else events.RESOLVED
                events.emit(session, row, kind)
    return changed


async def action_undone(office: Office, action_id: str) -> None:
    """A move was taken back elsewhere: its suggestion waits again."""
    async with office.storage.app.write() as session:
        row = await repository.of_action(session, action_id)
        action = await session.get(Action, action_id)
        if row and action and action.undone_by and row.status == "accepted":
            reopen(row, await file_of(session, row))
            events.emit(session, row, events.REOPENED)


async def file_of(session: AsyncSession, row: Suggestion) -> IndexedFile | None:
    """The file that lies where a suggestion's file was, if it is the same."""
    file = await _file_at(session, row)
    return file if file and file.digest == row.digest else None


async def _file_at(session: AsyncSession, row: Suggestion) -> IndexedFile | None:
    return await repository.file_at(session, row.notebook_id, row.file_path.partition("/")[2])


async def _is_there(session: AsyncSession, row: Suggestion) -> bool:
    """Whether its place has the same file under another id, or one that nobody has read yet."""
    file = await _file_at(session, row)
    if file is None or file.digest not in (None, row.digest):
        return False
    if file.digest and not await repository.pending_of(session, [file.id]):
        row.file_id = file.id
    return True


def _path(row: Suggestion, file: IndexedFile | None, notebook: Notebook | None) -> str | None:
    """Where the file of a suggestion is now; None if it is gone, or is another one."""
    if not file or not notebook or file.gone_at or file.digest != row.digest:
        return None
    return f"{notebook.name}/{file.path}"


def _follow(row: Suggestion, path: str | None, move: Action | None) -> None:
    if path and places.holds(VirtualPath(tuple(path.split("/")))):
        row.file_path = path
    elif move and move.status == "open":
        return  # somebody is at it, or a restart will say what became of it
    elif move and (move.receipt or {}).get("digest") == row.digest:
        row.resolved_by, row.action_id = move.user_id, move.id
        _accept(row, move.arguments["to"])
    elif path and path.rpartition("/")[0] == row.target_folder:
        _accept(row, path)
    else:
        expire(row)


def _accept(row: Suggestion, path: str) -> None:
    row.status, row.resolved_at = "accepted", clock.now()
    row.new_path, row.chosen_folder = path, path.rpartition("/")[0]


async def _moves(session: AsyncSession, rows: Sequence[Suggestion]) -> Moves:
    if not rows:
        return {}
    since = min(row.created_at for row in rows)
    moves = await actions.standing(session, rows[0].workspace_id, "move_file", since=since)
    return {move.arguments["path"]: move for move in moves}


async def _returned(office: Office, workspace_id: str) -> int:
    """Files that lie in the inbox again: taken back by hand, or by an undo that was cut short."""
    async with office.storage.app.read() as session:
        back = [
            (row, file, notebook)
            for row, file, notebook in await repository.accepted_in_inbox(session, workspace_id)
            if f"{notebook.name}/{file.path}" == row.file_path
        ]
    changed = 0
    for row, file, notebook in back:
        if not await _is_back(office, row, file, notebook):
            continue
        async with office.storage.app.write() as session:
            again = await repository.suggestion(session, [workspace_id], row.id, lock=True)
            if again.status == "accepted" and not await repository.pending_of(session, [file.id]):
                reopen(again, file)
                events.emit(session, again, events.REOPENED)
                changed += 1
    return changed


async def _is_back(office: Office, row: Suggestion, file: IndexedFile, notebook: Notebook) -> bool:
    """Whether the disk has it in the inbox, and no longer where it was put."""
    paths = PathResolver(office)
    new = VirtualPath.parse(row.new_path or "")
    async with office.storage.app.read() as session:
        others = await repository.notebooks(session, [row.workspace_id])
    target = next((each for each in others if each.name == new.notebook), None)
    if target is None:
        return False
    here, there = await paths.root(notebook), await paths.root(target)
    names = tuple(file.path.split("/"))
    return await asyncio.to_thread(here.exists, names) and not await asyncio.to_thread(
        there.exists, new.inner
    )
