"""Files: how fast a folder is indexed and searched, beside ripgrep over the same folder.

`bench/library.py 100000` takes so many files instead of 10,000.
"""

import asyncio
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from sqlalchemy import text

from bailiwick import features
from bailiwick.app import create_app
from bailiwick.config import Settings
from bailiwick.kit import clock
from bailiwick.kit.folder import DataFolder
from bailiwick.library.index.search import FileFinder, FileSearch
from bailiwick.library.models import Notebook
from bailiwick.office import Office, at_work, opened
from bailiwick.tools.scope import ALL
from bailiwick.workspaces.models import Workspace

_WORDS = 150
_SEARCHES = 200


def written(folder: Path, count: int) -> list[str]:
    """A folder of text files, and words that are in few of them."""
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(20_000)]
    for number in range(count):
        place = folder / f"folder{number % 100}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"note{number}.md").write_text(" ".join(chance.choices(words, k=_WORDS)))
    return [word for word in words if len(word) > 7][:_SEARCHES]


async def counted(office: Office, condition: str) -> int:
    """How many files are so."""
    async with office.storage.app.read() as session:
        statement = text(f"SELECT count(*) FROM indexed_files WHERE {condition}")
        return (await session.execute(statement)).scalar_one()


async def until(office: Office, condition: str, count: int) -> float:
    """The seconds until so many files are so."""
    began = time.perf_counter()
    while await counted(office, condition) < count:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    return time.perf_counter() - began


def memory() -> int:
    """The most memory that this process had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


async def main(count: int) -> None:
    """Write, index, search, and print what each took."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve() / "papers"  # noqa: ASYNC240
        words = written(folder, count)
        settings = Settings(data=Path(made) / "data")
        DataFolder(settings.data).prepare()
        async with opened(settings, features.installed()) as office:
            notebook = await _opened_notebook(office, folder)
            before = memory()
            async with at_work(office):
                seconds = await until(office, "text_state = 'ready'", count)
                print(f"indexed {count} files: {count / seconds:,.0f}/s (to reach 500)")
                print(f"memory: {before} MB before, {memory()} MB after")
                more = await until(office, "vector IS NOT NULL", count)
                print(f"embeddings after that: {count / more:,.0f}/s")
                (folder / "fresh.md").write_text("a zebra crosses")
                noticed = await until(office, "name = 'fresh.md'", 1)
                print(f"a new file is noticed in {noticed:.2f} s (to reach 1)")
                await _searched(office, notebook, folder, words)


async def _opened_notebook(office: Office, folder: Path) -> Notebook:
    now = clock.now()
    notebook = Notebook(
        id="ntb-bench0000000",
        workspace_id="wsp-bench0000000",
        name="Papers",
        path=str(folder),
        trusted=False,
        created_at=now,
    )
    async with office.storage.app.write() as session:
        session.add(Workspace(id=notebook.workspace_id, name="Home", created_at=now))
        await session.flush()
        session.add(notebook)
    return notebook


async def _searched(office: Office, notebook: Notebook, folder: Path, words: list[str]) -> None:
    finder, times = office[FileFinder], list[float]()
    for word in words:
        began = time.perf_counter()
        await finder.find(FileSearch([notebook], ALL, query=word, mode="both"), limit=20)
        times.append(time.perf_counter() - began)
    ours = statistics.median(times) * 1000
    asked = {"workspaceId": notebook.workspace_id, "limit": 20}
    headers = {"Authorization": f"Bearer {office.operator_token.get_secret_value()}"}
    over_http: list[float] = []
    transport = httpx.ASGITransport(app=create_app(office))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8787") as client:
        for word in words:
            began = time.perf_counter()
            answer = await client.get(
                "/api/v1/search", params={**asked, "q": word}, headers=headers
            )
            over_http.append(time.perf_counter() - began)
        print(
            f"search: p50 {ours:.2f} ms in process, {statistics.median(over_http) * 1000:.2f} ms "
            f"over the API (to reach 5; last answer {answer.status_code})"
        )
    if rg := shutil.which("rg"):
        scans: list[float] = []
        for word in words[:20]:
            began = time.perf_counter()
            subprocess.run([rg, "-l", word, str(folder)], capture_output=True, check=False)  # noqa: ASYNC221
            scans.append(time.perf_counter() - began)
        floor = statistics.median(scans) * 1000
        print(f"ripgrep: p50 {floor:.1f} ms; we are {floor / ours:.0f} times faster (to reach 10)")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
