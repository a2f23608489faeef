"""Backups that someone changed: each is refused with the part's name, and nothing is touched."""

import dataclasses
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bailiwick.config import Settings
from bailiwick.errors import BackupUnusable
from bailiwick.kit.keys import KeyFile, generate
from bailiwick.operations.archive import MANIFEST, Manifest
from support.office import API, Office, opened_office
from support.restoring import Members, members, restore, write
from support.server import cli

pytestmark = pytest.mark.req("OPS-03")
BLOB = f"blobs/{'a' * 64}"


async def backed_up(office: Office, **given: object) -> Path:
    await office.owner()
    path = office.product.settings.data.parent / "file.backup"
    made = await office.operator.post(f"{API}/backups", json={"path": str(path), **given})
    assert made.status_code == 201, made.text
    return path


def said(parts: Members) -> dict:
    return json.loads(dict(parts)[MANIFEST])


def saying(parts: Members, **changes: object) -> Members:
    manifest = json.dumps({**said(parts), **changes}).encode()
    return [*(part for part in parts if part[0] != MANIFEST), (MANIFEST, manifest)]


def added(parts: Members) -> Members:
    return [(BLOB, b"planted"), *parts]


def added_and_listed(parts: Members) -> Members:
    files = {**said(parts)["files"], BLOB: hashlib.sha256(b"planted").hexdigest()}
    return saying(added(parts), files=files)


def removed(parts: Members) -> Members:
    return [part for part in parts if part[0] != "audit.db"]


def removed_and_unlisted(parts: Members) -> Members:
    files = {name: hash for name, hash in said(parts)["files"].items() if name != "audit.db"}
    return saying(removed(parts), files=files)


def changed(parts: Members) -> Members:
    return [(name, b"other" if name == "app.db" else content) for name, content in parts]


def twice(parts: Members) -> Members:
    return [*parts, next(part for part in parts if part[0] == "app.db")]


def escaping(parts: Members) -> Members:
    files = {**said(parts)["files"], "../escaped": hashlib.sha256(b"x").hexdigest()}
    return saying([("../escaped", b"x"), *parts], files=files)


def unsigned(parts: Members) -> Members:
    return saying(parts, signature=None, signed_by=None)


def of_an_older_version(parts: Members) -> Members:
    return saying(parts, signature=None, signed_by=None, format=1)


def signed_by_a_stranger(parts: Members) -> Members:
    manifest, key = Manifest(**said(parts)), generate()
    manifest.sign(key)
    return saying(parts, **dataclasses.asdict(manifest))


def signed_in_our_name(parts: Members) -> Members:
    manifest, ours = Manifest(**said(parts)), said(parts)["signed_by"]
    manifest.sign(generate())
    return saying(parts, signature=manifest.signature, signed_by=ours)


def dated_back(parts: Members) -> Members:
    return saying(parts, created_at="2020-01-01T00:00:00+00:00")


def listed_oddly(parts: Members) -> Members:
    return saying(parts, files=[["app.db", "x"]])


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (added, f"{BLOB} is in it and not in its manifest"),
        (added_and_listed, "changed after it was made"),
        (removed, "audit.db is missing"),
        (removed_and_unlisted, "changed after it was made"),
        (changed, "app.db was changed"),
        (twice, "'app.db' twice"),
        (escaping, "'../escaped'"),
        (unsigned, "not signed"),
        (of_an_older_version, "signed by no key"),
        (signed_by_a_stranger, "signed by no key"),
        (signed_in_our_name, "changed after it was made"),
        (dated_back, "changed after it was made"),
        (listed_oddly, "no manifest"),
    ],
)
async def test_a_backup_that_someone_changed_is_refused_and_nothing_is_touched(
    sqlite_settings: Settings, tamper: Callable[[Members], Members], words: str
):
    async with opened_office(sqlite_settings) as office:
        file = await backed_up(office)
    write(file, tamper(members(file)))
    before = {path: path.stat().st_mtime_ns for path in sqlite_settings.data.parent.rglob("*")}
    with pytest.raises(BackupUnusable) as refused:
        restore(sqlite_settings, file, replace=True)
    assert words in refused.value.detail
    after = {path: path.stat().st_mtime_ns for path in sqlite_settings.data.parent.rglob("*")}
    assert {path for path in after if after[path] != before.get(path)} <= {sqlite_settings.data}
    assert after.keys() == before.keys()


async def test_what_is_proven_of_a_backup_is_said(sqlite_settings: Settings, tmp_path: Path):
    async with opened_office(sqlite_settings) as office:
        file = await backed_up(office)
        holding = (tmp_path / "holding").with_suffix(".backup")
        body = {"path": str(holding), "withKeys": True}
        assert (await office.operator.post(f"{API}/backups", json=body)).status_code == 201
    key = sqlite_settings.data / "vault.key"
    here = restore(sqlite_settings, file, replace=True)
    given = restore(Settings(data=tmp_path / "b"), file, vault_key_file=key)
    inside = restore(Settings(data=tmp_path / "c"), holding)
    nobody = restore(Settings(data=tmp_path / "d"), file)
    proofs = [done.proof for done in (here, given, inside, nobody)]
    assert proofs == ["vault_key", "vault_key", "own_key", "nothing"]
    told = cli("restore", str(holding), data=tmp_path / "e")
    assert "nothing here proves who made it" in told.stdout, told.stderr


async def test_a_person_can_accept_a_backup_of_a_version_that_did_not_sign(
    sqlite_settings: Settings, tmp_path: Path
):
    async with opened_office(sqlite_settings) as office:
        file = await backed_up(office)
    write(file, of_an_older_version(members(file)))
    there = Settings(data=tmp_path / "there")
    key = sqlite_settings.data / "vault.key"
    done = restore(there, file, vault_key_file=key, accept_unsigned=True)
    assert done.proof == "nothing"
    async with opened_office(there) as office:
        assert (await office.operator.get(f"{API}/users")).json()["totalItems"] == 1


async def test_a_key_that_was_rotated_away_still_proves_its_backups(sqlite_settings: Settings):
    async with opened_office(sqlite_settings) as office:
        file = await backed_up(office)
        assert (await office.operator.post(f"{API}/vault/rotate")).status_code == 200
    assert len(KeyFile(sqlite_settings.data / "vault.key").read()) == 2
    assert restore(sqlite_settings, file, replace=True).proof == "vault_key"
