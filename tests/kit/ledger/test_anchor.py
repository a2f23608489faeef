"""Checkpoints kept elsewhere: everything rewritten with the vault's key in hand is found."""

from pathlib import Path

import pytest
from chains import Shelf, body

from bailiwick.kit.ledger import Elsewhere, verify
from bailiwick.kit.ledger.anchor import Anchor, FileAnchor

pytestmark = pytest.mark.req("GATE-14")


def anchor_in(path: Path) -> Anchor:
    async def where() -> Path:
        return path

    return FileAnchor(where)


async def fill(shelf: Shelf, path: Path, *parts: int) -> None:
    async with shelf.ledger(anchors=[anchor_in(path)]) as ledger:
        for count in parts:
            for number in range(count):
                await ledger.append(body(number))
            await ledger.seal()


async def found(shelf: Shelf, path: Path, **more):
    product = shelf.product
    return await verify(product.storage, product.vault, elsewhere=Elsewhere(file=path), **more)


async def rewrite_everything(shelf: Shelf, *parts: int) -> None:
    """What someone does who has the folder, with `vault.key` in it, and time."""
    for table in ("ledger", "ledger_checkpoints"):
        await shelf.sql(f"DELETE FROM {table}")
    shelf.file.unlink()
    await shelf.forget_marks()
    await shelf.fill(*parts)


async def test_everything_rewritten_with_the_key_in_hand_is_found_by_the_anchor(
    shelf: Shelf, tmp_path: Path
):
    kept = tmp_path / "kept.jsonl"
    await fill(shelf, kept, 3, 3)
    assert kept.read_text().splitlines() == shelf.lines()
    clean = await found(shelf, kept)
    assert clean.problems == []
    assert clean.anchored_at == clean.sealed_at
    await rewrite_everything(shelf, 2, 2, 2, 2)
    assert await shelf.found() == []  # nothing in the folder tells
    report = await found(shelf, kept)
    assert {each.kind for each in report.problems} == {"anchor_differs"}
    assert "checkpoints, from 1 of " in report.problems[0].text
    lines = Elsewhere(copy=kept.read_text().splitlines())
    copied = await verify(shelf.product.storage, shelf.product.vault, elsewhere=lines)
    assert [each.kind for each in copied.problems] == ["anchor_differs"]


async def test_everything_cut_back_to_before_the_anchor_is_found(
    sqlite_shelf: Shelf, tmp_path: Path
):
    kept = tmp_path / "kept.jsonl"
    await fill(sqlite_shelf, kept, 3, 3, 3)
    await rewrite_everything(sqlite_shelf, 1)
    report = await found(sqlite_shelf, kept)
    assert {each.kind for each in report.problems} == {"anchor_differs", "rolled_back"}


async def test_what_was_written_since_does_not_cover_a_rewriting(
    sqlite_shelf: Shelf, tmp_path: Path
):
    kept = tmp_path / "kept.jsonl"
    await fill(sqlite_shelf, kept, 3)
    await rewrite_everything(sqlite_shelf, 2)
    await fill(sqlite_shelf, kept, 2, 2)
    report = await found(sqlite_shelf, kept)
    assert not report.is_clean
    assert report.anchored_at == report.sealed_at


async def test_a_restored_backup_that_was_accepted_is_told_and_no_finding(
    sqlite_shelf: Shelf, tmp_path: Path
):
    kept = tmp_path / "kept.jsonl"
    await fill(sqlite_shelf, kept, 3, 3)
    await sqlite_shelf.cut_back(checkpoint=2, row=3)
    assert not (await found(sqlite_shelf, kept)).is_clean
    async with sqlite_shelf.ledger(anchors=[anchor_in(kept)]) as ledger:
        await ledger.accept_restored(by="Olive")
    report = await found(sqlite_shelf, kept)
    assert report.problems == []
    assert any("Olive said that a backup was restored" in note for note in report.notes)


async def test_a_file_that_cannot_be_written_is_told_and_tried_again_and_stops_nothing(
    sqlite_shelf: Shelf, tmp_path: Path
):
    kept = tmp_path / "disk" / "kept.jsonl"
    anchor = anchor_in(kept)
    async with sqlite_shelf.ledger(anchors=[anchor]) as ledger:
        await ledger.append(body(1))
        await ledger.seal()
        assert "kept.jsonl" in (anchor.failure or "")
        report = await found(sqlite_shelf, kept)
        assert report.is_clean
        assert any("could not be compared" in note for note in report.notes)
        kept.parent.mkdir()
        await ledger.seal()  # nothing is new, and the disk is back
        assert anchor.failure is None
    assert kept.read_text().splitlines() == sqlite_shelf.lines()[-1:]


async def test_nothing_is_added_to_a_file_that_has_something_else_in_it_or_is_a_link(
    sqlite_shelf: Shelf, tmp_path: Path
):
    other, link = tmp_path / "other.jsonl", tmp_path / "link.jsonl"
    other.write_text("export PATH\n")
    link.symlink_to(tmp_path / "new.jsonl")
    for path in (other, link):
        anchor = anchor_in(path)
        async with sqlite_shelf.ledger(anchors=[anchor]) as ledger:
            await ledger.append(body(1))
            await ledger.seal()
            assert anchor.failure
    assert other.read_text() == "export PATH\n"
    assert not (tmp_path / "new.jsonl").exists()


async def test_a_line_that_a_crash_cut_is_passed_over(sqlite_shelf: Shelf, tmp_path: Path):
    kept = tmp_path / "kept.jsonl"
    await fill(sqlite_shelf, kept, 1)
    kept.write_text(kept.read_text()[:-20])
    await fill(sqlite_shelf, kept, 1)
    report = await found(sqlite_shelf, kept)
    assert report.problems == []
    assert report.anchored_at == report.sealed_at


async def test_the_report_says_what_it_cannot_prove(sqlite_shelf: Shelf, tmp_path: Path):
    kept = tmp_path / "kept.jsonl"
    await fill(sqlite_shelf, kept, 1)
    alone = " ".join((await sqlite_shelf.verify()).limits)
    assert "nothing that was kept elsewhere was compared" in alone
    report = await found(sqlite_shelf, kept)
    assert f"of all of it in its place after {report.sealed_at:%Y-%m-%d %H:%M:%S} UTC" in " ".join(
        report.limits
    )
