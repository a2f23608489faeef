"""`LibraryIndexer`: keeps the index of every open notebook in line with the disk.

In the process that leads it watches all folders, scans each at the start and from time to time,
and has texts read. Each process tells it at once what was written through the gate.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import datetime, timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bailiwick.errors import BailiwickError
from bailiwick.instance.settings import SettingsStore
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog.bus import stopped
from bailiwick.kit.extraction import Extractor
from bailiwick.library.index import reading, repository, scan_rows, text_rows, watcher
from bailiwick.library.index.events import CHANGED
from bailiwick.library.index.scan import NotebookScanner, ScanStopped
from bailiwick.library.index.texts import TextReader
from bailiwick.library.index.transcripts import Transcriber
from bailiwick.library.index.watcher import WatchFailed
from bailiwick.library.models import Notebook
from bailiwick.library.resolver import PathResolver, WriteFollower
from bailiwick.library.root import PathNames

log = structlog.stdlib.get_logger("bailiwick.library")
REQUESTED = "notebook.scan_requested"
_NOTEBOOKS = ("notebook.opened", "notebook.closed", "notebook.changed", "workspace.")
_WATCH_SECONDS = 10.0
_FAILED_WAIT = timedelta(minutes=1)
# What is missing may turn up elsewhere for so long.
_GONE_FOR = timedelta(seconds=30)
_CATCH_UPS = 3
_SECONDS_A_FILE = 60.0
_MEMORY = 3_000_000_000


class LibraryIndexer(WriteFollower):
    """The index of all notebooks."""

    def __init__(
        self,
        storage: Storage,
        paths: PathResolver,
        settings: SettingsStore,
        transcriber: Transcriber,
    ) -> None:
        self._storage = storage
        self._paths = paths
        self._settings = settings
        self.extractor = Extractor(seconds=_SECONDS_A_FILE, memory=_MEMORY)
        self._transcriber = transcriber
        self._texts = TextReader(storage.app, self.extractor, transcriber)
        self._heard_by: str | None = None
        self._scanners: dict[str, NotebookScanner] = {}
        self._due: dict[str, datetime] = {}  # when each is scanned next
        self._stopping: set[str] = set()
        self._arranged = asyncio.Event()  # notebooks were opened or closed
        self._scan_wanted = asyncio.Event()
        self._text_wanted = asyncio.Event()
        self._rewatch = asyncio.Event()
        self._watches = asyncio.Event()  # what changes from now on is noticed
        self._watches.set()  # unless nobody watches: then only scans follow the disk
        self._is_running = False
        self.watch_problem: str | None = None

    def due_now(self) -> None:
        """Scan every notebook as soon as there is time."""
        self._due.clear()
        self._scan_wanted.set()

    def close(self) -> None:
        """End the processes that read."""
        self.extractor.close()

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Hear of notebooks that come and go, of scans that are asked for, and of new files."""
        for event in batch:
            if event.type.startswith(_NOTEBOOKS) or event.type == "settings.changed":
                self._arranged.set()
                self._scan_wanted.set()
                self._text_wanted.set()
            elif event.type == REQUESTED and event.subject_id:
                self._request(event.subject_id, str(event.data.get("action")))
            elif event.type == CHANGED:
                self._text_wanted.set()

    def _request(self, notebook_id: str, action: str) -> None:
        if action == "stop":
            self._stopping.add(notebook_id)
        else:
            self._stopping.discard(notebook_id)
            self._due[notebook_id] = clock.now()
        self._scan_wanted.set()

    async def touched(self, notebook: Notebook, names: Iterable[PathNames]) -> None:
        """Files were written through the gate: the index is brought in line before anyone looks."""
        try:
            async with self._storage.app.read() as session:
                row = await scan_rows.get(session, notebook.id)
            if row is not None:
                await (await self.scans(notebook)).look(names)
        except (BailiwickError, SQLAlchemyError, OSError) as error:
            # The files are written all the same, and the next scan finds them.
            log.warning("the index follows later", reason=str(error).splitlines()[0])

    async def catch_up(self, notebook: Notebook, names: PathNames) -> None:
        """Look at one file now, and read its text, because somebody asks for it."""
        scanner = await self.scans(notebook)
        await scanner.look([names])
        for _ in range(_CATCH_UPS):
            if not (wait := await self._texts.read_some(scanner, only="/".join(names))):
                return
            await asyncio.sleep(wait)  # somebody has only just written it

    @asynccontextmanager
    async def running(self, leads: asyncio.Event) -> AsyncGenerator[None]:
        """Scan, watch and read while the block runs, whenever this process leads."""
        tasks = [
            asyncio.create_task(each(leads))
            for each in (self._scanning, self._watching, self._reading)
        ]
        self._is_running = True
        try:
            yield
        finally:
            self._is_running = False
            for task in tasks:
                await stopped(task)

    async def _scanning(self, leads: asyncio.Event) -> None:
        while True:
            await leads.wait()
            self._scan_wanted.clear()
            wait = 30.0
            try:
                wait = await self.scan_due()
            except (SQLAlchemyError, OSError) as error:
                log.warning("scans wait", reason=str(error).splitlines()[0])
            if not leads.is_set():
                self._due.clear()
            await _until(self._scan_wanted, wait)

    async def scan_due(self) -> float:
        """Scan what is due, one after another; how long until the next is."""
        every = timedelta(minutes=(await self._settings.current()).library_scan_minutes)
        now = clock.now()
        async with self._storage.app.read() as session:
            notebooks = await scan_rows.notebooks(session)
            rows = await scan_rows.of_notebooks(session, [row.id for row in notebooks])
        open_ids = {notebook.id for notebook in notebooks}
        for id in [id for id in self._scanners if id not in open_ids]:
            del self._scanners[id]
        if open_ids != set(self._due):
            # What changes between two watches is found by a scan that begins after.
            self._due.clear()
            if self._is_running:
                self._watches.clear()
            self._rewatch.set()
        self._due = {n.id: self._due.get(n.id, now) for n in notebooks}
        for notebook in notebooks:
            row = rows.get(notebook.id)
            is_stopped = row is not None and row.state == "stopped"
            if self._due[notebook.id] > now or is_stopped:
                continue
            await _until(self._watches, _WATCH_SECONDS)
            ok = await self._scan(notebook)
            self._due[notebook.id] = clock.now() + (every if ok else min(every, _FAILED_WAIT))
        waits = [
            due
            for id, due in self._due.items()
            if not (rows.get(id) and rows[id].state == "stopped")
        ]
        return max((min(waits, default=now + every) - clock.now()).total_seconds(), 0.0)

    async def _scan(self, notebook: Notebook) -> bool:
        try:
            scanner = await self.scans(notebook)
            await scanner.scan(goes_on=lambda: notebook.id not in self._stopping)
        except ScanStopped:
            self._stopping.discard(notebook.id)
            await self._mark(notebook, "stopped", None)
        except BailiwickError as error:
            await self._mark(notebook, "failed", str(error))
            return False
        self._text_wanted.set()
        return True

    async def _mark(
        self, notebook: Notebook, state: scan_rows.ScanState, problem: str | None
    ) -> None:
        async with self._storage.app.write() as session:
            row = await scan_rows.ensure(session, notebook.id)
            scan_rows.move_to(row, state, problem=problem)
            scan_rows.emit(session, notebook, row)

    async def _watching(self, leads: asyncio.Event) -> None:
        while True:
            await leads.wait()
            self._rewatch.clear()
            stop = asyncio.Event()
            ending = asyncio.create_task(self._stop_at_change(stop))
            try:
                await self._watch(stop)
                self.watch_problem = None
                await self._rewatch.wait()
            except WatchFailed as error:
                self._watches.set()
                self.watch_problem = (
                    f"The system does not watch the folders ({error}), so changes are noticed at "
                    f"the next scan. Raise fs.inotify.max_user_watches to see them at once."
                )
                log.warning("folders are not watched", reason=str(error))
                await self._rewatch.wait()
            except (SQLAlchemyError, OSError) as error:
                log.warning("watching waits", reason=str(error).splitlines()[0])
                await asyncio.sleep(5)
            finally:
                await stopped(ending)

    async def _stop_at_change(self, stop: asyncio.Event) -> None:
        await self._rewatch.wait()
        stop.set()

    async def _watch(self, stop: asyncio.Event) -> None:
        async with self._storage.app.read() as session:
            notebooks = {row.id: row for row in await scan_rows.notebooks(session)}
        scanners = {id: await self.scans(row) for id, row in notebooks.items()}
        roots = {id: scanner.root for id, scanner in scanners.items()}
        async with aclosing(watcher.changes(roots, stop)) as noticed:
            async for some in noticed:
                if not self._rewatch.is_set():
                    self._watches.set()
                for id, paths in some.items():
                    await self._look(scanners[id], paths)

    async def _look(self, scanner: NotebookScanner, paths: Iterable[PathNames]) -> None:
        try:
            await scanner.look(sorted(paths))
        except BailiwickError as error:
            await self._mark(scanner.notebook, "failed", str(error))
        self._text_wanted.set()

    async def _reading(self, leads: asyncio.Event) -> None:
        while True:
            await leads.wait()
            wait: float | None = 30.0
            try:
                wait = await self.read_all()
            except (SQLAlchemyError, OSError) as error:
                log.warning("texts wait", reason=str(error).splitlines()[0])
            await _until(self._text_wanted, wait)

    async def read_all(self) -> float | None:
        """Read what waits, in turn; when to look again, None if only a change is worth it."""
        self._text_wanted.clear()
        await self._listen()
        waits: list[float] = []
        for scanner in list(self._scanners.values()):
            try:
                wait = await self._read(scanner)
            except BailiwickError as error:
                await self._mark(scanner.notebook, "failed", str(error))
                continue
            if wait is not None:
                waits.append(wait)
        return min(waits, default=None)

    async def _listen(self) -> None:
        """Have sound heard that nobody could hear before a model for it was named."""
        model = await self._transcriber.model()
        if model and model != self._heard_by:
            async with self._storage.app.write() as session:
                await text_rows.wait_again(session, reading.SOUND)
        self._heard_by = model

    async def _read(self, scanner: NotebookScanner) -> float | None:
        wait: float | None = 0.0
        while wait == 0.0:
            wait = await self._texts.read_some(scanner)
        if wait is None:
            while not self._text_wanted.is_set() and await self._texts.embed_some(scanner):
                pass
        gone = await self._forget(scanner)
        return wait if wait is not None else gone

    async def _forget(self, scanner: NotebookScanner) -> float | None:
        """Forget what was gone for long enough; in how many seconds there is more to forget."""
        id = scanner.notebook.id
        async with self._storage.app.read() as session:
            row = await scan_rows.get(session, id)
            gone = await repository.gone_before(session, id, clock.now() - _GONE_FOR)
            later = await repository.gone_before(session, id, clock.now() + _GONE_FOR, most=1)
        if row is None or row.state == "running":
            return None  # it may still turn up
        if gone:
            async with scanner.lock, self._storage.app.write() as session:
                await repository.drop_gone(session, gone)
            return 0.05
        return _GONE_FOR.total_seconds() if later else None

    async def scans(self, notebook: Notebook) -> NotebookScanner:
        """Who scans a notebook."""
        known = self._scanners.get(notebook.id)
        if known is None or known.notebook.name != notebook.name:
            root = await self._paths.root(notebook)
            known = self._scanners[notebook.id] = NotebookScanner(self._storage.app, notebook, root)
        return known


async def _until(event: asyncio.Event, seconds: float | None) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
