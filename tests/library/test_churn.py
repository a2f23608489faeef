"""Another program changes a folder while it is indexed; afterwards the index is as the disk."""

import asyncio
import hashlib
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bailiwick.library.index.indexer import LibraryIndexer
from bailiwick.library.index.models import IndexedFile
from library.test_index import followed, indexed, scan_of, text_of, write
from library.toolbox import Toolbox
from support import churn
from support.processes import PATIENCE

pytestmark = pytest.mark.req("LIB-02")
ROUNDS = 6
STEPS = 80


def on_disk(folder: Path) -> dict[str, bytes]:
    """The files in a folder by their paths; links are none."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    inside = (path for path in found if path.resolve().is_relative_to(folder.resolve()))
    return {str(path.relative_to(folder)): path.read_bytes() for path in inside}


@asynccontextmanager
async def at_work(box: Toolbox) -> AsyncGenerator[None]:
    """The index follows by itself while the block runs."""
    leads = asyncio.Event()
    leads.set()
    async with box.office[LibraryIndexer].running(leads):
        yield


async def other_program(*arguments: str) -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments)
    assert await process.wait() == 0


async def test_a_folder_that_is_churned_while_it_is_indexed_ends_up_as_the_disk_has_it(
    any_tools: Toolbox,
):
    folder = any_tools.folder
    for place in churn.FOLDERS:
        (folder / place).mkdir(exist_ok=True)
    for number in range(40):
        place = churn.FOLDERS[number % len(churn.FOLDERS)]
        write(folder / place, **{f"kept{number}.txt": f"this is kept as number{number}"})
        write(folder / "loose", **{f"loose{number}.txt": f"this is loose as number{number}"})
    before = await followed(any_tools)
    ids = {row.digest: row.id for row in before.values() if row.name.startswith("kept")}
    async with at_work(any_tools):
        for seed in range(1, ROUNDS + 1):
            any_tools.office[LibraryIndexer].due_now()
            await other_program(churn.__file__, str(folder), str(seed), str(STEPS))
    after = await followed(any_tools)
    disk = on_disk(folder)
    assert {path: (row.size, row.digest) for path, row in after.items()} == {
        path: (len(content), hashlib.sha256(content).hexdigest()) for path, content in disk.items()
    }
    for path, row in after.items():
        assert await text_of(any_tools, row) == {"plain": disk[path].decode()}, path
    assert {row.digest: row.id for row in after.values() if row.name.startswith("kept")} == ids
    found = await any_tools.use("filesystem_search", virtualRoot="", query="kept", limit=100)
    assert len({file["path"] for file in found.data["files"]} & paths_of(ids, after)) == 40


def paths_of(ids: dict[str | None, str], files: dict[str, IndexedFile]) -> set[str]:
    return {f"Papers/{path}" for path, row in files.items() if row.digest in ids}


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_what_another_program_writes_renames_and_deletes_is_noticed_without_a_scan(
    tools: Toolbox,
):
    folder = tools.folder
    write(folder, first="one")
    async with at_work(tools):
        await until(lambda: is_scanned(tools))
        done = (await scan_of(tools)).finished_at
        place = folder / "new" / "deep"
        code = f"import os; os.makedirs({str(place)!r}); open({str(place / 'x.txt')!r}, 'w')"
        await other_program("-c", code)
        await until(lambda: has(tools, "new/deep/x.txt"))
        id = (await indexed(tools))["new/deep/x.txt"].id
        await other_program("-c", f"import os; os.rename({str(place)!r}, {str(folder / 'y')!r})")
        await until(lambda: has(tools, "y/x.txt"))
        assert (await indexed(tools))["y/x.txt"].id == id
        await other_program("-c", f"import os; os.unlink({str(folder / 'y' / 'x.txt')!r})")
        await until(lambda: lacks(tools, "y/x.txt"))
        assert (await scan_of(tools)).finished_at == done


async def has(box: Toolbox, path: str) -> bool:
    return path in await indexed(box)


async def lacks(box: Toolbox, path: str) -> bool:
    return path not in await indexed(box)


async def is_scanned(box: Toolbox) -> bool:
    return bool(await indexed(box)) and (await scan_of(box)).state == "done"
