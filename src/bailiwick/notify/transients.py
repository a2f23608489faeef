"""Texts that are being written, kept so that a late viewer sees them from the start."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from bailiwick.kit.eventlog.chunks import Chunk

_MOST = 1_000
_LONGEST = 200_000


class _Viewer(Protocol):
    def sees(self, audience: Sequence[str]) -> bool: ...


class Transients:
    """The unfinished text of each channel; the oldest are dropped when there are too many."""

    def __init__(self) -> None:
        self._texts: dict[str, Chunk] = {}

    def add(self, chunk: Chunk) -> None:
        """Add a piece at its offset; a gap drops the text."""
        known = self._texts.get(chunk.channel)
        if known and chunk.attempt < known.attempt:
            return
        self._texts.pop(chunk.channel, None)
        if chunk.done:
            return
        if known is None or known.attempt != chunk.attempt:
            known = replace(chunk, offset=0, text="")
        if chunk.offset != len(known.text) or len(known.text) > _LONGEST:
            return
        self._texts[chunk.channel] = replace(known, text=known.text + chunk.text)
        while len(self._texts) > _MOST:
            del self._texts[next(iter(self._texts))]

    def clear(self) -> None:
        """Drop all texts, because pieces may have been missed."""
        self._texts.clear()

    def seen_by(self, viewer: _Viewer) -> Iterator[Chunk]:
        """The texts that someone may see."""
        return (chunk for chunk in list(self._texts.values()) if viewer.sees(chunk.audience))
