"""Text that streams while it is generated: sent to present viewers, and not stored.

A chunk has a channel, an attempt and an offset. A new attempt starts the text again; a reader that
misses an offset reads the whole text when it is done.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from bailiwick.kit.eventlog.bus import LONGEST, Bus

CHANNEL = "chunks"
_LONGEST_CHARACTER = 12  # two \\uXXXX in JSON
_NUMBERS = 40  # room for the offset's digits and the channel's name on the bus


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
        around = len(json.dumps(asdict(replace(self, text="")))) + _NUMBERS
        room = (LONGEST - around) // _LONGEST_CHARACTER
        if room < 1:
            raise ValueError("a chunk's audience and channel leave no room for its text")
        for start in range(0, max(len(self.text), 1), room):
            end = start + room
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
