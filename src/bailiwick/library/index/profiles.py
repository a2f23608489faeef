"""What folders hold, each in a few telling words. The SQL of that is here.

A word is telling if the folder's files use it and those of other folders do not. Only some files of
each folder are looked at, and only their beginnings: what a folder is for shows early. An inbox is
for nothing in particular, so it has none.
"""

import asyncio
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.library.index.models import FileText, IndexedFile
from bailiwick.library.labels import INBOX
from bailiwick.offline.lexicon import is_common
from bailiwick.offline.text import STOP

_FILES = 12  # of each folder
_CHARACTERS = 1_500
_WORD = re.compile(r"[^\W\d_]{3,}")
_APART = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


async def profiles(
    session: AsyncSession, notebook_id: str, *, allows: Callable[[str], bool], words: int
) -> dict[str, list[str]]:
    """The most telling words of each folder that has files of which one may know, best first."""
    newest = (
        select(
            IndexedFile.number,
            IndexedFile.folder,
            IndexedFile.path,
            func.row_number()
            .over(partition_by=IndexedFile.folder, order_by=IndexedFile.first_seen_at.desc())
            .label("place"),
        )
        .where(IndexedFile.notebook_id == notebook_id, IndexedFile.gone_at.is_(None))
        .subquery()
    )
    statement = (
        select(newest.c.folder, newest.c.path, func.substr(FileText.text, 1, _CHARACTERS))
        .outerjoin(FileText, FileText.number == newest.c.number)
        .where(newest.c.place <= _FILES)
    )
    rows = [
        (folder, path, text or "")
        for folder, path, text in await session.execute(statement)
        if folder.split("/")[0].casefold() != INBOX and allows(path)
    ]
    return await asyncio.to_thread(_telling, rows, words)


def _telling(rows: Sequence[tuple[str, str, str]], most: int) -> dict[str, list[str]]:
    weights: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for folder, path, text in rows:
        name = path.rpartition("/")[2]
        stem = _APART.sub(" ", name.rpartition(".")[0] or name)
        for word, count in Counter(_WORD.findall(f"{stem} {text}".lower())).items():
            if word in STOP or is_common(word):
                continue
            weights[folder][word] += 1 + math.log(count)  # pyright: ignore[reportArgumentType]
    spread = Counter(word for folder in weights.values() for word in folder)
    every = len(weights)
    found: dict[str, list[str]] = {}
    for folder, bag in weights.items():
        scores = {
            word: weight * math.log(1 + every / spread[word])
            for word, weight in bag.items()
            if every < 4 or spread[word] <= every / 2
        }
        found[folder] = sorted(scores, key=lambda word: (-scores[word], word))[:most]
    return found
