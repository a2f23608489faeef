"""How the ledger stands, by its heads and its newest checkpoint."""

import asyncio
import threading
from datetime import datetime

import pytest
from chains import Shelf, body, go_on_after_the_first_read

from bailiwick.kit import clock
from bailiwick.kit.ledger import rows
from bailiwick.kit.ledger.connections import OnSqlite
from bailiwick.kit.ledger.status import LedgerStatus, ledger_status

pytestmark = pytest.mark.req("GATE-14")


async def status(shelf: Shelf) -> LedgerStatus:
    return await ledger_status(shelf.product.storage)


async def counts(shelf: Shelf) -> tuple[int, int, int, int]:
    now = await status(shelf)
    return now.rows, now.chains, now.checkpoints, now.unsealed


async def test_before_the_first_row_there_is_nothing(sqlite_shelf: Shelf):
    now = await status(sqlite_shelf)
    assert now == LedgerStatus(0, 0, 0, unsealed=0, sealed_at=None, mark=None)


async def test_rows_chains_checkpoints_and_what_is_unsealed_are_counted(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        assert await counts(sqlite_shelf) == (1, 1, 1, 1)
        await ledger.seal()
        assert await counts(sqlite_shelf) == (1, 1, 2, 0)
        for number in range(3):
            await ledger.append(body(number))
        assert await counts(sqlite_shelf) == (4, 1, 2, 3)
        # Two at a time never write on SQLite; that there may be other chains does not depend on it.
        async with sqlite_shelf.ledger(slot=2) as other:
            await other.append(body(4))
            assert await counts(sqlite_shelf) == (5, 2, 3, 1)
    ((at,),) = await sqlite_shelf.sql("SELECT max(at) FROM ledger_checkpoints")
    assert (await status(sqlite_shelf)).sealed_at == datetime.fromisoformat(f"{at}+00:00")


async def test_what_was_forgotten_is_counted_no_more(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        for number in range(5):
            await ledger.append(body(number))
        await ledger.seal()
        moment = clock.now()
        await ledger._on_thread(lambda: ledger._sealer.raise_floor(rows.moment(moment)))
        assert await counts(sqlite_shelf) == (0, 1, 3, 0), "though they are still there"
        await ledger.append(body(5))
        assert await ledger.forget_before(moment) == 5
        assert await counts(sqlite_shelf) == (1, 1, 3, 1)


async def test_a_chain_that_was_cut_has_nothing_unsealed(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(5)
    await sqlite_shelf.sql("DELETE FROM ledger WHERE number > 3")
    assert await counts(sqlite_shelf) == (3, 1, 2, 0)


async def test_a_row_that_someone_put_between_two_chains_is_no_head(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(3)
    await sqlite_shelf.sql(
        "INSERT INTO ledger SELECT :id, chain, number, at, key_id, body, previous, hash,"
        " workspace_id, caller_id, tool, decision, status, call_id, owner_id"
        " FROM ledger WHERE number = 1",
        id=rows.row_id(2, 0),
    )
    assert await counts(sqlite_shelf) == (3, 1, 2, 0)


@pytest.mark.parametrize("content", ["x", "{}", "[]", '{"heads": 7}', '{"heads": [1]}'])
async def test_an_altered_checkpoint_does_not_stop_the_count(sqlite_shelf: Shelf, content: str):
    await sqlite_shelf.fill(2)
    await sqlite_shelf.sql("UPDATE ledger_checkpoints SET content = :content", content=content)
    assert await counts(sqlite_shelf) == (2, 1, 2, 2)


async def test_it_tells_of_one_moment_though_others_go_on(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        go_on_after_the_first_read(monkeypatch, ledger, OnSqlite)
        assert await counts(sqlite_shelf) == (1, 1, 1, 1)
        assert await counts(sqlite_shelf) == (3, 1, 3, 0)


async def test_a_verification_tells_of_one_moment_too(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        go_on_after_the_first_read(monkeypatch, ledger, OnSqlite)
        report = await sqlite_shelf.verify()
        assert report.is_clean, report
        assert (report.rows, report.checkpoints, report.unsealed) == (1, 1, 1)
        assert (await sqlite_shelf.verify()).rows == 3


async def test_a_verification_waits_for_a_checkpoint_that_is_on_its_way(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    """Its line is in the file, and in the database only when the commit is done."""
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        written, go = asyncio.Event(), threading.Event()
        loop, commit, begin = asyncio.get_running_loop(), OnSqlite.commit, OnSqlite.begin

        def late(connection: OnSqlite) -> None:
            loop.call_soon_threadsafe(written.set)
            go.wait()
            commit(connection)

        def wait(connection: OnSqlite) -> None:
            go.set()
            begin(connection)

        monkeypatch.setattr(OnSqlite, "commit", late)
        sealing = asyncio.create_task(ledger.seal())
        await written.wait()
        monkeypatch.setattr(OnSqlite, "begin", wait)
        try:
            report = await sqlite_shelf.verify()
        finally:
            go.set()
            await sealing
        assert report.is_clean, report
        assert report.checkpoints == 1
