"""Threads as search finds them beside files."""

from bailiwick.accounts.reader import reader_of
from bailiwick.chat import repository, views
from bailiwick.chat.repository import ThreadSearch
from bailiwick.chat.schemas import ThreadOut
from bailiwick.kit.snippets import PhraseMarker
from bailiwick.office import Office
from bailiwick.tools.finding import FoundThing, ThingQuery


async def find(office: Office, query: ThingQuery) -> list[FoundThing]:
    """The threads that the reader may read, by their titles and by what was said in them."""
    wanted = ThreadSearch(workspace_id=query.access.id, words=query.words)
    async with office.storage.app.read() as session:
        reader = await reader_of(session, query.who)
        rows = await repository.listed(session, reader, wanted, query.page(office))
        shown = await views.threads(session, office, query.who, rows.rows)
        found = await repository.said_with(session, [row.id for row in rows.rows], query.words)
        said = {
            thread.id: (await views.messages(session, office, query.who, thread, [row]))[0].content
            for thread in rows.rows
            if (row := found.get(thread.id))
        }
    marker = PhraseMarker((word, True) for word in query.words.split())
    return [_thing(thread, said.get(thread.id, thread.title), marker) for thread in shown]


def _thing(thread: ThreadOut, said: str, marker: PhraseMarker) -> FoundThing:
    return FoundThing(
        kind="thread",
        id=thread.id,
        workspace_id=thread.workspace_id,
        title=thread.title,
        about=f"with {thread.assistant_name}",
        at=thread.metadata["lastActivity"],
        snippet=marker.snippet(said, said),
    )
