"""The audit and its file cut back together: the other stores still know better."""

import pytest
from chains import Shelf

from bailiwick.kit.ledger import marks

pytestmark = pytest.mark.req("GATE-19")


async def cut_both(shelf: Shelf, *, checkpoint: int, row: int) -> None:
    await shelf.cut_back(checkpoint=checkpoint, row=row)
    shelf.write_lines(shelf.lines()[:checkpoint])


async def test_database_and_file_cut_back_together_are_found(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(3, 3, 3)
    assert await sqlite_shelf.found() == []
    await cut_both(sqlite_shelf, checkpoint=2, row=3)
    assert await sqlite_shelf.kinds() == {"rolled_back"}


async def test_the_newest_checkpoint_cut_in_both_is_found(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(3, 3)
    await cut_both(sqlite_shelf, checkpoint=len(sqlite_shelf.lines()) - 1, row=6)
    assert await sqlite_shelf.kinds() == {"rolled_back"}


async def test_files_rolled_back_to_an_older_copy_are_found_also_after_more_was_written(
    sqlite_shelf: Shelf,
):
    await sqlite_shelf.fill(3)
    rows = len(await sqlite_shelf.sql("SELECT 1 FROM ledger"))
    number = len(sqlite_shelf.lines())
    await sqlite_shelf.fill(3, 3)
    await cut_both(sqlite_shelf, checkpoint=number, row=rows)
    await sqlite_shelf.fill(1, 1, 1, 1)
    assert "rolled_back" in await sqlite_shelf.kinds()
    async with sqlite_shelf.ledger() as ledger:
        await ledger.accept_restored(by="Olive")
    assert await sqlite_shelf.found() == []


async def test_an_older_store_beside_a_newer_audit_is_found(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(1)
    storage = sqlite_shelf.product.storage
    older = (await marks.read(storage))["app"]
    assert older
    await sqlite_shelf.fill(1, 1, 1)
    await marks.write(storage, older, force=True)  # as the older file has it
    assert "rolled_back" in await sqlite_shelf.kinds()


async def test_a_start_does_not_hide_an_older_store_or_one_without_a_mark(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(1)
    storage = sqlite_shelf.product.storage
    older = (await marks.read(storage))["app"]
    assert older
    await sqlite_shelf.fill(1, 1, 1)
    await marks.write(storage, older, force=True)
    async with storage["engine"].write() as session:
        await session.execute(marks.text("DELETE FROM ledger_marks"))
    await sqlite_shelf.fill(1)  # which brings both up to date
    said = [text for _, _, text in await sqlite_shelf.said()]
    assert len(said) == 2
    assert said[0].startswith("When the server started: The store app is older than the audit")
    assert said[1].startswith("When the server started: The store engine did not know")
    async with sqlite_shelf.ledger() as ledger:
        await ledger.accept_restored(by="Olive")
    assert await sqlite_shelf.found() == []


async def test_marks_removed_from_both_stores_are_missed(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2, 2)
    await sqlite_shelf.forget_marks()
    assert await sqlite_shelf.kinds() == {"checkpoint_removed"}


@pytest.mark.parametrize("store", ["app", "engine"])
async def test_a_mark_that_was_removed_or_changed_is_found(sqlite_shelf: Shelf, store):
    await sqlite_shelf.fill(2, 2)
    one = sqlite_shelf.product.storage[store]
    for statement, kind in (
        ("UPDATE ledger_marks SET line = replace(line, 'slot-1', 'slot-2')", "checkpoint_altered"),
        ("DELETE FROM ledger_marks", "checkpoint_removed"),
    ):
        async with one.write() as session:
            await session.execute(marks.text(statement))
        assert await sqlite_shelf.kinds() == {kind}


async def test_on_each_database_what_was_not_touched_is_whole(shelf: Shelf):
    await shelf.fill(2, 2)
    await shelf.fill(1)
    assert await shelf.found() == []
    assert (await marks.read(shelf.product.storage))["app"]
