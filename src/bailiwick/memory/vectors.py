"""Embeddings of memories, stored with them.

They are computed off the event loop and outside transactions; the first use loads the weights. A
memory is stored even if its embedding fails: a missing one is computed at the next search.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

import structlog

from bailiwick.llm import vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = structlog.get_logger()
# Unrelated texts stay below this; found by experiment.
ALIKE = 0.2


async def of(content: str) -> bytes | None:
    """The embedding of a content, or None if it fails."""
    try:
        (made,) = await asyncio.to_thread(packed, [content])
    except Exception:
        log.warning("memory.vector_missing", exc_info=True)
        return None
    return made


def packed(contents: Sequence[str]) -> list[bytes]:
    """The embeddings of contents, in their stored form."""
    import numpy as np

    return [row.tobytes() for row in vectors.embed(contents).astype(np.float16)]


def likeness(query: str, kept: Sequence[bytes]) -> list[float]:
    """The similarity of each to the query."""
    return near(packed([query])[0], kept) if kept else []


def near(vector: bytes, kept: Sequence[bytes]) -> list[float]:
    """The similarity of each to what has this embedding."""
    import numpy as np

    asked: NDArray[np.float32] = np.frombuffer(vector, dtype=np.float16).astype(np.float32)
    matrix = np.frombuffer(b"".join(kept), dtype=np.float16).reshape(len(kept), -1)
    found: list[float] = (matrix.astype(np.float32) @ asked).tolist()
    return found
