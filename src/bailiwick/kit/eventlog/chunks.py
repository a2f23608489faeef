"""Text that streams while it is made: sent to whoever looks now, and kept nowhere.

A chunk is placed by channel, attempt and offset. A new attempt starts the text again; a reader who
misses an offset asks for the whole when it is done.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from bailiwick.kit.eventlog.bus import LONGEST, Bus

CHANNEL = "bailiwick_chunks"
# A character is at most this long in JSON (\\uXXXX\\uXXXX); what surrounds the text needs room too.
_CHARACTERS = (LONGEST - 1_000) // 12


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of text at its place; `done` says that no more will come."""

    audience: tuple[str, ...]
    channel: str
    attempt: int
    offset: int
    text: str
    done: bool = False

    def pieces(self) -> Iterator["Chunk"]:
        """The same text in chunks that the bus can carry."""
        for start in range(0, max(len(self.text), 1), _CHARACTERS):
            end = start + _CHARACTERS
            yield replace(
                self,
                offset=self.offset + start,
                text=self.text[start:end],
                done=self.done and end >= len(self.text),
            )


async def publish(bus: Bus, chunk: Chunk) -> None:
    """Send a chunk to every process."""
    for piece in chunk.pieces():
        await bus.send(CHANNEL, json.dumps(asdict(piece)))


def parse(payload: str) -> Chunk:
    """A chunk as it came over the bus."""
    fields = json.loads(payload)
    return Chunk(audience=tuple(fields.pop("audience")), **fields)
