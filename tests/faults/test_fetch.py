"""Kill -9 while mail is fetched: after it every mail is here once, and was routed once."""

import asyncio
import mailbox
import time
from collections import Counter
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from bailiwick.config import Settings
from bailiwick.connectors.local.maildir import Maildir
from bailiwick.kit.eventlog.models import EventRow
from bailiwick.mail.models import MailMessage, MailSync, Placement, Routing
from bailiwick.office import storage_of
from support.office import API
from support.processes import Forked, bailiwick
from support.server import Server, cli, free_port, wait_for

MAILS = 450
AT_ONCE = 100  # that a life of the server may read, until it is told to go on


class PacedServer(Server):
    """A server that can be killed in the middle of a fetch, however quick it is."""

    def _started(self, env: dict[str, str]) -> Forked:
        return Forked(paced, self.data.parent / "pace", env=env, out=self.log)


def paced(pace: Path) -> None:
    """`bailiwick serve` that reads as many mails as a file says, and then waits."""
    from bailiwick.connectors.local import sync

    real, read = sync._portion, 0

    def portion(maildir: Maildir, now: Any, wanted: Sequence[str], states: Any) -> Any:
        nonlocal read
        while read >= int(pace.read_text() or 0):
            time.sleep(0.01)
        read += len(wanted)
        return real(maildir, now, wanted, states)

    sync._portion = portion
    bailiwick("serve")


def fill(folder: Path, start: int, count: int) -> None:
    """Put mails into a Maildir, each with words of its own."""
    box = mailbox.Maildir(folder, create=True)
    for number in range(start, start + count):
        made = EmailMessage()
        made["From"], made["To"] = f"Ann <ann{number}@client.example>", "me@example.com"
        made["Subject"], made["Message-ID"] = f"Mail {number}", f"<{number}@client.example>"
        made.set_content(f"This is mail {number}. " * 20)
        box.add(made)


def connect(owner: httpx.Client, folder: Path) -> str:
    """A filter for all mail but one in ten, and an account that reads the folder."""
    owner.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
    workspace = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
    agent = {"workspaceId": workspace, "name": "Dana", "kind": "director"}
    director = owner.post(f"{API}/agents", json=agent).json()["id"]
    body = {"workspaceId": workspace, "field": "Subject", "regex": "mail [0-9]*[1-9]$"}
    made = owner.post(f"{API}/filters", json={**body, "directorId": director})
    assert made.status_code == 201, made.text
    # What becomes of the cases is another test's.
    assert owner.post(f"{API}/agents/{director}/activate?active=false").is_success
    body = {"workspaceId": workspace, "connector": "local", "routeFrom": "all"}
    settings = {"address": "me@example.com", "path": str(folder)}
    made = owner.post(f"{API}/accounts", json={**body, "settings": settings})
    assert made.status_code == 201, made.text
    return made.json()["id"]


def status(owner: httpx.Client) -> dict:
    (found,) = owner.get(f"{API}/fetcher/status").json()["accounts"]
    return found


async def stored(data: Path) -> dict:
    """What is in the database, whoever wrote it."""
    storage = storage_of(Settings(data=data), None)
    try:
        async with storage.app.read() as session:
            sync = (await session.scalars(select(MailSync))).one()
            return {
                "subjects": Counter(await session.scalars(select(MailMessage.subject))),
                "placements": await session.scalar(select(func.count()).select_from(Placement)),
                "routed": Counter(await session.scalars(select(Routing.message_id))),
                "told": Counter(
                    await session.scalars(
                        select(EventRow.subject_id).where(EventRow.type == "mail.routed")
                    )
                ),
                "state": (sync.state, sync.left or None, sync.failures),
            }
    finally:
        await storage.close()


@pytest.mark.req("MAIL-01")
def test_a_fetch_that_is_killed_again_and_again_loses_and_doubles_nothing(tmp_path: Path):
    data, folder, port = tmp_path / "data", tmp_path / "post", free_port()
    fill(folder, 0, MAILS)
    pace = tmp_path / "pace"
    pace.write_text(str(AT_ONCE))
    server = PacedServer(data, port).wait_ready()
    try:
        owner = server.owner()
        cookies = dict(owner.cookies)
        # It begins by itself, because an account was connected.
        account = connect(owner, folder)
        for reached in (50, 150, 250):
            wait_for(lambda who=owner, most=reached: status(who)["fetched"] >= most)
            assert status(owner)["state"] == "fetching", "it was over before it could be killed"
            server.kill()
            server.stop()
            server = PacedServer(data, port).wait_ready()
            owner = server.browser()
            owner.cookies.update(cookies)
        pace.write_text(str(2 * MAILS))
        wait_for(lambda: status(owner)["state"] == "idle" and status(owner)["lastFetch"])
        fill(folder, MAILS, 5)
        (went,) = owner.post(f"{API}/fetcher/run", json={"accountId": account}).json()["items"]
        assert went["outcome"] == "done", went
        fill(folder, MAILS + 5, 3)
        fetched = cli("fetch", "--account", "ME@example.com", data=data)
        assert fetched.returncode == 0, fetched.stderr
        assert "new" in fetched.stdout
        stopped = cli("fetcher", "stop", data=data).stdout
        assert "only when asked" in stopped
        assert account in stopped
    finally:
        server.stop()
    found = asyncio.run(stored(data))
    every = Counter(f"Mail {number}" for number in range(MAILS + 8))
    assert found["subjects"] == every
    assert found["placements"] == MAILS + 8
    assert len(found["routed"]) == sum(number % 10 != 0 for number in range(MAILS + 8))
    assert found["routed"] == found["told"], "each was told of once"
    assert set(found["routed"].values()) == {1}
    assert found["state"] == ("idle", None, 0)
