"""Names in a Maildir: a message's file, its flags, a folder, a keyword.

A file is called `base:2,LETTERS`. The base never changes, in any folder, so it is the message's id;
bytes that a database could not store are percent-encoded.
"""

import binascii
import os
import re
import secrets
import socket
import time
from collections.abc import Iterable
from itertools import count
from urllib.parse import quote, unquote_to_bytes

from bailiwick.connectors import utf7
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.mail import MailFlag

_LETTERS: dict[MailFlag, str] = {"seen": "S", "flagged": "F", "answered": "R", "draft": "D"}
_VISIBLE = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in "%/")
# Characters that people use in labels and IMAP forbids in keywords.
_NO_ATOM = re.compile(r'[^\x21-\x7e]+|[(){%*"\\\]&]+')
_LONGEST_LABEL = 100
_delivered = count(1)


def split(name: str) -> tuple[str, str]:
    """The base of a file's name, and its letters."""
    base, _, info = name.partition(":")
    return base, info[2:] if info.startswith("2,") else ""


def joined(base: str, letters: Iterable[str]) -> str:
    """The name of a file in `cur`."""
    return f"{base}:2,{''.join(sorted(set(letters)))}"


def unique() -> str:
    """A base that no other delivery has, here or on another machine."""
    now = time.time_ns()
    host = re.sub(r"[^A-Za-z0-9.-]", "_", socket.gethostname()) or "localhost"
    mine = f"M{now % 10**9 // 1000:06}P{os.getpid()}Q{next(_delivered)}R{secrets.token_hex(4)}"
    return f"{now // 10**9}.{mine}.{host}"


def id_of(name: str) -> str:
    """The id of the message with this base, or the remote name of a folder."""
    return quote(os.fsencode(name), safe=_VISIBLE)


def base_of(id: str) -> str:
    """The base that an id stands for."""
    return os.fsdecode(unquote_to_bytes(id))


def flags_of(letters: str) -> frozenset[MailFlag]:
    """The flags that the upper-case letters stand for."""
    return frozenset(flag for flag, letter in _LETTERS.items() if letter in letters)


def letters_of(flags: Iterable[MailFlag]) -> str:
    """The letters of flags."""
    return "".join(_LETTERS[flag] for flag in flags)


def title_of(folder: str) -> str:
    """The title of a sub-folder; dots separate its levels."""
    return decoded(folder.removeprefix(".")).replace(".", "/")


def keyword_of(label: str) -> str:
    """A label as a keyword that mail servers accept too."""
    label = label.strip()
    if not label or not label.isprintable() or len(label) > _LONGEST_LABEL:
        raise ConnectorFailed(
            "other", f"A label has 1 to {_LONGEST_LABEL} characters, all of them visible."
        )
    return _NO_ATOM.sub(lambda found: _shifted(found.group()), label)


def decoded(name: str) -> str:
    """A name decoded from modified UTF-7; unchanged if it is not encoded."""
    try:
        text = utf7.decoded(name) if name.isascii() else name
    except (binascii.Error, UnicodeError):
        text = name
    return text if text.isprintable() else id_of(name)


def _shifted(text: str) -> str:
    code = binascii.b2a_base64(text.encode("utf-16be"), newline=False).decode("ascii")
    return f"&{code.rstrip('=').replace('/', ',')}-"
