"""Quoted strings in headers, read once from the left, so that an unclosed quote costs no more."""

import re
from collections.abc import Iterator
from typing import Literal

QuoteKind = Literal["plain", "quoted", "unclosed"]
_END = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def pieces(text: str) -> Iterator[tuple[QuoteKind, str]]:
    """The text in pieces; an unclosed quote makes one piece of the rest."""
    at = 0
    while (quote := text.find('"', at)) >= 0:
        if quote > at:
            yield "plain", text[at:quote]
        end = _END.match(text, quote + 1)
        if not end:
            yield "unclosed", text[quote + 1 :]
            return
        inner = end[0][:-1]
        yield "quoted", _ESCAPE.sub(r"\1", inner) if "\\" in inner else inner
        at = end.end()
    if at < len(text):
        yield "plain", text[at:]
