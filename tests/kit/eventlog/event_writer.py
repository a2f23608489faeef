"""Writing events; as a program: so many and then it ends, or without end until it is killed.

Each transaction changes something and tells of it: a line in the change record, and its event.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bailiwick.config import Settings
from bailiwick.instance import changes
from bailiwick.kit.db import Storage
from bailiwick.kit.folder import DataFolder
from bailiwick.office import opened, storage_of

ACTION = "workspace.renamed"


class Undone(Exception):
    """A transaction that is rolled back on purpose."""


@asynccontextmanager
async def opened_storage(settings: Settings) -> AsyncIterator[Storage]:
    """The stores of an installation, with their tables."""
    DataFolder(settings.data).prepare()
    async with opened(settings) as runtime:
        yield runtime.storage


async def write(storage: Storage, name: str, count: int | None) -> None:
    """Commit transactions of one to twelve events, and roll some back."""
    chance, number = random.Random(name), 0
    while count is None or number < count:
        subjects = [f"{name}-{number + i}" for i in range(chance.randint(1, 12))]
        try:
            async with storage.app.write() as session:
                for subject in subjects[: count and count - number]:
                    changes.record(session, changes.SYSTEM, action=ACTION, subject=subject)
                    # Others come in between what was recorded and the commit.
                    await asyncio.sleep(0)
                if chance.random() < 0.2:
                    raise Undone
        except Undone:
            continue
        number += len(subjects)
        if count is None:
            print(subjects[-1], flush=True)


def main(settings: Settings, name: str, count: int | None) -> None:
    """The program of a process of its own."""
    asyncio.run(_main(settings, name, count))


async def _main(settings: Settings, name: str, count: int | None) -> None:
    storage = storage_of(settings, None)
    async with asyncio.TaskGroup() as group:
        for writer in range(4):
            group.create_task(write(storage, f"{name}{writer}", count))
    await storage.close()
