"""Several processes at one ledger, as only PostgreSQL has them."""

import asyncio
import threading
from datetime import timedelta
from typing import Any

import pytest
from chains import Shelf, body, go_on_after_the_first_read

from bailiwick.kit import clock
from bailiwick.kit.ledger import LedgerUnwritable
from bailiwick.kit.ledger.connections import OnPostgresql
from bailiwick.kit.ledger.status import ledger_status

pytestmark = pytest.mark.req("GATE-14")


async def test_rows_are_written_sealed_checked_counted_and_forgotten(postgresql_shelf: Shelf):
    async with postgresql_shelf.ledger() as ledger:
        for number in range(3):
            await ledger.append(body(number))
        await ledger.seal()
        moment = clock.now()
        await ledger.append(body(3))
        report = await postgresql_shelf.verify()
        assert report.is_clean, report
        assert (report.rows, report.unsealed) == (4, 1)
        assert await ledger.forget_before(moment - timedelta(hours=1)) == 0
        assert await ledger.forget_before(moment) == 3
        now = await ledger_status(postgresql_shelf.product.storage)
        assert (now.rows, now.chains, now.checkpoints, now.unsealed) == (1, 1, 3, 0)
        assert now.sealed_at
        assert abs(clock.now() - now.sealed_at) < timedelta(hours=1)
        assert await postgresql_shelf.kinds() == set()


async def test_a_process_without_the_file_of_the_others_is_only_told(postgresql_shelf: Shelf):
    await postgresql_shelf.fill(2)
    postgresql_shelf.file.unlink()
    report = await postgresql_shelf.verify()
    assert report.is_clean
    assert report.notes[0].endswith("Other processes have files of their own.")


async def test_the_next_checkpoint_waits_for_one_that_another_process_makes(
    postgresql_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    async with postgresql_shelf.ledger() as one, postgresql_shelf.ledger() as other:
        await one.append(body(0))
        await other.append(body(1))
        written, go = asyncio.Event(), threading.Event()
        loop, commit, alone = asyncio.get_running_loop(), OnPostgresql.commit, OnPostgresql.alone

        def late(connection: OnPostgresql) -> None:
            loop.call_soon_threadsafe(written.set)
            go.wait()
            commit(connection)

        def asked(connection: OnPostgresql) -> None:
            go.set()
            alone(connection)

        monkeypatch.setattr(OnPostgresql, "commit", late)
        sealing = asyncio.create_task(one.seal())
        await written.wait()
        monkeypatch.setattr(OnPostgresql, "commit", commit)
        monkeypatch.setattr(OnPostgresql, "alone", asked)
        try:
            report = await postgresql_shelf.verify()
            await other.seal()
        finally:
            go.set()
            await sealing
        assert report.is_clean, report
    assert await postgresql_shelf.kinds() == set()


async def test_what_a_failure_left_is_undone_before_it_goes_on(
    postgresql_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    def fails(_: object) -> None:
        raise OSError("the power went")

    async with postgresql_shelf.ledger() as ledger:
        await ledger.append(body(0))
        with monkeypatch.context() as broken:
            broken.setattr(OnPostgresql, "insert", lambda *_: fails(_))
            with pytest.raises(LedgerUnwritable, match="the power went"):
                await ledger.append(body(1))
        await ledger.append(body(2))
    rows = await postgresql_shelf.sql("SELECT call_id FROM ledger ORDER BY at")
    assert rows == [("cal-0",), ("cal-2",)]
    assert await postgresql_shelf.kinds() == set()


async def test_a_verification_tells_of_one_moment_though_others_go_on(
    postgresql_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    async with postgresql_shelf.ledger() as ledger:
        await ledger.append(body(0))
        go_on_after_the_first_read(monkeypatch, ledger, OnPostgresql)
        report = await postgresql_shelf.verify()
        assert report.is_clean, report
        assert (report.rows, report.checkpoints, report.unsealed) == (1, 1, 1)
        assert (await postgresql_shelf.verify()).rows == 3


async def test_who_ends_gives_the_chain_back_before_the_connection_is_gone(
    postgresql_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    kept: list[OnPostgresql] = []

    def keep(connection: OnPostgresql) -> None:
        kept.append(connection)

    with monkeypatch.context() as slow:
        slow.setattr(OnPostgresql, "close", keep)
        await postgresql_shelf.fill(1)
    try:
        async with postgresql_shelf.ledger() as ledger:
            assert ledger.chain == "slot-1"
    finally:
        for connection in kept:
            connection.close()


async def test_a_connection_that_cannot_be_prepared_is_closed_and_not_used(
    postgresql_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    real = OnPostgresql.execute

    def execute(connection: OnPostgresql, statement: str, values: Any = ()) -> Any:
        if statement.startswith("SET TIME ZONE"):
            raise OSError("cut")
        return real(connection, statement, values)

    async with postgresql_shelf.ledger() as ledger:
        ledger._writer.do(ledger._writer.drop)
        monkeypatch.setattr(OnPostgresql, "execute", execute)
        with pytest.raises(LedgerUnwritable, match="cut"):
            await ledger.append(body(0))
        monkeypatch.undo()
        await ledger.append(body(1))
    assert await postgresql_shelf.kinds() == set()


async def test_a_commit_means_on_disk_and_times_are_utc_however_the_server_is_set(
    postgresql_shelf: Shelf,
):
    url = postgresql_shelf.product.storage.url
    assert url
    await postgresql_shelf.sql(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit TO off',"
        " current_database());"
        " EXECUTE format('ALTER DATABASE %I SET timezone TO ''Asia/Tokyo''', current_database());"
        " END $$"
    )
    connection = OnPostgresql(url)
    try:
        asked = ("synchronous_commit", "timezone", "search_path")
        shown = [connection.execute(f"SHOW {name}")[0][0] for name in asked]
        assert shown == ["on", "UTC", "audit"]
        connection.rollback()
    finally:
        connection.close()
    await postgresql_shelf.fill(2)
    assert await postgresql_shelf.kinds() == set()
