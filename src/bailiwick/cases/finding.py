"""Cases as search finds them beside files."""

from bailiwick.cases import browse
from bailiwick.cases.repository import CaseQuery
from bailiwick.cases.schemas import CaseOut
from bailiwick.kit.snippets import PhraseMarker
from bailiwick.office import Office
from bailiwick.tools.finding import FoundThing, ThingQuery


async def find(office: Office, query: ThingQuery) -> list[FoundThing]:
    """The cases of mail that the reader may see, by the words of that mail's head."""
    asked = CaseQuery(workspace_id=query.access.id, words=query.words)
    found = await browse.listed(office, query.who, asked, query.page(office))
    marker = PhraseMarker((word, True) for word in query.words.split())
    return [_thing(case, marker) for case in found.items]


def _thing(case: CaseOut, marker: PhraseMarker) -> FoundThing:
    mail = case.mail
    head = f"{mail.subject}, from {mail.sender_name} {mail.sender_address}"
    return FoundThing(
        kind="case",
        id=case.id,
        workspace_id=case.workspace_id,
        title=mail.subject,
        about=f"{case.director_name}, {case.state}",
        at=case.updated_at,
        snippet=marker.snippet(head, head),
    )
