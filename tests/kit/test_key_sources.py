"""Where keys come from: a private file, the environment, or the system's keyring."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked
from pydantic import SecretStr

from bailiwick.config import Settings
from bailiwick.errors import BadConfiguration, WrongVaultKey
from bailiwick.kit import keys
from bailiwick.kit.keys import KeyFile, KeySource
from bailiwick.office import opened
from support.office import API, opened_office

pytestmark = pytest.mark.req("ACC-05")
FIRST, SECOND = "ab" * 32, "CD" * 32


class MemoryKeyring(KeyringBackend):
    """A keyring that forgets when the test ends."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.entries: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise KeyringLocked("the keyring is locked")
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.locked:
            raise KeyringLocked("the keyring is locked")
        self.entries[service, username] = password


@pytest.fixture
def system_keyring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MemoryKeyring]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    before = keyring.get_keyring()
    memory = MemoryKeyring()
    keyring.set_keyring(memory)
    yield memory
    keyring.set_keyring(before)


def source(given: str) -> KeySource:
    return keys.source(SecretStr(given), name="BAILIWICK_VAULT_KEY", entry="vault /srv/office")


def revealed(source: KeySource) -> list[str]:
    return [key.reveal().hex() for key in source.read()]


async def test_the_first_start_makes_a_key_file_that_only_its_owner_can_read(
    sqlite_settings: Settings,
):
    before = os.umask(0)
    try:
        async with opened_office(sqlite_settings):
            pass
    finally:
        os.umask(before)
    path = sqlite_settings.data / "vault.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(sqlite_settings.data.stat().st_mode) == 0o700
    held = path.read_text()
    assert len(revealed(KeyFile(path))) == 1
    async with opened_office(sqlite_settings):
        assert path.read_text() == held


async def test_a_key_file_that_others_can_read_or_write_is_refused_and_says_chmod(
    sqlite_settings: Settings,
):
    async with opened_office(sqlite_settings):
        pass
    path = sqlite_settings.data / "vault.key"
    for mode in (0o640, 0o604, 0o620, 0o602, 0o644):
        path.chmod(mode)
        with pytest.raises(BadConfiguration) as refused:
            async with opened(sqlite_settings):
                pass
        assert f"chmod 600 '{path}'" in refused.value.detail
    path.chmod(0o600)
    async with opened(sqlite_settings):
        pass


async def test_a_lost_key_file_is_not_replaced_by_a_new_one(sqlite_settings: Settings):
    async with opened_office(sqlite_settings):
        pass
    path = sqlite_settings.data / "vault.key"
    path.unlink()
    with pytest.raises(WrongVaultKey):
        async with opened(sqlite_settings):
            pass
    assert not path.exists()


def test_keys_in_the_environment_are_hex_digits_with_commas_the_active_one_first():
    assert revealed(source(FIRST)) == [FIRST]
    assert revealed(source(f"{SECOND},{FIRST}")) == [SECOND.lower(), FIRST]
    assert revealed(source(f" {SECOND} ,\n{FIRST}\n")) == [SECOND.lower(), FIRST]


def test_keys_in_the_environment_cannot_be_written_and_say_how_to_go_on():
    with pytest.raises(BadConfiguration) as refused:
        source(FIRST).write([keys.generate()])
    assert "BAILIWICK_VAULT_KEY" in refused.value.detail
    assert "bailiwick key rotate" in refused.value.detail


async def test_an_office_starts_with_a_key_from_the_environment_and_makes_no_file(tmp_path: Path):
    settings = Settings(data=tmp_path / "data", vault_key=SecretStr(FIRST))
    async with opened_office(settings) as office:
        shown = (await office.operator.get(f"{API}/vault")).json()
        assert shown["active"] == keys.Key(bytes.fromhex(FIRST)).id.hex()
    assert not (settings.data / "vault.key").exists()
    rotated = settings.model_copy(update={"vault_key": SecretStr(f"{SECOND},{FIRST}")})
    async with opened(rotated):
        pass
    with pytest.raises(WrongVaultKey):
        async with opened(settings.model_copy(update={"vault_key": SecretStr(SECOND)})):
            pass


def test_a_key_file_is_named_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / "office.key"
    held = source(f"file:{path}")
    assert held.read() == []
    made = keys.generate()
    held.write([made])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert revealed(source("file:~/office.key")) == [made.reveal().hex()]


async def test_an_office_keeps_its_key_in_the_system_keyring(
    system_keyring: MemoryKeyring, tmp_path: Path
):
    settings = Settings(data=tmp_path / "data", vault_key=SecretStr("keyring"))
    async with opened_office(settings) as office:
        active = (await office.operator.get(f"{API}/vault")).json()["active"]
    ((service, entry),) = system_keyring.entries
    assert service == "bailiwick"
    assert str(settings.data) in entry
    assert not (settings.data / "vault.key").exists()
    async with opened_office(settings) as office:
        assert (await office.operator.get(f"{API}/vault")).json()["active"] == active
    system_keyring.entries.clear()
    with pytest.raises(WrongVaultKey):
        async with opened(settings):
            pass
    assert system_keyring.entries == {}


def test_a_keyring_that_cannot_be_used_says_what_to_use_instead(system_keyring: MemoryKeyring):
    system_keyring.locked = True
    with pytest.raises(BadConfiguration, match="file:/path"):
        source("keyring").read()
    with pytest.raises(BadConfiguration, match="keyring refused"):
        source("keyring").write([keys.generate()])


@pytest.mark.parametrize("text", ["", "ab" * 31, "ab" * 33, "xy" * 32, f"{FIRST},short", ","])
def test_malformed_keys_are_refused_naming_where_and_not_showing_them(
    text: str, tmp_path: Path, system_keyring: MemoryKeyring
):
    path = tmp_path / "bad.key"
    path.write_text(text)
    path.chmod(0o600)
    system_keyring.entries["bailiwick", "vault /srv/office"] = text or ","
    for given, where in (
        (text, "BAILIWICK_VAULT_KEY"),
        (f"file:{path}", str(path)),
        ("keyring", "the system keyring"),
    ):
        with pytest.raises(BadConfiguration) as refused:
            source(given).read()
        assert where in refused.value.detail
        assert "64 hex digits" in refused.value.detail
        assert len(text) < 6 or text not in refused.value.detail


def test_a_key_file_of_raw_bytes_is_refused_naming_the_file(tmp_path: Path):
    path = tmp_path / "raw.key"
    path.write_bytes(bytes(range(200, 232)))
    path.chmod(0o600)
    with pytest.raises(BadConfiguration) as refused:
        source(f"file:{path}").read()
    assert str(path) in refused.value.detail
