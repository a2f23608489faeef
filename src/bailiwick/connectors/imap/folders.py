"""The folders of an account: their list, their roles, and their status."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bailiwick.connectors import utf7
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.imap import faults, names, responses, roles
from bailiwick.connectors.imap.client import Imap
from bailiwick.connectors.imap.responses import Nonsense, Response
from bailiwick.connectors.mail import FolderRole, RemoteFolder

_MOST = 20_000
_LIST = (b"LIST", b'""', b'"*"')
_CLOSED = frozenset(("\\noselect", "\\nonexistent"))
_ORDER: Sequence[FolderRole | None] = ("inbox", "sent", "drafts", "archive", None, "junk", "trash")


@dataclass(frozen=True, slots=True)
class ImapFolder:
    """A folder that can be opened."""

    name: str  # the wire name
    title: str
    depth: int
    role: FolderRole | None

    @property
    def shown(self) -> RemoteFolder:
        """The folder as pages show it."""
        return RemoteFolder(names.folder(self.name), self.title, role=self.role)


@dataclass(frozen=True, slots=True)
class ImapFolderStatus:
    """The STATUS of a folder, read without opening it; None: the server does not give it."""

    messages: int | None = None
    uidnext: int | None = None
    uidvalidity: int | None = None
    modseq: int | None = None


async def listed(imap: Imap) -> list[ImapFolder]:
    """All folders that can hold messages, the most important first.

    Folders that only repeat others are left out. "All mail" serves as the archive where there is no
    other, because archived mail is nowhere else.
    """
    answer = None
    if imap.can("SPECIAL-USE", "LIST-EXTENDED"):
        with suppress(faults.Refused):
            answer = await imap.command(*_LIST, b"RETURN", b"(SPECIAL-USE)", most=_MOST)
    answer = answer or await imap.command(*_LIST, most=_MOST)
    utf8 = "UTF8=ACCEPT" in imap.enabled
    try:
        found = [_read(each, utf8=utf8) for each in answer.of("LIST")]
    except Nonsense as error:
        raise faults.nonsense(imap.where, f"a folder that is none ({error})") from None
    unique = {folder.name: folder for folder in found if folder is not None}
    assigned = _without_repeats(_assigned(unique.values()))
    return sorted(assigned, key=lambda each: (_ORDER.index(each.role), each.depth, each.name))


async def statuses(imap: Imap, folders: Sequence[ImapFolder]) -> Mapping[str, ImapFolderStatus]:
    """The status of each folder; one that is missing here has to be opened."""
    items = b"(MESSAGES UIDNEXT UIDVALIDITY%s)" % (
        b" HIGHESTMODSEQ" if imap.can("CONDSTORE") or imap.can("QRESYNC") else b""
    )
    known: dict[str, ImapFolderStatus] = {}
    if imap.can("LIST-STATUS"):
        with suppress(faults.Refused):
            returning = b"(STATUS " + items + b")"
            answer = await imap.command(*_LIST, b"RETURN", returning, most=2 * _MOST)
            _collect(answer.of("STATUS"), known)
            return known
    for folder in folders:
        try:
            answer = await imap.command(b"STATUS", names.on_wire(folder.name), items)
        except faults.Refused:
            continue
        _collect(answer.of("STATUS"), known)
    return known


async def with_role(imap: Imap, role: str, folders: Sequence[ImapFolder]) -> ImapFolder:
    """The folder with a role; it is created if there is none."""
    for folder in folders:
        if folder.role == role:
            return folder
    if role not in roles.MADE:
        raise ConnectorFailed("other", f"There is no folder for {role!r} here.")
    name = await _prefix(imap) + roles.MADE[role]
    try:
        await imap.command(b"CREATE", names.on_wire(name))
    except faults.Refused as error:
        if error.code != "ALREADYEXISTS":
            raise
    with suppress(faults.Refused):
        await imap.command(b"SUBSCRIBE", names.on_wire(name))
    return ImapFolder(name, roles.MADE[role], 1, _role(role))


def _role(role: str) -> FolderRole | None:
    return next((known for known in roles.SPECIAL.values() if known == role), None)


async def _prefix(imap: Imap) -> str:
    """The prefix of personal folders; some servers put all of them below INBOX."""
    if not imap.can("NAMESPACE"):
        return ""
    for each in (await imap.command(b"NAMESPACE")).of("NAMESPACE"):
        personal = each.tokens[0] if each.tokens else None
        first = personal[0] if isinstance(personal, list) and personal else None
        prefix = first[0] if isinstance(first, list) and first else None
        return names.wire(prefix) if isinstance(prefix, bytes) else ""
    return ""


def _read(response: Response, *, utf8: bool) -> ImapFolder | None:
    if len(response.tokens) < 3:
        raise Nonsense("no name")
    attributes = responses.words(response.tokens[0])
    delimiter, raw = response.tokens[1], response.tokens[2]
    if raw is None:
        raw = b"NIL"  # a folder of that name, from a server that does not quote it
    if not isinstance(raw, bytes):
        raise Nonsense("no name")
    if b"\0" in raw or not raw or _CLOSED & {each.lower() for each in attributes}:
        return None
    if raw.upper() == b"INBOX":
        return ImapFolder("INBOX", "Inbox", 1, "inbox")
    path = _path(raw, delimiter, utf8=utf8)
    return ImapFolder(names.wire(raw), "/".join(path), len(path), roles.special(attributes))


def _path(raw: bytes, delimiter: responses.Token, *, utf8: bool) -> list[str]:
    shown = (
        raw.decode("utf-8", "replace") if utf8 or not raw.isascii() else utf7.decoded(raw.decode())
    )
    shown = faults.printable(shown)
    split = (
        shown.split(delimiter.decode("utf-8", "replace"))
        if delimiter and isinstance(delimiter, bytes)
        else [shown]
    )
    return [part for part in split if part] or [shown]


def _assigned(folders: Iterable[ImapFolder]) -> list[ImapFolder]:
    """Folders with roles by name where the server gave none; the outermost folder wins."""
    taken: set[FolderRole] = set()
    made: list[ImapFolder] = []
    in_order = sorted(folders, key=lambda each: (each.role is None, each.depth, each.name))
    for folder in in_order:
        role = folder.role or roles.by_name(folder.title.split("/"))
        if role is not None and (role not in taken or role in ("all", "flagged")):
            taken.add(role)
        else:
            role = None
        made.append(replace(folder, role=role))
    return made


def _without_repeats(folders: Sequence[ImapFolder]) -> list[ImapFolder]:
    has_archive = any(each.role == "archive" for each in folders)
    kept: list[ImapFolder] = []
    for folder in folders:
        if folder.role == "all" and not has_archive:
            kept.append(replace(folder, role="archive"))
        elif folder.role not in ("all", "flagged"):
            kept.append(folder)
    return kept


def _collect(found: Iterable[Response], known: dict[str, ImapFolderStatus]) -> None:
    for response in found:
        name, values = (*response.tokens, None, None)[:2]
        if not isinstance(name, bytes) or not isinstance(values, list):
            continue
        pairs = dict(zip(map(_key, values[::2]), values[1::2], strict=False))
        called = "INBOX" if name.upper() == b"INBOX" else names.wire(name)
        known[called] = ImapFolderStatus(
            messages=_number(pairs.get("MESSAGES")),
            uidnext=_number(pairs.get("UIDNEXT")),
            uidvalidity=_number(pairs.get("UIDVALIDITY")),
            modseq=_number(pairs.get("HIGHESTMODSEQ")),
        )


def _key(token: responses.Token) -> str:
    return token.decode("ascii", "replace").upper() if isinstance(token, bytes) else ""


def _number(token: responses.Token | None) -> int | None:
    return int(token) if isinstance(token, bytes) and token.isdigit() and len(token) <= 20 else None
