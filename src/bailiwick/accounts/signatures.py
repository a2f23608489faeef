"""Signatures: the provider's own as clean HTML, or the user's text."""

import html
from typing import Literal

import nh3

from bailiwick.errors import Invalid

SignatureSource = Literal["provider", "own", "none"]
LONGEST = 10_000
_SCHEMES = {"http", "https", "mailto", "tel"}
_BREAKS = ("<br>", "<br/>", "<br />", "</p>", "</div>", "</tr>", "</li>")


def cleaned(given: str | None) -> str | None:
    """A provider's signature without active content or trackers; None if nothing is left."""
    if not given or len(given) > 10 * LONGEST:
        return None
    tags = nh3.ALLOWED_TAGS - {"img", "map", "area"}
    clean = nh3.clean(given, tags=tags, url_schemes=_SCHEMES).strip()
    return clean if clean and len(clean) <= LONGEST and preview(clean, "provider") else None


def checked(text: str) -> str:
    """The user's signature text, within its limits."""
    if len(text) > LONGEST:
        raise Invalid.field("signature.text", f"must have {LONGEST} characters at most")
    if any(not letter.isprintable() and letter not in "\n\t" for letter in text):
        raise Invalid.field("signature.text", "has characters in it that cannot be used")
    return text


def preview(signature: str | None, source: str) -> str:
    """A signature as plain text."""
    if signature is None:
        return ""
    if source != "provider":
        return signature
    for mark in _BREAKS:
        signature = signature.replace(mark, "\n" + mark)
    plain = html.unescape(nh3.clean(signature, tags=set()))
    return "\n".join(line.strip() for line in plain.strip().splitlines())
