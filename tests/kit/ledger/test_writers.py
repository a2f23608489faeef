"""The thread that appends: what goes together, what a failure does to it, and how it ends."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from chains import Shelf, body
from structlog.testing import capture_logs

from bailiwick.kit.ledger import Ledger, LedgerUnwritable, keys
from bailiwick.kit.ledger.connections import OnSqlite, connector
from bailiwick.kit.ledger.rows import entry
from bailiwick.kit.ledger.writer import Writer

pytestmark = pytest.mark.req("GATE-13")


async def call_ids(shelf: Shelf) -> list[str]:
    return [row[0] for row in await shelf.sql("SELECT call_id FROM ledger ORDER BY id")]


def failing(monkeypatch: pytest.MonkeyPatch, method: str, *errors: Exception | None) -> list[Any]:
    """Make a method of the real connection fail as often as there are errors, in order."""
    left, real = list(errors), getattr(OnSqlite, method)

    def once(connection: OnSqlite, *values: Any) -> Any:
        if left and (error := left.pop(0)):
            raise error
        return real(connection, *values)

    monkeypatch.setattr(OnSqlite, method, once)
    return left


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows went into each transaction."""
    sizes: list[int] = []
    real = OnSqlite.insert

    def insert(connection: OnSqlite, rows: Any) -> None:
        sizes.append(len(rows))
        real(connection, rows)

    monkeypatch.setattr(OnSqlite, "insert", insert)
    return sizes


async def queued(ledger: Ledger, *sizes: int, between: Callable[[], None] | None = None) -> None:
    """Hand over so many entries, one time after another, while the thread is busy."""
    go = threading.Event()
    ledger._writer.do(lambda: go.wait() and None)
    tasks: list[asyncio.Task[None]] = []
    for size in sizes:
        tasks += [asyncio.create_task(ledger.append(body(len(tasks) + i))) for i in range(size)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        if between:
            ledger._writer.do(between)
    go.set()
    await asyncio.gather(*tasks)


async def test_a_transaction_takes_whole_hand_overs_until_it_is_full(
    sqlite_shelf: Shelf, groups: list[int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bailiwick.kit.ledger.writer._GROUP", 4)
    async with sqlite_shelf.ledger() as ledger:
        await queued(ledger, 1, 2, 2, 3, 1, 4, 1)
    assert groups == [5, 4, 4, 1]
    assert await call_ids(sqlite_shelf) == [f"cal-{number}" for number in range(14)]
    assert await sqlite_shelf.kinds() == set()


async def test_other_work_comes_in_its_turn(sqlite_shelf: Shelf, groups: list[int]):
    seen: list[int] = []
    async with sqlite_shelf.ledger() as ledger:
        await queued(ledger, 1, 2, between=lambda: seen.append(sum(groups)))
    assert (groups, seen) == ([1, 2], [1, 3])


async def test_what_waits_when_the_thread_is_told_to_end_is_written(sqlite_shelf: Shelf):
    storage, answers = sqlite_shelf.product.storage, list[LedgerUnwritable | None]()
    ring = await keys.opened(storage, sqlite_shelf.product.vault)
    writer = Writer(connector(storage), ring)
    writer.put([entry(body(0))], answers.append)
    writer._waiting.put(None)  # as `stop` does, but before it has begun
    writer.start()
    await asyncio.to_thread(writer.stop)
    assert answers == [None]
    assert await call_ids(sqlite_shelf) == ["cal-0"]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError("disk full\nat line 7"), "so nothing was done: disk full\\. It goes on"),
        (OSError(), "so nothing was done: OSError\\. It goes on"),
        (RuntimeError("a mistake of ours"), "so nothing was done: a mistake of ours\\. It goes on"),
    ],
)
async def test_whatever_fails_callers_hear_why_and_the_next_row_is_written(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
):
    async with sqlite_shelf.ledger() as ledger:
        failing(monkeypatch, "insert", error)
        with capture_logs() as logged:
            results = await asyncio.gather(
                *(ledger.append(body(i)) for i in range(2)), return_exceptions=True
            )
        for result in results:
            with pytest.raises(LedgerUnwritable, match=reason):
                raise result
        assert results[0] is not results[1]
        unexpected = isinstance(error, RuntimeError)
        assert [line["event"] for line in logged] == (
            ["the ledger could not be written"] if unexpected else []
        )
        await ledger.append(body(2))
    assert await call_ids(sqlite_shelf) == ["cal-2"]
    assert await sqlite_shelf.kinds() == set()


async def test_a_connection_that_goes_stale_is_tried_once_more(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(OnSqlite, "goes_stale", True)
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        left = failing(monkeypatch, "begin", OSError("cut"))
        await ledger.append(body(1))
        left += [OSError("cut"), OSError("cut again")]
        with pytest.raises(LedgerUnwritable, match="cut again"):
            await ledger.append(body(2))
        await ledger.append(body(3))
    assert await call_ids(sqlite_shelf) == ["cal-0", "cal-1", "cal-3"]
    assert await sqlite_shelf.kinds() == set()


async def test_a_connection_that_cannot_be_closed_is_dropped_all_the_same(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        failing(monkeypatch, "begin", OSError("cut"))
        failing(monkeypatch, "close", OSError("broken"))
        with (
            capture_logs() as logged,
            pytest.raises(LedgerUnwritable, match="cut"),
        ):
            await ledger.append(body(1))
        assert [(line["event"], line["reason"]) for line in logged] == [
            ("a broken connection could not be closed", "broken")
        ]
        await ledger.append(body(2))
    assert await call_ids(sqlite_shelf) == ["cal-0", "cal-2"]


async def test_a_chain_that_cannot_be_given_back_stops_nothing(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    closed: list[OnSqlite] = []
    real = OnSqlite.close
    with capture_logs() as logged:
        async with sqlite_shelf.ledger() as ledger:
            await ledger.append(body(0))
            failing(monkeypatch, "free_slot", OSError("gone"))
            monkeypatch.setattr(OnSqlite, "close", lambda self: (closed.append(self), real(self)))
    assert [(line["event"], line["reason"]) for line in logged] == [
        ("the chain could not be given back", "gone")
    ]
    assert len(closed) == 1


async def test_a_row_whose_commit_failed_and_that_is_not_there_was_not_written(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        left = failing(monkeypatch, "commit", OSError("away"))
        with pytest.raises(LedgerUnwritable, match="away"):
            await ledger.append(body(1))
        await ledger.append(body(2))
        # Nor can it be believed to be there if the question cannot be asked.
        left += [OSError("away again")]
        failing(monkeypatch, "execute", OSError("no answer"))
        with pytest.raises(LedgerUnwritable, match="away again"):
            await ledger.append(body(3))
        await ledger.append(body(4))
    assert await call_ids(sqlite_shelf) == ["cal-0", "cal-2", "cal-4"]
    assert await sqlite_shelf.kinds() == set()


async def test_another_row_in_the_place_of_ours_is_not_taken_for_it(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    """What a commit in doubt left behind is compared by its hash, not by its place alone."""
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        real = OnSqlite.commit

        def commit(connection: OnSqlite) -> None:
            connection.execute("UPDATE ledger SET hash = x'00' WHERE number = 2")
            real(connection)
            monkeypatch.undo()
            raise OSError("in doubt")

        monkeypatch.setattr(OnSqlite, "commit", commit)
        with pytest.raises(LedgerUnwritable, match="in doubt"):
            await ledger.append(body(1))


async def test_rows_that_vanish_while_it_runs_are_told_in_the_log(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        for number in range(4):
            await ledger.append(body(number))
        await sqlite_shelf.sql("DELETE FROM ledger WHERE number > 2")
        ledger._writer.do(ledger._writer.drop)
        with capture_logs() as logged:
            await ledger.append(body(4))
    assert [(line["event"], line["chain"], line["after"]) for line in logged] == [
        ("rows of the ledger have vanished", "slot-1", 2)
    ]


async def test_a_connection_that_fails_while_it_is_opened_is_closed_again(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    closed: list[OnSqlite] = []
    real = OnSqlite.close
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        monkeypatch.setattr(OnSqlite, "close", lambda self: (closed.append(self), real(self)))
        ledger._writer.do(ledger._writer.drop)
        failing(monkeypatch, "take_slot", OSError("no slot"))
        with pytest.raises(LedgerUnwritable, match="no slot"):
            await ledger.append(body(1))
        assert len(closed) == 2
        await ledger.append(body(2))
    assert await call_ids(sqlite_shelf) == ["cal-0", "cal-2"]


async def test_the_thread_has_a_name_and_keeps_no_process_that_ends(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger():
        assert [each.daemon for each in threading.enumerate() if each.name == "ledger"] == [True]
    assert "ledger" not in {each.name for each in threading.enumerate()}


async def test_sqlite_has_a_row_on_the_disk_before_it_is_acknowledged(sqlite_shelf: Shelf):
    connection = connector(sqlite_shelf.product.storage)()
    try:
        assert connection.execute("PRAGMA synchronous") == [(2,)], "FULL"
    finally:
        connection.close()


async def test_a_row_after_an_altered_one_follows_what_is_there(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2)
    await sqlite_shelf.sql("UPDATE ledger SET hash = x'00' WHERE number = 2")
    await sqlite_shelf.fill(1)
    found = [(each.kind, each.number) for each in (await sqlite_shelf.verify()).problems]
    assert found == [("altered", 2), ("altered", 2)], "row 3 is as it was written, and linked"


async def test_a_sealed_head_is_only_believed_of_an_authentic_checkpoint(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2)
    await sqlite_shelf.sql(
        "UPDATE ledger_checkpoints SET content = replace(content, '[2,', '[9,') WHERE number = 2"
    )
    sqlite_shelf.file.unlink()
    await sqlite_shelf.fill(1)
    numbers = await sqlite_shelf.sql("SELECT number FROM ledger ORDER BY id")
    assert numbers == [(1,), (2,), (3,)]
