"""Embeddings of files, held so that the nearest are found without reading all of them.

Of each embedding only the signs are kept in memory: 32 bytes a file. The nearest by signs are then
compared exactly, with what the tables have.
"""

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bailiwick.kit.db import Store
from bailiwick.kit.eventlog import Recorded
from bailiwick.library.index import queries
from bailiwick.library.index.events import CHANGED
from bailiwick.llm import vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Signs = NDArray[np.uint64]
    Numbers = NDArray[np.int64]

ALIKE = 0.2  # unrelated texts stay below this; found by experiment
_FRESH_SECONDS = 5.0  # a table that others are filling is not read anew for every search
_UNUSED_SECONDS = 600.0
_TOGETHER = 300
_WORDS = vectors.DIMENSIONS // 64
# Signs that differ between texts that have nothing in common: half of them.
_MOST_DIFFERENT = vectors.DIMENSIONS * 15 // 32


class _SignTable:
    def __init__(self, numbers: "Numbers", signs: "Signs") -> None:
        self.numbers = numbers
        self.signs = signs
        self.made = self.used = time.monotonic()
        self.stale = False


class FileVectors:
    """The signs of every notebook that was searched by meaning lately."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[str, _SignTable] = {}

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Hear of notebooks whose files are other than they were."""
        for event in batch:
            if event.type == CHANGED and (table := self._tables.get(event.subject_id or "")):
                table.stale = True

    async def tables(self, notebook_ids: Sequence[str]) -> "list[_SignTable]":
        """The signs of these notebooks."""
        now = time.monotonic()
        for id in [id for id, each in self._tables.items() if now - each.used > _UNUSED_SECONDS]:
            del self._tables[id]
        found: list[_SignTable] = []
        for id in notebook_ids:
            table = self._tables.get(id)
            if table is None or (table.stale and now - table.made > _FRESH_SECONDS):
                table = self._tables[id] = await self._load(id)
            table.used = now
            found.append(table)
        return found

    async def _load(self, notebook_id: str) -> _SignTable:
        import numpy as np

        numbers: list[int] = []
        signs: list[bytes] = []
        after = 0
        while True:
            async with self._store.read() as session:
                rows = await queries.all_vectors(session, notebook_id, after=after)
            if not rows:
                break
            after = rows[-1][0]
            whole = [(number, made) for number, made in rows if made]
            numbers += [number for number, _ in whole]
            signs += [_signs(made) for _, made in whole]
        joined = np.frombuffer(b"".join(signs), dtype=np.uint64).reshape(-1, _WORDS)
        return _SignTable(np.asarray(numbers, dtype=np.int64), joined)


def nearest(asked: "NDArray[np.float32]", tables: Sequence[_SignTable]) -> Iterator[list[int]]:
    """The numbers of files, the nearest by their signs first, some at a time."""
    import numpy as np

    full = [table for table in tables if len(table.numbers)]
    if not full:
        return
    mine = np.frombuffer(_signs(asked.astype(np.float16).tobytes()), dtype=np.uint64)
    numbers = np.concatenate([table.numbers for table in full])
    apart = np.concatenate(
        [np.bitwise_count(table.signs ^ mine).sum(axis=1, dtype=np.int64) for table in full]
    )
    near = np.flatnonzero(apart <= _MOST_DIFFERENT)
    order = near[np.argsort(apart[near], kind="stable")]
    for start in range(0, len(order), _TOGETHER):
        yield [int(number) for number in numbers[order[start : start + _TOGETHER]]]


def likeness(asked: "NDArray[np.float32]", kept: Sequence[bytes]) -> list[float]:
    """How alike each embedding is."""
    import numpy as np

    matrix = np.frombuffer(b"".join(kept), dtype=np.float16).reshape(len(kept), -1)
    return (matrix.astype(np.float32) @ asked).tolist()


def unpacked(vector: bytes) -> "NDArray[np.float32]":
    """An embedding as it is compared."""
    import numpy as np

    return np.frombuffer(vector, dtype=np.float16).astype(np.float32)


def _signs(vector: bytes) -> bytes:
    import numpy as np

    return np.packbits(np.frombuffer(vector, dtype=np.float16) > 0).tobytes()
