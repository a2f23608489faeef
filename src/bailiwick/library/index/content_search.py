"""What `search_content` finds in the index, and which files it has to look at on the disk."""

from collections.abc import Sequence
from dataclasses import dataclass

from bailiwick.kit.db import Store
from bailiwick.library.index import queries, scan_rows
from bailiwick.library.index.queries import FileFilter
from bailiwick.library.index.search import FileFinder, FileHit, FileSearch
from bailiwick.library.models import Notebook
from bailiwick.library.root import PathNames
from bailiwick.tools.scope import Scope

_MOST_WAITING = 2_000


@dataclass(frozen=True, slots=True)
class IndexedContent:
    """Files that hold the words, and paths of files that the index has not read yet."""

    hits: Sequence[FileHit]
    waiting: Sequence[str]


async def indexed(
    store: Store,
    notebook: Notebook,
    folder: PathNames,
    scope: Scope,
    *,
    query: str,
    limit: int,
) -> IndexedContent | None:
    """What the index knows; None if it never saw the whole notebook."""
    async with store.read() as session:
        row = await scan_rows.get(session, notebook.id)
        if row is None or row.finished_at is None:
            return None
        within = "/".join(folder)
        waiting = await queries.waiting_paths(session, notebook.id, within, most=_MOST_WAITING)
    only = FileFilter(folders={notebook.id: within})
    search = FileSearch([notebook], scope, query=query, mode="keyword", only=only)
    # A query without a word, such as "€", is for the disk.
    if not search.words or len(waiting) >= _MOST_WAITING:
        return None
    found = await FileFinder(store).find(search, limit=limit)
    return IndexedContent(found.items, waiting)
