"""What a verification says about rows and checkpoints: the kind, the place and the words."""

import json
from datetime import datetime

import pytest
from chains import Shelf, body

pytestmark = pytest.mark.req("GATE-14")
FILE = "audit-checkpoints.jsonl"
FOLLOWS = "This checkpoint does not follow the one before it."


async def test_an_installation_without_a_ledger_yet_is_whole(sqlite_shelf: Shelf):
    report = await sqlite_shelf.verify()
    assert report.is_clean
    assert (report.rows, report.chains, report.checkpoints, report.unsealed) == (0, 0, 0, 0)
    assert (report.sealed_at, report.since, report.notes) == (None, None, [])


async def test_a_whole_ledger_is_counted_and_told_when_it_was_sealed(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2, 3)
    report = await sqlite_shelf.verify()
    assert (report.count, report.rows, report.checkpoints) == (0, 5, 3)
    assert report.sealed_at == datetime.fromisoformat(f"{await sqlite_shelf.made_at(3)}+00:00")
    assert report.since is None


async def test_an_altered_last_checkpoint_is_named_once_and_not_believed(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2, 2)
    ((content,),) = await sqlite_shelf.sql(
        "SELECT content FROM ledger_checkpoints WHERE number = 3"
    )
    forgotten = json.loads(content)
    forgotten |= {"floor": forgotten["heads"], "first": 3, "since": "2026-01-01 00:00:00"}
    await sqlite_shelf.sql(
        "UPDATE ledger_checkpoints SET content = :content WHERE number = 3",
        content=json.dumps(forgotten),
    )
    report = await sqlite_shelf.verify()
    assert [(each.kind, each.number, each.text) for each in report.problems] == [
        ("checkpoint_altered", 3, "This checkpoint was changed or added.")
    ]
    assert (report.rows, report.unsealed, report.since) == (4, 2, None)
    assert report.sealed_at == datetime.fromisoformat(f"{await sqlite_shelf.made_at(2)}+00:00")


async def test_a_last_checkpoint_under_another_signature_is_altered_and_not_gone(
    sqlite_shelf: Shelf,
):
    await sqlite_shelf.fill(2, 2)
    await sqlite_shelf.sql("UPDATE ledger_checkpoints SET signature = x'00' WHERE number = 3")
    assert [(kind, number) for kind, number, _ in await sqlite_shelf.said()] == [
        ("checkpoint_altered", 3)
    ]


async def test_the_first_checkpoint_counts_when_all_others_were_altered(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2, 2)
    await sqlite_shelf.sql("UPDATE ledger_checkpoints SET signature = x'00' WHERE number > 1")
    sqlite_shelf.file.unlink()
    report = await sqlite_shelf.verify()
    assert report.sealed_at == datetime.fromisoformat(f"{await sqlite_shelf.made_at(1)}+00:00")
    assert report.unsealed == 4


async def test_missing_checkpoints_are_named_by_the_one_that_follows(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2, 2, 2)
    await sqlite_shelf.sql("DELETE FROM ledger_checkpoints WHERE number IN (2, 3)")
    report = await sqlite_shelf.verify()
    (problem,) = report.problems
    assert (problem.kind, problem.number) == ("checkpoint_removed", 4)
    assert problem.text == "Checkpoints 2 to 3 are gone."
    assert problem.at == await sqlite_shelf.made_at(4)
    assert report.checkpoints == 2


async def test_a_count_of_checkpoints_that_began_anew_is_found(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2, 2)
    await sqlite_shelf.sql("DELETE FROM ledger_checkpoints")
    sqlite_shelf.file.unlink()
    await sqlite_shelf.fill(1)
    assert await sqlite_shelf.said() == [
        (
            "checkpoint_removed",
            1,
            "All checkpoints before this one were removed, and the count began anew.",
        )
    ]


async def test_a_first_checkpoint_that_followed_an_invented_one_is_found(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger():
        pass
    await sqlite_shelf.sql("UPDATE ledger_checkpoints SET number = 0")
    sqlite_shelf.file.unlink()
    async with sqlite_shelf.ledger() as ledger:
        await ledger.append(body(0))
        await ledger.seal()
    await sqlite_shelf.sql("DELETE FROM ledger_checkpoints WHERE number = 0")
    assert ("checkpoint_altered", 1, FOLLOWS) in await sqlite_shelf.said()


async def test_a_checkpoint_of_another_life_of_the_database_does_not_follow(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2, 2, 2)
    old = await sqlite_shelf.sql("SELECT * FROM ledger_checkpoints WHERE number = 4")
    old_line, first = sqlite_shelf.lines()[3], sqlite_shelf.lines()[0]
    await sqlite_shelf.cut_back(checkpoint=1, row=0)
    sqlite_shelf.write_lines([first])
    await sqlite_shelf.forget_marks()
    await sqlite_shelf.fill(2, 2, 2, 2)
    assert await sqlite_shelf.found() == []
    sqlite_shelf.write_lines([*sqlite_shelf.lines(), old_line])
    kinds = [(kind, number) for kind, number, _ in await sqlite_shelf.said()]
    assert kinds[0] == ("file_altered", 4)
    assert (await sqlite_shelf.found())[
        0
    ].text == f"Line 6 of {FILE} stands where it was not written."
    sqlite_shelf.write_lines(sqlite_shelf.lines()[:-1])
    await sqlite_shelf.sql("DELETE FROM ledger_checkpoints WHERE number = 4")
    names = ("number", "at", "key_id", "content", "previous", "signature")
    await sqlite_shelf.sql(
        "INSERT INTO ledger_checkpoints VALUES (:number, :at, :key_id, :content, :previous,"
        " :signature)",
        **dict(zip(names, old[0], strict=True)),
    )
    problems = await sqlite_shelf.said()
    assert ("checkpoint_altered", 4, FOLLOWS) in problems
    assert ("checkpoint_altered", 5, FOLLOWS) in problems
    replaced = [each for each in await sqlite_shelf.found() if each.chain]
    assert [(each.kind, each.chain, each.number, each.at, each.text) for each in replaced] == [
        ("altered", "slot-1", 6, old[0][1], "This row was replaced after it was sealed.")
    ]


async def test_rows_that_are_gone_or_changed_are_named_with_their_time(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(6)
    times = [row[0] for row in await sqlite_shelf.sql("SELECT at FROM ledger ORDER BY id")]
    await sqlite_shelf.sql("DELETE FROM ledger WHERE number IN (2, 4, 5)")
    await sqlite_shelf.sql("UPDATE ledger SET tool = 'x' WHERE number = 6")
    problems = await sqlite_shelf.found()
    assert [(each.kind, each.chain, each.number, each.at) for each in problems] == [
        ("removed", "slot-1", 2, times[2]),
        ("removed", "slot-1", 4, times[5]),
        ("column_altered", "slot-1", 6, times[5]),
    ]
    assert problems[0].text.startswith("Row 2 is gone")
    assert problems[1].text.startswith("The rows 4 to 5 are gone")
    assert "a column was changed" in problems[2].text


async def test_a_row_of_another_life_of_the_database_does_not_follow(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(3)
    first = sqlite_shelf.lines()[0]
    await sqlite_shelf.sql("CREATE TABLE aside AS SELECT * FROM ledger WHERE number = 3")
    await sqlite_shelf.cut_back(checkpoint=1, row=1)
    sqlite_shelf.write_lines([first])
    await sqlite_shelf.forget_marks()
    await sqlite_shelf.fill(3)
    assert await sqlite_shelf.found() == []
    await sqlite_shelf.sql("DELETE FROM ledger WHERE number = 3")
    await sqlite_shelf.sql("INSERT INTO ledger SELECT * FROM aside")
    problems = await sqlite_shelf.found()
    assert [(each.kind, each.number) for each in problems] == [("unlinked", 3), ("unlinked", 4)]
    assert "does not follow the one before it" in problems[0].text


async def test_what_is_forgotten_and_not_removed_yet_is_passed_over(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        for number in range(3):
            await ledger.append(body(number))
        await ledger.seal()
        await ledger._on_thread(lambda: ledger._sealer.raise_floor("9999-01-01 00:00:00"))
        for number in range(2):
            await ledger.append(body(number))
        await sqlite_shelf.sql("UPDATE ledger SET hash = x'00' WHERE number = 3")
        report = await sqlite_shelf.verify()
        assert report.is_clean, report
        assert (report.rows, report.chains, report.unsealed) == (2, 1, 2)
        await sqlite_shelf.sql("UPDATE ledger SET hash = x'00' WHERE number = 4")
        assert await sqlite_shelf.kinds() == {"altered", "unlinked"}


async def test_a_chain_that_was_cut_is_told_by_what_is_gone(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2, 4)
    sealed = await sqlite_shelf.made_at(3)
    await sqlite_shelf.sql("DELETE FROM ledger WHERE number > 3")
    (problem,) = await sqlite_shelf.found()
    assert (problem.kind, problem.chain, problem.number, problem.at) == (
        "truncated", "slot-1", 4, sealed
    )  # fmt: skip
    assert "cut at its end: the rows 4 to 6 are gone" in problem.text
    await sqlite_shelf.sql("DELETE FROM ledger")
    (problem,) = await sqlite_shelf.found()
    assert (problem.kind, problem.number) == ("vanished", 1)
    assert "the rows 1 to 6 are gone" in problem.text
