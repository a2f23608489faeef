"""What no text in arguments may have in it, refused in words; the schema stays short.

They stand last: `Annotated[str, Field(max_length=500), ONE_LINE]`.
"""

import re

from pydantic import AfterValidator

_CONTROL = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]")


def _plain(text: str) -> str:
    if "\x00" in text:
        raise ValueError("contains a NUL character, which no text has")
    return text


def _one_line(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("must be one line, without control characters")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


PLAIN = AfterValidator(_plain)
ONE_LINE = AfterValidator(_one_line)
NOT_BLANK = AfterValidator(_not_blank)
