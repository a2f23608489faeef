"""HTML that strangers wrote: cleaned for people to look at, and as text for all others.

Both leave out the same: what is hidden from a person is hidden from an agent too.
"""

from bailiwick.mail.html.cleaning import clean
from bailiwick.mail.html.reading import Read, read, to_text

__all__ = ["Read", "clean", "read", "to_text"]
