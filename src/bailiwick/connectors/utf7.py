"""Modified UTF-7 (RFC 3501): the encoding of folder names in IMAP and in a Maildir."""

import base64
import binascii
import re
from collections.abc import Callable

_ENCODED = re.compile(r"&([A-Za-z0-9+,]*)-")


def decoded(text: str) -> str:
    """Text from modified UTF-7; invalid input stays as it is."""
    return _ENCODED.sub(_letters, text)


def encoded(text: str, is_plain: Callable[[str], bool]) -> str:
    """Text as modified UTF-7; plain ASCII stays as it is."""
    made: list[str] = []
    waiting = ""
    for letter in [*text, None]:
        if letter is not None and letter != "&" and not is_plain(letter):
            waiting += letter
            continue
        if waiting:
            packed = base64.b64encode(waiting.encode("utf-16-be")).decode()
            made.append("&" + packed.rstrip("=").replace("/", ",") + "-")
            waiting = ""
        made.append("&-" if letter == "&" else letter or "")
    return "".join(made)


def _letters(found: re.Match[str]) -> str:
    packed = found[1].replace(",", "/")
    if not packed:
        return "&"
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4))
        return data.decode("utf-16-be")
    except (binascii.Error, UnicodeDecodeError):
        return found[0]
