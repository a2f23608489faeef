"""Names as they go over the wire: folders in modified UTF-7 (RFC 3501), labels as keywords.

Invariant: a name that a server gave is sent back byte for byte, and never as anything but one
string: what it contains cannot become a command.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote_from_bytes, unquote_to_bytes

from bailiwick.connectors import utf7
from bailiwick.connectors.imap import faults
from bailiwick.connectors.mail import RemoteFolder

# Where a message is: a folder's wire name, or a keyword. Roles have no colon in them.
_FOLDER = "folder:"
_KEYWORD = "keyword:"
_QUOTABLE = re.compile(rb"[\x20-\x7e]*\Z")
_KEPT = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "%")
_SAFE_IN_KEYWORD = re.compile(r"[A-Za-z0-9!#$'+,./:;<=>?@^_`|}~-]")
_LONGEST_KEYWORD = 200
# What other programs keep for themselves; nobody gave these as labels.
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
    """A string that is sent by its length, whatever is in it."""

    data: bytes


def string(data: bytes) -> bytes | Literal:
    """One argument of a command: quoted, or a literal where it has anything unusual."""
    if _QUOTABLE.match(data):
        return b'"' + data.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    return Literal(data)


def wire(name: bytes) -> str:
    """A folder's name as we keep it: printable whatever is in it, and the bytes come back."""
    return quote_from_bytes(name, safe=_KEPT)


def on_wire(name: str) -> bytes | Literal:
    """The name as the server gave it, as an argument."""
    return string(unquote_to_bytes(name))


def folder(name: str) -> str:
    """How a folder is called in pages."""
    return _FOLDER + name


def folder_of(remote: str) -> str | None:
    """The wire name of a folder that was called so; None: it is something else."""
    return remote.removeprefix(_FOLDER) if remote.startswith(_FOLDER) else None


def label(keyword: str) -> str:
    """How a label is called in pages. Keywords do not tell A from a."""
    return _KEYWORD + keyword.lower()


def shown_label(keyword: str) -> RemoteFolder:
    """As pages tell of a label."""
    return RemoteFolder(label(keyword), faults.printable(title(keyword)), kind="label")


def is_label(keyword: str) -> bool:
    """Whether a flag is a label that somebody gave."""
    return not keyword.startswith("\\") and not _TECHNICAL.match(keyword)


def title(keyword: str) -> str:
    """A label for people."""
    return _USUAL.get(keyword.lower()) or utf7.decoded(keyword).replace("_", " ")


def keyword(title: str) -> str:
    """The keyword of a label that people call so; empty where there can be none."""
    spaced = "_".join(title.split())
    made = utf7.encoded(spaced, lambda letter: bool(_SAFE_IN_KEYWORD.match(letter)))
    return made if len(made) <= _LONGEST_KEYWORD else ""
