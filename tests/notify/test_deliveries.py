"""Deliveries of a real server to real receivers: signed, retried, logged, and never astray."""

import base64
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text, update
from typer.testing import CliRunner

from bailiwick import __version__
from bailiwick.cli import app
from bailiwick.errors import BailiwickError
from bailiwick.kit import clock
from bailiwick.notify.webhooks.models import Webhook
from support.office import API
from support.posting import (
    ALLOWED,
    FORBIDDEN,
    QUICK,
    WEBHOOKS,
    Posting,
    good,
    own_database,
    posting,
)
from support.receiver import HANG, Receiver, Reply, receiving, signature
from support.server import PATIENCE, wait_for

pytestmark = pytest.mark.req("EVT-02")
FAILING = Reply(500, b"out of order")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Posting]:
    """One server for all tests, on each database."""
    data = tmp_path_factory.mktemp("posting") / "data"
    if request.param == "sqlite":
        with posting(data, None) as made:
            yield made
        return
    with own_database(request.getfixturevalue("postgresql")) as url, posting(data, url) as made:
        yield made


# For what the database has no part in.
on_sqlite = pytest.mark.parametrize("place", ["sqlite"], indirect=True)


@pytest.fixture
def post(place: Posting) -> Iterator[Posting]:
    yield place
    place.clear()
    place.set(**QUICK)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving(ALLOWED) as made:
        yield made


@pytest.mark.req("EVT-04")
def test_an_event_arrives_once_signed_and_in_the_form_of_the_seed(
    post: Posting, receiver: Receiver
):
    hook = post.hook(receiver, "workspace.*")
    workspace = post.rename()
    (request,) = receiver.wait()
    assert request.path == "/in"
    payload = request.payload
    assert payload == {
        "event_id": request.headers["webhook-id"],
        "event_type": "workspace.renamed",
        "timestamp": payload["timestamp"],
        "user_id": post.id_of(post.owner),
        "workspace_id": workspace,
        "subject_id": workspace,
        "data": {},
        "webhook_id": hook.id,
        "delivery_attempt": 1,
    }
    assert payload["timestamp"].endswith("Z")
    assert request.headers["content-type"] == "application/json"
    assert request.headers["user-agent"] == f"Bailiwick/{__version__}"
    assert abs(int(request.headers["webhook-timestamp"]) - time.time()) < 60
    assert request.signatures == [signature(hook.secret, request)]
    delivery = hook.wait_until("delivered")
    assert delivery["payload"] == payload
    assert (delivery["attempts"], delivery["lastStatus"], delivery["lastError"]) == (1, 200, None)
    assert [line["status"] for line in delivery["log"]] == [200]
    last = hook.shown()["lastDelivery"]
    assert last == {"status": "delivered", "at": delivery["finishedAt"]}
    assert len(receiver.received) == 1


@pytest.mark.req("EVT-04")
@on_sqlite
def test_a_webhook_can_ask_for_cloud_events(post: Posting, receiver: Receiver):
    hook = post.hook(receiver, format="cloudevents")
    workspace = post.rename()
    (request,) = receiver.wait()
    assert request.headers["content-type"] == "application/cloudevents+json"
    payload = request.payload
    assert (payload["specversion"], payload["source"]) == ("1.0", post.server.origin)
    assert (payload["id"], payload["subject"]) == (request.headers["webhook-id"], workspace)
    assert (payload["webhookid"], payload["deliveryattempt"]) == (hook.id, 1)
    assert request.signatures == [signature(hook.secret, request)]


@pytest.mark.req("OBS-01")
@on_sqlite
def test_the_id_of_the_request_goes_along_to_the_receiver_and_into_the_jobs_log(
    post: Posting, receiver: Receiver
):
    hook, workspace = post.hook(receiver, "workspace.renamed"), post.workspace()
    id = f"browser-{hook.id}"
    named = post.owner.patch(
        f"{API}/workspaces/{workspace}", json={"name": "W"}, headers={"X-Correlation-Id": id}
    )
    good(named)
    (request,) = receiver.wait()
    assert request.headers["x-correlation-id"] == id
    hook.wait_until("delivered")
    lines = [
        line for line in post.server.output().splitlines() if f'"correlationId": "{id}"' in line
    ]
    assert any('"logger": "bailiwick.webhooks"' in line for line in lines), lines


@on_sqlite
def test_only_what_was_asked_for_arrives(post: Posting, receiver: Receiver):
    with receiving(ALLOWED) as narrow, receiving(ALLOWED) as elsewhere:
        here, there = post.workspace(), post.workspace()
        post.hook(receiver, "workspace.*")
        post.hook(narrow, "workspace.created", "user.changed")
        post.hook(elsewhere, "*", workspaceId=there)
        post.rename(here)
        post.rename(there)
        good(post.owner.patch(f"{API}/users/me", json={"name": "Olive Owner"}))
        narrow.wait_for_type("user.changed")
        receiver.wait_for_type("workspace.renamed", 2)
        elsewhere.wait_for_type("workspace.renamed")
        assert set(receiver.types) == {"workspace.renamed"}
        assert narrow.types == ["user.changed"]
        assert [r.payload["workspace_id"] for r in elsewhere.received] == [there]


@on_sqlite
def test_a_test_goes_to_one_webhook_alone(post: Posting, receiver: Receiver):
    with receiving(ALLOWED) as other:
        hook = post.hook(receiver)
        all_of_it = post.hook(other, "*")
        delivery = hook.test()
        assert hook.wait_until("delivered", delivery)["eventType"] == "webhook.test"
        assert receiver.types == ["webhook.test"]
        assert receiver.received[0].payload["user_id"] == post.id_of(post.owner)
        post.rename()
        other.wait_for_type("workspace.renamed")
        # What is listed arrives a moment later.
        wait_for(lambda: {d["eventType"] for d in all_of_it.deliveries()} == set(other.types))
        assert "webhook.test" not in other.types
        assert "delivery.requested" not in other.types


@on_sqlite
def test_both_secrets_sign_until_the_old_one_ends(post: Posting, receiver: Receiver):
    hook = post.hook(receiver)
    renewed = good(post.owner.post(f"{hook.path}/secret"))["secret"]
    post.rename()
    (request,) = receiver.wait()
    assert request.signatures == [signature(renewed, request), signature(hook.secret, request)]
    row = update(Webhook).where(Webhook.id == hook.id)
    post.execute(row.values(old_secret_until=clock.now()))
    post.rename()
    request = receiver.wait(2)[1]
    assert request.signatures == [signature(renewed, request)]


def test_failed_attempts_are_repeated_and_counted_until_one_succeeds(
    post: Posting, receiver: Receiver
):
    receiver.script = [FAILING, Reply(503, b"a\x00b\n" + "é".encode() * 2000)]
    hook = post.hook(receiver)
    post.rename()
    delivery = hook.wait_until("delivered")
    assert [r.payload["delivery_attempt"] for r in receiver.received] == [1, 2, 3]
    assert len({r.headers["webhook-id"] for r in receiver.received}) == 1
    for request in receiver.received:
        assert request.signatures == [signature(hook.secret, request)]
    log = delivery["log"]
    assert [(line["number"], line["status"]) for line in log] == [(1, 500), (2, 503), (3, 200)]
    assert [line["error"] for line in log] == [
        *("The receiver answered 500", "The receiver answered 503", None)
    ]
    assert log[0]["response"] == "out of order"
    assert log[1]["response"] == "ab " + "é" * 997
    assert delivery["payload"]["delivery_attempt"] == 3


def test_what_failed_for_good_is_delivered_when_it_is_sent_again(post: Posting, receiver: Receiver):
    receiver.usual = FAILING
    hook = post.hook(receiver)
    post.rename()
    failed = hook.wait_until("failed")
    assert (failed["attempts"], failed["lastStatus"], failed["nextAttemptAt"]) == (3, 500, None)
    hook.redeliver(failed["id"])
    receiver.wait(6)
    assert hook.wait_until("failed")["attempts"] == 6, "sent again, it has every attempt again"
    receiver.usual = Reply()
    hook.redeliver(failed["id"])
    delivery = hook.wait_until("delivered")
    assert [line["status"] for line in delivery["log"]] == [500] * 6 + [200]
    assert receiver.received[-1].payload["delivery_attempt"] == 7
    hook.redeliver(failed["id"])
    receiver.wait(8)
    assert hook.wait_until("delivered")["attempts"] == 8
    events = post.owner.get(f"{API}/events", params={"types": "webhook.*", "PageSize": 500})
    told = [e["type"] for e in good(events)["items"] if e["subjectId"] == failed["id"]]
    assert told.count("webhook.delivered") == 2
    assert "webhook.failed" in told


def test_sending_again_does_not_wait_for_the_next_attempt(post: Posting, receiver: Receiver):
    post.set(webhook_retry_seconds=[3600])
    receiver.script = [FAILING]
    hook = post.hook(receiver)
    post.rename()
    delivery = hook.wait_until("retrying")
    assert delivery["nextAttemptAt"] > delivery["createdAt"]
    hook.redeliver(delivery["id"])
    delivery = hook.wait_until("delivered")
    assert [line["status"] for line in delivery["log"]] == [500, 200]


@on_sqlite
def test_a_receiver_that_answers_too_late_is_asked_again(post: Posting, receiver: Receiver):
    post.set(webhook_timeout_seconds=1, webhook_retry_seconds=[3600])
    receiver.script = [HANG]
    hook = post.hook(receiver)
    post.rename()
    waiting = hook.wait_until("retrying")
    assert waiting["nextAttemptAt"] > waiting["createdAt"]
    receiver.wait()
    # The one that answers has the time for it, and need not be waited for.
    post.set(webhook_timeout_seconds=60)
    hook.redeliver(waiting["id"])
    delivery = hook.wait_until("delivered")
    late, fine = delivery["log"]
    assert "did not answer within 1 second" in late["error"]
    assert late["status"] is None
    assert late["milliseconds"] >= 900
    assert fine["status"] == 200
    assert receiver.left_alone.wait(PATIENCE)


@pytest.mark.parametrize("status", [302, 307])
@on_sqlite
def test_a_redirect_into_private_places_is_never_followed(
    post: Posting, receiver: Receiver, status: int
):
    with receiving(FORBIDDEN) as trap:
        port = trap.url.rpartition(":")[2]
        post.set(webhook_retry_seconds=[])
        hook = post.hook(receiver)
        for target, word in (
            ("http://169.254.169.254/latest/meta-data", "link-local"),
            (trap.url, "loopback"),
            (f"http://localhost:{port}/", "localhost leads to 127.0.0.1, a loopback"),
        ):
            receiver.usual = Reply(status, headers={"Location": target})
            (line,) = hook.wait_until("failed", hook.test())["log"]
            assert word in line["error"]
            assert "redirect" in line["error"]
            assert "Traceback" not in line["error"]
        assert trap.connections == 0
        assert len(receiver.received) == 3


@on_sqlite
def test_what_is_not_allowed_is_refused_when_it_is_entered_and_when_it_is_sent(post: Posting):
    with receiving(FORBIDDEN) as trap:
        body = {"name": "T", "url": trap.url, "types": ["*"]}
        refused = post.owner.post(WEBHOOKS, json=body)
        assert refused.status_code == 400
        assert "loopback" in refused.json()["errors"]["url"][0]
        hook = post.hook(trap.url.replace(FORBIDDEN, "localhost"))
        delivery = hook.wait_until("failed", hook.test())
        assert "localhost leads to 127.0.0.1, a loopback address" in delivery["lastError"]
        row = update(Webhook).where(Webhook.id == hook.id)
        post.execute(row.values(url=trap.url))
        delivery = hook.wait_until("failed", hook.test())
        assert "loopback" in delivery["lastError"]
        assert trap.connections == 0


def test_a_webhook_that_is_switched_off_stops_at_once(post: Posting, receiver: Receiver):
    post.set(webhook_timeout_seconds=60)
    receiver.script = [HANG]
    hook = post.hook(receiver)
    post.rename()
    receiver.wait()
    hook.change(active=False)
    assert receiver.left_alone.wait(PATIENCE), "the request goes on"
    wait_for(lambda: hook.deliveries()[0]["attempts"] == 1)
    delivery = hook.wait_until("cancelled")
    assert [line["error"] for line in delivery["log"]] == ["Stopped: the webhook was switched off"]
    with receiving(ALLOWED) as witness:
        post.hook(witness)
        post.rename()
        witness.wait()
    hook.change(active=True)
    hook.redeliver(delivery["id"])
    delivery = hook.wait_until("delivered", delivery["id"])
    assert [line["status"] for line in delivery["log"]] == [None, 200]
    assert len(hook.deliveries()) == 1, "what happened while it was off is not sent"


def test_an_attempt_that_came_due_while_it_was_off_is_not_sent_and_can_be_later(
    post: Posting, receiver: Receiver
):
    post.set(webhook_retry_seconds=[6])  # long enough to switch it off meanwhile
    receiver.script = [FAILING]
    hook = post.hook(receiver)
    post.rename()
    delivery = hook.wait_until("retrying")
    hook.change(active=False)
    wait_for(lambda: hook.deliveries()[0]["attempts"] == 2)
    assert hook.wait_until("cancelled")["lastError"].startswith("Not sent: ")
    hook.change(active=True)
    assert len(receiver.received) == 1
    hook.redeliver(delivery["id"])
    delivery = hook.wait_until("delivered")
    assert [line["status"] for line in delivery["log"]] == [500, None, 200]


@on_sqlite
def test_a_webhook_that_is_removed_stops_at_once(post: Posting, receiver: Receiver):
    post.set(webhook_timeout_seconds=60)
    receiver.script = [HANG]
    hook = post.hook(receiver)
    post.rename()
    receiver.wait()
    good(post.owner.delete(hook.path))
    assert receiver.left_alone.wait(PATIENCE), "the request goes on"


@on_sqlite
def test_a_receiver_that_is_gone_for_good_switches_its_webhook_off(
    post: Posting, receiver: Receiver
):
    with receiving(ALLOWED) as other:
        hook, witness = post.hook(receiver), post.hook(other, "webhook.disabled")
        receiver.usual = Reply(410)
        post.rename()
        delivery = hook.wait_until("failed")
        assert delivery["attempts"] == 1
        shown = hook.shown()
        assert shown["active"] is False
        assert "410" in shown["disabledReason"]
        witness.wait_until("delivered")
        assert other.received[0].payload["subject_id"] == hook.id
        assert other.received[0].payload["user_id"] == "system"
        witness.change(types=["workspace.renamed"])
        post.rename()
        other.wait_for_type("workspace.renamed")
        assert len(hook.deliveries()) == len(receiver.received) == 1


@on_sqlite
def test_ten_failed_deliveries_in_a_row_switch_a_webhook_off(post: Posting, receiver: Receiver):
    post.set(webhook_retry_seconds=[])
    hook = post.hook(receiver)

    def send(count: int, reply: Reply, status: str) -> None:
        receiver.usual = reply
        for id in [hook.test() for _ in range(count)]:
            hook.wait_until(status, id)

    send(9, FAILING, "failed")
    send(1, Reply(), "delivered")
    send(9, FAILING, "failed")
    assert hook.shown()["active"] is True
    send(1, FAILING, "failed")
    shown = hook.shown()
    assert shown["active"] is False
    assert "10 deliveries in a row" in shown["disabledReason"]
    assert "The receiver answered 500" in shown["disabledReason"]
    assert hook.change(active=True)["disabledReason"] is None
    send(9, FAILING, "failed")
    assert hook.shown()["active"] is True


@pytest.mark.parametrize("change", [{"role": "user"}, {"active": False}])
@on_sqlite
def test_nothing_more_is_sent_for_an_owner_who_is_no_longer_an_admin(
    post: Posting, receiver: Receiver, change: dict[str, object]
):
    with receiving(ALLOWED) as other:
        adam = post.person("adam")
        id = post.id_of(adam)
        his, hers = post.hook(receiver, "*", by=adam), post.hook(other, "*")
        post.rename()
        receiver.wait_for_type("workspace.renamed")
        post.set(webhook_retry_seconds=[3600])
        receiver.usual = FAILING
        waiting = his.test()
        his.wait_until("retrying", waiting)
        # Nothing of what happened before is still on its way.
        other.wait_for_type("settings.changed")
        wait_for(lambda: all(each["status"] != "waiting" for each in his.deliveries()))
        good(post.owner.patch(f"{API}/users/{id}", json=change))
        his.by = post.owner
        before = len(receiver.received)
        his.redeliver(waiting)
        stopped = his.wait_until("cancelled", waiting)
        assert stopped["log"][-1]["error"].startswith("Not sent: the webhook's owner is no longer")
        post.rename()
        other.wait_for_type("workspace.renamed", 2)
        other.wait_for_type("user.changed")
        hers.wait_until("delivered")
        assert len(receiver.received) == before
        known = {delivery["eventType"] for delivery in his.deliveries()}
        assert "user.changed" not in known, "it tells of the very change"


def test_a_private_event_reaches_its_owner_and_nobody_else(post: Posting, receiver: Receiver):
    with receiving(ALLOWED) as others, receiving(ALLOWED) as operators:
        adam = post.person("adam")
        post.hook(receiver, "*", by=adam)
        post.hook(others, "*")
        post.hook(operators, "*", by=post.operator)
        memory = f"{API}/memory?workspaceId={post.workspace(by=adam)}"
        private = good(adam.post(memory, json={"content": "Mine", "reach": "local"}))
        inside = good(adam.post(memory, json={"content": "Ours", "reach": "global"}))
        post.rename()
        for each in (receiver, others, operators):
            each.wait_for_type("workspace.renamed")
        receiver.wait_for_type("memory.added", 2)
        operators.wait_for_type("memory.added")
        assert told_of_memories(receiver) == {private["memory"]["id"], inside["memory"]["id"]}
        assert told_of_memories(operators) == {inside["memory"]["id"]}
        assert told_of_memories(others) == set()


def told_of_memories(receiver: Receiver) -> set[str]:
    found = [request.payload for request in receiver.received]
    return {each["subject_id"] for each in found if each["event_type"] == "memory.added"}


@on_sqlite
def test_a_webhook_for_everything_does_not_feed_on_itself(post: Posting, receiver: Receiver):
    hook = post.hook(receiver, "*")
    # However they are shared out, each has an attempt left.
    receiver.script = [FAILING] * 2

    def all_arrived(count: int) -> bool:
        known = hook.deliveries()
        return len(known) >= count and all(d["status"] == "delivered" for d in known)

    for renamed in range(1, 4):
        post.rename()
        # One more for its own creation.
        wait_for(lambda count=renamed + 1: all_arrived(count))
    recorded = good(post.owner.get(f"{API}/events", params={"types": "webhook.*", "PageSize": 500}))
    own = [e for e in recorded["items"] if e["data"].get("webhookId") == hook.id]
    assert {event["type"] for event in own} == {"webhook.delivered", "webhook.failed"}
    assert set(receiver.types) == {"webhook.created", "workspace.renamed"}
    assert len(hook.deliveries()) == 4


@pytest.mark.req("ACC-05")
def test_a_secret_is_nowhere_to_be_read_but_in_the_answer_that_gave_it(
    post: Posting, receiver: Receiver
):
    body = {"name": "T", "url": f"{receiver.url}/in", "types": ["*"]}
    headers = {"Idempotency-Key": "secret"}
    made = good(post.owner.post(WEBHOOKS, json=body, headers=headers))
    renewed = good(post.owner.post(f"{WEBHOOKS}/{made['id']}/secret"))["secret"]
    post.rename()
    receiver.wait_for_type("workspace.renamed")
    seen = [
        post.owner.get(f"{API}{path}").content
        for path in (
            *("/webhooks", f"/webhooks/{made['id']}", f"/webhooks/{made['id']}/deliveries"),
            *("/changes?PageSize=100", "/events?PageSize=500"),
        )
    ]
    seen += [post.server.output().encode(), *kept_files(post), *kept_rows(post)]
    seen += [request.body for request in receiver.received]
    whole = b"\n".join(seen)
    assert made["id"].encode() in whole
    for secret in (made["secret"], renewed):
        text_of_it = secret.removeprefix("whsec_")
        raw = base64.b64decode(text_of_it)
        for form in (text_of_it.encode(), raw, raw.hex().encode(), text_of_it.encode().hex()):
            assert (form if isinstance(form, bytes) else form.encode()) not in whole


def kept_files(post: Posting) -> list[bytes]:
    """Everything in the data folder."""
    return [path.read_bytes() for path in post.server.data.rglob("*") if path.is_file()]


def kept_rows(post: Posting) -> list[bytes]:
    """Every row of every table, on PostgreSQL."""
    if not post.database:
        return []
    tables = post.execute(
        text(
            "SELECT table_schema, table_name FROM information_schema.tables "
            "WHERE table_schema IN ('app', 'audit', 'engine')"
        )
    )
    assert {schema for schema, _ in tables} == {"app", "audit", "engine"}
    return [
        str(row[0]).encode()
        for schema, table in tables
        for row in post.execute(text(f'SELECT t::text FROM "{schema}"."{table}" t'))
    ]


@on_sqlite
def test_webhooks_at_the_command_line(post: Posting, receiver: Receiver):
    def run(*arguments: str) -> str:
        # Through the server that holds the data folder, as any command.
        runner = CliRunner(env={"BAILIWICK_DATA": str(post.server.data)})
        return runner.invoke(app, ["webhook", *arguments], catch_exceptions=False).stdout

    assert "no webhook yet" in run("list")
    added = run("add", "Build", f"{receiver.url}/in", "--type", "user.created")
    id, secret = added.split()[0], added.split()[-1]
    assert f"{id}  Build  {receiver.url}/in  (nothing sent yet)" in run("list")
    assert "Nothing was sent" in run("deliveries", id)
    run("test", id)
    (request,) = receiver.wait()
    assert request.signatures == [signature(secret, request)]
    wait_for(lambda: "webhook.test  delivered, 1 attempt(s)" in run("deliveries", id))
    assert "(delivered)" in run("list")
    good(post.owner.patch(f"{WEBHOOKS}/{id}", json={"active": False}))
    assert "(switched off)" in run("list")
    run("remove", id)
    assert run("list", "--json").strip() == "[]"
    with pytest.raises(BailiwickError, match="url"):
        run("add", "Build", "ftp://hooks.example.com")


@pytest.mark.req("RUN-05")
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_kill_during_a_delivery_and_while_one_waits_loses_neither(
    request: pytest.FixtureRequest, tmp_path: Path, database: str
):
    url = request.getfixturevalue("postgresql_database") if database == "postgresql" else None
    with (
        posting(tmp_path / "data", url) as post,
        receiving(ALLOWED, HANG) as slow,
        receiving(ALLOWED, FAILING) as flaky,
    ):
        # Long enough to kill it meanwhile.
        post.set(webhook_retry_seconds=[6], webhook_timeout_seconds=60)
        under_way, waiting = post.hook(slow), post.hook(flaky)
        post.rename()
        slow.wait()
        waiting.wait_until("retrying")
        post.server.kill()
        assert len(flaky.received) == 1
        post.restart()
        assert [line["status"] for line in under_way.wait_until("delivered")["log"]] == [200]
        assert [line["status"] for line in waiting.wait_until("delivered")["log"]] == [500, 200]
        for receiver, numbers in ((slow, [1, 1]), (flaky, [1, 2])):
            assert [r.payload["delivery_attempt"] for r in receiver.received] == numbers
            assert len({r.headers["webhook-id"] for r in receiver.received}) == 1
        assert "Traceback" not in post.server.output()


@pytest.mark.req("RUN-05")
@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
@pytest.mark.parametrize("lock", ["UPDATE", "NO KEY UPDATE"], ids=["fan-out", "attempt"])
def test_a_connection_that_breaks_while_something_is_stored_loses_nothing(
    post: Posting, receiver: Receiver, lock: str
):
    assert post.database
    hook = post.hook(receiver)
    waiting = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
    with (
        psycopg.connect(post.database) as holder,
        psycopg.connect(post.database, autocommit=True) as killer,
    ):
        name = holder.info.dbname
        # Fanning out waits for the first of these locks, storing an attempt for the second.
        row = f"SELECT FROM app.webhooks WHERE id = %s FOR {lock}"
        holder.execute(row.encode(), (hook.id,))
        post.rename()
        for _ in range(2):
            wait_for(lambda: killer.execute(waiting, (name,)).fetchone())
            (pid,) = killer.execute(waiting, (name,)).fetchone() or (0,)
            killer.execute("SELECT pg_terminate_backend(%s)", (pid,))
    delivery = hook.wait_until("delivered")
    assert [line["status"] for line in delivery["log"]] == [200]
    assert len(receiver.received) == 1
