"""Whose words a file holds.

What is written through the gate is remembered by its digest, before it is written: so a crash never
leaves a stranger's words behind that pass for the owner's. While a file is being replaced it has a
second row for the content that is coming, and a third that says what is leaving: from that, a call
that is tried again after a crash knows what undo needs. No path contains a line break. The SQL of
labels is here.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit import clock
from bailiwick.kit.db.chunks import chunks
from bailiwick.library.models import FileLabel, Notebook
from bailiwick.library.root import PathNames
from bailiwick.tools.trust import Label, lowest

INBOX = "inbox"
FOLDER = ""  # in the place of a folder's digest
_COMING = "\n"
FileLabels = Mapping[str, FileLabel]


@dataclass(frozen=True, slots=True)
class DepartingFile:
    """What a call took away: a blob or a digest, and the label that it had on record."""

    digest: str
    label: Label | None


def usual(notebook: Notebook, names: PathNames) -> Label:
    """The label of what nobody wrote through the gate."""
    is_inbox = any(name.casefold() == INBOX for name in names[:-1])
    return "owner" if notebook.trusted and not is_inbox else "stranger"


async def known(session: AsyncSession, notebook_id: str, files: Iterable[PathNames]) -> FileLabels:
    """What is on record about these files."""
    paths = [path for names in files for path in (_path(names), _path(names) + _COMING)]
    found: dict[str, FileLabel] = {}
    for some in chunks(paths):
        statement = select(FileLabel).where(
            FileLabel.notebook_id == notebook_id, FileLabel.path.in_(some)
        )
        found |= {row.path: row for row in await session.scalars(statement)}
    return found


def recorded(rows: FileLabels, names: PathNames, digest: str) -> Label | None:
    """The label on record for a file with this content."""
    fitting = [row.label for row in _rows(rows, names) if row.digest == digest]
    return lowest(fitting) if fitting else None  # pyright: ignore[reportArgumentType]


def of_content(notebook: Notebook, rows: FileLabels, names: PathNames, digest: str) -> Label:
    """Whose words a file with this content holds."""
    return recorded(rows, names, digest) or usual(notebook, names)


def of_name(notebook: Notebook, rows: FileLabels, names: PathNames) -> Label:
    """Whose word the name is: a name is content too, but stays when the content changes."""
    row = next(iter(_rows(rows, names)), None)
    return row.label if row else usual(notebook, names)  # pyright: ignore[reportReturnType]


async def expect(
    session: AsyncSession,
    notebook_id: str,
    names: PathNames,
    *,
    digest: str,
    label: Label,
    now: tuple[str, Label | None] | None = None,
) -> None:
    """A content is coming; `now` is the digest and recorded label of what is there so far."""
    if now and now[1]:
        await _put(session, notebook_id, _path(names), now[0], now[1])
    await _put(session, notebook_id, _path(names) + _COMING, digest, label)


async def arrived(
    session: AsyncSession, notebook_id: str, names: PathNames, *, digest: str, label: Label
) -> None:
    """The content that was coming is there."""
    await _put(session, notebook_id, _path(names), digest, label)
    await _drop(session, notebook_id, [_path(names) + _COMING])


async def forget(session: AsyncSession, notebook_id: str, files: Iterable[PathNames]) -> None:
    """Nothing is known of these any more."""
    paths = [path for names in files for path in (_path(names), _path(names) + _COMING)]
    await _drop(session, notebook_id, paths)


async def name_folders(
    session: AsyncSession, notebook_id: str, folders: Iterable[PathNames], *, label: Label
) -> None:
    """These folders were made, so their names are these words."""
    for names in folders:
        await _put(session, notebook_id, _path(names), FOLDER, label)


async def leave(
    session: AsyncSession, notebook_id: str, names: PathNames, *, key: str, what: DepartingFile
) -> None:
    """Remember what a call is about to take away, until the next call does."""
    earlier = delete(FileLabel).where(
        FileLabel.notebook_id == notebook_id,
        FileLabel.path.startswith(_path(names) + _COMING, autoescape=True),
        FileLabel.path != _path(names) + _COMING,
    )
    await session.execute(earlier)
    await _put(session, notebook_id, _left(names, key), what.digest, what.label or "")


async def left(
    session: AsyncSession, notebook_id: str, names: PathNames, *, key: str
) -> DepartingFile | None:
    """What this very call took away, if it came so far."""
    row = await session.get(FileLabel, (notebook_id, _left(names, key)))
    return DepartingFile(row.digest, row.label or None) if row else None  # pyright: ignore[reportArgumentType]


def _left(names: PathNames, key: str) -> str:
    return _path(names) + _COMING + hashlib.sha256(key.encode()).hexdigest()[:32]


def _rows(rows: FileLabels, names: PathNames) -> list[FileLabel]:
    found = (rows.get(_path(names)), rows.get(_path(names) + _COMING))
    return [row for row in found if row]


def _path(names: PathNames) -> str:
    return "/".join(names)


async def _put(session: AsyncSession, notebook_id: str, path: str, digest: str, label: str) -> None:
    await session.merge(
        FileLabel(
            notebook_id=notebook_id, path=path, digest=digest, label=label, updated_at=clock.now()
        )
    )


async def _drop(session: AsyncSession, notebook_id: str, paths: list[str]) -> None:
    statement = delete(FileLabel).where(
        FileLabel.notebook_id == notebook_id, FileLabel.path.in_(paths)
    )
    await session.execute(statement)
