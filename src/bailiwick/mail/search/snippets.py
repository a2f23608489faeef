"""Marks what a query finds in a mail."""

from collections.abc import Iterator

from bailiwick.kit.snippets import PhraseMarker, SnippetPiece
from bailiwick.mail.search.language import All, Any, Node, Text

__all__ = ["Marker", "SnippetPiece"]


class Marker(PhraseMarker):
    """Marks the matches of a query in one field of mails."""

    def __init__(self, query: Node, *, field: str) -> None:
        super().__init__(_phrases(query, field))


def _phrases(query: Node, field: str) -> Iterator[tuple[str, bool]]:
    match query:
        case Text(words, fields, prefix) if not fields or field in fields:
            yield words, prefix
        case All(parts) | Any(parts):
            for part in parts:
                yield from _phrases(part, field)
        case _:
            return
