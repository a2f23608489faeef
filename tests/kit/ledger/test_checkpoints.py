"""Making checkpoints: by whom, from what, and how file and database are made to agree."""

import asyncio
import json
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from chains import Shelf, body
from structlog.testing import capture_logs

from bailiwick.kit import clock
from bailiwick.kit.ledger import LedgerUnwritable
from bailiwick.kit.ledger.connections import OnSqlite
from bailiwick.kit.ledger.rows import row_id
from bailiwick.kit.vault import key_id
from support.server import PATIENCE

pytestmark = pytest.mark.req("GATE-14")


async def numbers(shelf: Shelf) -> list[int]:
    rows = await shelf.sql("SELECT number FROM ledger_checkpoints ORDER BY number")
    return [row[0] for row in rows]


async def content(shelf: Shelf, number: int) -> dict[str, Any]:
    statement = "SELECT content FROM ledger_checkpoints WHERE number = :number"
    return json.loads((await shelf.sql(statement, number=number))[0][0])


def fails(_: object) -> None:
    raise OSError("the power went")


def fails_oddly(_: object) -> None:
    raise RuntimeError("a mistake of ours")


async def test_the_timer_makes_none_while_another_process_has_just_made_one(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        made = datetime.fromisoformat(f"{await sqlite_shelf.made_at(1)}+00:00")
        instant = timedelta(microseconds=1)
        for since, expected in ((made - instant, [1]), (made, [1, 2])):
            await ledger._on_thread(lambda since=since: ledger._sealer.seal(unless_since=since))
            assert await numbers(sqlite_shelf) == expected


async def test_the_timer_also_follows_a_rotation_of_the_vault(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger(every=timedelta(milliseconds=10)):
        vault = sqlite_shelf.product.vault
        vault.add_key()
        async with asyncio.timeout(PATIENCE):
            while True:
                ((sealed,),) = await sqlite_shelf.sql("SELECT key FROM ledger_keys")
                if key_id(bytes(sealed)) == vault.active:
                    break
                await asyncio.sleep(0.01)


async def test_a_timer_that_fails_says_so(sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch):
    with capture_logs() as logged:
        async with sqlite_shelf.ledger(every=timedelta(milliseconds=10)):
            monkeypatch.setattr(OnSqlite, "alone", fails)
            async with asyncio.timeout(PATIENCE):
                while len(logged) < 2:  # noqa: ASYNC110  (nobody tells us)
                    await asyncio.sleep(0.01)
            monkeypatch.undo()
    assert {line["event"] for line in logged} == {"the audit could not be sealed; trying again"}


async def test_an_end_that_cannot_be_sealed_says_so(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    with capture_logs() as logged:
        async with sqlite_shelf.ledger() as ledger:
            await ledger.append(body(0))
            monkeypatch.setattr(OnSqlite, "alone", fails)
    assert [line["event"] for line in logged] == ["the audit ends unsealed"]
    assert "the power went" in logged[0]["reason"]
    assert (await sqlite_shelf.verify()).unsealed == 1


async def test_whatever_fails_while_it_is_sealed_is_told_and_the_next_try_works(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        monkeypatch.setattr(OnSqlite, "alone", fails_oddly)
        with (
            capture_logs() as logged,
            pytest.raises(LedgerUnwritable, match="nothing was done: a mistake of ours"),
        ):
            await ledger.seal()
        assert [line["event"] for line in logged] == ["the ledger could not be sealed"]
        monkeypatch.undo()
        await ledger.append(body(1))
        await ledger.seal()
        assert await sqlite_shelf.kinds() == set()
        assert (await sqlite_shelf.verify()).rows == 2


async def test_who_stops_waiting_for_a_checkpoint_stops_nobody_else(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        sealing = asyncio.create_task(ledger.seal())
        await asyncio.sleep(0)
        sealing.cancel()
        await ledger.append(body(1))
        await ledger.seal()
    assert sealing.cancelled()
    assert (await sqlite_shelf.verify()).unsealed == 0


async def test_the_very_first_checkpoint_is_taken_up_from_the_file(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(OnSqlite, "commit", fails)
    with pytest.raises(LedgerUnwritable, match="the power went"):
        async with sqlite_shelf.ledger():
            pass
    monkeypatch.undo()
    assert await numbers(sqlite_shelf) == []
    line = sqlite_shelf.lines()
    await sqlite_shelf.fill(0)
    assert await numbers(sqlite_shelf) == [1]
    assert sqlite_shelf.lines() == line
    assert await sqlite_shelf.kinds() == set()


async def test_an_altered_line_is_not_taken_up(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        monkeypatch.setattr(OnSqlite, "commit", fails)
        with pytest.raises(LedgerUnwritable):
            await ledger.seal()
        monkeypatch.undo()
        first, second = sqlite_shelf.lines()
        sqlite_shelf.write_lines([first, json.dumps({**json.loads(second), "at": "2020-01-01"})])
    assert await numbers(sqlite_shelf) == [1, 2]
    assert (await sqlite_shelf.sql("SELECT at FROM ledger_checkpoints WHERE number = 2"))[0][0] > (
        "2026"
    )
    assert await sqlite_shelf.kinds() == {"file_altered"}


async def test_a_line_of_another_life_is_not_taken_up(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(1, 1, 1)
    lines = sqlite_shelf.lines()
    await sqlite_shelf.sql("DELETE FROM ledger_checkpoints WHERE number > 2")
    sqlite_shelf.write_lines(lines[:2])
    await sqlite_shelf.fill(0)
    assert await numbers(sqlite_shelf) == [1, 2, 3]
    sqlite_shelf.write_lines([*sqlite_shelf.lines(), lines[3]])
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(9))
    found = [(each.kind, each.number) for each in (await sqlite_shelf.verify()).problems]
    assert ("checkpoint_altered", 4) not in found
    assert (await content(sqlite_shelf, 4))["heads"]["slot-1"][0] == 4


async def test_a_line_is_on_the_disk_and_so_is_a_new_files_name(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    synced: list[tuple[str, int]] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        path = Path(f"/proc/self/fd/{handle}").readlink()
        if not path.name.endswith("-wal"):  # of the stores, which are marked too
            synced.append((path.name, path.stat().st_size if path.is_file() else 0))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    async with sqlite_shelf.ledger() as ledger:
        file, folder = sqlite_shelf.file, sqlite_shelf.file.parent.name
        assert synced == [(file.name, file.stat().st_size), (folder, 0)]
        synced.clear()
        await ledger.append(body(0))
        await ledger.seal()
        assert synced == [(file.name, file.stat().st_size)]


async def test_a_file_that_lacks_lines_gets_them_and_it_is_logged(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bailiwick.kit.ledger.sealer._LINES", 2)
    await sqlite_shelf.fill(1, 1, 1, 1)
    for left in (0, 1, 3, 4):
        lines = sqlite_shelf.lines()
        sqlite_shelf.write_lines(lines[:left])
        with capture_logs() as logged:
            await sqlite_shelf.fill(0)
        assert [(line["event"], line["until"]) for line in logged] == [
            ("the checkpoint file lacks lines; they are added", len(lines))
        ]
        assert sqlite_shelf.lines()[: len(lines)] == lines
        # It is not forgotten with that.
        assert f"The checkpoint file ended with {left}, " in (await sqlite_shelf.found())[-1].text
    lines = sqlite_shelf.lines()
    with capture_logs() as logged:
        await sqlite_shelf.fill(0)
    assert (logged, sqlite_shelf.lines()) == ([], lines)


async def test_nothing_is_removed_on_the_word_of_an_altered_checkpoint(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        await ledger.seal()
        await sqlite_shelf.sql("UPDATE ledger_checkpoints SET signature = x'00' WHERE number = 2")
        with capture_logs() as logged:
            assert await ledger.forget_before(clock.now()) == 0
        assert [(line["event"], line["number"]) for line in logged] == [
            ("nothing is removed: a checkpoint was altered", 2)
        ]
        assert len(await sqlite_shelf.sql("SELECT id FROM ledger")) == 1


async def test_an_altered_checkpoint_is_passed_over_for_what_the_file_says(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2)
    await sqlite_shelf.sql("UPDATE ledger_checkpoints SET signature = x'00' WHERE number = 2")
    await sqlite_shelf.sql("DELETE FROM ledger WHERE number = 2")
    async with sqlite_shelf.ledger(slot=2) as ledger:
        await ledger.append(body(0))
    heads = (await content(sqlite_shelf, 3))["heads"]
    assert {chain: number for chain, (number, _) in heads.items()} == {"slot-1": 2, "slot-2": 1}


async def test_forgetting_is_noted_once_and_leaves_what_came_later(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger, sqlite_shelf.ledger(slot=2) as other:
        for number in range(3):
            await ledger.append(body(number))
            await other.append(body(number))
        await ledger.seal()
        moment = clock.now()
        await ledger.append(body(3))
        assert await ledger.forget_before(moment) == 6
        noted = await numbers(sqlite_shelf)
        assert noted == [2, 3]
        said = await content(sqlite_shelf, 3)
        assert (said["first"], {chain: head[0] for chain, head in said["floor"].items()}) == (
            2, {"slot-1": 3, "slot-2": 3}
        )  # fmt: skip
        assert await ledger.forget_before(moment) == 0
        assert await numbers(sqlite_shelf) == noted
        assert await sqlite_shelf.sql("SELECT chain, number FROM ledger") == [("slot-1", 4)]
        assert await sqlite_shelf.kinds() == set()


async def test_rows_next_to_what_is_forgotten_stay(sqlite_shelf: Shelf):
    """A row that someone put before the first, or into another chain, is not swept away with it."""
    await sqlite_shelf.fill(2)
    for place in ((1, 0), (2, 1), (0, 5)):
        await sqlite_shelf.sql(
            "INSERT INTO ledger SELECT :id, chain, number, at, key_id, body, previous, hash,"
            " workspace_id, caller_id, tool, decision, status, call_id, owner_id"
            " FROM ledger WHERE id = :old",
            id=row_id(*place),
            old=row_id(1, 1),
        )
    async with sqlite_shelf.ledger() as ledger:
        await ledger._on_thread(lambda: ledger._sealer.raise_floor("9999-01-01 00:00:00"))
        await ledger._on_thread(ledger._sealer.remove_some)
    left = [row[0] for row in await sqlite_shelf.sql("SELECT id FROM ledger ORDER BY id")]
    assert left == [row_id(0, 5), row_id(1, 0), row_id(2, 1)]


@pytest.mark.parametrize("method", ["begin", "commit"])
async def test_a_removal_that_fails_is_told_and_done_the_next_time(
    sqlite_shelf: Shelf, monkeypatch: pytest.MonkeyPatch, method: str
):
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        await ledger.seal()
        await ledger._on_thread(lambda: ledger._sealer.raise_floor("9999-01-01 00:00:00"))
        monkeypatch.setattr(OnSqlite, method, fails)
        with pytest.raises(LedgerUnwritable, match="the power went"):
            await ledger._on_thread(ledger._sealer.remove_some)
        monkeypatch.undo()
        assert await ledger.forget_before(clock.now() + timedelta(days=1)) == 1


async def test_who_accepts_a_restore_and_what_is_noted_in_that_checkpoint_alone(
    sqlite_shelf: Shelf,
):
    await sqlite_shelf.fill(1)
    signature = json.loads(sqlite_shelf.lines()[-1])["signature"]
    async with sqlite_shelf.ledger() as ledger:
        await ledger.accept_restored(by="Olive")
        await ledger.append(body(1))
    said = await content(sqlite_shelf, 3)
    assert (said["accepts"], said["by"]) == (signature, "Olive")
    said = await content(sqlite_shelf, 4)
    assert (said["accepts"], said["by"]) == (None, None)
