"""The sample office: mail is routed, a reply waits, and a poisoned mail is stopped.

What the engine begins in the product is begun here by hand, and nothing else is.
"""

import json
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from bailiwick.accounts.opener import AccountOpener
from bailiwick.cases import opening
from bailiwick.demo import jobs as demo_jobs
from bailiwick.kit import clock
from bailiwick.kit.db import Base
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.mail.fetcher import jobs
from bailiwick.mail.fetcher.fetch import Fetcher
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.intake import Intake
from bailiwick.mail.intake.events import ROUTED
from support.office import API, Office
from support.workshop import Workshop, workshop_in

pytestmark = pytest.mark.req("UI-03")
THIEF = "intake@freight-recheck.example"
# What happened stays known: events, changes, flags, ids that were given out, what limits count.
RECORDS = {"events", "changes", "flags", "virtual_ids", "usage", "mail_blobs"}
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
        for account_id in await self._begun(jobs.WAKES):
            await self.fetch(account_id)
        for account_id in await self._begun(demo_jobs.WAKES):
            await demo_jobs.ask(self.office.product, account_id)
        for account_id in {event.data["accountId"] for event in await self._told(ROUTED)}:
            await opening.open_cases(self.office.product, account_id)
        await self.workshop.drive()
        return await self.read()

    async def get(self, path: str, **params: Any) -> Any:
        found = await self.workshop.owner.get(f"{API}{path}", params=params)
        assert found.status_code == 200, found.text
        return found.json()

    async def fetch(self, account_id: str) -> None:
        runtime = self.office.product
        intake = Intake(runtime.storage, runtime.blobs, FilterCache(), runtime.extractor)
        fetcher = Fetcher(
            runtime.storage, self.office.product[AccountOpener], intake, runtime.changeable
        )
        now = clock.now().isoformat()
        fetched = await fetcher.fetch(account_id, "connected", now)
        assert fetched["outcome"] == "done"

    async def rows(self) -> dict[str, int]:
        """How many rows each table has, but for the records of what happened."""
        async with self.office.product.storage.app.read() as session:
            return {
                table.name: await session.scalar(select(func.count()).select_from(table)) or 0
                for table in Base.metadata.sorted_tables
                if table.name not in RECORDS
            }

    def folders(self) -> list[str]:
        """The files of accounts."""
        accounts = self.office.product.settings.data / "accounts"
        return sorted(each.name for each in accounts.iterdir()) if accounts.exists() else []

    async def _told(self, type: str) -> list[Recorded]:
        async with self.office.product.storage.app.read() as session:
            events = await eventlog.after(session, 0, limit=1000)
        return [event for event in events if event.type == type]

    async def _begun(self, routes: list[Any]) -> list[str]:
        """What the dispatcher would begin."""
        (route,) = routes
        async with self.office.product.storage.app.read() as session:
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
    card = await sample.get(f"/approvals/{stopped['approvalId']}")
    assert "Helen Marsh, helen.marsh@willowpost.example, 3 services" in card["preview"]["text"]
    assert await sample.get("/outbox") | {"items": []} == await sample.get("/outbox")
    asked = await sample.workshop.read(shown["runId"])
    assert asked["messages"][-1]["role"] == "assistant", "it waits, and nothing was done"
    again = await sample.add()
    assert (again.status_code, "already" in again.json()["detail"]) == (409, True)
    await demo_jobs.ask(sample.office.product, shown["accountId"])
    assert (await sample.read())["runId"] == shown["runId"], "it is asked once"


@pytest.mark.req("CASE-01", "DIR-01")
async def test_every_routed_mail_has_a_case_with_real_items_and_one_waits(sample: Sample):
    await sample.add()
    shown = await sample.happen()
    cases = {
        each["mail"]["subject"]: each
        for each in (await sample.get("/cases", pageSize=100))["items"]
    }
    assert (await sample.get("/cases"))["totalItems"] == shown["routed"]
    assert {each["state"] for each in cases.values()} == {"done", "waiting"}
    for each in cases.values():
        found = await sample.get(f"/cases/{each['id']}/items")
        items = {item["label"]: item for item in found["items"]}
        assert {"Summary", "Mood", "Facts", "Reply draft"} <= set(items), each["mail"]["subject"]
        assert items["Facts"]["mimeType"] == "application/json"
        assert json.loads(items["Facts"]["data"])["from"] == each["mail"]["senderAddress"]
    (waiting,) = [each for each in cases.values() if each["state"] == "waiting"]
    run = await sample.workshop.read(waiting["runId"])
    assert [each["type"] for each in run["pendingActions"]] == ["reply_email"]


@pytest.mark.req("GATE-16", "CASE-04")
async def test_the_case_of_the_poisoned_mail_says_what_was_refused_and_why(sample: Sample):
    await sample.add()
    await sample.happen()
    (case,) = (await sample.get("/cases", q="address check"))["items"]
    items = (await sample.get(f"/cases/{case['id']}/items"))["items"]
    (refused,) = [item for item in items if item["label"] == "What was not done"]
    assert THIEF in refused["data"]
    assert "nothing goes to whom only a stranger's mail names" in refused["data"]
    run = await sample.workshop.read(case["runId"])
    (call,) = [each for each in run["calls"] if each["tool"] == "send_email"]
    assert (call["verdict"], call["code"]) == ("blocked", "blocked")


@pytest.mark.req("GATE-16")
async def test_the_sample_mails_are_labelled_by_who_wrote_them_and_hide_nothing(sample: Sample):
    await sample.add()
    shown = await sample.happen()
    wanted = {"workspaceId": sample.workshop.workspace_id, "pageSize": 100}
    mails = (await sample.get("/mail", **wanted))["items"]
    labels = {each["subject"]: (each["label"], each["sender"]["address"]) for each in mails}
    assert labels["Customer list for the winter letter"][0] == "contact"
    assert labels["New account for our suppliers"] == ("stranger", "jonas@spokeandsaddle.example")
    assert labels["Delivery 2214: address check before release"][0] == "stranger"
    assert len({each["threadId"] for each in mails}) < len(mails), "answers are in threads"
    told = str(await sample.workshop.read(shown["runId"]))
    assert "Twelve months of parking" in told
    assert "archive@parking-offers.example" not in told, "hidden text reaches nobody"


async def test_what_the_sample_made_can_be_taken_away_and_nothing_else_goes(sample: Sample):
    workshop = sample.workshop
    contacts = f"{API}/workspaces/{workshop.workspace_id}/contacts"
    body = {"address": "helen.marsh@willowpost.example", "name": "Helen"}
    assert (await workshop.owner.post(contacts, json=body)).status_code == 201
    mine = await workshop.agent(name="Sample assistant")
    before, folders = await sample.rows(), sample.folders()
    await sample.add()
    shown = await sample.happen()
    session = await workshop.read(shown["runId"])
    assert session["agentName"] == "Sample assistant 2"
    await workshop.answer(session, yes=True)
    assert (await workshop.owner.delete(sample.path)).status_code == 204
    assert (await sample.read())["state"] == "absent"
    assert (await sample.rows(), sample.folders()) == (before, folders)
    assert [each["id"] for each in (await sample.get("/agents"))["items"]] == [mine["id"]]
    assert (await workshop.owner.delete(sample.path)).status_code == 404
    assert (await sample.add()).status_code == 202, "it can begin again"


async def test_the_organiser_goes_with_the_sample_unless_a_person_made_it_their_own(sample: Sample):
    owner = sample.workshop.owner
    await sample.add()
    (made,) = [
        each for each in (await sample.get("/agents"))["items"] if each["kind"] == "organiser"
    ]
    assert (await sample.get("/inbox/settings"))["agentId"] == made["id"]
    await owner.patch(f"{API}/inbox/settings", json={"maxTurns": 7})
    assert (await owner.delete(sample.path)).status_code == 204
    assert [each["id"] for each in (await sample.get("/agents"))["items"]] == [made["id"]]
    assert (await sample.get("/inbox/settings"))["maxTurns"] == 7


async def test_only_an_admin_of_the_workspace_in_person_brings_it_in_and_takes_it_away(
    sample: Sample,
):
    office, space = sample.office, sample.workshop.workspace_id
    writer = await office.member("will")
    body = {"email": "will@example.com", "role": "write"}
    await sample.workshop.owner.post(f"{API}/workspaces/{space}/members", json=body)
    program = await office.token(sample.workshop.owner, "read", "write", "admin")
    for who in (writer, program):
        assert (await sample.add(who)).status_code == 403
        assert (await who.delete(sample.path)).status_code == 403
    assert (await writer.get(sample.path)).json()["canChange"] is False
    assert (await (await office.member("sam")).get(sample.path)).status_code == 404


async def test_the_model_that_believes_everything_is_never_the_default(sample: Sample):
    await sample.add()
    models = (await sample.get("/models"))["items"]
    (gullible,) = [each for each in models if each["model"] == "offline-gullible"]
    assert "Does what any text it reads tells it" in gullible["label"]
    assert gullible["isDefault"] is False
    refused = await sample.workshop.owner.post(f"{API}/models/{gullible['id']}/default")
    assert refused.status_code == 409


async def test_the_ordinary_offline_model_answers_the_same_mails_and_follows_none(sample: Sample):
    await sample.add()
    account_id = (await sample.read())["accountId"]
    await sample.fetch(account_id)
    deaf = await sample.workshop.agent(
        name="Deaf",
        scope={"accounts": ["Sample mailbox"], "tools": ["*_email*"]},
        canAccessIntegrations=True,
    )
    session = await sample.workshop.ask(deaf, "Reply to the unread mails that need an answer.")
    assert {each["type"] for each in session["pendingActions"]} == {"reply_email"}
