"""Text on its way: split so that the bus can carry it, and whole again on the other side."""

import asyncio
import json
from dataclasses import asdict

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import bus as buses
from bailiwick.kit.eventlog import chunks, log
from bailiwick.kit.eventlog.bus import LONGEST
from bailiwick.kit.eventlog.chunks import Chunk
from bailiwick.kit.http import sse
from bailiwick.notify.transients import Transients
from bailiwick.notify.wire import chunk_frame
from support.server import PATIENCE

pytestmark = pytest.mark.req("EVT-01")
# What is hard to carry; some models send an emoji in two pieces, so half of one is among it.
HARD = '"\\\n\r\u2028\x00ü🙂\ud83d'
Texts = st.text(HARD, max_size=40) | st.builds(
    lambda text, times: text * times, st.text(max_size=40), st.integers(1, 80)
)
Audiences = st.lists(st.text("abcdefghij:-", max_size=30), max_size=20).map(tuple)
Chunks = st.builds(
    Chunk,
    audience=Audiences,
    channel=st.text(max_size=64),
    attempt=st.integers(1, 2**31),
    offset=st.integers(0, 2**31),
    text=Texts,
    done=st.booleans(),
)


class Everyone:
    def sees(self, _: object) -> bool:
        return True


@given(Chunks)
def test_the_pieces_of_a_text_are_the_text(chunk: Chunk):
    pieces = [chunks.parse(json.dumps(asdict(piece))) for piece in chunk.pieces()]
    assert "".join(piece.text for piece in pieces) == chunk.text
    offset = chunk.offset
    for piece in pieces:
        assert piece.offset == offset
        assert (piece.audience, piece.channel, piece.attempt) == (
            *(chunk.audience, chunk.channel, chunk.attempt),
        )
        offset += len(piece.text)
    assert [piece.done for piece in pieces] == [False] * (len(pieces) - 1) + [chunk.done]


@given(Chunks)
@example(Chunk(tuple(f"user:usr-{n:08}" for n in range(100)), "msg-1", 1, 0, "🙂" * 600))
def test_each_piece_fits_into_a_notification(chunk: Chunk):
    for piece in chunk.pieces():
        assert len(json.dumps(asdict(piece)).encode()) <= LONGEST


@given(Chunks)
def test_whatever_was_said_can_be_put_on_the_wire(chunk: Chunk):
    for piece in chunk.pieces():
        frame = sse.frame(chunk_frame(piece)).decode()
        assert frame.startswith("data: ")
        assert frame.endswith("\n\n")
        assert frame.count("\n") == 2
        assert "\r" not in frame
        assert json.loads(frame.removeprefix("data: "))["text"] == piece.text


@given(st.lists(Texts, max_size=8), st.data())
def test_someone_who_comes_late_gets_the_text_so_far(texts: list[str], data: st.DataObject):
    transients, said = Transients(), ""
    for text in texts:
        whole = Chunk(("everyone",), "msg-1", 1, len(said), text)
        for piece in whole.pieces():
            transients.add(piece)
        said += text
    found = list(transients.seen_by(Everyone()))
    assert "".join(chunk.text for chunk in found) == said
    cut = data.draw(st.integers(0, len(said)))
    transients.add(Chunk(("everyone",), "msg-1", 2, 0, said[:cut]))
    (again,) = transients.seen_by(Everyone())
    assert (again.attempt, again.text) == (2, said[:cut])
    transients.add(Chunk(("everyone",), "msg-1", 2, cut, "", done=True))
    assert list(transients.seen_by(Everyone())) == []


@pytest.mark.parametrize("done", [False, True])
def test_an_attempt_that_was_given_up_does_not_disturb_the_new_one(done: bool):  # noqa: FBT001
    transients = Transients()
    transients.add(Chunk(("everyone",), "msg-1", 1, 0, "old "))
    transients.add(Chunk(("everyone",), "msg-1", 2, 0, "new"))
    transients.add(Chunk(("everyone",), "msg-1", 1, 4, "text", done=done))
    (found,) = transients.seen_by(Everyone())
    assert (found.attempt, found.text) == (2, "new")


def test_a_text_with_a_gap_is_not_shown_as_if_it_were_whole():
    transients = Transients()
    transients.add(Chunk(("everyone",), "msg-1", 1, 0, "a"))
    transients.add(Chunk(("everyone",), "msg-1", 1, 2, "c"))
    assert list(transients.seen_by(Everyone())) == []
    transients.add(Chunk(("everyone",), "msg-1", 1, 3, "d"))
    assert list(transients.seen_by(Everyone())) == []


def test_texts_that_nobody_ends_are_forgotten_oldest_first():
    transients = Transients()
    for number in range(1_100):
        transients.add(Chunk(("everyone",), f"msg-{number}", 1, 0, "x"))
    channels = [chunk.channel for chunk in transients.seen_by(Everyone())]
    assert channels == [f"msg-{number}" for number in range(100, 1_100)]


async def test_text_crosses_processes_in_order_and_is_kept_nowhere(
    shared: Storage, elsewhere: Storage
):
    text = 'He said "ü🙂\\\n' * 700
    got: list[Chunk] = []
    done = asyncio.Event()

    def hear(payload: str) -> None:
        if payload:
            got.append(chunks.parse(payload))
            if got[-1].done:
                done.set()

    async with buses.opened(shared) as here, buses.opened(elsewhere) as there:
        listening = asyncio.Event()
        here.on(chunks.CHANNEL, lambda _: listening.set())
        here.on(chunks.CHANNEL, hear)
        async with asyncio.timeout(PATIENCE):
            await listening.wait()
            sent = Chunk(("user:usr-1",), "msg-1", 1, 0, text, done=True)
            await chunks.publish(there, sent)
            await done.wait()
    assert "".join(chunk.text for chunk in got) == text
    assert [chunk.offset for chunk in got] == sorted(chunk.offset for chunk in got)
    assert len(got) > 10
    async with shared.app.read() as session:
        assert await log.bounds(session) == (1, 0)
