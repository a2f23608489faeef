"""One open folder: its state, and reading from it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.imap import faults, names, responses
from bailiwick.connectors.imap.client import Imap, ResponsePart
from bailiwick.connectors.imap.responses import Nonsense, Response, Token
from bailiwick.connectors.imap.uids import Uids
from bailiwick.connectors.mail import MailFlag
from bailiwick.kit import clock

FLAGS: dict[str, MailFlag] = {
    "\\seen": "seen",
    "\\flagged": "flagged",
    "\\answered": "answered",
    "\\draft": "draft",
}
# Of larger ones only the headers are read.
LARGEST_MESSAGE = 64 * 1024 * 1024
_LARGEST_HEADERS = 4 * 1024 * 1024
_SLACK = 16 * 1024 * 1024
_MOST_MESSAGES = 5_000_000
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE = re.compile(rb" ?(\d{1,2})-([A-Za-z]{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\Z")


@dataclass(frozen=True, slots=True)
class Box:
    """The folder's state, as the server gave it when the folder was opened."""

    name: str
    exists: int
    uidvalidity: int
    uidnext: int | None
    modseq: int | None  # None: the server has no modification sequence for this folder
    permanent: frozenset[str] | None  # flags that can be set, in lower case; None: unknown

    def can_keep(self, keyword: str) -> bool:
        """Whether a keyword can be stored permanently."""
        return self.permanent is None or bool({"\\*", keyword.lower()} & self.permanent)


@dataclass(frozen=True, slots=True)
class Fetched:
    """The fetched data of one message."""

    flags: frozenset[str] | None = None  # as the server spells them
    size: int | None = None
    received_at: datetime | None = None
    body: bytes | None = None


async def opened(imap: Imap, name: str, *, write: bool = False) -> Box:
    """Open a folder, for reading or for changes."""
    verb = b"SELECT" if write else b"EXAMINE"
    parts: list[ResponsePart] = [verb, names.on_wire(name)]
    if imap.can("CONDSTORE") and not imap.enabled & {"QRESYNC", "CONDSTORE"}:
        parts.append(b"(CONDSTORE)")
    answer = await imap.command(*parts)
    modseq = _plain(answer.code("HIGHESTMODSEQ"))
    if write and answer.done.code == "READ-ONLY":
        raise ConnectorFailed("other", "This folder can only be read.")
    flags = answer.code("PERMANENTFLAGS")
    return Box(
        name=name,
        exists=max((each.number for each in answer.of("EXISTS")), default=0),
        uidvalidity=_plain(answer.code("UIDVALIDITY")) or 0,
        uidnext=_plain(answer.code("UIDNEXT")),
        modseq=modseq or None,
        permanent=None if flags is None else frozenset(flags.strip("()").lower().split()),
    )


async def search(imap: Imap, *criteria: ResponsePart) -> Uids:
    """The UIDs that match, in the open folder."""
    returning = [b"RETURN", b"(ALL)"] if imap.can("ESEARCH") else []
    answer = await imap.command(b"UID", b"SEARCH", *returning, *criteria)
    try:
        return _found(answer.responses)
    except (ValueError, Nonsense):
        raise faults.nonsense(imap.where, "UIDs that are none") from None


async def flags_of(
    imap: Imap, uids: str, *, since: int | None = None, vanished: bool = False
) -> tuple[dict[int, frozenset[str]], Uids]:
    """The flags of all messages or of changed ones, and the expunged UIDs if the server tells."""
    modifier = b""
    if since is not None:
        modifier = b"(CHANGEDSINCE %d%s)" % (since, b" VANISHED" if vanished else b"")
    flags: dict[int, frozenset[str]] = {}
    gone: list[Uids] = []

    def each(response: Response) -> None:
        if response.kind == "FETCH":
            uid, fetched = _one(response)
            if uid and fetched.flags is not None:
                flags[uid] = fetched.flags
        elif response.kind == "VANISHED":
            gone.append(_vanished(response))

    parts = [b"UID", b"FETCH", uids.encode(), b"(FLAGS)", *([modifier] if modifier else [])]
    try:
        await imap.command(*parts, each=each, most=_MOST_MESSAGES)
    except ValueError:
        raise faults.nonsense(imap.where, "UIDs that are none") from None
    return flags, gone[0] if len(gone) == 1 else Uids(_joined(gone))


async def sizes_of(imap: Imap, uids: Uids | str) -> dict[int, int]:
    """The sizes of messages, without those that no longer exist."""
    found = await _fetch(imap, str(uids), b"(RFC822.SIZE)", largest=1024)
    return {uid: each.size for uid, each in found.items() if each.size is not None}


async def messages_of(imap: Imap, uids: Uids, *, size: int) -> dict[int, Fetched]:
    """Whole messages, given the sum of their announced sizes."""
    return await _fetch(
        imap,
        str(uids),
        b"(FLAGS INTERNALDATE BODY.PEEK[])",
        largest=LARGEST_MESSAGE + _SLACK,
        most_bytes=2 * size + _SLACK,
    )


async def headers_of(imap: Imap, uid: int) -> Fetched | None:
    """The headers of a message, with its flags and date."""
    found = await _fetch(
        imap,
        str(uid),
        b"(FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER])",
        largest=_LARGEST_HEADERS,
    )
    return found.get(uid)


async def _fetch(
    imap: Imap, uids: str, items: bytes, *, largest: int, most_bytes: int | None = None
) -> dict[int, Fetched]:
    found: dict[int, Fetched] = {}
    left = largest if most_bytes is None else most_bytes

    def each(response: Response) -> None:
        nonlocal left
        if response.kind != "FETCH":
            return
        uid, fetched = _one(response)
        left -= len(fetched.body or b"") if most_bytes is not None else 0
        if left < 0:
            raise faults.nonsense(imap.where, "far more than it had announced")
        if uid:
            found[uid] = _joint(found.get(uid), fetched)

    await imap.command(
        *(b"UID", b"FETCH", uids.encode(), items), each=each, most=_MOST_MESSAGES, largest=largest
    )
    return found


def shown_flags(flags: frozenset[str]) -> frozenset[MailFlag]:
    """The flags that every provider has."""
    return frozenset(FLAGS[each.lower()] for each in flags if each.lower() in FLAGS)


def labels(flags: frozenset[str]) -> list[str]:
    """The keywords that are labels."""
    return sorted(each for each in flags if names.is_label(each))


def _one(response: Response) -> tuple[int, Fetched]:
    """The data of one FETCH response and its UID; 0 if the response has none."""
    given = response.fetched()
    flags, size, date = given.get(b"FLAGS"), given.get(b"RFC822.SIZE"), given.get(b"INTERNALDATE")
    body = given.get(b"BODY[]", given.get(b"BODY[HEADER]"))
    return responses.number(given[b"UID"]) if b"UID" in given else 0, Fetched(
        flags=None if flags is None else frozenset(responses.words(flags)),
        size=None if size is None else responses.number(size),
        received_at=_moment(date),
        body=body if isinstance(body, bytes) else None,
    )


def _joint(before: Fetched | None, new: Fetched) -> Fetched:
    """Merge responses about one message: servers may send its data in parts."""
    if before is None:
        return new
    return Fetched(
        flags=before.flags if new.flags is None else new.flags,
        size=before.size if new.size is None else new.size,
        received_at=new.received_at or before.received_at,
        body=before.body if new.body is None else new.body,
    )


def _moment(token: Token | None) -> datetime | None:
    found = _DATE.match(token) if isinstance(token, bytes) else None
    if found is None:
        return None
    try:
        month = _MONTHS.index(found[2].decode().lower()) + 1
        offset = timedelta(hours=int(found[8]), minutes=int(found[9]))
        zone = timezone(-offset if found[7] == b"-" else offset)
        day, year, clock_parts = int(found[1]), int(found[3]), map(int, found.group(4, 5, 6))
        return datetime(year, month, day, *clock_parts, tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def arrival(fetched: Fetched) -> datetime:
    """The arrival time of a message; the present, if the server gives none."""
    return fetched.received_at or clock.now()


def _found(heard: Sequence[Response]) -> Uids:
    numbers: list[int] = []
    for response in heard:
        if response.kind == "ESEARCH":
            words = list(response.tokens)
            if b"ALL" in words[:-1]:
                text = words[words.index(b"ALL") + 1]
                return Uids.parse(
                    text.decode("ascii", "replace") if isinstance(text, bytes) else "?"
                )
        elif response.kind == "SEARCH":
            numbers += [
                responses.number(each) for each in response.tokens if isinstance(each, bytes)
            ]
    return Uids.of(numbers)


def _vanished(response: Response) -> Uids:
    last = response.tokens[-1] if response.tokens else None
    return Uids.parse(last.decode("ascii", "replace") if isinstance(last, bytes) else "?")


def _joined(sets: Sequence[Uids]) -> tuple[tuple[int, int], ...]:
    made = Uids()
    for each in sets:
        made |= each
    return made.ranges


def _plain(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() and len(text) <= 20 else None
