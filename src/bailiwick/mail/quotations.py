"""Whether a mail holds the words of others: a reply's quote, a forwarded mail, a mail attached.

What cannot be told apart from a quote counts as one: it only makes a mail less trusted.
"""

import re

from bailiwick.mail.parsing import Parsed

_SUBJECT = re.compile(
    r"\s*(?:\[[^\]]{0,40}\]\s*)?(?:fwd?|wg|tr|rv|enc|i|vb|vl|vs|pd|doorst)\s*:", re.I
)
_WROTE = re.compile(
    r"(?i)@|\b(?:wrote|writes|schrieb|écrit|escribió|scritto|schreef|skrev|napisał|escreveu)\b"
)
_HEAD = re.compile(r"(?i)\*?(?:from|von|de|da|van|från|fra|od)\*?\s?:|begin forwarded message")
_RULED = ("--", "__________")
_HTML = re.compile(r"(?i)<blockquote|gmail_quote|divRplyFwdMsg|moz-cite|yahoo_quoted|cite=")


def quotes(parsed: Parsed) -> bool:
    """Whether a mail holds words that its sender did not write."""
    return (
        bool(_SUBJECT.match(parsed.subject))
        or any(part.type == "message/rfc822" for part in parsed.parts)
        or any(map(_is_quote, parsed.text.splitlines()))
        or bool(_HTML.search(parsed.html))
    )


def _is_quote(line: str) -> bool:
    """Whether a line is quoted, or leads to what is: "On Monday, Ann wrote:"."""
    line = line.strip()
    if line.startswith((">", "|")) or _HEAD.match(line):
        return True
    # A rule with words in it; a bare one only stands above a signature.
    if line.startswith(_RULED) and line.endswith(_RULED) and len(line) > 2:
        return True
    return line.endswith(":") and bool(_WROTE.search(line))
