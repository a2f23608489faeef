"""What folders hold, each in a few telling words. The SQL of that is here.

A word is telling if the folder's files use it and those of other folders do not. Only some files of
each folder are looked at, and only their beginnings: what a folder is for shows early.
"""

import asyncio
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.library.index.models import FileText, IndexedFile

_FILES = 12  # of each folder
_CHARACTERS = 1_500
_WORD = re.compile(r"[^\W\d_]{3,}")
_APART = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


async def profiles(session: AsyncSession, notebook_id: str, *, words: int) -> dict[str, list[str]]:
    """The most telling words of each folder that has files, the best first."""
    newest = (
        select(
            IndexedFile.number,
            IndexedFile.folder,
            IndexedFile.name,
            func.row_number()
            .over(partition_by=IndexedFile.folder, order_by=IndexedFile.first_seen_at.desc())
            .label("place"),
        )
        .where(IndexedFile.notebook_id == notebook_id, IndexedFile.gone_at.is_(None))
        .subquery()
    )
    statement = (
        select(newest.c.folder, newest.c.name, func.substr(FileText.text, 1, _CHARACTERS))
        .outerjoin(FileText, FileText.number == newest.c.number)
        .where(newest.c.place <= _FILES)
    )
    rows = [(row[0], row[1], row[2] or "") for row in await session.execute(statement)]
    return await asyncio.to_thread(_telling, rows, words)


def _telling(rows: Sequence[tuple[str, str, str]], most: int) -> dict[str, list[str]]:
    weights: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for folder, name, text in rows:
        stem = _APART.sub(" ", name.rpartition(".")[0] or name)
        for word, count in Counter(_WORD.findall(f"{stem} {text}".lower())).items():
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
