"""Search over all mail of a workspace."""

from bailiwick.mail.search.run import Hit, Hits, Order, search
from bailiwick.mail.search.snippets import Piece

__all__ = ["Hit", "Hits", "Order", "Piece", "search"]
