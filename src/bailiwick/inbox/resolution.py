"""What people say to suggestions: yes, no, or another folder; and taking that back.

A yes is a move through the gate under the person's own name, so that it is audited and undone like
any other. A suggestion whose file is gone or is another one now expires.
"""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bailiwick.accounts.reader import reader_of
from bailiwick.errors import BailiwickError, Conflict, Invalid, NotFound
from bailiwick.gate import own_name
from bailiwick.gate.actions import repository as actions
from bailiwick.gate.actions import undo as action_undo
from bailiwick.gate.call import Denied, Pending
from bailiwick.gate.people import caller_of, context_of
from bailiwick.gate.responses import error_of
from bailiwick.identity.principal import Principal
from bailiwick.inbox import events, places, reconciliation, repository
from bailiwick.inbox.models import Suggestion
from bailiwick.kit import clock
from bailiwick.library import changes as file_changes
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.office import Office
from bailiwick.tools.paths import VirtualPath
from bailiwick.workspaces.access import WorkspaceAccess, enter

_MOST_NAMES = 100
_ANSWERED = "This suggestion was answered already: it is {}."
_CHANGED = "{} is gone, or is another file now, so the suggestion no longer holds."


@dataclass(frozen=True, slots=True)
class Resolved:
    """What came of an answer."""

    suggestion: Suggestion
    moved: bool
    approval_id: str | None = None  # a program's yes waits for a person


@dataclass(frozen=True, slots=True)
class SuggestionAnswer:
    """What a person says to a suggestion."""

    accepts: bool
    folder: str | None = None  # another one than was suggested
    name: str | None = None
    batch_id: str | None = None


class Resolution:
    """Answers suggestions for one person."""

    def __init__(self, office: Office, who: Principal) -> None:
        self._office = office
        self._who = who
        self._app = office.storage.app
        self._paths = PathResolver(office)

    async def resolve(
        self, visible: Collection[str], id: str, answer: SuggestionAnswer
    ) -> Resolved:
        """Carry out an answer."""
        async with self._app.read() as session:
            row = await repository.suggestion(session, visible, id)
            access = await enter(session, self._who, row.workspace_id, need="write")
        _require_pending(row)
        if not answer.accepts:
            return Resolved(await self._noted(row.id, visible, answer), moved=False)
        source = await self._source(row, visible)
        folder = await self._folder(row, access, answer)
        moved = await self._move(access, source, folder, answer.name or source.path.name)
        if isinstance(moved, Pending):
            return Resolved(row, moved=False, approval_id=moved.approval_id)
        path, action_id = moved
        row = await self._noted(row.id, visible, answer, path=path, action_id=action_id)
        return Resolved(row, moved=True)

    async def undo_all(self, visible: Collection[str], rows: Sequence[Suggestion]) -> list[str]:
        """Take answers back; what is wrong with those that cannot be."""
        problems: list[str] = []
        for row in rows:
            try:
                await self.undo(visible, row)
            except BailiwickError as error:
                problems.append(f"{row.file_path}: {error.detail}")
        return problems

    async def undo(self, visible: Collection[str], row: Suggestion) -> None:
        """Take an answer back: the file returns, and the suggestion waits again."""
        if row.status not in repository.DECIDED:
            raise Conflict(f"Nothing was answered that could be taken back: it is {row.status}.")
        if row.action_id:
            async with self._app.read() as session:
                access = await enter(session, self._who, row.workspace_id, need="write")
                reader = await reader_of(session, self._who)
                action = await actions.get(session, reader, row.action_id)
            if not action.undone_by:
                outcome = await action_undo.undo(
                    self._office,
                    caller_of(self._who, access),
                    action,
                    context_id=context_of(self._who),
                )
                if isinstance(outcome, Denied):
                    raise error_of(outcome)
                if isinstance(outcome, Pending):
                    raise Conflict(outcome.reason)
        async with self._app.write() as session:
            found = await repository.suggestion(session, visible, row.id, lock=True)
            reconciliation.reopen(found, await reconciliation.file_of(session, found))
            events.emit(session, found, events.REOPENED, by=self._who.id)

    async def _source(self, row: Suggestion, visible: Collection[str]) -> ResolvedPath:
        async with self._app.read() as session:
            notebook = await repository.notebook(session, row.notebook_id)
            file = await reconciliation.file_of(session, row)
        if notebook and file:
            root = await self._paths.root(notebook)
            inner = VirtualPath.parse(row.file_path).inner
            place = ResolvedPath(notebook, root, VirtualPath((notebook.name, *inner)))
            with suppress(NotFound):
                digest, _ = await asyncio.to_thread(file_changes.digest_of, root, place.names)
                if digest == row.digest:
                    return place
        async with self._app.write() as session:
            row = await repository.suggestion(session, visible, row.id, lock=True)
            reconciliation.expire(row)
            events.emit(session, row, events.EXPIRED)
        raise Conflict(_CHANGED.format(row.file_path))

    async def _folder(
        self, row: Suggestion, access: WorkspaceAccess, answer: SuggestionAnswer
    ) -> VirtualPath:
        text = answer.folder or row.target_folder
        path = VirtualPath.parse(text, field="target_folder")
        scope = caller_of(self._who, access).scope
        known = {each.name for each in await self._paths.notebooks(access.id, scope)}
        if path.notebook not in known:
            notebook = VirtualPath.parse(row.file_path).notebook
            path = VirtualPath((notebook, *path.names))
        if places.is_inbox(path.inner):
            raise Invalid.field("target_folder", "is the inbox itself; to keep it there, reject it")
        return path

    async def _move(
        self, access: WorkspaceAccess, source: ResolvedPath, folder: VirtualPath, name: str
    ) -> tuple[str, str | None] | Pending:
        """Move it under the first name that is free; nothing is ever overwritten."""
        if len(VirtualPath.parse(name, field="name").names) != 1:
            raise Invalid.field("name", "must be one name, without slashes")
        for number in range(1, _MOST_NAMES):
            to = f"{folder}/{numbered(name, number)}"
            try:
                outcome = await own_name.act(
                    self._office,
                    self._who,
                    access,
                    "move_file",
                    {"path": str(source.path), "to": to},
                )
            except Conflict:
                if not await self._is_taken(source, to, access):
                    raise
                continue
            return outcome if isinstance(outcome, Pending) else (to, outcome.action_id)
        raise Conflict(f"{folder} has {_MOST_NAMES} files of that name. Give it another one.")

    async def _is_taken(self, source: ResolvedPath, to: str, access: WorkspaceAccess) -> bool:
        path = VirtualPath.parse(to)
        scope = caller_of(self._who, access).scope
        notebooks = await self._paths.notebooks(access.id, scope)
        (notebook,) = (each for each in notebooks if each.name == path.notebook)
        root = await self._paths.root(notebook)
        there = await asyncio.to_thread(root.exists, path.inner)
        return there and await asyncio.to_thread(source.root.exists, source.names)

    async def _noted(
        self,
        id: str,
        visible: Collection[str],
        answer: SuggestionAnswer,
        *,
        path: str | None = None,
        action_id: str | None = None,
    ) -> Suggestion:
        async with self._app.write() as session:
            row = await repository.suggestion(session, visible, id, lock=True)
            if not answer.accepts:
                _require_pending(row)
            row.status = "accepted" if answer.accepts else "rejected"
            row.resolved_at, row.resolved_by = clock.now(), self._who.id
            row.batch_id, row.action_id = answer.batch_id, action_id
            row.new_path = path
            row.chosen_folder = path.rpartition("/")[0] if path else None
            events.emit(session, row, events.RESOLVED, by=self._who.id)
        return row


def numbered(name: str, number: int) -> str:
    """The same name with a number, where the first is taken."""
    if number == 1:
        return name
    stem, dot, ending = name.rpartition(".")
    return f"{stem} ({number}).{ending}" if dot and stem else f"{name} ({number})"


def _require_pending(row: Suggestion) -> None:
    if row.status != "pending":
        raise Conflict(_ANSWERED.format(row.status))
