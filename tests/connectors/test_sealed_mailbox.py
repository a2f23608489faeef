"""The local mailbox that the office keeps, under a data key."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bailiwick.connectors.connector import seal_of
from bailiwick.connectors.contract import MailboxCopy, letter, opened, refused, synced
from bailiwick.connectors.local import sealing
from bailiwick.kit.keys import Key
from support.local_rig import LocalRig, local_rig
from support.sealed_rig import KEY, SealedRig, sealed_rig

pytestmark = pytest.mark.req("ACC-10")
WORDS = (b"Lanternfish", b"Quince", b"example.org", b"TGFudGVybmZpc2g", b"Sent", b"Archive")


@pytest.fixture
def rig(tmp_path: Path) -> SealedRig:
    return sealed_rig(tmp_path / "account")


def everything(folder: Path) -> Iterator[bytes]:
    """Every name and every content beneath a folder."""
    for path in folder.rglob("*"):
        yield os.fsencode(path.relative_to(folder))
        if path.is_file():
            yield path.read_bytes()


def assert_sealed(folder: Path) -> None:
    found = [word for content in everything(folder) for word in WORDS if word in content]
    assert found == []


async def used(rig: LocalRig) -> None:
    """A mail with a label in another folder, and a draft."""
    await rig.deliver(letter("a@example.org", sender="Lanternfish@example.org"))
    id, _ = (await synced(rig)).one("a@example.org")
    async with opened(rig) as mailbox:
        await mailbox.relabel(id, add=["Quince"])
        await mailbox.set_flags(id, add=["answered"])
        await mailbox.move(id, to="archive")
        await mailbox.save_draft(letter("draft@example.org"))


async def assert_whole(rig: LocalRig) -> MailboxCopy:
    copy = await synced(rig)
    _, found = copy.one("a@example.org")
    titles = {copy.folders[one].title for one in found.folders}
    assert titles == {"Archive", "Quince"}
    assert found.flags == {"answered"}
    _, draft = copy.one("draft@example.org")
    assert {copy.folders[one].title for one in draft.folders} == {"Drafts"}
    return copy


async def test_no_mail_no_label_and_no_folder_can_be_read_on_the_disk(rig: SealedRig):
    await used(rig)
    await assert_whole(rig)
    assert_sealed(rig.access.folder)


async def test_a_mail_put_in_the_place_of_another_does_not_open(rig: SealedRig):
    await rig.deliver(letter("a@example.org"))
    await rig.deliver(letter("b@example.org"))
    one, other = sorted((rig.kept.root / "new").iterdir())
    other.write_bytes(one.read_bytes())
    assert "does not open" in (await refused(lambda: synced(rig))).detail


async def test_a_mailbox_under_another_key_is_not_taken_for_an_empty_one(rig: SealedRig):
    await rig.deliver(letter("a@example.org"))
    for other in (None, Key(b"o" * 32)):
        access = replace(rig.access, seal=seal_of("account", other))
        error = await refused(lambda access=access: synced(LocalRig(access)))
        assert KEY.id.hex() in error.detail


async def test_a_plain_mailbox_is_sealed_with_its_labels_folders_and_times(tmp_path: Path):
    plain = local_rig(tmp_path / "account")
    await used(plain)
    plain.maildir.add_folder("Lanternfish")
    maildir = plain.access.folder / "Maildir"
    (mail,) = (maildir / ".Archive/cur").iterdir()
    os.utime(mail, (1_000_000_000, 1_000_000_000))
    (maildir / "tmp/left").write_bytes(b"Lanternfish")
    sealing.reseal(plain.access.folder, "Maildir", None, KEY)
    assert_sealed(plain.access.folder)
    assert not maildir.exists()
    rig = SealedRig(replace(plain.access, seal=seal_of("account", KEY)))
    copy = await assert_whole(rig)
    assert "Lanternfish" in {folder.title for folder in copy.folders.values()}
    (sealed,) = (rig.kept.path(".Archive") / "cur").iterdir()
    assert sealed.stat().st_mtime == 1_000_000_000


async def test_sealing_that_was_cut_short_goes_on_and_nothing_is_there_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    plain = local_rig(tmp_path / "account")
    await used(plain)
    before = await synced(plain)
    sealed = SealedRig(replace(plain.access, seal=seal_of("account", KEY)))
    with monkeypatch.context() as broken:
        broken.setattr(Path, "unlink", _cut)
        with pytest.raises(KeyboardInterrupt):
            sealing.reseal(plain.access.folder, "Maildir", None, KEY)
    sealing.reseal(plain.access.folder, "Maildir", None, KEY)
    assert_sealed(plain.access.folder)
    after = await assert_whole(sealed)
    assert before.messages.keys() == after.messages.keys()


async def test_a_sealed_mailbox_is_put_under_another_key_and_under_none(rig: SealedRig):
    await used(rig)
    other, folder = Key(b"o" * 32), rig.access.folder
    sealing.reseal(folder, "Maildir", KEY, other)
    assert_sealed(folder)
    await assert_whole(LocalRig(replace(rig.access, seal=seal_of("account", other))))
    sealing.reseal(folder, "Maildir", other, None)
    await assert_whole(LocalRig(replace(rig.access, seal=None)))
    assert [path.name for path in folder.iterdir()] == ["Maildir"]


def _cut(*_: object, **__: object) -> None:
    raise KeyboardInterrupt
