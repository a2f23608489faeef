"""What memories mean, as vectors that are kept with them.

Made beside the event loop and outside transactions; the first use reads the weights. A memory is
kept whether or not its vector could be made: what is missing is made when somebody searches.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

import structlog

from bailiwick.llm import vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = structlog.get_logger()
# Texts that have nothing to do with each other stay below this; found by trying.
ALIKE = 0.2


async def of(content: str) -> bytes | None:
    """The vector of a content, or None if it cannot be made now."""
    try:
        (made,) = await asyncio.to_thread(packed, [content])
    except Exception:
        log.warning("memory.vector_missing", exc_info=True)
        return None
    return made


def packed(contents: Sequence[str]) -> list[bytes]:
    """The vectors of some contents, in the form in which they are kept."""
    import numpy as np

    return [row.tobytes() for row in vectors.embed(contents).astype(np.float16)]


def likeness(query: str, kept: Sequence[bytes]) -> list[float]:
    """How alike each is to the query."""
    import numpy as np

    if not kept:
        return []
    asked: NDArray[np.float32] = vectors.embed([query])[0]
    matrix = np.frombuffer(b"".join(kept), dtype=np.float16).reshape(len(kept), -1)
    found: list[float] = (matrix.astype(np.float32) @ asked).tolist()
    return found
