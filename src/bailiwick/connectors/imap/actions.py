"""Changes to messages: flags, labels, moves, drafts, copies of sent mail.

Invariant: only the message that is meant is expunged.
"""

from collections.abc import Sequence

from bailiwick.connectors import heads
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.imap import boxes, faults, folders, names, remote
from bailiwick.connectors.imap.boxes import Box, Fetched
from bailiwick.connectors.imap.client import CommandResult, Imap
from bailiwick.connectors.imap.folders import ImapFolder
from bailiwick.connectors.imap.names import Literal
from bailiwick.connectors.imap.remote import ImapPlace
from bailiwick.connectors.imap.uids import Uids
from bailiwick.connectors.mail import MailFlag

_WORDS: dict[MailFlag, str] = {
    "seen": "\\Seen",
    "flagged": "\\Flagged",
    "answered": "\\Answered",
    "draft": "\\Draft",
}


class MessageGone(ConnectorFailed):
    """The message is no longer in its folder."""

    def __init__(self) -> None:
        super().__init__("other", "The message is not there any more: it was moved or deleted.")


async def found(imap: Imap, remote_id: str) -> tuple[Box, int, Fetched]:
    """Open the folder of a message for changes; `MessageGone` if it is not there."""
    place, uid = remote.parsed(remote_id)
    try:
        box = await boxes.opened(imap, place.folder, write=True)
    except faults.Refused as error:
        if error.code in ("NONEXISTENT", "TRYCREATE"):
            raise MessageGone from None
        raise
    if box.uidvalidity != place.uidvalidity:
        raise MessageGone
    message = await boxes.headers_of(imap, uid)
    if message is None:
        raise MessageGone
    return box, uid, message


async def set_flags(
    imap: Imap, remote_id: str, *, add: Sequence[MailFlag], remove: Sequence[MailFlag]
) -> None:
    """Set and clear flags."""
    _, uid, _ = await found(imap, remote_id)
    await _store(imap, uid, "+", [_WORDS[flag] for flag in add])
    await _store(imap, uid, "-", [_WORDS[flag] for flag in remove])


async def relabel(imap: Imap, remote_id: str, *, add: Sequence[str], remove: Sequence[str]) -> None:
    """Put labels on and take them off, by their titles."""
    box, uid, message = await found(imap, remote_id)
    adding = [_keyword(box, title) for title in add]
    unwanted = {_folded(title) for title in remove}
    removing = [
        keyword
        for keyword in boxes.labels(message.flags or frozenset())
        if _folded(names.title(keyword)) in unwanted
    ]
    await _store(imap, uid, "+", adding)
    await _store(imap, uid, "-", removing)


async def move(imap: Imap, remote_id: str, target: ImapFolder) -> str:
    """Move a message to another folder; return its id there."""
    box, uid, message = await found(imap, remote_id)
    if box.name == target.name:
        return remote_id
    destination = names.on_wire(target.name)
    before = None
    if not imap.can("UIDPLUS"):
        before = (await folders.statuses(imap, [target])).get(target.name)
    verb = b"MOVE" if imap.can("MOVE") else b"COPY"
    answer = await imap.command(b"UID", verb, b"%d" % uid, destination)
    if verb == b"COPY":
        await _expunge(imap, uid)
    copied = _copied(answer)
    if copied is not None:
        place, number = copied
        return ImapPlace(target.name, place).id(number)
    least = (before and before.uidnext) or 1
    return await _looked_for(imap, target, heads.message_id(message.body or b""), least=least)


async def remove_draft(imap: Imap, remote_id: str, *, drafts: str | None) -> None:
    """Remove a draft for good; any other message stays."""
    try:
        box, uid, message = await found(imap, remote_id)
    except MessageGone:
        return
    if box.name != drafts and "draft" not in boxes.shown_flags(message.flags or frozenset()):
        raise ConnectorFailed("other", "This message is no draft.")
    await _expunge(imap, uid)


async def append(imap: Imap, folder: ImapFolder, raw: bytes, *, flags: str) -> str:
    """Add a message to a folder; return its id there."""
    name = names.on_wire(folder.name)
    answer = await imap.command(b"APPEND", name, f"({flags})".encode(), Literal(_crlf(raw)))
    code = (answer.code("APPENDUID") or "").split()
    if len(code) == 2 and all(each.isdigit() for each in code):
        return ImapPlace(folder.name, int(code[0])).id(int(code[1]))
    return await _looked_for(imap, folder, heads.message_id(raw), least=1)


async def with_message_id(imap: Imap, folder: ImapFolder, message_id: str) -> str | None:
    """The newest message with a Message-ID, drafts excepted."""
    try:
        box = await boxes.opened(imap, folder.name)
    except faults.Refused:
        return None
    wanted = names.string(_bracketed(message_id).encode())
    uids = await boxes.search(imap, b"UNDRAFT", b"UNDELETED", b"HEADER", b"Message-ID", wanted)
    return ImapPlace(box.name, box.uidvalidity).id(uids.highest) if uids else None


async def _store(imap: Imap, uid: int, sign: str, words: Sequence[str]) -> None:
    if words:
        item = f"{sign}FLAGS.SILENT ({' '.join(words)})"
        await imap.command(b"UID", b"STORE", b"%d" % uid, item.encode("ascii"))


async def _expunge(imap: Imap, uid: int) -> None:
    """Delete one message, and none that another program marked for deletion."""
    await _store(imap, uid, "+", ["\\Deleted"])
    if imap.can("UIDPLUS"):
        await imap.command(b"UID", b"EXPUNGE", b"%d" % uid)
        return
    others = await boxes.search(imap, b"DELETED") - Uids.of([uid])
    silent = b"FLAGS.SILENT (\\Deleted)"
    if others:
        await imap.command(b"UID", b"STORE", str(others).encode(), b"-" + silent)
    await imap.command(b"EXPUNGE")
    if others:
        await imap.command(b"UID", b"STORE", str(others).encode(), b"+" + silent)


def _copied(answer: CommandResult) -> tuple[int, int] | None:
    """UIDVALIDITY and UID of a copy, if the server returns them."""
    code = (answer.code("COPYUID") or "").split()
    if len(code) == 3 and code[0].isdigit() and code[2].isdigit():
        return int(code[0]), int(code[2])
    return None


async def _looked_for(imap: Imap, folder: ImapFolder, message_id: str, *, least: int) -> str:
    """The id of a message just added, found by a search where the server does not return it."""
    box = await boxes.opened(imap, folder.name)
    criteria = [b"UID", b"%d:*" % least]
    if message_id:
        criteria += [b"HEADER", b"Message-ID"]
        uids = await boxes.search(imap, *criteria, names.string(message_id.encode()))
    else:
        uids = await boxes.search(imap, *criteria)
    if not uids:
        raise ConnectorFailed("other", "It was done, but where the message is now is not known.")
    return ImapPlace(box.name, box.uidvalidity).id(uids.highest)


def _keyword(box: Box, title: str) -> str:
    """The keyword of a label: the one in use, or a new one."""
    made = names.keyword(title)
    known = sorted(each for each in box.permanent or () if names.is_label(each))
    if made.lower() not in known:
        made = next((each for each in known if _folded(names.title(each)) == _folded(title)), made)
    if not made or not names.is_label(made):
        raise ConnectorFailed("other", f"{title!r} cannot be a label here.")
    if not box.can_keep(made):
        raise ConnectorFailed("other", "This server keeps no labels in this folder.")
    return made


def _folded(title: str) -> str:
    return " ".join(title.replace("_", " ").split()).casefold()


def _bracketed(message_id: str) -> str:
    bare = message_id.strip().strip("<>")
    if not bare or not bare.isprintable():
        raise ConnectorFailed("other", "This is no Message-ID.")
    return f"<{bare}>"


def _crlf(raw: bytes) -> bytes:
    return b"\r\n".join(raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))
