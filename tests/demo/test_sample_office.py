"""The sample office: within one click mail is routed, a reply waits, and a poisoned mail is stopped.

What the engine begins in the product is begun here by hand, and nothing else is.
"""

import json
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from bailiwick.demo import asking, letters
from bailiwick.demo.models import Demo
from bailiwick.kit import clock, ids
from bailiwick.kit.db import Base
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.mail.fetcher import jobs
from bailiwick.mail.fetcher.fetching import Fetcher
from bailiwick.mail.filters.books import Books
from bailiwick.mail.intake import Intake
from support.office import API, Office
from support.workshop import Workshop, workshop_in

pytestmark = pytest.mark.req("UI-03")
THIEF = "intake@freight-recheck.example"
REASON = (
    f"You did not name '{THIEF}'; it comes from the mail “Delivery 2214: address check before"
    " release” from notice@freight-recheck.example."
)


@dataclass
class Sample:
    """An office, and the page that brings the sample data in."""

    workshop: Workshop

    @property
    def office(self) -> Office:
        return self.workshop.office

    @property
    def path(self) -> str:
        return f"{API}/workspaces/{self.workshop.workspace_id}/demo"

    async def add(self, who: httpx.AsyncClient | None = None) -> httpx.Response:
        return await (who or self.workshop.owner).post(self.path)

    async def read(self) -> dict[str, Any]:
        found = await self.workshop.owner.get(self.path)
        assert found.status_code == 200, found.text
        return found.json()

    async def happen(self) -> dict[str, Any]:
        """Fetch, ask the assistant, and let it work until it waits."""
        for account_id in await self._begun(jobs.ROUTES):
            fetched = await self._fetcher().fetch(
                account_id, "connected", clock.now().isoformat(), fetch_id=ids.new("job")
            )
            assert fetched["outcome"] == "done"
        for account_id in await self._begun(asking.ROUTES):
            await asking.ask(self.office.gate, account_id)
        await self.workshop.drive()
        return await self.read()

    async def get(self, path: str, **params: Any) -> Any:
        found = await self.workshop.owner.get(f"{API}{path}", params=params)
        assert found.status_code == 200, found.text
        return found.json()

    def _fetcher(self) -> Fetcher:
        runtime = self.office.runtime
        intake = Intake(runtime.storage, runtime.blobs, Books())
        return Fetcher(runtime.storage, self.office.house.desk, intake, runtime.changeable)

    async def _begun(self, routes: list[Any]) -> list[str]:
        """What the dispatcher would begin."""
        (route,) = routes
        async with self.office.runtime.storage.app.read() as session:
            events = await eventlog.after(session, 0, limit=1000)
            wanted = await route.wants(session, events)
        return list(dict.fromkeys(e.subject_id for e in events if e.position in wanted))


@pytest.fixture
async def sample(office: Office) -> Sample:
    return Sample(await workshop_in(office))


async def test_one_click_shows_routing_a_reply_that_waits_and_a_poisoned_mail_that_was_stopped(
    sample: Sample,
):
    before = await sample.read()
    assert (before["state"], before["canChange"]) == ("absent", True)
    added = await sample.add()
    assert added.status_code == 202, added.text
    assert added.json()["state"] == "fetching"
    shown = await sample.happen()
    print(json.dumps(shown, indent=1, ensure_ascii=False))
    assert (shown["state"], shown["mails"]) == ("ready", shown["expected"])
    assert all(director["routed"] >= 4 for director in shown["directors"])
    replies = [each for each in shown["findings"] if each["kind"] == "reply"]
    (stopped,) = [each for each in shown["findings"] if each["kind"] == "stopped"]
    assert {to for each in replies for to in each["recipients"]} == {
        "helen.marsh@willowpost.example",
        "devi@ramanarchitects.example",
    }
    assert (stopped["recipients"], stopped["reason"]) == ([THIEF], REASON)
    assert {each["status"] for each in shown["findings"]} == {"pending"}
