"""`bailiwick worker`: a process that does jobs and serves nothing, beside servers on PostgreSQL."""

import asyncio
import signal
import sys

import structlog

from bailiwick import __version__, features
from bailiwick.config import Settings
from bailiwick.errors import BadConfiguration
from bailiwick.kit.folder import DataFolder
from bailiwick.office import at_work, opened
from bailiwick.server import configure_logs, fastest_loop

log = structlog.stdlib.get_logger("bailiwick.worker")


def work(settings: Settings) -> None:
    """Do jobs until stopped."""
    if settings.database_url is None:
        raise BadConfiguration(
            "A worker needs PostgreSQL (BAILIWICK_DATABASE_URL). On SQLite the server does "
            "all the work itself: run `bailiwick serve`."
        )
    # Not owned: server and workers share the folder, where keys, blobs and backups are.
    DataFolder(settings.data).prepare()
    configure_logs(settings)
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(_work(settings))


async def _work(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with opened(settings, features.installed()) as office, at_work(office):
        print(  # noqa: T201
            f"Bailiwick {__version__} worker is ready: {office.engine.executor_id}",
            file=sys.stdout,
            flush=True,
        )
        await stop.wait()
