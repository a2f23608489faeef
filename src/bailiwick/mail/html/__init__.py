"""HTML that strangers wrote: cleaned for people to look at, and as text for all others.

Both leave out the same: what is hidden from a person is hidden from an agent too.
"""

from bailiwick.mail.html.sanitize import clean
from bailiwick.mail.html.text import HtmlText, read, to_text

__all__ = ["HtmlText", "clean", "read", "to_text"]
