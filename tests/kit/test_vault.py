"""The vault: what is sealed for one place opens there alone, and nothing prints a key."""

import io
import logging
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from sqlalchemy import LargeBinary
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

import bailiwick.app  # noqa: F401  (loads every model)
from bailiwick.errors import WrongVaultKey
from bailiwick.kit import keys, logs
from bailiwick.kit.db import migrate
from bailiwick.kit.keys import FixedKeys, Key, KeyFile
from bailiwick.kit.vault import SealBroken, Vault, key_id, sealed_column, sealed_columns

pytestmark = pytest.mark.req("ACC-05")
SECRET = SecretStr("the client secret")
SEALED_BEFORE = bytes.fromhex(
    "01aa8b359b620d1c6448827f9cf10db9b2f67a624f445ac7a6eb58b40b248dee"
    "7ad2c89de906e153a1dac6799c27bcf001d60ef54530"
)
REFUSED = (SealBroken, WrongVaultKey)
quickly = settings(max_examples=60)


def vault(*held: Key) -> Vault:
    held = held or (keys.generate(),)
    return Vault(FixedKeys("test", keys.render(held)))


@given(st.text(), st.text(), st.text())
@quickly
def test_what_is_sealed_opens_at_its_place(secret: str, column: str, row: str):
    drawer = vault().drawer("login_providers")
    sealed = drawer.seal(SecretStr(secret), column=column, row=row)
    assert drawer.open(sealed, column=column, row=row).get_secret_value() == secret


@pytest.mark.parametrize(
    ("table", "column", "row"),
    [
        ("accounts", "secret", "row-1"),
        ("providers", "nonce", "row-1"),
        ("providers", "secret", "row-2"),
    ],
)
def test_a_sealed_value_moved_to_another_table_column_or_row_does_not_open(
    table: str, column: str, row: str
):
    held = vault()
    sealed = held.drawer("providers").seal(SECRET, column="secret", row="row-1")
    with pytest.raises(SealBroken):
        held.drawer(table).open(sealed, column=column, row=row)
    with pytest.raises(SealBroken):
        held.drawer(table).reseal(sealed, column=column, row=row)


def test_no_byte_of_a_sealed_value_can_be_altered():
    drawer = vault().drawer("providers")
    sealed = drawer.seal(SECRET, column="secret", row="row-1")
    for index in range(len(sealed)):
        altered = bytearray(sealed)
        altered[index] ^= 0x01
        with pytest.raises(REFUSED):
            drawer.open(bytes(altered), column="secret", row="row-1")


def test_a_sealed_value_that_was_cut_does_not_open():
    drawer = vault().drawer("providers")
    sealed = drawer.seal(SECRET, column="secret", row="row-1")
    for length in range(len(sealed)):
        with pytest.raises(REFUSED):
            drawer.open(sealed[:length], column="secret", row="row-1")


def test_the_same_secret_is_never_sealed_to_the_same_bytes():
    drawer = vault().drawer("providers")
    sealed = {drawer.seal(SECRET, column="secret", row="row-1") for _ in range(200)}
    assert len(sealed) == 200
    assert len({value[9:21] for value in sealed}) == 200
    assert not any(SECRET.get_secret_value().encode() in value for value in sealed)


def test_the_newest_key_seals_and_older_ones_still_open():
    old, new = keys.generate(), keys.generate()
    sealed = vault(old).drawer("providers").seal(SECRET, column="secret", row="row-1")
    both = vault(new, old).drawer("providers")
    resealed = both.reseal(sealed, column="secret", row="row-1")
    assert (key_id(sealed), key_id(resealed)) == (old.id, new.id)
    assert both.open(sealed, column="secret", row="row-1") == SECRET
    assert both.open(resealed, column="secret", row="row-1") == SECRET
    only_new = vault(new).drawer("providers")
    assert only_new.open(resealed, column="secret", row="row-1") == SECRET


def test_a_value_sealed_with_a_missing_key_says_which_key_and_where_it_was_sought():
    lost = keys.generate()
    sealed = vault(lost).drawer("providers").seal(SECRET, column="secret", row="row-1")
    with pytest.raises(WrongVaultKey) as refused:
        vault().drawer("providers").open(sealed, column="secret", row="row-1")
    assert lost.id.hex() in refused.value.detail
    assert "test" in refused.value.detail


def test_what_an_earlier_version_sealed_opens():
    drawer = vault(Key(bytes(range(32)))).drawer("providers")
    assert drawer.open(SEALED_BEFORE, column="secret", row="row-1") == SECRET


def test_keys_come_and_go_and_who_has_the_vault_open_already_learns_of_a_new_one(tmp_path: Path):
    held, other = (Vault(KeyFile(tmp_path / "vault.key")) for _ in range(2))
    assert (held.is_empty, held.active, held.key_ids) == (True, b"", [])
    held.add_key()
    first = held.active
    sealed = held.drawer("providers").seal(SECRET, column="secret", row="row-1")
    assert other.drawer("providers").open(sealed, column="secret", row="row-1") == SECRET
    held.add_key()
    assert held.key_ids == [held.active, first]
    assert (held.is_empty, held.active == first) == (False, False)
    resealed = held.drawer("providers").reseal(sealed, column="secret", row="row-1")
    held.drop_keys([first])
    for each in (held, Vault(KeyFile(tmp_path / "vault.key"))):
        assert each.key_ids == [held.active]
        assert each.drawer("providers").open(resealed, column="secret", row="row-1") == SECRET
        with pytest.raises(WrongVaultKey):
            each.drawer("providers").open(sealed, column="secret", row="row-1")


def test_a_known_key_is_not_sought_again(tmp_path: Path):
    file = tmp_path / "vault.key"
    held = Vault(KeyFile(file))
    held.add_key()
    sealed = held.drawer("providers").seal(SECRET, column="secret", row="row-1")
    file.unlink()
    assert held.drawer("providers").open(sealed, column="secret", row="row-1") == SECRET


def test_every_binary_column_is_declared_sealed_so_that_a_rotation_finds_it():
    metadata = migrate.MIGRATED["app"]
    binary = {
        column
        for table in metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, LargeBinary)
        # What a text is about, as numbers: no secret that the text itself is not.
        and str(column)
        not in ("memories.vector", "indexed_files.vector", "suggestions.vector", "mail_raw.data")
    }
    assert binary == {column for _, column in sealed_columns(metadata)}
    assert {str(column) for column in binary} >= {
        "instance.hash_key",
        "login_providers.client_secret",
    }
    # A rotation names a row by one key column; beside the app store, only the ledger has keys.
    assert all(len(column.table.primary_key.columns) == 1 for column in binary)
    sealed = {str(column) for _, column in sealed_columns(migrate.MIGRATED["audit"])}
    assert sealed == {"ledger_keys.key"}


def test_a_column_that_is_declared_sealed_is_found_and_no_other():
    class Base(DeclarativeBase):
        pass

    class Thing(Base):
        __tablename__ = "things"
        id: Mapped[str] = mapped_column(primary_key=True)
        secret: Mapped[bytes | None] = sealed_column(nullable=True)

    ((table, column),) = sealed_columns(Base.metadata)
    assert (table, column.name, column.nullable) == (Thing.__table__, "secret", True)


def test_keys_vaults_and_secrets_do_not_print_what_they_hold():
    key = keys.generate()
    held = vault(key)
    things = (key, held, held.drawer("providers"), SECRET, FixedKeys("test", keys.render([key])))
    printed = "".join(f"{thing} {thing!r} {[thing]} {thing:}" for thing in things)
    for form in (key.reveal().hex(), repr(key.reveal()), SECRET.get_secret_value()):
        assert form not in printed
    assert key.id.hex() in repr(key)


def test_logging_keys_and_secrets_does_not_write_what_they_hold():
    key = keys.generate()
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs._formatter(console=False))
    log = logging.Logger("test", logging.DEBUG)
    log.addHandler(handler)
    log.info("using %s and %r", key, SECRET, extra={"key": key, "vault": vault(key)})
    log.error("hex %s, bytes %s", key.reveal().hex(), {"material": key.reveal()})
    log.info({"event": "structured", "key": key, "secret": SECRET, "given": key.reveal()})
    written = stream.getvalue()
    assert written.count("\n") == 3
    for form in (key.reveal().hex(), repr(key.reveal())[2:-1], SECRET.get_secret_value()):
        assert form not in written
