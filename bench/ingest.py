"""How fast mail gets in: read, stored, indexed and sorted by filters; beside `notmuch new`.

Both are given the same Maildir. Ours reads it through the connector for local mailboxes, page by
page, as a fetch does, and keeps the messages too; notmuch leaves them where they are. The time of
the wall is what counts, and the processor's is given beside it, because other work disturbs it
less. `python bench/ingest.py [mails]`
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import uvloop
from mails import maildir
from sqlalchemy import func, select

from bailiwick.accounts.models import Account
from bailiwick.config import Settings
from bailiwick.connectors.connector import AccountAccess
from bailiwick.connectors.local.mailbox import LocalMailbox
from bailiwick.connectors.network import Network
from bailiwick.kit import clock
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage, migrate
from bailiwick.kit.extraction import Extractor
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.intake import Intake
from bailiwick.mail.models import Filter, MailMessage
from bailiwick.office import storage_of
from bailiwick.workspaces.models import Workspace

ROUNDS = 3
FILTERS = 20
Times = tuple[float, float]  # of the wall, and of the processor


async def office(storage: Storage) -> None:
    """A workspace with an account and some filters."""
    await migrate.upgrade(storage)
    now = clock.now()
    async with storage.app.write() as session:
        session.add(Workspace(id="wsp-bench", name="Bench", created_at=now))
        await session.flush()
        session.add(
            Account(
                id="acc-bench",
                workspace_id="wsp-bench",
                connector="local",
                label="Bench",
                address="olive@office.example",
                display_name="",
                is_primary=True,
                enabled=True,
                categories=["mail"],
                permissions=["read"],
                settings={},
                private_network=False,
                signature_source="none",
                connected_by="usr-bench",
                created_at=now,
                updated_at=now,
            )
        )
        for number in range(FILTERS):
            session.add(
                Filter(
                    id=f"flt-{number}",
                    workspace_id="wsp-bench",
                    name="f",
                    field=("Subject", "From", "Body")[number % 3],
                    pattern=f"(word{number}|person{number}[0-9]@)",
                    director_id=f"agt-{number}",
                    position=number,
                    enabled=True,
                    created_at=now,
                    updated_at=now,
                )
            )


async def ours(mails: Path, count: int) -> Times:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        storage = storage_of(Settings(data=folder), None)
        await office(storage)
        extractor = Extractor()
        intake = Intake(storage, BlobFolder(folder / "blobs", None), FilterCache(), extractor)

        async def secret() -> dict[str, str]:
            return {}

        mailbox = LocalMailbox(
            AccountAccess(
                account_id="acc-bench",
                address="olive@office.example",
                settings={"address": "olive@office.example", "path": str(mails)},
                options={},
                permissions=frozenset({"read"}),
                secret=secret,
                network=Network(()),
                folder=folder / "own",
                by_admin=True,
            )
        )
        started, worked = time.perf_counter(), time.process_time()
        async for _ in intake.take_all("acc-bench", mailbox.changes(None)):
            pass
        spent = time.perf_counter() - started, time.process_time() - worked
        async with storage.app.read() as session:
            assert await session.scalar(select(func.count()).select_from(MailMessage)) == count
        await storage.close()
        extractor.close()
        return spent


def notmuch(mails: Path) -> Times:
    database = mails / ".notmuch"
    shutil.rmtree(database, ignore_errors=True)
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as config:
        config.write(f"[database]\npath={mails}\n[user]\nprimary_email=o@x.example\n[new]\ntags=\n")
        config.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        subprocess.run(
            ["notmuch", "new", "--quiet"],
            check=True,
            env={**os.environ, "NOTMUCH_CONFIG": config.name},
        )
        wall = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(database, ignore_errors=True)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, worked


def main() -> None:
    if not shutil.which("notmuch"):
        sys.exit("notmuch is not installed: apt install notmuch")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    with tempfile.TemporaryDirectory() as made:
        mails = maildir(Path(made) / "mail", count)
        rounds = [(uvloop.run(ours(mails, count)), notmuch(mails)) for _ in range(ROUNDS)]
    for place, name in enumerate(("wall", "processor")):
        us, them = (
            count / statistics.median(one[side][place] for one in rounds) for side in (0, 1)
        )
        ratio = statistics.median(one[1][place] / one[0][place] for one in rounds)
        print(
            f"mail ingest, by the {name:<9} {us:>7,.0f} mails/s   notmuch {them:>6,.0f}   "
            f"ratio {ratio:.2f} (to reach 2)",
            flush=True,
        )


if __name__ == "__main__":
    main()
