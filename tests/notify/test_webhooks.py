"""Webhooks through the API: who may make them, what is refused, and what is never shown again."""

import ast
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

import bailiwick
from bailiwick.kit import clock
from bailiwick.kit.engine.flags import FlagRow
from bailiwick.notify.webhooks import repository, signatures, types
from bailiwick.notify.webhooks.models import Delivery, DeliveryAttempt, Webhook
from support.office import API, Office, every, user_id

pytestmark = pytest.mark.req("EVT-02")
URL = "https://hooks.example.com/in"
BODY = {"name": "Build", "url": URL, "types": ["workspace.*"]}
WEBHOOKS = f"{API}/webhooks"
ROOT = Path(__file__).parents[2]


async def made(person: httpx.AsyncClient, **given: Any) -> dict[str, Any]:
    answer = await person.post(WEBHOOKS, json={**BODY, **given})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def tried_out(person: httpx.AsyncClient, id: str) -> dict[str, Any]:
    answer = await person.post(f"{WEBHOOKS}/{id}/test")
    assert answer.status_code == 202, answer.text
    return answer.json()


async def test_a_webhook_is_made_shown_changed_and_removed(any_office: Office):
    owner = await any_office.owner()
    webhook = await made(owner)
    secret = webhook.pop("secret")
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", secret)
    assert re.fullmatch(r"whk-[a-z0-9]{12}", webhook["id"])
    assert webhook == {
        "id": webhook["id"],
        "createdAt": webhook["createdAt"],
        "name": "Build",
        "url": URL,
        "types": ["workspace.*"],
        "workspaceId": None,
        "format": "bailiwick",
        "active": True,
        "disabledReason": None,
        "ownerId": await user_id(owner),
        "ownerName": "Olive Owner",
        "lastDelivery": None,
    }
    one = f"{WEBHOOKS}/{webhook['id']}"
    assert (await owner.get(WEBHOOKS)).json()["items"] == [webhook]
    assert (await owner.get(one)).json() == webhook
    patch = {"name": "Deploy", "types": ["*", "user.created", "*"], "format": "cloudevents"}
    changed = await owner.patch(one, json=patch)
    assert changed.json() == {**webhook, **patch, "types": ["*", "user.created"]}
    assert (await owner.delete(one)).status_code == 204
    assert (await owner.get(one)).status_code == 404
    assert (await owner.get(WEBHOOKS)).json()["items"] == []


async def test_every_change_is_recorded_and_told_without_the_secret(any_office: Office):
    owner = await any_office.owner()
    webhook = await made(owner)
    one = f"{WEBHOOKS}/{webhook['id']}"
    await owner.patch(one, json={"name": "Deploy"})
    await owner.patch(one, json={"name": "Deploy"})
    renewed = (await owner.post(f"{one}/secret")).json()["secret"]
    await owner.delete(one)
    answer = await owner.get(f"{API}/changes", params={"subject": webhook["id"]})
    lines = answer.json()["items"][::-1]
    assert [line["action"].removeprefix("webhook.") for line in lines] == [
        *("created", "changed", "changed", "deleted")
    ]
    assert (lines[1]["before"]["name"], lines[1]["after"]["name"]) == ("Build", "Deploy")
    events = (await owner.get(f"{API}/events", params={"types": "webhook.*"})).text
    assert events.count(webhook["id"]) == 4
    for secret in (webhook["secret"], renewed):
        assert secret not in answer.text + events


async def test_only_admins_see_and_make_webhooks(office: Office):
    member = await office.member("sam")
    assert (await member.get(WEBHOOKS)).status_code == 403
    assert (await member.post(WEBHOOKS, json=BODY)).status_code == 403
    program = await office.token(await office.owner(), "read", "write")
    assert (await program.post(WEBHOOKS, json=BODY)).status_code == 403
    program = await office.token(await office.owner(), "read", "write", "admin")
    assert (await made(program))["ownerName"] == "Olive Owner"
    operators = await made(office.operator)
    assert operators["ownerId"] is None
    assert operators["ownerName"] == "Operator (command line)"


async def test_another_admin_cannot_see_with_the_owners_eyes(any_office: Office):
    owner, other = await any_office.owner(), await any_office.member("adam", role="admin")
    for maker in (owner, any_office.operator):
        webhook = await made(maker)
        one = f"{WEBHOOKS}/{webhook['id']}"
        for patch in (
            {"url": "https://adam.example.com/"},
            {"types": ["*"]},
            {"workspaceId": None},
        ):
            refused = await other.patch(one, json=patch)
            assert refused.status_code == 403, patch
            assert "owner" in refused.json()["detail"]
        assert (await other.post(f"{one}/secret")).status_code == 403
        delivery = f"{one}/deliveries/{(await tried_out(other, webhook['id']))['id']}"
        assert (await maker.get(delivery)).json()["payload"]["event_type"] == "webhook.test"
        assert (await other.get(delivery)).json()["payload"] is None
        assert (await other.patch(one, json={"active": False})).status_code == 200
        assert (await other.delete(one)).status_code == 204


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ("workspace.rename", "workspace.renamed"),
        ("worksapce.*", "workspace.*"),
        ("users.created", "user.created"),
        ("workspace", "workspace.*"),
        ("webhook.test", "webhook.*"),
    ],
)
async def test_an_unknown_type_is_refused_with_the_nearest(
    office: Office, given: str, nearest: str
):
    answer = await (await office.owner()).post(WEBHOOKS, json={**BODY, "types": ["*", given]})
    assert answer.status_code == 400
    (said,) = answer.json()["errors"]["types"]
    assert f"'{given}'" in said
    assert f"'{nearest}'" in said


async def test_types_that_would_feed_on_themselves_are_refused_with_the_reason(office: Office):
    owner = await office.owner()
    for type in ("webhook.delivered", "webhook.failed"):
        answer = await owner.post(WEBHOOKS, json={**BODY, "types": [type]})
        assert "lead to another" in answer.json()["errors"]["types"][0]
    for internal in ("flag.raised", "delivery.requested"):
        answer = await owner.post(WEBHOOKS, json={**BODY, "types": [internal]})
        assert answer.status_code == 400


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1/", "loopback"),
        ("http://127.1:8080/x", ""),
        ("http://[::1]/", "loopback"),
        ("http://10.0.0.7/", "private"),
        ("http://169.254.169.254/latest/meta-data", "link-local"),
        ("http://[::ffff:192.168.1.1]/", "private"),
        ("ftp://hooks.example.com/", "https://"),
        ("https://user:pass@hooks.example.com/", "password"),
        ("https://hooks.example.com/#x", "#"),
        ("javascript:alert(1)", "https://"),
        ("hooks.example.com", ""),
        ("https://hooks.example.com/\x00", "invisible"),
    ],
)
async def test_an_address_that_may_not_be_reached_is_refused_by_name(
    office: Office, url: str, reason: str
):
    owner = await office.owner()
    answer = await owner.post(WEBHOOKS, json={**BODY, "url": url})
    assert answer.status_code == 400
    assert reason in answer.json()["errors"]["url"][0]
    id = (await made(owner))["id"]
    assert (await owner.patch(f"{WEBHOOKS}/{id}", json={"url": url})).status_code == 400
    assert (await owner.get(f"{WEBHOOKS}/{id}")).json()["url"] == URL


async def test_there_are_bounds(office: Office):
    await office.set(rate_limit_percent=100_000)
    owner = await office.owner()
    for bad in (
        {"url": "https://hooks.example.com/" + "x" * 2000},
        {"types": []},
        {"types": ["user.created"] * 51},
        {"format": "xml"},
        {"name": ""},
    ):
        answer = await owner.post(WEBHOOKS, json={**BODY, **bad})
        assert answer.status_code == 400, bad
        assert next(iter(bad)) in answer.json()["errors"]
    for _ in range(50):
        await made(owner)
    full = await owner.post(WEBHOOKS, json=BODY)
    assert full.status_code == 422
    assert "50" in full.json()["detail"]


async def test_only_a_workspace_that_one_may_enter_can_be_chosen(office: Office):
    owner = await office.owner()
    other = await office.member("adam", role="admin")
    own = (await other.post(f"{API}/workspaces", json={"name": "Adam's"})).json()["id"]
    assert (await owner.post(WEBHOOKS, json={**BODY, "workspaceId": own})).status_code == 404
    assert (await made(other, workspaceId=own))["workspaceId"] == own
    assert (await made(office.operator, workspaceId=own))["workspaceId"] == own
    missing = {**BODY, "workspaceId": "wsp-aaaaaaaaaaaa"}
    assert (await office.operator.post(WEBHOOKS, json=missing)).status_code == 404


async def test_the_old_secret_is_valid_for_24_hours(any_office: Office):
    owner, vault = await any_office.owner(), any_office.product.vault
    webhook = await made(owner)
    renewed = (await owner.post(f"{WEBHOOKS}/{webhook['id']}/secret")).json()["secret"]
    assert renewed != webhook["secret"]

    async def valid(after: timedelta) -> list[str]:
        async with any_office.product.storage.app.read() as session:
            row = await repository.get(session, webhook["id"])
        found = signatures.secrets_of(row, vault, at=clock.now() + after)
        return [secret.get_secret_value() for secret in found]

    assert await valid(timedelta()) == [renewed, webhook["secret"]]
    assert await valid(timedelta(hours=23, minutes=59)) == [renewed, webhook["secret"]]
    assert await valid(timedelta(hours=24, seconds=1)) == [renewed]


@pytest.mark.req("ACC-05")
async def test_secrets_survive_a_rotation_of_the_vaults_key(any_office: Office):
    owner, runtime = await any_office.owner(), any_office.product
    webhook = await made(owner)
    renewed = (await owner.post(f"{WEBHOOKS}/{webhook['id']}/secret")).json()["secret"]
    assert (await any_office.operator.post(f"{API}/vault/rotate")).status_code == 200
    assert (await any_office.operator.post(f"{API}/vault/prune")).status_code == 200
    async with runtime.storage.app.read() as session:
        row = await repository.get(session, webhook["id"])
    found = signatures.secrets_of(row, runtime.vault, at=clock.now())
    assert [secret.get_secret_value() for secret in found] == [renewed, webhook["secret"]]


async def test_a_webhook_that_is_off_sends_nothing_until_it_is_on(any_office: Office):
    owner = await any_office.owner()
    id = (await made(owner))["id"]
    one = f"{WEBHOOKS}/{id}"
    delivery = await tried_out(owner, id)
    assert (await owner.get(one)).json()["lastDelivery"]["status"] == "waiting"
    await owner.patch(one, json={"active": False})
    stopped = (await owner.get(f"{one}/deliveries/{delivery['id']}")).json()
    assert stopped["status"] == "cancelled"
    assert stopped["finishedAt"]
    assert (await owner.post(f"{one}/test")).status_code == 409
    again = f"{one}/deliveries/{delivery['id']}/redeliver"
    assert (await owner.post(again)).status_code == 409
    async with any_office.product.storage.app.write() as session:
        assert await session.get(FlagRow, f"webhook:{id}")
        await session.execute(update(Webhook).values(failures=9, disabled_reason="broken"))
    on = (await owner.patch(one, json={"active": True})).json()
    assert (on["active"], on["disabledReason"]) == (True, None)
    async with any_office.product.storage.app.read() as session:
        assert await session.get(FlagRow, f"webhook:{id}") is None
        assert (await repository.get(session, id)).failures == 0
    assert (await owner.post(again)).json()["status"] == "waiting"


async def test_removing_a_webhook_takes_its_log_along_and_stops_what_is_sent(any_office: Office):
    owner = await any_office.owner()
    id = (await made(owner))["id"]
    await tried_out(owner, id)
    await owner.delete(f"{WEBHOOKS}/{id}")
    async with any_office.product.storage.app.read() as session:
        assert await session.scalar(select(func.count()).select_from(Delivery)) == 0
        flag = await session.get_one(FlagRow, f"webhook:{id}")
    assert flag.until
    assert timedelta(hours=23) < flag.until - clock.now() <= timedelta(days=1)


async def test_deliveries_are_listed_in_pages_and_by_status(any_office: Office):
    owner = await any_office.owner()
    id = (await made(owner))["id"]
    sent = [(await tried_out(owner, id))["id"] for _ in range(3)]
    deliveries = f"{WEBHOOKS}/{id}/deliveries"
    first = (await owner.get(deliveries, params={"PageSize": 2})).json()
    assert [item["id"] for item in first["items"]] == sent[:0:-1]
    query = {"PageSize": 2, "ContinuationToken": first["continuationToken"]}
    rest = (await owner.get(deliveries, params=query)).json()
    assert [item["id"] for item in rest["items"]] == sent[:1]
    assert (await owner.get(deliveries, params={"status": "waiting"})).json()["totalItems"] == 3
    assert (await owner.get(deliveries, params={"status": "failed"})).json()["totalItems"] == 0
    assert (await owner.get(deliveries, params={"status": "lost"})).status_code == 400
    another = (await made(owner))["id"]
    assert (await owner.get(f"{WEBHOOKS}/{another}/deliveries/{sent[0]}")).status_code == 404
    assert (await owner.get(f"{WEBHOOKS}/whk-aaaaaaaaaaaa/deliveries")).status_code == 404


async def test_old_deliveries_are_forgotten_with_their_attempts_but_open_ones_stay(
    any_office: Office,
):
    owner, store = await any_office.owner(), any_office.product.storage.app
    id = (await made(owner))["id"]
    old, recent, waiting = [(await tried_out(owner, id))["id"] for _ in range(3)]
    async with store.write() as session:
        for name, days in ((old, 31), (recent, 29)):
            at = clock.now() - timedelta(days=days)
            values = {"status": "failed", "finished_at": at, "created_at": at}
            await session.execute(update(Delivery).where(Delivery.id == name).values(**values))
            session.add(DeliveryAttempt(delivery_id=name, number=1, at=at, milliseconds=1))
        await session.execute(
            update(Delivery)
            .where(Delivery.id == waiting)
            .values(created_at=clock.now() - timedelta(days=99))
        )
    async with store.write() as session:
        await repository.forget_older_than(session, 30)
    async with store.read() as session:
        assert set(await session.scalars(select(Delivery.id))) == {recent, waiting}
        assert set(await session.scalars(select(DeliveryAttempt.delivery_id))) == {recent}


async def test_the_same_key_makes_one_webhook_and_shows_the_same_secret(any_office: Office):
    owner = await any_office.owner()
    headers = {"Idempotency-Key": "one"}
    answers = [await owner.post(WEBHOOKS, json=BODY, headers=headers) for _ in "ab"]
    assert answers[0].json()["secret"] == answers[1].json()["secret"]
    assert len((await owner.get(WEBHOOKS)).json()["items"]) == 1


def recorded_types(source: str) -> set[str]:
    """The names of events in calls that record some."""
    return {
        part.value
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func).rpartition(".")[2]
        in ("record", "_record", "emit", "_emit", "Event")
        for part in ast.walk(call)
        if isinstance(part, ast.Constant) and re.fullmatch(r"[a-z]+\.[a-z_]+", str(part.value))
    }


def test_the_catalogue_has_every_type_that_the_code_records_and_no_other():
    folder = Path(bailiwick.__file__).parent
    sources = [path.read_text() for path in folder.rglob("*.py") if path.name != "types.py"]
    recorded = set[str]().union(*map(recorded_types, sources))
    assert recorded - {types.REQUESTED, "flag.raised"} - types.NEVER_SENT <= set(types.CATALOGUE)
    named = "\n".join(sources)
    assert not [type for type in types.CATALOGUE if f'"{type}"' not in named]


async def test_the_catalogue_is_served_and_documented(office: Office):
    owner = await office.owner()
    items = await every(owner, "/events/types")
    assert {item["type"]: item["description"] for item in items} == types.CATALOGUE
    section = (ROOT / "docs/webhooks.md").read_text().partition("| type | when |")[2]
    lines = re.findall(r"^\| `(\w+\.\w+)` \| (.+) \|$", section, re.MULTILINE)
    assert dict(lines) == types.CATALOGUE


def test_patterns_match_by_name_by_kind_or_all():
    assert types.matches("workspace.renamed", ["workspace.renamed"])
    assert types.matches("workspace.renamed", ["user.*", "workspace.*"])
    assert types.matches("workspace.renamed", ["*"])
    assert not types.matches("workspace.renamed", ["user.*", "workspace.created"])
    assert not types.matches("workspaces.renamed", ["workspace.*"])
    assert not types.is_sent("user.created", ())
