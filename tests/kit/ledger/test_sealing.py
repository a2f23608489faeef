"""Checkpoints: when they are made, what they survive, and how old rows leave."""

import asyncio
import os
from datetime import timedelta
from pathlib import Path

import pytest
from chains import Shelf, body, opened_shelf

from bailiwick.config import Settings
from bailiwick.kit import clock
from bailiwick.kit.ledger import LedgerUnwritable
from bailiwick.kit.ledger.connections import OnPostgresql, OnSqlite
from bailiwick.operations import backup
from support.restoring import restore
from support.server import PATIENCE

pytestmark = pytest.mark.req("GATE-14")


async def count(shelf: Shelf) -> int:
    return (await shelf.sql("SELECT count(*) FROM ledger_checkpoints"))[0][0]


async def test_a_checkpoint_is_made_on_a_timer_and_only_for_something_new(shelf: Shelf):
    async with shelf.ledger(every=timedelta(milliseconds=20)) as ledger:
        assert await count(shelf) == 1
        await ledger.append(body(0))
        async with asyncio.timeout(PATIENCE):
            while (await shelf.verify()).unsealed:  # noqa: ASYNC110  (nobody tells us)
                await asyncio.sleep(0.01)
        made = await count(shelf)
        await ledger.seal()
        assert await count(shelf) == made
    assert await count(shelf) == made
    assert len(shelf.file.read_text().splitlines()) == made
    assert oct(shelf.file.stat().st_mode & 0o777) == "0o600"


async def test_rows_that_are_not_sealed_yet_are_counted(shelf: Shelf):
    async with shelf.ledger() as ledger:
        await ledger.append(body(0))
        await ledger.seal()
        for number in range(3):
            await ledger.append(body(number))
        report = await shelf.verify()
        assert report.is_clean
        assert report.unsealed == 3
    assert (await shelf.verify()).unsealed == 0


async def test_verifying_while_others_append_and_seal_raises_no_false_alarm(shelf: Shelf):
    async with shelf.ledger() as ledger:
        stop = asyncio.Event()

        async def busy() -> None:
            number = 0
            while not stop.is_set():
                await ledger.append(body(number))
                await ledger.seal()
                number += 1

        working = asyncio.create_task(busy())
        for _ in range(6):
            report = await shelf.verify()
            assert report.is_clean, report
        stop.set()
        await working


async def test_a_timer_that_fails_tries_again(sqlite_shelf: Shelf, monkeypatch):
    failures = 2
    real = OnSqlite.alone

    def alone(self) -> None:
        nonlocal failures
        failures -= 1
        if failures in (0, 1):
            raise OSError("away")
        real(self)

    async with sqlite_shelf.ledger(every=timedelta(milliseconds=10)) as ledger:
        monkeypatch.setattr(OnSqlite, "alone", alone)
        await ledger.append(body(0))
        async with asyncio.timeout(PATIENCE):
            while (await sqlite_shelf.verify()).unsealed:  # noqa: ASYNC110  (nobody tells us)
                await asyncio.sleep(0.01)


async def test_a_line_whose_way_into_the_database_was_cut_is_taken_up(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    async with shelf.ledger() as ledger:
        await ledger.append(body(0))
        for kind in (OnSqlite, OnPostgresql):
            monkeypatch.setattr(kind, "commit", _fails)
        with pytest.raises(LedgerUnwritable):
            await ledger.seal()
        monkeypatch.undo()
        assert await shelf.kinds() == {"checkpoint_removed"}
    assert await shelf.kinds() == set()
    assert len(shelf.file.read_text().splitlines()) == await count(shelf) == 2


def _fails(_: object) -> None:
    raise OSError("the power went")


async def test_a_line_that_a_crash_cut_is_no_finding_and_is_written_anew(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2)
    with sqlite_shelf.file.open("a") as file:
        file.write('{"number":3,"at":"2026')
    assert await sqlite_shelf.kinds() == set()
    await sqlite_shelf.fill(2)
    assert await sqlite_shelf.kinds() == set()
    assert len(sqlite_shelf.file.read_text().splitlines()) == await count(sqlite_shelf)


async def test_a_file_that_cannot_be_written_stops_no_row(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        sqlite_shelf.file.unlink()
        os.mkdir(sqlite_shelf.file)  # noqa: PTH102
        await ledger.append(body(0))
        with pytest.raises(LedgerUnwritable):
            await ledger.seal()
        await ledger.append(body(1))
        sqlite_shelf.file.rmdir()
    assert await sqlite_shelf.kinds() == set()


async def test_a_file_that_is_gone_is_found_and_written_anew(shelf: Shelf, monkeypatch):
    monkeypatch.setattr("bailiwick.kit.ledger.sealer._LINES", 2)
    await shelf.fill(2, 2, 2, 2)
    shelf.file.unlink()
    report = await shelf.verify()
    assert [found.kind for found in report.problems] == (
        [] if shelf.product.storage.url else ["file_cut"]
    )
    assert "gone" in str(report)
    await shelf.fill(2)
    assert await shelf.kinds() == set()
    assert len(shelf.file.read_text().splitlines()) == await count(shelf)


async def test_old_rows_leave_in_whole_segments_and_what_stays_verifies(shelf: Shelf, monkeypatch):
    monkeypatch.setattr("bailiwick.kit.ledger.sealer._BATCH", 3)
    async with shelf.ledger() as ledger:
        for number in range(10):
            await ledger.append(body(number))
        await ledger.seal()
        moment = clock.now()
        for number in range(10, 14):
            await ledger.append(body(number))
        assert await ledger.forget_before(moment - timedelta(hours=1)) == 0
        assert await ledger.forget_before(moment) == 10
        assert await ledger.forget_before(moment) == 0
        report = await shelf.verify()
        assert report.is_clean, report
        assert report.rows == 4
        assert report.since
        assert report.since <= moment
        assert "removed as old" in report.notes[0]
        # What is left is as well guarded as before.
        await shelf.sql("DELETE FROM ledger WHERE number = 11")
        assert await shelf.kinds() == {"removed"}


async def test_a_chain_that_was_forgotten_entirely_goes_on_where_it_ended(shelf: Shelf):
    await shelf.fill(5)
    async with shelf.ledger() as ledger:
        assert await ledger.forget_before(clock.now()) == 5
    assert await shelf.kinds() == set()
    await shelf.fill(2)
    assert await shelf.sql("SELECT number FROM ledger ORDER BY id") == [(6,), (7,)]
    assert await shelf.kinds() == set()
    await shelf.sql("DELETE FROM ledger")
    assert await shelf.kinds() == {"vanished"}


async def test_a_removal_cut_short_is_no_finding_and_is_finished_later(shelf: Shelf, monkeypatch):
    await shelf.fill(4, 4)
    async with shelf.ledger() as ledger:
        await ledger._on_thread(lambda: ledger._sealer.raise_floor("9999-01-01 00:00:00"))
    assert await shelf.sql("SELECT count(*) FROM ledger") == [(8,)]
    report = await shelf.verify()
    assert report.is_clean, report
    assert report.rows == 0
    async with shelf.ledger() as ledger:
        assert await ledger.forget_before(clock.now()) == 8


async def test_nothing_is_forgotten_on_the_word_of_an_altered_checkpoint(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(4, 4)
    await sqlite_shelf.sql("UPDATE ledger_checkpoints SET signature = x'00' WHERE number = 3")
    async with sqlite_shelf.ledger() as ledger:
        assert await ledger.forget_before(clock.now()) in (0, 8)
        (left,) = (await sqlite_shelf.sql("SELECT count(*) FROM ledger"))[0]
    assert "checkpoint_altered" in await sqlite_shelf.kinds() or left == 0


@pytest.mark.parametrize("file", ["kept", "gone"])
async def test_a_restored_backup_verifies_and_says_that_the_file_is_ahead(
    settings: Settings, file: str, servers_own_tools: None
):
    async with opened_shelf(settings) as shelf:
        await shelf.fill(4)
        made = await backup.make(shelf.product, target=settings.data.parent / "file.backup")
        await shelf.fill(3)
        lines = shelf.file.read_bytes()
    restore(settings, Path(made.path), replace=True)
    async with opened_shelf(settings) as shelf:
        if file == "gone":
            shelf.file.unlink()
            await shelf.fill(2)
            assert await shelf.kinds() == set()
            return
        shelf.file.write_bytes(lines)
        (found,) = (await shelf.verify()).problems
        assert found.kind == "rolled_back"
        assert "ahead of the database" in found.text
        assert "restored a backup" in found.text
        await shelf.fill(5)
        assert await shelf.kinds() == {"rolled_back"}, "starting does not make it forgotten"
        async with shelf.ledger() as ledger:
            await ledger.accept_restored(by="Olive")
            await ledger.append(body(0))
        report = await shelf.verify()
        assert report.is_clean, report
        assert "A backup was restored, as Olive said" in report.notes[0]
        await shelf.sql("DELETE FROM ledger WHERE number = 10")
        assert await shelf.kinds() == {"truncated"}


async def test_rows_that_vanish_while_it_runs_leave_a_gap(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        for number in range(4):
            await ledger.append(body(number))
        await sqlite_shelf.sql("DELETE FROM ledger WHERE number > 2")
        ledger._writer.do(ledger._writer.drop)
        await ledger.append(body(4))
    assert await sqlite_shelf.sql("SELECT number FROM ledger ORDER BY id") == [(1,), (2,), (5,)]
    assert await sqlite_shelf.kinds() == {"removed"}
