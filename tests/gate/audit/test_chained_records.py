"""Sign-ins and changes are in the chain: what is done to them shows."""

import shutil
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text

from bailiwick.config import Settings
from bailiwick.features import installed
from bailiwick.gate.audit.service import verified
from bailiwick.instance import changes
from bailiwick.instance.models import Change
from bailiwick.kit import clock
from bailiwick.kit.db.base import StoreName
from bailiwick.kit.ledger import Ledger
from bailiwick.kit.ledger.models import Row
from bailiwick.kit.ledger.records.recorder import Recorder
from bailiwick.office import Office as Product
from bailiwick.office import opened
from support.office import API, Office

pytestmark = [pytest.mark.req("GATE-14"), pytest.mark.req("ID-03")]


async def sql(office: Office, store: StoreName, statement: str) -> None:
    async with office.product.storage[store].write() as session:
        await session.execute(text(statement))


async def report(office: Office) -> dict[str, Any]:
    owner = await office.owner()
    answer = await owner.post(f"{API}/audit/verify")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def kinds(office: Office) -> list[str]:
    return sorted({each["kind"] for each in (await report(office))["problems"]})


async def test_sign_ins_and_changes_are_compared_and_whole(any_office: Office):
    owner = await any_office.owner()
    await any_office.product[Recorder].catch_up()
    await owner.patch(f"{API}/settings", json={"instance_name": "Elm Street"})
    said = await report(any_office)
    assert (said["isClean"], said["records"] > 1) == (True, True), said
    assert "The same holds of sign-ins and the record of changes." in said["limits"]


@pytest.mark.parametrize(
    ("store", "statement", "kind"),
    [
        ("audit", "DELETE FROM sign_ins", "record_removed"),
        ("audit", "UPDATE sign_ins SET address = '203.0.113.9'", "record_altered"),
        ("audit", "UPDATE sign_ins SET seal = NULL", "record_altered"),
        ("app", "DELETE FROM changes WHERE id = (SELECT max(id) FROM changes)", "record_removed"),
        ("app", "UPDATE changes SET actor_name = 'Mallory'", "record_altered"),
        (
            "app",
            "INSERT INTO changes (id, at, actor_id, actor_name, action, subject_id, trace_id) "
            "SELECT 'chg-x', at, actor_id, actor_name, action, subject_id, trace_id FROM changes "
            "LIMIT 1",
            "record_added",
        ),
        (
            "audit",
            "INSERT INTO sign_ins SELECT 'sgn-x', at, method, email, user_id, outcome, reason, "
            "address, user_agent, trace_id, seal FROM sign_ins LIMIT 1",
            "record_added",
        ),
    ],
)
async def test_what_is_done_to_them_is_found(
    any_office: Office, store: StoreName, statement: str, kind: str
):
    await any_office.owner()
    await any_office.product[Recorder].catch_up()
    assert await kinds(any_office) == []
    await sql(any_office, store, statement)
    assert await kinds(any_office) == [kind]


async def test_a_row_that_cannot_be_read_is_named_and_the_others_are_checked(office: Office):
    owner = await office.owner()
    await office.product[Recorder].catch_up()
    await owner.patch(f"{API}/settings", json={"instance_name": "Elm Street"})
    assert await kinds(office) == []
    first = "WHERE id = (SELECT min(id) FROM changes)"
    await sql(office, "app", f"UPDATE changes SET at = 'never' {first}")
    (found,) = (await report(office))["problems"]
    assert "cannot be read" in found["text"]


async def test_digests_that_were_let_go_as_old_are_missed_by_nobody(any_office: Office):
    await any_office.owner()
    product = any_office.product
    await product[Recorder].catch_up()
    await product[Ledger].seal()
    await product[Ledger].forget_before(clock.now() + timedelta(seconds=1))
    assert await kinds(any_office) == []
    await product[Recorder].catch_up()
    assert await kinds(any_office) == []
    # Their seals still hold.
    await sql(any_office, "audit", "UPDATE sign_ins SET outcome = 'refused'")
    assert await kinds(any_office) == ["record_added"]


_KILLED = """
import asyncio, os, signal, sys
from bailiwick.config import Settings
from bailiwick.features import installed
from bailiwick.instance import changes
from bailiwick.office import opened

async def main(data, url):
    settings = Settings.model_validate({"data": data, "database_url": url or None})
    async with opened(settings, installed()) as product:
        app = product.storage.app
        app.after_commit.insert(0, lambda _: os.kill(os.getpid(), signal.SIGKILL))
        async with app.write() as session:
            changes.record(session, changes.SYSTEM, action="settings.changed", subject="log_level")

asyncio.run(main(*sys.argv[1:]))
"""


async def test_a_kill_between_the_commit_and_the_digest_is_no_finding(opened_settings: Settings):
    given = opened_settings
    url = given.database_url.get_secret_value() if given.database_url else ""
    async with opened(given, installed()) as product:
        await product[Recorder].catch_up()
    child = [sys.executable, "-c", _KILLED, str(given.data), url]
    assert subprocess.run(child, check=False).returncode == -signal.SIGKILL  # noqa: ASYNC221
    async with opened(given) as product:
        report = await verified(product)
        assert report.problems == []
        assert await chained(product) == 0
    async with opened(given, installed()) as product:
        await product[Recorder].catch_up()
        assert (await verified(product)).problems == []
        assert await chained(product) == 1
        async with product.storage.app.write() as session:
            await session.execute(text("DELETE FROM changes WHERE subject_id = 'log_level'"))
        assert [each.kind for each in (await verified(product)).problems] == ["record_removed"]


async def chained(product: Product) -> int:
    """How many lines of the ledger hold the digest of that change."""
    async with product.storage.app.read() as session:
        ids = await session.scalars(text("SELECT id FROM changes WHERE subject_id = 'log_level'"))
    async with product.storage.audit.read() as session:
        found = select(func.count()).where(Row.call_id == ids.one())
        return (await session.scalars(found)).one()


async def test_what_was_there_before_the_chain_is_taken_in_once_and_told(
    sqlite_settings: Settings, migrated_folder: Path
):
    shutil.copytree(migrated_folder, sqlite_settings.data)
    before = clock.now() - timedelta(days=2)
    async with opened(sqlite_settings) as product, product.storage.app.write() as session:
        session.add(
            Change(
                id="chg-old",
                at=before,
                actor_id="usr-1",
                actor_name="Olive",
                action="settings.changed",
                subject_id="log_level",
                trace_id="",
            )
        )
    async with opened(sqlite_settings) as product:
        report = await verified(product)
        assert report.problems == []
        assert "not covered yet" in " ".join(report.limits)
    async with opened(sqlite_settings, installed()) as product:
        await product[Recorder].catch_up()
        report = await verified(product)
        assert report.problems == []
        assert "put into the chain later than they happened" in " ".join(report.notes)
        async with product.storage.app.write() as session:
            await session.execute(
                text(
                    "INSERT INTO changes SELECT 'chg-new', at, actor_id, actor_name, action, "
                    "subject_id, before, after, trace_id, owner_id, NULL FROM changes LIMIT 1"
                )
            )
    async with opened(sqlite_settings, installed()) as product:
        await product[Recorder].catch_up()
        assert [each.kind for each in (await verified(product)).problems] == ["record_added"]


async def test_a_record_of_a_savepoint_that_was_rolled_back_is_not_missed(any_office: Office):
    app = any_office.product.storage.app
    async with app.write() as session:
        changes.record(session, changes.SYSTEM, action="settings.changed", subject="kept")
        undone = await session.begin_nested()
        changes.record(session, changes.SYSTEM, action="settings.changed", subject="undone")
        await session.flush()
        await undone.rollback()
    assert await kinds(any_office) == []
    await sql(any_office, "app", "DELETE FROM changes WHERE subject_id = 'kept'")
    assert await kinds(any_office) == ["record_removed"]
