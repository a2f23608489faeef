"""Appending: durable, in order, and neither lost nor doubled whatever happens."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg
import pytest
from chains import Shelf, body

from bailiwick.config import Settings
from bailiwick.identity import signins
from bailiwick.kit.ledger import LedgerUnwritable, keys
from bailiwick.kit.ledger.connections import OnPostgresql, OnSqlite
from bailiwick.kit.ledger.rows import LAST_NUMBER, row_id
from bailiwick.kit.vault import key_id

pytestmark = pytest.mark.req("GATE-13", "GATE-14")
FAILED = "the disk is full"


async def numbers(shelf: Shelf) -> list[tuple[str, int]]:
    return [tuple(row) for row in await shelf.sql("SELECT chain, number FROM ledger ORDER BY id")]


async def call_ids(shelf: Shelf) -> list[str]:
    return [row[0] for row in await shelf.sql("SELECT call_id FROM ledger ORDER BY id")]


def chain(length: int, slot: int = 1) -> list[tuple[str, int]]:
    return [(f"slot-{slot}", number) for number in range(1, length + 1)]


class Switch:
    """Makes one method of the real connections fail while it is on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, method: str, *, after: bool = False):
        self.on = False
        for kind, error in ((OnSqlite, OSError), (OnPostgresql, psycopg.OperationalError)):
            real = getattr(kind, method)

            def failing(connection, *values, real=real, error=error) -> Any:
                if self.on and not after:
                    raise error(FAILED)
                answer = real(connection, *values)
                if self.on:
                    raise error(FAILED)
                return answer

            monkeypatch.setattr(kind, method, failing)


async def test_what_was_appended_is_there_in_one_chain_and_verifies(shelf: Shelf):
    await shelf.fill(20, 5)
    await shelf.fill(1)
    assert await numbers(shelf) == chain(26)
    report = await shelf.verify()
    assert report.is_clean, report
    assert (report.rows, report.chains, report.unsealed) == (26, 1, 0)
    assert report.sealed_at


async def test_what_waits_together_goes_into_one_transaction(sqlite_shelf: Shelf, monkeypatch):
    groups: list[int] = []
    real = OnSqlite.insert
    monkeypatch.setattr(
        OnSqlite, "insert", lambda self, rows: (groups.append(len(rows)), real(self, rows))[1]
    )
    async with sqlite_shelf.ledger() as ledger:
        await asyncio.gather(*(ledger.append(body(i)) for i in range(16)))
    assert groups == [16]


async def test_a_caller_who_stops_waiting_neither_loses_nor_doubles_the_row(shelf: Shelf):
    async with shelf.ledger() as ledger:
        tasks = [asyncio.create_task(ledger.append(body(i))) for i in range(30)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert all(task.cancelled() for task in tasks[::2])
        await ledger.append(body(30))
    assert Counter(await call_ids(shelf)) == Counter(f"cal-{i}" for i in range(31))
    assert (await shelf.verify()).is_clean


@pytest.mark.parametrize("method", ["begin", "insert", "commit"])
async def test_when_it_cannot_be_written_callers_hear_of_it_and_it_goes_on_afterwards(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, method: str
):
    broken = Switch(monkeypatch, method)
    async with shelf.ledger() as ledger:
        await ledger.append(body(0))
        broken.on = True
        for number in (1, 2):
            with pytest.raises(LedgerUnwritable, match=FAILED):
                await ledger.append(body(number))
        if method != "insert":
            with pytest.raises(LedgerUnwritable, match=FAILED):
                await ledger.seal()
        broken.on = False
        await ledger.append(body(4))
    assert await call_ids(shelf) == ["cal-0", "cal-4"]
    # PostgreSQL may still hold the slot of the connection that was dropped.
    assert await numbers(shelf) in (chain(2), [("slot-1", 1), ("slot-2", 1)])
    assert (await shelf.verify()).is_clean


async def test_a_full_disk_stops_it_until_there_is_room(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        full = asyncio.Event()
        loop = asyncio.get_running_loop()

        def fill() -> None:
            ledger._writer.connection.execute("PRAGMA max_page_count = 1")
            loop.call_soon_threadsafe(full.set)

        ledger._writer.do(fill)
        await full.wait()
        with pytest.raises(LedgerUnwritable, match="full"):
            await asyncio.gather(*(ledger.append(body(i, pad="x" * 9_000)) for i in range(9)))
        # The connection was dropped, and with it the limit.
        await ledger.append(body(1))
    assert await call_ids(sqlite_shelf) == ["cal-0", "cal-1"]
    assert (await sqlite_shelf.verify()).is_clean


async def test_a_commit_that_took_effect_though_it_failed_is_neither_lost_nor_doubled(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    broken = Switch(monkeypatch, "commit", after=True)
    async with shelf.ledger() as ledger:
        await ledger.append(body(0))
        # From the next commit on: the row is there, but the answer is lost.
        real_head = ledger._writer.head
        broken.on = True
        try:
            await ledger.append(body(1))
        except LedgerUnwritable:
            assert shelf.product.storage.url, "only taking a slot commits again"
        broken.on = False
        assert ledger._writer.head != real_head or shelf.product.storage.url
        await ledger.append(body(2))
    assert await call_ids(shelf) == ["cal-0", "cal-1", "cal-2"]
    assert (await shelf.verify()).is_clean


async def test_a_connection_that_was_cut_meanwhile_is_replaced_unnoticed(
    postgresql_database: str, tmp_path: Path
):
    from chains import opened_shelf

    settings = Settings.model_validate(
        {"data": tmp_path / "data", "database_url": postgresql_database}
    )
    async with opened_shelf(settings) as shelf, shelf.ledger() as ledger:
        await ledger.append(body(0))
        await shelf.sql(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_locks"
            " JOIN pg_database ON pg_database.oid = pg_locks.database"
            " WHERE locktype = 'advisory' AND datname = current_database()"
            " AND pid <> pg_backend_pid()"
        )
        await ledger.append(body(1))
        assert await call_ids(shelf) == ["cal-0", "cal-1"]


async def test_each_process_has_a_chain_of_its_own_and_a_free_one_is_taken_up_again(
    postgresql_database: str, tmp_path: Path
):
    from chains import opened_shelf

    settings = Settings.model_validate(
        {"data": tmp_path / "data", "database_url": postgresql_database}
    )
    async with opened_shelf(settings) as shelf:
        async with shelf.ledger() as first:
            async with shelf.ledger() as second:
                assert (first.chain, second.chain) == ("slot-1", "slot-2")
                await asyncio.gather(
                    *(led.append(body(i)) for i in range(9) for led in (first, second))
                )
                with pytest.raises(LedgerUnwritable, match="Another process"):
                    async with shelf.ledger(slot=2):
                        pass
            async with shelf.ledger() as third:
                assert third.chain == "slot-2"
                await third.append(body(9))
        assert await numbers(shelf) == [*chain(9), *chain(10, slot=2)]
        report = await shelf.verify()
        assert report.is_clean, report
        assert report.chains == 2


async def test_sign_ins_and_rows_are_written_side_by_side(shelf: Shelf):
    browser = signins.Browser("127.0.0.1", "test")

    async def sign_in() -> None:
        await signins.record(
            shelf.product.storage, browser, method="password", email="x", outcome="refused"
        )

    async with shelf.ledger() as ledger:
        await asyncio.gather(
            *(ledger.append(body(i)) for i in range(40)), *(sign_in() for _ in range(10))
        )
    assert await shelf.sql("SELECT count(*) FROM sign_ins") == [(10,)]
    assert len(await numbers(shelf)) == 40


HOSTILE = {
    "nothing": {},
    "no text": {"tool": None, "caller": None, "call_id": 7, "status": ["done"]},
    "NUL and controls": {"tool": "a\x00b\x1b[2J", "arguments": {"\x00": "\x00"}},
    "half a character": {"tool": "\ud800", "arguments": "\udfff\ud83d\ude00"},
    "pair of halves": {"tool": "\ud83d\ude00"},
    "long": {"tool": "x" * 5_000, "call_id": "é" * 400},
    "not a number": {"arguments": [float("nan"), float("inf")]},
    "deep": {"arguments": json.loads("[" * 400 + "]" * 400)},
}


async def test_whatever_a_caller_sends_can_be_kept_and_verified(shelf: Shelf):
    async with shelf.ledger() as ledger:
        for changes in HOSTILE.values():
            await ledger.append(body(0, **changes))
        await ledger.append({})
    report = await shelf.verify()
    assert report.is_clean, report
    assert report.rows == len(HOSTILE) + 1


async def test_what_json_cannot_express_is_refused_and_harms_nobody_else(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        for bad in ({"a": object()}, {"a": 10**5_000}, {"a": b"\xff"}):
            with pytest.raises(LedgerUnwritable, match="cannot keep"):
                await ledger.append(bad)
        await ledger.append(body(1))
    assert await call_ids(sqlite_shelf) == ["cal-1"]


async def test_nothing_is_taken_after_the_end(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        last = asyncio.create_task(ledger.append(body(0)))
        await asyncio.sleep(0)
    await last
    with pytest.raises(LedgerUnwritable, match="closed"):
        await ledger.append(body(1))
    assert (await sqlite_shelf.verify()).unsealed == 0


async def test_a_chain_without_numbers_left_says_so(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(1)
    await sqlite_shelf.sql(
        "UPDATE ledger SET id = :id, number = :number",
        id=row_id(1, LAST_NUMBER),
        number=LAST_NUMBER,
    )
    async with sqlite_shelf.ledger() as ledger:
        with pytest.raises(LedgerUnwritable, match="no number left"):
            await ledger.append(body(1))


async def test_keys_follow_a_rotation_of_the_vault(shelf: Shelf):
    await shelf.fill(2)
    vault = shelf.product.vault
    vault.add_key()
    assert await keys.reseal(shelf.product.storage, vault) == 1
    assert await keys.reseal(shelf.product.storage, vault) == 0
    ((sealed,),) = await shelf.sql("SELECT key FROM ledger_keys")
    assert key_id(bytes(sealed)) == vault.active
    vault.drop_keys(vault.key_ids[1:])
    assert (await shelf.verify()).is_clean


async def test_a_key_that_was_lost_with_the_vaults_is_replaced_and_its_rows_are_named(shelf: Shelf):
    await shelf.fill(2)
    vault = shelf.product.vault
    vault.add_key()
    vault.drop_keys(vault.key_ids[1:])
    await shelf.fill(1)
    report = await shelf.verify()
    assert [(f.kind, f.number) for f in report.problems if f.chain] == [
        ("unknown_key", 1),
        ("unknown_key", 2),
    ]


def test_kill_9_loses_nothing_that_was_acknowledged(settings: Settings):
    from chains import opened_shelf

    url = settings.database_url.get_secret_value() if settings.database_url else ""
    program = [sys.executable, str(Path(__file__).with_name("chains.py")), str(settings.data), url]
    acknowledged: list[str] = []
    for enough in (20, 60):
        with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout
            for count, line in enumerate(child.stdout):
                acknowledged.append(line.strip())
                if count == enough:
                    child.kill()

    async def check() -> None:
        async with opened_shelf(settings) as shelf:
            before = await shelf.verify()
            assert {found.kind for found in before.problems} <= {"checkpoint_removed"}, before
            await shelf.fill(1)
            there = Counter(await call_ids(shelf))
            assert not Counter(line for line in acknowledged if "-" in line) - there
            report = await shelf.verify()
            assert report.is_clean, report

    asyncio.run(check())
