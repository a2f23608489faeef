"""Open streams: each event is encoded once and offered to all who may see it.

Changes of rights are events in the same log, so a viewer's audience is read again exactly where it
changed; a session or token that ends closes its streams.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

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
from bailiwick.notify.wire import chunk_frame, event_frame, expanded_frame

log = structlog.stdlib.get_logger("bailiwick.streams")
_BEAT_SECONDS = 15.0
_RECHECK_EVERY = 4  # beats
_PAGE = 500
_GRACE_SECONDS = 1.0
_MOST_WAITING = 1_000
# Events with what they are about, as someone may read it now.
Carry = Callable[
    [Principal, Sequence[Recorded]], Awaitable[Sequence[tuple[Recorded, dict[str, Any]]]]
]


@dataclass(eq=False, slots=True)
class Stream:
    """One client, its viewer, and its selection."""

    principal: Principal
    selection: Selection
    client: sse.SseClient = field(default_factory=sse.SseClient)
    # Live events are held back until the replay is done.
    joined: bool = False
    seen: int = 0
    # Of one that asks for objects: events that wait for theirs, and who fetches these.
    waiting: asyncio.Queue[Sequence[Recorded]] = field(
        default_factory=asyncio.Queue[Sequence[Recorded]]
    )
    fetching: asyncio.Task[None] | None = None

    def wants(self, event: Recorded) -> bool:
        """Whether it asked for an event that it has not sent yet."""
        return event.position > self.seen and self.selection.takes(event)


@dataclass(eq=False, slots=True)
class StreamViewer:
    """All streams of one person."""

    who: EventViewer
    keys: frozenset[str] = frozenset()
    known: bool = False
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    streams: set[Stream] = field(default_factory=set[Stream])

    def sees(self, audience: Sequence[str]) -> bool:
        """Whether one of the words is held."""
        return not self.keys.isdisjoint(audience)


class Streams:
    """All open streams of this process."""

    def __init__(
        self, storage: Storage, tail: Tail, authenticator: Authenticator, carry: Carry
    ) -> None:
        self._storage = storage
        self._carry = carry
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
            stream.client.end()  # the client reconnects when the server is back
        return sse.EventStream(
            stream.client, self._replay(stream, after), close=lambda: self._leave(stream)
        )

    async def run(self) -> None:
        """Pass events on, send heartbeats, and check that callers may still see them."""
        beats = asyncio.create_task(self._beat())
        try:
            while True:
                batch = await self._batches.get()
                try:
                    await self._pass_on(batch)
                except Exception:
                    # Events may have been missed: all clients reconnect and read the log.
                    log.exception("streams are cut: events could not be passed on")
                    self._end_all()
                    self._position = batch[-1].position
        finally:
            await stopped(beats)

    def close(self) -> None:
        """End every stream and refuse new ones; slow clients are cut off a moment later."""
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
        """Pass a piece of text on; it is kept only until the text is done."""
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
            wanted = [e for e in page if viewer.sees(e.audience) and stream.selection.takes(e)]
            if wanted:
                yield await self._frames(stream, wanted)
            if len(page) < _PAGE and position >= self._position:
                break
        # No await between reading the position and joining the live streams, so no event is lost.
        stream.joined, stream.seen = True, position
        yield sse.frame({"type": "stream.ready", "position": position})
        if stream.selection.takes_chunks:
            for chunk in self._transients.seen_by(viewer):
                yield sse.frame(chunk_frame(chunk))

    async def _enter(self, stream: Stream) -> StreamViewer:
        who = EventViewer.of(stream.principal)
        viewer = self._viewers.setdefault(who, StreamViewer(who))
        viewer.streams.add(stream)
        if stream.selection.expand:
            stream.fetching = asyncio.create_task(self._fetch(stream))
        # Read after it is registered, so that a later change of rights is seen.
        await self._read_keys(viewer, again=False)
        # Its session or token may have ended before it was registered.
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
            if stream.fetching:
                stream.fetching.cancel()
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
                if stream.selection.expand:
                    self._put(stream, [event for event, _ in seen if stream.wants(event)])
                    continue
                if stream.selection.takes_all and stream.seen < events[0].position:
                    stream.client.offer(everything)
                elif some := b"".join(frame for event, frame in seen if stream.wants(event)):
                    stream.client.offer(some)

    def _put(self, stream: Stream, events: Sequence[Recorded]) -> None:
        if stream.waiting.qsize() >= _MOST_WAITING:
            stream.client.cut()  # it comes back with the last position that it saw
        elif events:
            stream.waiting.put_nowait(events)

    async def _fetch(self, stream: Stream) -> None:
        """Send events with their objects, in order, as these are read."""
        while True:
            events = await stream.waiting.get()
            try:
                stream.client.offer(await self._frames(stream, events))
            except Exception:
                log.exception("a stream is cut: what its events are about could not be read")
                stream.client.cut()

    async def _frames(self, stream: Stream, events: Sequence[Recorded]) -> bytes:
        if not stream.selection.expand:
            return b"".join(sse.frame(event_frame(event), id=event.position) for event in events)
        return b"".join(
            sse.frame(expanded_frame(event, carried), id=event.position)
            for event, carried in await self._carry(stream.principal, events)
        )

    async def _look_again(self, event: Recorded, affected: Sequence[str]) -> None:
        anybody = viewers.ANYBODY in affected
        for viewer in list(self._viewers.values()):
            # The operator acts for the owner, whoever that is.
            if anybody or viewer.who.user_id in (None, *affected):
                await self._read_keys(viewer, again=True)
                for stream in viewer.streams:
                    if not viewer.keys or viewers.ends(event, stream.principal):
                        # The last event tells the client why.
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
            return True  # the database is away: check again later


@asynccontextmanager
async def opened(
    storage: Storage, bus: Bus, tail: Tail, authenticator: Authenticator, carry: Carry
) -> AsyncGenerator[Streams]:
    """Serve streams while the block runs."""
    streams = Streams(storage, tail, authenticator, carry)
    bus.on(chunks.CHANNEL, streams.on_chunk)
    running = asyncio.create_task(streams.run())
    try:
        yield streams
    finally:
        streams.close()
        await stopped(running)


def not_here() -> Unavailable:
    """The error of a process that serves no streams."""
    return Unavailable("Events are streamed by a running server only.")
