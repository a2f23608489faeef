"""Mails as search finds them beside files."""

from bailiwick.errors import Invalid
from bailiwick.kit.snippets import SnippetPiece
from bailiwick.mail import service
from bailiwick.mail.schemas import MailHitOut, MailSearched
from bailiwick.office import Office
from bailiwick.tools.finding import FoundThing, ThingQuery


async def find(office: Office, query: ThingQuery) -> list[FoundThing]:
    """The mails of a workspace that the reader may see, by the language of mail search."""
    asked = MailSearched(workspace_id=query.access.id, q=query.words)
    try:
        hits = await service.found(
            office, query.who, query.access.id, query=asked, page=query.page(office)
        )
    except Invalid:
        return []  # words that mean nothing to mail may well be in files
    return [_thing(query.access.id, hit) for hit in hits.items]


def _thing(workspace_id: str, hit: MailHitOut) -> FoundThing:
    return FoundThing(
        kind="mail",
        id=hit.id,
        workspace_id=workspace_id,
        title=hit.subject,
        about=hit.sender.name or hit.sender.address,
        at=hit.date,
        snippet=[SnippetPiece(piece.text, piece.found) for piece in hit.marked_snippet],
    )
