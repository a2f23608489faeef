"""Memories as search finds them beside files."""

from bailiwick.kit.snippets import PhraseMarker
from bailiwick.memory import browse
from bailiwick.memory.schemas import MemoryOut
from bailiwick.memory.search import MemoryQuery
from bailiwick.office import Office
from bailiwick.tools.finding import FoundThing, ThingQuery

_TITLE = 80


async def find(office: Office, query: ThingQuery) -> list[FoundThing]:
    """The memories that reach the reader, by their words."""
    asked = MemoryQuery(query=query.words, mode="keyword")
    page = query.page(office)
    rows = await browse.listed(office, query.who, query.access, query=asked, page=page)
    marker = PhraseMarker((word, True) for word in query.words.split())
    return [_thing(row, marker) for row in rows.rows]


def _thing(row: MemoryOut, marker: PhraseMarker) -> FoundThing:
    first = row.content.strip().partition("\n")[0]
    return FoundThing(
        kind="memory",
        id=row.id,
        workspace_id=row.workspace_id,
        title=first if len(first) <= _TITLE else f"{first[:_TITLE]}…",
        about=row.owner_name or "everyone's",
        at=row.updated_at,
        snippet=marker.snippet(row.content, row.content[:200]),
    )
