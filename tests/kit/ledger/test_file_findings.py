"""What a verification says about the file of checkpoints: the kind, the place and the words."""

import json
from collections.abc import Callable
from datetime import datetime

import pytest
from chains import Shelf, body

from bailiwick.kit import clock

pytestmark = pytest.mark.req("GATE-14")
FILE = "audit-checkpoints.jsonl"


def without_second(lines: list[str]) -> list[str]:
    return [lines[0], *lines[2:]]


def changed_second(lines: list[str]) -> list[str]:
    return [lines[0], json.dumps({**json.loads(lines[1]), "key": "other"}), *lines[2:]]


CUT = "lines before it are gone."
FILES: dict[str, tuple[Callable[[list[str]], list[str]], list[tuple[str, int | None, str]]]] = {
    "a line that is none": (
        lambda lines: [lines[0], "x", *lines[2:]],
        [("file_altered", None, f"Line 2 of {FILE} is no line.")],
    ),
    "a changed line": (
        changed_second,
        [("file_altered", 2, f"Line 2 of {FILE} was changed.")],
    ),
    "a line is gone": (
        without_second,
        [("file_cut", 3, f"Line 2 of {FILE} does not follow: {CUT}")],
    ),
    "the first are gone": (
        lambda lines: lines[2:],
        [("file_cut", 3, "The file's first lines are gone: checkpoints 1 to 2.")],
    ),
    "the last is gone": (
        lambda lines: lines[:-1],
        [("file_cut", 4, "The checkpoint file ends with 3, the database with 4.")],
    ),
    "one is there twice": (
        lambda lines: [*lines[:2], lines[1], *lines[2:]],
        [("file_altered", 2, f"Line 3 of {FILE} is there twice.")],
    ),
    "the first is there again at the end": (
        lambda lines: [*lines, lines[0]],
        [
            ("file_altered", 1, f"Line 5 of {FILE} is there twice."),
            ("file_cut", 4, "The checkpoint file ends with 1, the database with 4."),
        ],
    ),
    "two have changed places": (
        lambda lines: [lines[0], lines[2], lines[1], lines[3]],
        [
            ("file_cut", 3, f"Line 2 of {FILE} does not follow: {CUT}"),
            ("file_altered", 2, f"Line 3 of {FILE} is there twice."),
            ("file_cut", 4, f"Line 4 of {FILE} does not follow: {CUT}"),
        ],
    ),
}


@pytest.mark.parametrize("case", FILES)
async def test_what_was_done_to_the_file_is_said_exactly(sqlite_shelf: Shelf, case: str):
    change, expected = FILES[case]
    await sqlite_shelf.fill(2, 2, 2)
    sqlite_shelf.write_lines(change(sqlite_shelf.lines()))
    problems = await sqlite_shelf.found()
    assert [(each.kind, each.number, each.text) for each in problems] == expected
    for each in problems:
        assert each.at == (await sqlite_shelf.made_at(each.number) if each.number else None)


async def test_a_file_that_is_gone_is_found_even_after_the_very_first_checkpoint(
    sqlite_shelf: Shelf,
):
    async with sqlite_shelf.ledger():
        pass
    sqlite_shelf.file.unlink()
    ((kind, number, text),) = await sqlite_shelf.said()
    assert (kind, number) == ("file_cut", 1)
    assert text.startswith("The checkpoint file is gone.")


async def test_of_checkpoints_that_only_the_file_has_the_first_two_are_named(sqlite_shelf: Shelf):
    await sqlite_shelf.fill(2, 2, 2, 2)
    await sqlite_shelf.sql("DELETE FROM ledger_checkpoints WHERE number > 2")
    assert await sqlite_shelf.said() == [
        ("checkpoint_removed", 3, "Checkpoint 3 is in the file, but gone from the database."),
        ("checkpoint_removed", 4, "Checkpoint 4 is in the file, but gone from the database."),
    ]


async def test_when_the_database_has_no_checkpoint_the_file_tells_what_is_missing(
    sqlite_shelf: Shelf,
):
    await sqlite_shelf.fill(2, 2)
    sealed = await sqlite_shelf.made_at(3)
    await sqlite_shelf.sql("DELETE FROM ledger_checkpoints")
    report = await sqlite_shelf.verify()
    assert [(each.kind, each.number) for each in report.problems] == [
        ("checkpoint_removed", None),
        ("checkpoint_removed", 1),
        ("checkpoint_removed", 2),
    ]
    assert report.problems[0].text.startswith("There is no checkpoint, though there always is one")
    assert report.sealed_at == datetime.fromisoformat(f"{sealed}+00:00")
    await sqlite_shelf.sql("DELETE FROM ledger WHERE number = 4")
    assert (await sqlite_shelf.found())[1].kind == "rolled_back"
    assert (await sqlite_shelf.found())[2].kind == "truncated"


async def test_a_database_that_was_cut_back_is_told_by_the_files_first_and_last_line(
    sqlite_shelf: Shelf,
):
    await sqlite_shelf.fill(2, 2, 2, 2)
    lost = [await sqlite_shelf.made_at(number) for number in (3, 4, 5)]
    await sqlite_shelf.cut_back(checkpoint=2, row=2)
    (problem,) = await sqlite_shelf.found()
    assert (problem.kind, problem.number, problem.at) == ("rolled_back", 3, lost[0])
    assert f"it knows checkpoint 5 of {lost[2][:19]} UTC" in problem.text
    async with sqlite_shelf.ledger() as ledger:
        await ledger.accept_restored(by="Olive")
    accepted = await sqlite_shelf.made_at(3)
    report = await sqlite_shelf.verify()
    assert report.is_clean
    assert report.notes == [
        f"A backup was restored, as Olive said on {accepted[:19]} UTC. Rows that were sealed "
        f"between {lost[0][:19]} and {lost[2][:19]} UTC are not in it."
    ]


async def test_who_accepts_lost_checkpoints_of_rows_that_are_there_ends_the_alarm(
    sqlite_shelf: Shelf,
):
    await sqlite_shelf.fill(2, 2, 2, 2)
    await sqlite_shelf.sql("DELETE FROM ledger_checkpoints WHERE number > 1")
    assert await sqlite_shelf.kinds() == {"checkpoint_removed"}
    async with sqlite_shelf.ledger() as ledger:
        await ledger.accept_restored(by="Olive")
    report = await sqlite_shelf.verify()
    assert (report.problems, report.notes) == ([], [])


async def test_what_was_forgotten_twice_is_still_told_by_the_whole_file(sqlite_shelf: Shelf):
    async with sqlite_shelf.ledger() as ledger:
        for number in range(4):
            await ledger.append(body(number))
        await ledger.seal()
        assert await ledger.forget_before(clock.now()) == 4
        assert await ledger.forget_before(clock.now()) == 0
        report = await sqlite_shelf.verify()
        assert report.is_clean, report
        first = (await sqlite_shelf.sql("SELECT min(number) FROM ledger_checkpoints"))[0][0]
        since = await sqlite_shelf.made_at(first)
        assert first == 3
        assert report.since == datetime.fromisoformat(f"{since}+00:00")
        assert report.notes == [f"Rows sealed before {since[:19]} UTC were removed as old."]
    # Its line is no stranger, though the one before it has left the database.
    lines = sqlite_shelf.lines()
    sqlite_shelf.write_lines([*lines, lines[2]])
    assert await sqlite_shelf.said() == [
        ("file_altered", 3, f"Line {len(lines) + 1} of {FILE} is there twice."),
        ("file_cut", 4, "The checkpoint file ends with 3, the database with 4."),
    ]
