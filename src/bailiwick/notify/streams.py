"""Open streams: each event is encoded once and offered to all who may see it.

The log tells of changes of rights too, so a viewer's keys are read again exactly where in the order
of events they changed; a session or a token that ends takes its streams with it.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bailiwick.errors import Unavailable
from bailiwick.identity.authenticate import Authenticator
from bailiwick.identity.principal import Principal
from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import Recorded, chunks
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.eventlog.bus import Bus, stopped
from bailiwick.kit.eventlog.tail import Tail
from bailiwick.kit.http import sse
from bailiwick.notify import transients, viewers
from bailiwick.notify.selection import Selection
from bailiwick.notify.viewers import EventViewer
from bailiwick.notify.wire import chunk_frame, event_frame

log = structlog.stdlib.get_logger("bailiwick.streams")
_BEAT_SECONDS = 15.0
_RECHECK_EVERY = 4  # beats
_PAGE = 500
_GRACE_SECONDS = 1.0


@dataclass(eq=False, slots=True)
class Stream:
    """One client, whose it is, and what it asked for."""

    principal: Principal
    selection: Selection
    client: sse.SseClient = field(default_factory=sse.SseClient)
    # Until it has read what came before, what follows is not for it yet.
    joined: bool = False
    seen: int = 0

    def wants(self, event: Recorded) -> bool:
        """Whether it asked for an event that it has not read yet."""
        return event.position > self.seen and self.selection.takes(event)


@dataclass(eq=False, slots=True)
class StreamViewer:
    """All streams of one person; None as keys is the operator, who sees everything."""

    who: EventViewer
    keys: frozenset[str] | None = frozenset()
    known: bool = False
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    streams: set[Stream] = field(default_factory=set[Stream])

    def sees(self, audience: Sequence[str]) -> bool:
        """Whether one of the words is held."""
        return bool(audience) and (self.keys is None or not self.keys.isdisjoint(audience))


class Streams:
    """All open streams of this process."""

    def __init__(self, storage: Storage, tail: Tail, authenticator: Authenticator) -> None:
        self._storage = storage
        self._authenticator = authenticator
        self._tail = tail
        self._viewers: dict[EventViewer, StreamViewer] = {}
        self._batches: asyncio.Queue[Sequence[Recorded]] = asyncio.Queue()
        self._transients = transients.Transients()
        self._position = tail.position
        self._closed = False
        tail.follow(self._batches.put_nowait)

    @property
    def count(self) -> int:
        """How many streams are open."""
        return len(self._all())

    async def open(
        self, principal: Principal, selection: Selection, *, after: int | None
    ) -> sse.EventStream:
        """A stream of what this caller may see, from a position or from now on."""
        stream = Stream(principal, selection)
        if self._closed:
            stream.client.end()  # it comes back when the server does
        return sse.EventStream(
            stream.client, self._replay(stream, after), close=lambda: self._leave(stream)
        )

    async def run(self) -> None:
        """Pass events on, keep connections warm, and look whether callers still may."""
        beats = asyncio.create_task(self._beat())
        try:
            while True:
                batch = await self._batches.get()
                try:
                    await self._pass_on(batch)
                except Exception:
                    # Nobody may miss an event silently: all come back and read the log.
                    log.exception("streams are cut: events could not be passed on")
                    self._end_all()
                    self._position = batch[-1].position
        finally:
            await stopped(beats)

    def close(self) -> None:
        """End every stream, and open no more; who does not read is cut off a moment later."""
        self._closed = True
        self._end_all()
        asyncio.get_running_loop().call_later(_GRACE_SECONDS, self._cut_all)

    def _end_all(self) -> None:
        for stream in self._all():
            stream.client.end()

    def _cut_all(self) -> None:
        for stream in self._all():
            stream.client.cut()

    def _all(self) -> list[Stream]:
        return [stream for viewer in self._viewers.values() for stream in viewer.streams]

    def on_chunk(self, payload: str) -> None:
        """Pass a piece of text on; it is kept only while it is being written."""
        if not payload:
            self._transients.clear()
            return
        chunk = chunks.parse(payload)
        self._transients.add(chunk)
        frames = sse.frame(chunk_frame(chunk))
        for viewer in self._viewers.values():
            if viewer.sees(chunk.audience):
                for stream in viewer.streams:
                    if stream.joined and stream.selection.takes_chunks:
                        stream.client.offer(frames)

    async def _replay(self, stream: Stream, after: int | None) -> AsyncIterator[bytes]:
        viewer = await self._enter(stream)
        position = self._position if after is None else after
        async with self._storage.app.read() as session:
            first, last = await eventlog.bounds(session)
        if position < first - 1 or position > max(last, self._position):
            yield sse.frame({"type": "stream.reset"})
            position = self._position
        while True:
            async with self._storage.app.read() as session:
                page = await eventlog.after(session, position, limit=_PAGE)
            position = page[-1].position if page else max(position, self._position)
            if frames := _frames(page, viewer, stream.selection):
                yield frames
            if len(page) < _PAGE and position >= self._position:
                break
        # Nothing waits between the last look at the position and joining those who get the rest.
        stream.joined, stream.seen = True, position
        yield sse.frame({"type": "stream.ready", "position": position})
        if stream.selection.takes_chunks:
            for chunk in self._transients.seen_by(viewer):
                yield sse.frame(chunk_frame(chunk))

    async def _enter(self, stream: Stream) -> StreamViewer:
        who = EventViewer.of(stream.principal)
        viewer = self._viewers.setdefault(who, StreamViewer(who))
        viewer.streams.add(stream)
        # Read once, after it can be found: a change of rights meanwhile is read behind this.
        await self._read_keys(viewer, again=False)
        # What it came in with may have ended before it could be found here.
        if stream.principal.can_end and not await self._holds(stream):
            stream.client.end()
        return viewer

    async def _read_keys(self, viewer: StreamViewer, *, again: bool) -> None:
        async with viewer.looking:
            if again or not viewer.known:
                async with self._storage.app.read() as session:
                    viewer.keys = await viewers.keys_of(session, viewer.who)
                viewer.known = True

    def _leave(self, stream: Stream) -> None:
        if viewer := self._viewers.get(EventViewer.of(stream.principal)):
            viewer.streams.discard(stream)
            if not viewer.streams:
                del self._viewers[viewer.who]

    async def _pass_on(self, batch: Sequence[Recorded]) -> None:
        start = 0
        for index, event in enumerate(batch):
            if affected := viewers.affected_by(event):
                self._offer(batch[start:index])
                start = index
                await self._look_again(event, affected)
        self._offer(batch[start:])

    def _offer(self, events: Sequence[Recorded]) -> None:
        if not events:
            return
        self._position = events[-1].position
        encoded = [(event, sse.frame(event_frame(event), id=event.position)) for event in events]
        for viewer in self._viewers.values():
            seen = [(event, frame) for event, frame in encoded if viewer.sees(event.audience)]
            everything = b"".join(frame for _, frame in seen)
            if not everything:
                continue
            for stream in viewer.streams:
                if not stream.joined:
                    continue
                if stream.selection.takes_all and stream.seen < events[0].position:
                    stream.client.offer(everything)
                elif some := b"".join(frame for event, frame in seen if stream.wants(event)):
                    stream.client.offer(some)

    async def _look_again(self, event: Recorded, affected: Sequence[str]) -> None:
        for who in [EventViewer(id, admin) for id in affected for admin in (True, False)]:
            if viewer := self._viewers.get(who):
                await self._read_keys(viewer, again=True)
                for stream in viewer.streams:
                    if not viewer.keys or viewers.ends(event, stream.principal):
                        # The last thing it hears is why.
                        stream.client.offer(sse.frame(event_frame(event), id=event.position))
                        stream.client.end()

    async def _beat(self) -> None:
        beat = 0
        while True:
            await asyncio.sleep(_BEAT_SECONDS)
            beat += 1
            for stream in self._all():
                stream.client.beat()
                if beat % _RECHECK_EVERY == 0 and not await self._holds(stream):
                    stream.client.end()

    async def _holds(self, stream: Stream) -> bool:
        try:
            return await self._authenticator.holds(stream.principal)
        except (SQLAlchemyError, OSError):
            return True  # the database is away: look again later


@asynccontextmanager
async def opened(
    storage: Storage, bus: Bus, tail: Tail, authenticator: Authenticator
) -> AsyncGenerator[Streams]:
    """Streams that are served for as long as the block runs."""
    streams = Streams(storage, tail, authenticator)
    bus.on(chunks.CHANNEL, streams.on_chunk)
    running = asyncio.create_task(streams.run())
    try:
        yield streams
    finally:
        streams.close()
        await stopped(running)


def _frames(page: Sequence[Recorded], viewer: StreamViewer, selection: Selection) -> bytes:
    return b"".join(
        sse.frame(event_frame(event), id=event.position)
        for event in page
        if viewer.sees(event.audience) and selection.takes(event)
    )


def not_here() -> Unavailable:
    """The error of a process that serves no streams."""
    return Unavailable("Events are streamed by a running server only.")
