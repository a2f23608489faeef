"""Vectors of meaning, made on this machine: texts that say alike things point the same way.

The weights come with the library, and are read once per process when they are first needed.
"""

import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

DIMENSIONS = 256
LONGEST = 4_000  # characters of a text that count: the rest hardly changes what it is about
_BATCH = 64_000  # characters looked at together; each takes some kilobytes while it is

_lock = threading.Lock()
_loaded: list[Any] = []


def embed(texts: Sequence[str]) -> "Vectors":
    """One vector of length 1 for each text; a text without a word has the zero vector."""
    import numpy as np

    if not texts:
        return np.zeros((0, DIMENSIONS), dtype=np.float32)
    read = [_readable(text) for text in texts]
    size = max(1, _BATCH // max(1, *map(len, read)))
    raw = _model().embed(read, norm=False, batch_size=min(size, 256))
    made: Vectors = np.nan_to_num(np.asarray(raw, dtype=np.float32))
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    return made / np.where(lengths > 0, lengths, 1).astype(np.float32)


def likeness(query: str, texts: Sequence[str]) -> list[float]:
    """How alike each text is to the query: 1 is the same, 0 has nothing to do with it."""
    vectors = embed([query, *texts])
    return [float(each) for each in vectors[1:] @ vectors[0]]


def _readable(text: str) -> str:
    # The tokenizer takes no half of a surrogate pair.
    return text[:LONGEST].encode(errors="replace").decode()


def _model() -> Any:
    if not _loaded:
        with _lock:
            if not _loaded:
                _loaded.append(_load())
    return _loaded[0]


def _load() -> Any:
    root = logging.getLogger()
    level, handlers = root.level, [*root.handlers]
    import wordllama

    # Importing it sets up logging for the whole process, which is not its business.
    root.setLevel(level)
    root.handlers[:] = handlers
    # Without a folder of its own it looks for the weights at home, and then on the network.
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
