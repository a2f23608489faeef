"""HTML from strangers: cleaned for display, and as text.

Both leave out the same: text that is hidden from a person is hidden from an agent too.
"""

from bailiwick.mail.html.sanitize import clean
from bailiwick.mail.html.text import HtmlText, read, to_text

__all__ = ["HtmlText", "clean", "read", "to_text"]
