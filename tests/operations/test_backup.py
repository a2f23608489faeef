"""Backup and restore: while running, onto another machine, under another key."""

import dataclasses
import hashlib
import io
import json
import subprocess
import tarfile
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from bailiwick.config import Settings
from bailiwick.connectors.connector import seal_of
from bailiwick.connectors.local.maildir import INBOX, Maildir, files
from bailiwick.errors import (
    BackupUnusable,
    Conflict,
    DataFolderBusy,
    ServerRunning,
    WrongDataKey,
    WrongVaultKey,
)
from bailiwick.kit import streamcipher
from bailiwick.kit.keys import KeyFile, parse
from bailiwick.operations.archive import DUMP, MANIFEST, Manifest
from support.office import API, PASSWORD, Office, opened_office
from support.restoring import members, restore, write

KEY, OTHER_KEY = "1" * 64, "2" * 64
PNG = b"\x89PNG\r\n\x1a\n" + b"picture of olive" * 10
pytestmark = pytest.mark.req("OPS-03")


async def furnished(office: Office) -> Path:
    """Some of everything, and a backup of it."""
    owner = await office.owner()
    provider = {
        "name": "Single sign-on",
        "issuer": "https://login.example.com",
        "clientId": "id",
        "clientSecret": "canary-client-secret",
    }
    assert (await owner.post(f"{API}/login-providers", json=provider)).status_code == 201
    assert (await owner.put(f"{API}/users/me/avatar", content=PNG)).status_code == 204
    tools = await tools_of(owner)
    paper = {"arguments": {"path": "Files/deep/paper.txt", "content": "canary paper"}}
    assert (await owner.post(f"{tools}/create_file", json=paper)).status_code == 200
    body = {"path": str(office.product.settings.data.parent / "file.backup")}
    made = await office.operator.post(f"{API}/backups", json=body)
    assert made.status_code == 201, made.text
    return Path(made.json()["path"])


async def tools_of(person: httpx.AsyncClient) -> str:
    """Where the tools of the first workspace are."""
    spaces = (await person.get(f"{API}/workspaces")).json()["items"]
    return f"{API}/workspaces/{spaces[0]['id']}/tools"


async def assert_whole(office: Office) -> None:
    """Everything that `furnished` put in is there and opens."""
    browser = office.browser()
    body = {"email": "olive@example.com", "password": PASSWORD}
    assert (await browser.post(f"{API}/auth/login", json=body)).status_code == 200
    assert (await browser.get(f"{API}/users/me/avatar")).content == PNG
    (provider,) = (await browser.get(f"{API}/login-providers")).json()["items"]
    assert provider["hasClientSecret"]
    assert (await browser.post(f"{API}/vault/rotate")).json()["resealed"] >= 2
    assert (await browser.get(f"{API}/sign-ins")).json()["totalItems"] >= 2
    wanted = {"arguments": {"path": "Files/deep/paper.txt"}}
    read = await browser.post(f"{await tools_of(browser)}/read_file", json=wanted)
    assert read.json()["result"]["content"] == "canary paper"


def elsewhere(settings: Settings, folder: Path, **changes: object) -> Settings:
    """The same settings for a new machine."""
    return Settings.model_validate({**settings.model_dump(), "data": folder, **changes})


async def test_a_backup_restores_onto_a_new_machine(settings: Settings, tmp_path: Path, request):
    async with opened_office(settings) as office:
        file = await furnished(office)
    fresh = request.getfixturevalue("another_database") if settings.database_url else None
    there = elsewhere(settings, tmp_path / "there", database_url=fresh)
    restore(there, file, vault_key_file=settings.data / "vault.key")
    async with opened_office(there) as office:
        await assert_whole(office)


async def test_in_place_restore_keeps_what_was_there(settings: Settings):
    async with opened_office(settings) as office:
        file = await furnished(office)
        await office.set(instance_name="Changed afterwards")
    with pytest.raises(Conflict, match="--replace"):
        restore(settings, file)
    done = restore(settings, file, replace=True)
    assert done.kept_aside
    assert (done.kept_aside / "vault.key").exists()
    async with opened_office(settings) as office:
        await assert_whole(office)
        options = await office.browser().get(f"{API}/auth/options")
        assert options.json()["instanceName"] == "Bailiwick"


async def test_a_live_installation_is_not_replaced(settings: Settings):
    async with opened_office(settings) as office:
        file = await furnished(office)
        with pytest.raises((ServerRunning, DataFolderBusy)):
            restore(settings, file, replace=True)
        await assert_whole(office)


@pytest.mark.req("ACC-06", "ACC-10")
@pytest.mark.parametrize(
    ("old", "new"), [(KEY, KEY), (None, KEY), (KEY, None), (KEY, OTHER_KEY)], ids=str
)
async def test_the_data_key_can_change_on_the_way(tmp_path: Path, old, new):
    here = Settings.model_validate({"data": tmp_path / "here", "data_key": old})
    there = Settings.model_validate({"data": tmp_path / "there", "data_key": new})
    async with opened_office(here) as office:
        file = await furnished(office)
    given = parse(old, where="test")[0] if old else None
    restore(there, file, backup_key=given, vault_key_file=here.data / "vault.key")
    async with opened_office(there) as office:
        await assert_whole(office)
    plain = (there.data / "app.db").read_bytes().startswith(b"SQLite format 3")
    assert plain == (new is None)


@pytest.mark.req("ACC-10")
async def test_an_encrypted_backup_shows_nothing(tmp_path: Path):
    settings = Settings.model_validate({"data": tmp_path / "data", "data_key": KEY})
    async with opened_office(settings) as office:
        file = await furnished(office)
    content = file.read_bytes()
    key = (settings.data / "vault.key").read_bytes().strip()
    for secret in (
        b"olive@example.com",
        b"picture of olive",
        b"canary",
        b"Single sign-on",
        key,
        KEY.encode(),
    ):
        assert secret not in content
    with pytest.raises(WrongDataKey):
        restore(elsewhere(settings, tmp_path / "there", data_key=OTHER_KEY), file)
    assert not (tmp_path / "there").exists()


@pytest.mark.req("ACC-10")
@pytest.mark.parametrize("key", [KEY, None])
async def test_with_a_data_key_the_dump_of_postgresql_is_sealed_too(
    tmp_path: Path, postgresql_database: str, another_database: str, key: str | None
):
    here = Settings.model_validate(
        {"data": tmp_path / "here", "data_key": key, "database_url": postgresql_database}
    )
    async with opened_office(here) as office:
        file = await furnished(office)
    content, words = file.read_bytes(), shown_by_pg_restore(file, tmp_path / "dump")
    assert {b"olive@example.com" in words, b"Single sign-on" in words} == {key is None}
    for name in (b"PGDMP", b"login_providers", b"CREATE TABLE"):
        assert (name in content) == (key is None)
    there = elsewhere(here, tmp_path / "there", data_key=OTHER_KEY, database_url=another_database)
    given = parse(KEY, where="test")[0] if key else None
    restore(there, file, backup_key=given, vault_key_file=here.data / "vault.key")
    async with opened_office(there) as office:
        await assert_whole(office)


async def test_a_backup_of_before_whose_dump_is_plain_is_restored(
    tmp_path: Path, postgresql_database: str, another_database: str
):
    here = Settings.model_validate(
        {"data": tmp_path / "here", "data_key": KEY, "database_url": postgresql_database}
    )
    async with opened_office(here) as office:
        file = await furnished(office)
    (key,) = parse(KEY, where="the test")
    (vault,) = KeyFile(here.data / "vault.key").read()[:1]
    parts = dict(members(file))
    parts[DUMP] = b"".join(streamcipher.decrypt(io.BytesIO(parts[DUMP]), key))
    manifest = Manifest(**json.loads(parts.pop(MANIFEST)))
    manifest.format, manifest.files[DUMP] = 2, hashlib.sha256(parts[DUMP]).hexdigest()
    manifest.sign(vault)
    write(file, [*parts.items(), (MANIFEST, json.dumps(dataclasses.asdict(manifest)).encode())])
    there = elsewhere(here, tmp_path / "there", database_url=another_database)
    restore(there, file, vault_key_file=here.data / "vault.key")
    async with opened_office(there) as office:
        await assert_whole(office)


@pytest.mark.req("ACC-10")
@pytest.mark.parametrize(("old", "new"), [(KEY, OTHER_KEY), (KEY, None), (None, KEY)], ids=str)
async def test_beside_postgresql_files_are_never_under_two_keys(
    tmp_path: Path, postgresql_database: str, old: str | None, new: str | None
):
    here = Settings.model_validate(
        {"data": tmp_path / "here", "data_key": old, "database_url": postgresql_database}
    )
    async with opened_office(here) as office:
        await furnished(office)
    with pytest.raises(WrongDataKey):
        async with opened_office(elsewhere(here, here.data, data_key=new)):
            pass
    async with opened_office(here) as office:
        await assert_whole(office)


def shown_by_pg_restore(file: Path, scratch: Path) -> bytes:
    """What whoever has the file and no key can read of the database in it."""
    scratch.write_bytes(dict(members(file))[DUMP])
    return subprocess.run(
        ["pg_restore", "--file=-", scratch], capture_output=True, check=False
    ).stdout


async def test_without_a_data_key_the_vaults_key_stays_out(sqlite_settings: Settings):
    async with opened_office(sqlite_settings) as office:
        file = await furnished(office)
    assert (sqlite_settings.data / "vault.key").read_bytes().strip() not in file.read_bytes()
    there = elsewhere(sqlite_settings, sqlite_settings.data.parent / "there")
    assert not restore(there, file).has_vault_key
    with pytest.raises(WrongVaultKey):
        async with opened_office(there):
            pass
    assert not (there.data / "vault.key").exists(), "a new key would hide the loss"


@pytest.mark.parametrize("damage", ["cut", "flipped", "not a tar", "missing"])
async def test_a_damaged_backup_is_refused_and_nothing_changes(office: Office, damage: str):
    file = await furnished(office)
    content = bytearray(file.read_bytes())
    if damage == "cut":
        file.write_bytes(content[: len(content) // 2])
    elif damage == "flipped":
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    elif damage == "not a tar":
        file.write_bytes(b"something else entirely")
    else:
        file.unlink()
    there = elsewhere(office.product.settings, file.parent / "there")
    with pytest.raises(BackupUnusable):
        restore(there, file)
    assert not there.data.exists()
    assert not list(file.parent.glob(".restoring-*"))


@pytest.mark.parametrize("name", ["../escaped", "/tmp/escaped", "blobs/../../escaped", "other.db"])
def test_a_hostile_backup_cannot_write_outside(tmp_path: Path, name: str):
    file = tmp_path / "hostile"
    with tarfile.open(file, "w") as tar:
        info = tarfile.TarInfo(name)
        info.size = 0
        tar.addfile(info)
    with pytest.raises(BackupUnusable, match="does not belong"):
        restore(Settings(data=tmp_path / "data"), file)
    assert {path.name for path in tmp_path.iterdir()} == {"hostile"}


def test_a_hostile_backup_cannot_hold_links(tmp_path: Path):
    file = tmp_path / "hostile"
    with tarfile.open(file, "w") as tar:
        info = tarfile.TarInfo("app.db")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(info)
    with pytest.raises(BackupUnusable, match="does not belong"):
        restore(Settings(data=tmp_path / "data"), file)


async def test_a_backup_of_another_kind_of_database_is_refused(
    office: Office, tmp_path: Path, another_database: str
):
    file = await furnished(office)
    there = elsewhere(
        office.product.settings, tmp_path / "there", database_url=SecretStr(another_database)
    )
    with pytest.raises(BackupUnusable, match="of a sqlite installation"):
        restore(there, file)
    assert not there.data.exists()


async def test_only_the_command_line_chooses_where_a_backup_goes(office: Office, tmp_path: Path):
    owner = await office.owner()
    refused = await owner.post(f"{API}/backups", json={"path": str(tmp_path / "x")})
    assert refused.status_code == 403
    odd = await office.operator.post(f"{API}/backups", json={"path": "relative"})
    assert odd.status_code == 400
    assert "path" in odd.json()["errors"]


@pytest.mark.req("ACC-10")
@pytest.mark.parametrize("new", [KEY, OTHER_KEY, None])
async def test_a_local_mailbox_is_in_the_backup_and_is_put_under_the_key_of_the_restore(
    tmp_path: Path, new: str | None
):
    here = Settings.model_validate({"data": tmp_path / "here", "data_key": KEY})
    async with opened_office(here) as office:
        owner = await office.owner()
        spaces = (await owner.get(f"{API}/workspaces")).json()["items"]
        body = {"workspaceId": spaces[0]["id"], "connector": "local"}
        body["settings"] = {"address": "me@example.com"}
        account = (await owner.post(f"{API}/accounts", json=body)).json()["id"]
        mailbox(here.data, account, KEY).deliver(INBOX, b"Subject: canary\r\n\r\ncanary mail")
        file = tmp_path / "file.backup"
        made = await office.operator.post(f"{API}/backups", json={"path": str(file)})
        assert made.status_code == 201, made.text
    assert b"canary" not in file.read_bytes()
    there = Settings.model_validate({"data": tmp_path / "there", "data_key": new})
    (given,) = parse(KEY, where="the test")
    restore(there, file, backup_key=given, vault_key_file=here.data / "vault.key")
    restored = mailbox(there.data, account, new)
    ((part, name),) = files(restored.root)
    content = restored.read(restored.root / part / name)
    assert content
    assert content.raw.endswith(b"canary mail")
    assert [path.name for path in restored.root.parent.iterdir()] == [restored.root.name]


def mailbox(data: Path, account: str, key: str | None) -> Maildir:
    """The mailbox that the office keeps for an account."""
    seal = seal_of(account, parse(key, where="the test")[0] if key else None)
    return Maildir.kept(data / "accounts" / account, seal)
