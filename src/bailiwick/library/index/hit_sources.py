"""Whose words found files are: what was found is read, and judged by that."""

from collections.abc import Iterable

from bailiwick.library import labels
from bailiwick.library.index.search import FileHit
from bailiwick.library.resolver import PathResolver
from bailiwick.tools.trust import Label, Source, lowest


async def sources(paths: PathResolver, hits: Iterable[FileHit]) -> tuple[Source, ...]:
    """Of each file its text, and the names on its path."""
    made: list[Source] = []
    for hit in hits:
        names = hit.path.inner
        trail = [names[:depth] for depth in range(1, len(names) + 1)]
        rows = await paths.known(hit.notebook, trail)
        used: list[Label] = [labels.of_name(hit.notebook, rows, each) for each in trail]
        used.append(labels.of_content(hit.notebook, rows, names, hit.file.digest or ""))
        made.append(Source(lowest(used), f"the file {hit.path}"))
    return tuple(made)
