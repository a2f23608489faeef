"""Recipients' addresses: exactly one in each value, as on the envelope.

Only the plain form is accepted. A list, a group, a comment or a quoted part in what looks like one
address can lead a message to a recipient that nobody saw.
"""

import re
from collections.abc import Iterable, Sequence

import idna

from bailiwick.errors import Invalid

MOST_RECIPIENTS = 200
LONGEST = 254
_LONGEST_LOCAL = 64
# Characters beyond ASCII are allowed; the server may still refuse them.
_LOCAL = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*")
# The start of an encoded word, in which programs may read another address.
_WORD = "=?"
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def checked(text: str, *, field: str) -> str:
    """The address in its envelope form, or `Invalid` that names the field."""
    local, at, domain = text.strip().rpartition("@")
    if not at or not _LOCAL.fullmatch(local) or _WORD in local:
        raise Invalid.field(
            field, f"{_shown(text)} is not one plain address such as ada@example.org"
        )
    made = f"{local}@{_host(domain, text, field)}"
    if len(local.encode()) > _LONGEST_LOCAL or len(made.encode()) > LONGEST:
        raise Invalid.field(field, f"{_shown(text)} is longer than any address may be")
    return made


def all_checked(texts: Sequence[str], *, field: str) -> tuple[str, ...]:
    """The addresses, each once."""
    return without_doubles(checked(text, field=field) for text in texts)


def usable(text: str) -> str | None:
    """The address if mail can be sent to it, else nothing; a stranger may write anything there."""
    try:
        return checked(text, field="to")
    except Invalid:
        return None


def same(one: str, other: str) -> bool:
    """Whether two addresses are the same to nearly every server."""
    return one.casefold() == other.casefold()


def without_doubles(addresses: Iterable[str], *, but: Iterable[str] = ()) -> tuple[str, ...]:
    """Each address once, in order, without the excluded ones."""
    seen = {address.casefold() for address in but}
    kept: list[str] = []
    for address in addresses:
        if address.casefold() not in seen:
            seen.add(address.casefold())
            kept.append(address)
    return tuple(kept)


def _host(domain: str, text: str, field: str) -> str:
    try:
        host = idna.encode(domain, uts46=True).decode().lower()
    except (idna.IDNAError, UnicodeError):
        host = domain.lower()
    if not host or not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise Invalid.field(field, f"{_shown(text)} has no valid domain behind the @")
    return host


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
