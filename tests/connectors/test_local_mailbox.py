"""The local mailbox beside other programs, and against those who mean harm."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from bailiwick.connectors.contract import letter, opened, paged, refused, synced
from bailiwick.connectors.local.maildir import LARGEST
from bailiwick.connectors.mail import OutgoingMessage
from support.local_rig import LocalRig, local_rig

pytestmark = pytest.mark.req("ACC-02")


@pytest.fixture
def rig(tmp_path: Path) -> LocalRig:
    return local_rig(tmp_path / "account")


def root(rig: LocalRig) -> Path:
    return rig.access.folder / "Maildir"


async def test_a_move_by_another_program_is_a_move_of_the_same_message(rig: LocalRig):
    await rig.deliver(letter("a@example.org"))
    copy = await synced(rig)
    id, _ = copy.one("a@example.org")
    rig.maildir.add_folder("Work")
    (file,) = (root(rig) / "new").iterdir()
    file.rename(root(rig) / ".Work" / "cur" / f"{file.name}:2,FS")
    pages = await paged(rig, copy.cursor)
    for page in pages:
        copy.take_in(page)
    assert not any(page.arrived or page.gone for page in pages)
    assert copy.one("a@example.org")[0] == id
    assert {copy.folders[one].title for one in copy.one("a@example.org")[1].folders} == {"Work"}
    assert copy.one("a@example.org")[1].flags == {"flagged", "seen"}


async def test_what_another_program_takes_notice_of_has_not_changed(rig: LocalRig):
    await rig.deliver(letter("a@example.org"))
    copy = await synced(rig)
    (file,) = (root(rig) / "new").iterdir()
    file.rename(root(rig) / "cur" / f"{file.name}:2,")
    (page,) = await paged(rig, copy.cursor)
    assert (page.arrived, page.changed, page.gone) == ((), (), ())


async def test_other_programs_can_read_what_it_writes(rig: LocalRig):
    await rig.deliver(letter("a@example.org"))
    copy = await synced(rig)
    id, _ = copy.one("a@example.org")
    async with opened(rig) as mailbox:
        await mailbox.save_draft(letter("draft@example.org"))
        await mailbox.relabel(id, add=["Rent"])
        await mailbox.set_flags(id, add=["answered"])
        await mailbox.move(id, to="archive")
    (kept,) = rig.maildir.get_folder("Archive")
    (draft,) = rig.maildir.get_folder("Drafts")
    assert (kept["Message-ID"], kept.get_flags()) == ("<a@example.org>", "Ra")
    assert draft.get_flags() == "DS"
    assert (root(rig) / ".Archive" / "dovecot-keywords").read_text() == "0 Rent\n"
    assert not any((root(rig) / "tmp").iterdir())


async def test_labels_of_any_letters_go_with_a_message(rig: LocalRig):
    await rig.deliver(letter("a@example.org"))
    await rig.deliver(letter("b@example.org"))
    copy = await synced(rig)
    one, other = (copy.one(f"{id}@example.org")[0] for id in "ab")
    wanted = {"To do", "Grüße & Küsse", "50% (maybe)"}
    async with opened(rig) as mailbox:
        await mailbox.relabel(other, add=["Elsewhere"])
        await mailbox.move(other, to="archive")
        await mailbox.relabel(one, add=sorted(wanted))
        await mailbox.move(one, to="archive")
        for label in ("", "two\nlines", "x" * 101):
            await refused(lambda label=label: mailbox.relabel(one, add=[label]))
    copy = await synced(rig, copy)
    assert copy.labels("a@example.org") == wanted
    assert copy.labels("b@example.org") == {"Elsewhere"}
    table = (root(rig) / ".Archive" / "dovecot-keywords").read_text()
    assert all(line.isascii() and len(line.split(" ")) == 2 for line in table.splitlines())


async def test_a_folder_has_no_more_labels_than_letters(rig: LocalRig):
    await rig.deliver(letter("a@example.org"))
    copy = await synced(rig)
    id, _ = copy.one("a@example.org")
    async with opened(rig) as mailbox:
        await mailbox.relabel(id, add=[f"Label{n}" for n in range(26)])
        error = await refused(lambda: mailbox.relabel(id, add=["One more"]))
    assert "26" in error.detail
    assert len((await synced(rig, copy)).labels("a@example.org")) == 26


async def test_mail_to_oneself_arrives_and_twice_is_once(rig: LocalRig):
    raw = letter("self@example.org")
    to = ("ME@example.org", "anna@example.org")
    message = OutgoingMessage(raw, "self@example.org", "me@example.org", to)
    for _ in range(2):
        async with opened(rig) as mailbox:
            made = await mailbox.submit(message)
    copy = await synced(rig)
    assert copy.in_role("inbox") == ["self@example.org"]
    assert copy.in_role("sent") == ["self@example.org"]
    assert copy.messages[made.remote_id or ""].flags == {"seen"}
    async with opened(rig) as mailbox:
        await mailbox.move(made.remote_id or "", to="trash")
        assert (await mailbox.find_sent("self@example.org")).sent == "yes"


async def test_what_another_program_sent_is_found_too(rig: LocalRig):
    rig.maildir.add_folder("Sent").add(letter("other@example.org"))
    async with opened(rig) as mailbox:
        assert (await mailbox.find_sent("<other@example.org>")).sent == "yes"
        assert (await mailbox.find_sent("the@example.org")).sent == "no"


@pytest.mark.parametrize(
    "name", ["plain", "two words", "new\nline", "per%cent", os.fsdecode(b"\xff")]
)
async def test_a_file_of_any_name_is_a_message(rig: LocalRig, name: str):
    copy = await synced(rig)
    (root(rig) / "new" / name).write_bytes(letter("odd@example.org"))
    copy = await synced(rig, copy)
    id, _ = copy.one("odd@example.org")
    id.encode("ascii")
    async with opened(rig) as mailbox:
        await mailbox.move(id, to="junk")
    copy = await synced(rig, copy)
    assert copy.in_role("junk") == ["odd@example.org"]


async def test_links_and_pipes_are_no_messages(rig: LocalRig, tmp_path: Path):
    await rig.deliver(letter("a@example.org"))
    secret = tmp_path / "secret"
    secret.write_bytes(letter("secret@example.org"))
    other = local_rig(tmp_path / "other")
    await other.deliver(letter("foreign@example.org"))
    (root(rig) / "cur" / "1.link:2,").symlink_to(secret)
    (root(rig) / ".Link").symlink_to(root(other))
    os.mkfifo(root(rig) / "new" / "1.pipe")
    copy = await synced(rig)
    assert [one.message_id for one in copy.messages.values()] == ["a@example.org"]
    assert ".Link" not in copy.folders
    async with opened(rig) as mailbox:
        for wrong in ("1.link", "1.pipe"):
            await refused(lambda wrong=wrong: mailbox.move(wrong, to="trash"))


async def test_only_an_admin_can_name_a_folder(rig: LocalRig, tmp_path: Path):
    other = local_rig(tmp_path / "other")
    await other.deliver(letter("foreign@example.org"))
    named = replace(rig.access, settings={**rig.access.settings, "path": str(root(other))})
    async with opened(rig, named) as mailbox:
        error = await refused(mailbox.probe)
        assert "admin" in error.detail
    rig.access = replace(named, by_admin=True)
    assert (await synced(rig)).in_role("inbox") == ["foreign@example.org"]
    for wrong in ("relative", f"{root(other)}/../..", str(tmp_path), str(tmp_path / "file")):
        (tmp_path / "file").touch()
        rig.access = replace(named, by_admin=True, settings={"path": wrong})
        async with opened(rig) as mailbox:
            await refused(mailbox.probe)
    assert not (tmp_path / "cur").exists()


async def test_a_wait_ends_with_what_is_new_since_the_last_look(rig: LocalRig):
    async with opened(rig) as mailbox:
        async for _ in mailbox.changes(None):
            pass
        assert not await mailbox.wait(0)
        await rig.deliver(letter("a@example.org"))
        assert await mailbox.wait(60)


async def test_a_message_that_comes_in_the_very_moment_of_a_look_is_noticed(rig: LocalRig):
    async with opened(rig) as mailbox:
        async for _ in mailbox.changes(None):
            pass
        facts = (root(rig) / "new").stat()
        await rig.deliver(letter("a@example.org"))
        # As on a disk whose clock has not ticked since.
        os.utime(root(rig) / "new", ns=(facts.st_atime_ns, facts.st_mtime_ns))
        assert await mailbox.wait(0)
        assert not await mailbox.wait(0)


async def test_of_a_message_that_is_too_large_the_headers_are_read(rig: LocalRig):
    await rig.deliver(letter("large@example.org"))
    (file,) = (root(rig) / "new").iterdir()
    os.truncate(file, LARGEST + 1)
    (page,) = await paged(rig, None)
    (one,) = page.arrived
    assert one.cut_size == LARGEST + 1
    assert one.raw.endswith(b"\r\n\r\n")
    assert b"Words of" not in one.raw


async def test_a_sync_that_was_stopped_goes_on_with_a_small_cursor(rig: LocalRig):
    for n in range(120):
        await rig.deliver(letter(f"{n}@example.org"))
    pages = await paged(rig, None)
    assert all(len(str(page.cursor)) < 300 for page in pages[:-1])
    rest = await paged(rig, pages[0].cursor)
    given = [one.remote_id for page in (pages[0], *rest) for one in page.arrived]
    assert len(given) == len(set(given)) == 120
    assert [page.left for page in pages] == [70, 20, 0]
