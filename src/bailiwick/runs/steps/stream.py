"""A model's words on their way to whoever looks now; kept nowhere, and few enough to carry."""

import asyncio
import time
from dataclasses import dataclass, field

from bailiwick.kit.eventlog import chunks
from bailiwick.kit.eventlog.bus import Bus
from bailiwick.kit.eventlog.chunks import Chunk
from bailiwick.llm.chat import Delta

_EVERY_SECONDS = 0.06
_MOST = 600


@dataclass(slots=True)
class _Text:
    """One channel: what was sent, and what waits to be."""

    sent: int = 0
    waiting: str = ""


@dataclass(slots=True)
class AnswerStream:
    """The channels of one answer: its text, its thoughts, and each of its tool calls."""

    bus: Bus | None
    audience: tuple[str, ...]
    channel: str
    attempt: int = 0
    _texts: dict[str, _Text] = field(default_factory=dict[str, _Text])
    _last: float = 0.0
    _sending: asyncio.Lock = field(default_factory=asyncio.Lock)
    _soon: asyncio.Task[None] | None = None

    async def take(self, delta: Delta) -> None:
        """Pass a piece on, soon; a new attempt starts every text again."""
        if self.bus is None:
            return
        if delta.attempt != self.attempt:
            self.attempt = delta.attempt
            self._texts.clear()
        if delta.taken_back:
            # The next piece of the text is its first: it takes the place of what was shown.
            self._texts[self.channel] = _Text()
        text = self._texts.setdefault(self._channel_of(delta), _Text())
        text.waiting += (f"{delta.name}\n" if delta.name else "") + delta.text
        is_due = time.monotonic() - self._last >= _EVERY_SECONDS
        if is_due or sum(len(each.waiting) for each in self._texts.values()) > _MOST:
            await self._flush(done=False)
        elif self._soon is None:
            # The model may pause here: what it said until now is shown all the same.
            self._soon = asyncio.create_task(self._flush_soon())

    def _channel_of(self, delta: Delta) -> str:
        if delta.thought:
            return f"{self.channel}/thought"
        return self.channel if delta.call is None else f"{self.channel}/{delta.call}"

    async def end(self) -> None:
        """Say that no more will come: the transcript has it now."""
        if self._soon:
            self._soon.cancel()
        if self.bus is not None:
            await self._flush(done=True)

    async def _flush_soon(self) -> None:
        await asyncio.sleep(_EVERY_SECONDS)
        self._soon = None
        await self._flush(done=False)

    async def _flush(self, *, done: bool) -> None:
        assert self.bus
        self._last = time.monotonic()
        async with self._sending:
            for channel, text in list(self._texts.items()):
                if text.waiting or done:
                    piece, text.waiting = text.waiting, ""
                    chunk = Chunk(self.audience, channel, self.attempt, text.sent, piece, done=done)
                    text.sent += len(piece)
                    await chunks.publish(self.bus, chunk)
