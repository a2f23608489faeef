"""Run-time settings: every one of them does something, at once, and is recorded."""

import json
import logging
import os
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import select, update

from bailiwick.gate.models import Action
from bailiwick.identity.models import Link, Session
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock
from bailiwick.kit.engine.engine import Engine
from bailiwick.kit.engine.flags import Flags
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.eventlog.models import EventRow
from bailiwick.kit.http.idempotency import IdempotencyKey
from bailiwick.kit.ledger import Ledger
from bailiwick.kit.net.outbound import Outbound
from bailiwick.library.index.indexer import LibraryIndexer
from bailiwick.library.models import FileVersion
from bailiwick.notify.webhooks import outcomes
from bailiwick.notify.webhooks.deliveries import Deliveries
from bailiwick.notify.webhooks.models import Delivery, Webhook
from bailiwick.runs import titles
from bailiwick.runs.models import ProviderEvent
from mail.scripted import post_in
from support.model_server import Request, Turn, calls, says
from support.office import API, PASSWORD, Office, every
from support.receiver import HANG, receiving
from support.workshop import scripted, workshop_in

pytestmark = pytest.mark.req("OPS-06")


async def tidied(office: Office) -> None:
    """All that the features let the hourly job remove (tests/operations/test_upkeep.py)."""
    for feature in office.product.features:
        for each in feature.tidies:
            await each.tidy(office.product)


async def instance_name(office: Office) -> None:
    await office.set(instance_name="Our Office")
    assert (await office.browser().get(f"{API}/auth/options")).json()[
        "instanceName"
    ] == "Our Office"


async def password_login(office: Office) -> None:
    await office.owner()
    await office.set(password_login=False)
    body = {"email": "olive@example.com", "password": PASSWORD}
    assert (await office.browser().post(f"{API}/auth/login", json=body)).status_code == 403
    assert (await office.browser().get(f"{API}/auth/options")).json()["password"] is False


async def aged(office: Office, **columns: timedelta) -> int:
    owner = await office.owner()
    values = {name: clock.now() - age for name, age in columns.items()}
    async with office.product.storage.app.write() as session:
        await session.execute(update(Session).values(**values))
    return (await owner.get(f"{API}/auth/whoami")).status_code


async def session_hours(office: Office) -> None:
    assert await aged(office, created_at=timedelta(hours=3)) == 200
    await office.set(session_hours=2)
    assert await aged(office, created_at=timedelta(hours=3)) == 401


async def session_idle_hours(office: Office) -> None:
    assert await aged(office, last_seen_at=timedelta(hours=3)) == 200
    await office.set(session_idle_hours=2)
    assert await aged(office, last_seen_at=timedelta(hours=3)) == 401


async def token_days(office: Office) -> None:
    await office.set(token_days=30)
    owner = await office.owner()
    body = {"name": "t", "scopes": ["read"], "expiresInDays": 31}
    refused = await owner.post(f"{API}/tokens", json=body)
    assert refused.status_code == 400
    assert "expiresInDays" in refused.json()["errors"]
    assert (
        await owner.post(f"{API}/tokens", json={**body, "expiresInDays": 30})
    ).status_code == 201


async def link_hours(office: Office) -> None:
    await office.set(link_hours=1)
    owner = await office.owner()
    made = await owner.post(f"{API}/users", json={"email": "a@example.com", "name": "A"})
    async with office.product.storage.app.read() as session:
        link = (await session.scalars(select(Link))).one()
    assert link.expires_at
    assert link.expires_at - link.created_at == timedelta(hours=1)
    assert made.status_code == 201


async def login_domains(office: Office) -> None:
    """Driven against a real issuer in tests/identity/test_federation.py."""
    await office.set(login_domains=["example.com"])
    refused = await office.operator.patch(
        f"{API}/settings", json={"login_domains": ["not a domain"]}
    )
    assert refused.status_code == 400


async def rate_limit_percent(office: Office) -> None:
    owner = await office.owner()
    assert (await owner.get(f"{API}/status")).headers["X-RateLimit-Limit"] == "300"
    await office.set(rate_limit_percent=10)
    assert (await owner.get(f"{API}/status")).headers["X-RateLimit-Limit"] == "30"


async def idempotency_hours(office: Office) -> None:
    owner = await office.owner()

    async def make() -> str:
        headers = {"Idempotency-Key": "one"}
        made = await owner.post(f"{API}/workspaces", json={"name": "W"}, headers=headers)
        return made.json()["id"]

    first = await make()
    assert await make() == first
    async with office.product.storage.app.write() as session:
        old = clock.now() - timedelta(hours=3)
        await session.execute(update(IdempotencyKey).values(created_at=old))
    assert await make() == first
    await office.set(idempotency_hours=2)
    assert await make() != first


async def backups_kept(office: Office) -> None:
    await office.set(backups_kept=2)
    made = [(await office.operator.post(f"{API}/backups", json={})).json()["name"] for _ in "abc"]
    listed = (await office.operator.get(f"{API}/backups")).json()["items"]
    assert [item["name"] for item in listed] == made[:0:-1]


async def next_backup(office: Office) -> dict[str, str | None]:
    return (await office.operator.get(f"{API}/backups")).json()["schedule"]


async def backup_schedule(office: Office) -> None:
    """Backups by schedule are driven through a real server in tests/operations/test_upkeep.py."""
    await office.set(backup_schedule="every Sunday at 22:30", time_zone="UTC")
    due = datetime.fromisoformat(str((await next_backup(office))["nextAt"]))
    assert (due.strftime("%A"), due.hour, due.minute) == ("Sunday", 22, 30)
    await office.set(backup_schedule="")
    assert (await next_backup(office))["nextAt"] is None


async def time_zone(office: Office) -> None:
    await office.set(backup_schedule="every day at 3:00", time_zone="Asia/Tokyo")
    due = datetime.fromisoformat(str((await next_backup(office))["nextAt"]))
    assert due.astimezone(UTC).hour == 18
    refused = await office.operator.patch(f"{API}/settings", json={"time_zone": "Mars/Olympus"})
    assert "time_zone" in refused.json()["errors"]


async def events_days(office: Office) -> None:
    await office.set(events_days=2, session_hours=5)
    async with office.product.storage.app.write() as session:
        old = clock.now() - timedelta(days=3)
        await session.execute(update(EventRow).values(at=old))
    await office.set(session_hours=6)
    await tidied(office)
    kept = (await office.operator.get(f"{API}/events")).json()["items"]
    assert [event["subjectId"] for event in kept] == ["session_hours"]


async def file_version_days(office: Office) -> None:
    owner = await office.owner()
    workspace = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    tools = f"{API}/workspaces/{workspace}/tools"

    async def used(tool: str, **arguments: str) -> dict[str, Any]:
        given = {"arguments": {"path": "Files/a.md", **arguments}}
        return (await owner.post(f"{tools}/{tool}", json=given)).json()["result"]

    await used("create_file", content="one")
    await used("write_file", content="two")
    await used("write_file", content="three")
    await office.set(file_version_days=2)
    product, day = office.product, timedelta(days=1)
    async with product.storage.app.write() as session:
        for row in await session.scalars(select(FileVersion)):
            row.at -= 3 * day
    for name in product.blobs.names():
        os.utime(product.blobs.path(name), times=(0, 0))  # nobody is about to use it
    await tidied(office)
    kept = (await used("list_file_versions"))["versions"]
    assert [each["size"] for each in kept] == [len("three")]
    assert [product.blobs.read(name) for name in product.blobs.names()] == [b"three"]


async def sent_test(office: Office, url: str = "https://hooks.example.com/") -> str:
    """A delivery that waits."""
    body = {"name": "Build", "url": "https://hooks.example.com/", "types": ["*"]}
    webhook = (await office.operator.post(f"{API}/webhooks", json=body)).json()["id"]
    async with office.product.storage.app.write() as session:
        await session.execute(update(Webhook).values(url=url))
    return (await office.operator.post(f"{API}/webhooks/{webhook}/test")).json()["id"]


def deliveries(office: Office) -> Deliveries:
    runtime, storage = office.product, office.product.storage
    return Deliveries(
        storage=storage,
        vault=runtime.vault,
        engine=Engine(storage),
        flags=Flags(storage),
        outbound=Outbound([ip_network("127.0.0.1")]),
        settings=runtime.changeable,
        origin=runtime.settings.origin,
    )


async def webhook_timeout_seconds(office: Office) -> None:
    await office.set(webhook_timeout_seconds=1)
    with receiving("127.0.0.1", HANG) as receiver:
        outcome = await deliveries(office).send(await sent_test(office, receiver.url), 1)
    assert outcome
    assert "did not answer within 1 second" in str(outcome["error"])


async def webhook_retry_seconds(office: Office) -> None:
    await office.set(webhook_retry_seconds=[3600])
    id, jobs = await sent_test(office), deliveries(office)
    outcome = outcomes.failed("nobody there", at=clock.now(), milliseconds=1)
    following = await jobs.record(id, 1, outcome)
    assert following
    wait = datetime.fromisoformat(following[1]) - clock.now()
    assert timedelta(minutes=59) < wait <= timedelta(hours=1)
    assert await jobs.record(id, 2, outcome) is None
    for bad in ([-1], [172_801], [0] * 21, ["10"]):
        refused = await office.operator.patch(
            f"{API}/settings", json={"webhook_retry_seconds": bad}
        )
        assert refused.status_code == 400, bad


async def webhook_log_days(office: Office) -> None:
    await office.set(webhook_log_days=2)
    old, recent = [await sent_test(office) for _ in "ab"]
    store = office.product.storage.app
    async with store.write() as session:
        for id, days in ((old, 3), (recent, 1)):
            values = {"status": "failed", "finished_at": clock.now() - timedelta(days=days)}
            await session.execute(update(Delivery).where(Delivery.id == id).values(**values))
    await tidied(office)
    async with store.read() as session:
        assert list(await session.scalars(select(Delivery.id))) == [recent]


async def approval_hours(office: Office) -> None:
    await office.set(approval_hours=2)
    owner = await office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    program = await office.token(owner, "read", "write")
    body = {"arguments": {"path": "Files/a.txt", "to": "Files/b.txt"}}
    await program.post(f"{API}/workspaces/{space}/tools/move_file", json=body)
    (waiting,) = (await owner.get(f"{API}/approvals")).json()["items"]
    created, ends = (datetime.fromisoformat(waiting[k]) for k in ("createdAt", "expiresAt"))
    assert ends - created == timedelta(hours=2)


async def fetcher_running(office: Office) -> None:
    """Fetches themselves are driven in tests/mail/test_fetcher.py."""
    post = await post_in(office)
    id, _ = await post.account()
    assert (await post.status(id))["nextAt"]
    await office.set(fetcher_running=False)
    assert (await post.status(id))["nextAt"] is None
    assert (await post.fetch(id))["outcome"] == "skipped"


async def fetch_minutes(office: Office) -> None:
    post = await post_in(office)
    id, _ = await post.account()
    await post.fetch(id)
    await office.set(fetch_minutes=60)
    shown = await post.status(id)
    began, following = (datetime.fromisoformat(shown[k]) for k in ("startedAt", "nextAt"))
    assert following - began == timedelta(hours=1)


async def library_scan_minutes(office: Office) -> None:
    """Scans themselves are driven in tests/library/test_index.py."""
    await office.set(library_scan_minutes=120)
    owner = await office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    made = await owner.post(f"{API}/workspaces/{space}/notebooks", json={"name": "Scanned"})
    until = await office.product[LibraryIndexer].scan_due()
    assert 119 * 60 < until <= 120 * 60
    shown = f"{API}/workspaces/{space}/notebooks/{made.json()['id']}/index"
    last = (await owner.get(shown)).json()
    ended, due = (datetime.fromisoformat(last[name]) for name in ("finishedAt", "nextAt"))
    assert due - ended == timedelta(hours=2)


async def speech_model(office: Office) -> None:
    """What it hears is shown in tests/library/test_index_documents.py."""
    owner = await office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    at = f"{API}/workspaces/{space}/files/content"
    wave = b"RIFF\x00\x00\x00\x00WAVEfmt "
    assert (await owner.put(at, params={"path": "Files/a.wav"}, content=wave)).is_success
    await office.set(speech_model="Ears")
    call = {"arguments": {"path": "Files/a.wav"}}
    got = await owner.post(f"{API}/workspaces/{space}/tools/get_file", json=call)
    assert "no model “Ears”" in got.json()["result"]["problem"]


async def outbox_delay_seconds(office: Office) -> None:
    await office.set(outbox_delay_seconds=120)
    owner = await office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    account = {"workspaceId": space, "connector": "local"}
    account |= {"settings": {"address": "olive@example.com"}}
    await owner.post(f"{API}/accounts", json=account)
    mail = {"arguments": {"to": ["ada@example.org"], "subject": "s", "body": "b"}}
    await owner.post(f"{API}/workspaces/{space}/tools/send_email", json=mail)
    (held,) = (await owner.get(f"{API}/outbox")).json()["items"]
    due, made = (datetime.fromisoformat(held[name]) for name in ("dueAt", "createdAt"))
    assert due - made == timedelta(minutes=2)


async def activity_days(office: Office) -> None:
    await office.set(activity_days=2)
    owner = await office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    for title in "ab":
        body = {"arguments": {"title": title}}
        await owner.post(f"{API}/workspaces/{space}/tools/create_task", json=body)
    recent, old = (await owner.get(f"{API}/actions")).json()["items"]
    async with office.product.storage.app.write() as session:
        ago = clock.now() - timedelta(days=3)
        await session.execute(update(Action).where(Action.id == old["id"]).values(created_at=ago))
    await tidied(office)
    left = (await owner.get(f"{API}/actions")).json()["items"]
    assert [item["id"] for item in left] == [recent["id"]]


async def diagnostics_days(office: Office) -> None:
    await office.set(diagnostics_days=2)
    shop = await workshop_in(office)
    agent = await shop.agent()
    run = await shop.ask(agent, "Hello.")
    path = f"{API}/runs/{run['id']}/events"
    old, *_ = (await shop.owner.get(path)).json()["items"]
    async with office.product.storage.app.write() as session:
        ago = clock.now() - timedelta(days=3)
        mine = ProviderEvent.id == old["id"]
        await session.execute(update(ProviderEvent).where(mine).values(at=ago))
    await tidied(office)
    left = (await shop.owner.get(path)).json()["items"]
    assert left
    assert old["id"] not in [item["id"] for item in left]


async def audit_days(office: Office) -> None:
    await office.set(audit_days=30)
    owner = await office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    await owner.post(f"{API}/workspaces/{space}/tools/list_tasks", json={})
    await office.product[Ledger].seal()
    with pytest.MonkeyPatch.context() as patch:
        later = clock.now() + timedelta(days=31)
        patch.setattr(clock, "now", lambda: later)
        await tidied(office)
    assert (await office.operator.get(f"{API}/audit")).json()["items"] == []
    assert (await office.operator.post(f"{API}/audit/verify")).json()["isClean"]


async def audit_anchor_file(office: Office) -> None:
    with TemporaryDirectory() as elsewhere:
        kept = Path(elsewhere) / "kept.jsonl"
        await office.set(audit_anchor_file=str(kept))
        owner = await office.owner()
        space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
        await owner.post(f"{API}/workspaces/{space}/tools/list_tasks", json={})
        await office.product[Ledger].seal()
        report = (await office.operator.post(f"{API}/audit/verify")).json()
        assert report["anchoredAt"] == report["sealedAt"]
        line = json.loads(kept.read_text().splitlines()[-1])
        kept.write_text(json.dumps({**line, "signature": "00" * 32}) + "\n")
        report = (await office.operator.post(f"{API}/audit/verify")).json()
        assert [found["kind"] for found in report["problems"]] == ["anchor_differs"]
        kept.unlink()
        copy = {"anchor": json.dumps({**line, "number": 99})}
        report = (await office.operator.post(f"{API}/audit/verify", json=copy)).json()
        assert [found["kind"] for found in report["problems"]] == ["rolled_back"]


async def audit_anchor_keyring(office: Office) -> None:
    kept = dict[tuple[str, str], str]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("keyring.get_password", lambda *place: kept.get(place))
        patch.setattr("keyring.set_password", lambda *given: kept.update({given[:2]: given[2]}))
        await office.set(audit_anchor_keyring=True)
        await office.product[Ledger].append({})
        await office.product[Ledger].seal()
        report = (await office.operator.post(f"{API}/audit/verify")).json()
        assert report["anchoredAt"] == report["sealedAt"]
        ((place, text),) = kept.items()
        kept[place] = json.dumps({**json.loads(text), "signature": "00" * 32})
        report = (await office.operator.post(f"{API}/audit/verify")).json()
        assert [found["kind"] for found in report["problems"]] == ["anchor_differs"]
        # What the audit lacks is kept, and told.
        await office.product[Ledger].append({})
        await office.product[Ledger].seal()
        assert "00" * 32 in kept[place]
        status = (await office.operator.get(f"{API}/audit/status")).json()
        assert "that the audit lacks" in status["anchorFailure"]


async def audit_anchor_events(office: Office) -> None:
    await office.set(audit_anchor_events=True)
    await office.product[Ledger].append({})
    await office.product[Ledger].seal()
    async with office.product.storage.app.read() as session:
        told = await eventlog.last_of(session, ["audit.sealed"])
    assert told
    against = f"{told.data['number']}:{told.data['digest']}"
    answer = await office.operator.post(f"{API}/audit/verify", json={"against": against})
    report = answer.json()
    assert (report["isClean"], report["mark"]) == (True, against)
    assert report["anchoredAt"] == report["sealedAt"]
    other = f"{told.data['number']}:{'0' * 64}"
    answer = await office.operator.post(f"{API}/audit/verify", json={"against": other})
    assert [found["kind"] for found in answer.json()["problems"]] == ["anchor_differs"]


async def session_timeout_minutes(office: Office) -> None:
    shop = await workshop_in(office)
    await office.set(session_timeout_minutes=30)

    def answer(request: Request) -> Turn:
        name = next((tool for tool in request.tools if tool.startswith("agent__")), None)
        asks = name and not request.results
        return calls(name, {"input": "Do it."}) if asks else says("Done.")

    with scripted(answer) as server:
        model = await shop.model(server)
        other = await shop.agent(name="Helper", modelId=model)
        director = await shop.agent(
            name="Director", kind="director", modelId=model, colleagues=[other["id"]]
        )
        (child,) = (await shop.ask(director, "Have it done."))["children"]
    moments = [datetime.fromisoformat(child[name]) for name in ("lastActiveAt", "expiresAt")]
    assert timedelta(minutes=30) <= moments[1] - moments[0] < timedelta(minutes=31)


async def session_titles(office: Office) -> None:
    shop = await workshop_in(office)
    await office.set(session_titles=False)
    with scripted(says("Done.")) as server:
        agent = await shop.agent(modelId=await shop.model(server))
        made = await shop.ask(agent, "Look through my list and say what is urgent. " * 3)
        assert await titles.entitle(office.product, made["id"]) == "switched off"
        assert len(server.requests) == 1
        await office.set(session_titles=True)
        await titles.entitle(office.product, made["id"])
        assert "title" in server.requests[1].system


async def log_level(office: Office) -> None:
    before = logging.getLogger().level
    try:
        await office.set(log_level="error")
        await office.browser().get(f"{API}/auth/options")
        assert logging.getLogger().level == logging.ERROR
    finally:
        logging.getLogger().setLevel(before)


EFFECTS = (
    instance_name,
    password_login,
    session_hours,
    session_idle_hours,
    token_days,
    link_hours,
    login_domains,
    rate_limit_percent,
    idempotency_hours,
    backups_kept,
    backup_schedule,
    time_zone,
    events_days,
    file_version_days,
    webhook_timeout_seconds,
    webhook_retry_seconds,
    webhook_log_days,
    approval_hours,
    fetcher_running,
    fetch_minutes,
    library_scan_minutes,
    speech_model,
    outbox_delay_seconds,
    activity_days,
    diagnostics_days,
    audit_days,
    audit_anchor_file,
    audit_anchor_keyring,
    audit_anchor_events,
    session_timeout_minutes,
    session_titles,
    log_level,
)


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.__name__)
async def test_the_setting_does_something_at_once(office: Office, effect):
    await effect(office)


def test_every_setting_has_a_test_of_its_effect():
    assert {effect.__name__ for effect in EFFECTS} == set(RuntimeSettings.model_fields)


async def test_settings_are_described_and_return_to_their_default(office: Office):
    await office.set(session_hours=5)
    await office.set(session_hours=None)
    items = await every(office.operator, "/settings")
    assert all(item["description"] for item in items)
    (hours,) = [item for item in items if item["name"] == "session_hours"]
    assert hours["value"] == hours["default"] == 336


async def test_a_bad_value_is_refused_by_name_and_changes_nothing(office: Office):
    body = {"session_hours": 0, "instance_name": "New"}
    refused = await office.operator.patch(f"{API}/settings", json=body)
    assert refused.status_code == 400
    assert list(refused.json()["errors"]) == ["session_hours"]
    unknown = await office.operator.patch(f"{API}/settings", json={"sesion_hours": 5})
    assert "sesion_hours" in unknown.json()["errors"]
    assert (await office.browser().get(f"{API}/auth/options")).json()["instanceName"] == "Bailiwick"


@pytest.mark.req("ID-07")
async def test_a_change_is_recorded_with_who_before_and_after(office: Office):
    owner = await office.owner()
    await owner.patch(f"{API}/settings", json={"session_hours": 7})
    params = {"action": "settings.changed", "subject": "session_hours"}
    (line,) = (await owner.get(f"{API}/changes", params=params)).json()["items"]
    assert line["actorName"] == "Olive Owner"
    assert (line["before"], line["after"]) == ({"session_hours": 336}, {"session_hours": 7})
    assert line["traceId"]
