"""Names on the wire: folders in modified UTF-7 (RFC 3501), labels as keywords.

Invariant: a server's name is sent back byte for byte and always as one string, so nothing in it can
act as a command.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote_from_bytes, unquote_to_bytes

from bailiwick.connectors import utf7
from bailiwick.connectors.imap import faults
from bailiwick.connectors.mail import RemoteFolder

# Prefixes of remote names: a folder's wire name, or a keyword. Roles contain no colon.
_FOLDER = "folder:"
_KEYWORD = "keyword:"
_QUOTABLE = re.compile(rb"[\x20-\x7e]*\Z")
_KEPT = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "%")
_SAFE_IN_KEYWORD = re.compile(r"[A-Za-z0-9!#$'+,./:;<=>?@^_`|}~-]")
_LONGEST_KEYWORD = 200
# Keywords that other programs use for themselves; they are not labels.
_TECHNICAL = re.compile(
    r"\$?(mdnsent|forwarded|junk|notjunk|nonjunk|junkrecorded|phishing|submitpending|submitted|"
    r"hasattachment|hasnoattachment|haschat|maybephishing|autojunk|x-me-annot-\d+|ismailinglist|"
    r"istrusted|canunsubscribe|imported|import|x-.*)\Z",
    re.IGNORECASE,
)
# Thunderbird's five.
_USUAL = {
    "$label1": "Important",
    "$label2": "Work",
    "$label3": "Personal",
    "$label4": "To Do",
    "$label5": "Later",
}


@dataclass(frozen=True, slots=True)
class Literal:
    """A string that is sent with its length, so that it may hold any bytes."""

    data: bytes


def string(data: bytes) -> bytes | Literal:
    """One argument of a command: quoted, or a literal if it has unusual bytes."""
    if _QUOTABLE.match(data):
        return b'"' + data.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    return Literal(data)


def wire(name: bytes) -> str:
    """A folder's wire name in printable form; `on_wire` restores the bytes."""
    return quote_from_bytes(name, safe=_KEPT)


def on_wire(name: str) -> bytes | Literal:
    """The server's own name of a folder, as an argument."""
    return string(unquote_to_bytes(name))


def folder(name: str) -> str:
    """The remote name of a folder."""
    return _FOLDER + name


def folder_of(remote: str) -> str | None:
    """The wire name behind a remote name; None if that names no folder."""
    return remote.removeprefix(_FOLDER) if remote.startswith(_FOLDER) else None


def label(keyword: str) -> str:
    """The remote name of a label; keywords ignore case."""
    return _KEYWORD + keyword.lower()


def shown_label(keyword: str) -> RemoteFolder:
    """The label as pages show it."""
    return RemoteFolder(label(keyword), faults.printable(title(keyword)), kind="label")


def is_label(keyword: str) -> bool:
    """Whether a flag is a label that a user gave."""
    return not keyword.startswith("\\") and not _TECHNICAL.match(keyword)


def title(keyword: str) -> str:
    """The title of a label."""
    return _USUAL.get(keyword.lower()) or utf7.decoded(keyword).replace("_", " ")


def keyword(title: str) -> str:
    """The keyword for a label's title; empty if no keyword can express it."""
    spaced = "_".join(title.split())
    made = utf7.encoded(spaced, lambda letter: bool(_SAFE_IN_KEYWORD.match(letter)))
    return made if len(made) <= _LONGEST_KEYWORD else ""
