"""Search over all mail of a workspace."""

from bailiwick.mail.search.run import MailHit, MailHits, Order, search
from bailiwick.mail.search.snippets import SnippetPiece

__all__ = ["MailHit", "MailHits", "Order", "SnippetPiece", "search"]
