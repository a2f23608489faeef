"""The vault: seals secrets for one table, column and row, and opens them nowhere else.

A sealed value is `version | key id | nonce | AES-256-GCM ciphertext`, with its place as associated
data: in another row, column or table it does not open. Columns of sealed values are declared with
`sealed_column`, so that a key rotation finds all of them.
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import SecretStr
from sqlalchemy import Column, LargeBinary, MetaData, Table
from sqlalchemy.orm import MappedColumn, mapped_column

from bailiwick.errors import WrongVaultKey
from bailiwick.kit.keys import Key, KeySource, generate

_VERSION = b"\x01"
_ID = slice(1, 9)
_NONCE = slice(9, 21)
_BODY = slice(21, None)
_SHORTEST = 21 + 16  # the bytes before the body, and the cipher's tag
_SEALED = "sealed"


class SealBroken(Exception):
    """The value was altered, or moved from its place."""


def sealed_column(*, nullable: bool = False) -> MappedColumn[Any]:
    """A column whose values only the vault can read."""
    return mapped_column(LargeBinary, nullable=nullable, info={_SEALED: True})


def sealed_columns(metadata: MetaData) -> Iterator[tuple[Table, Column[Any]]]:
    """Every sealed column of every table."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            if column.info.get(_SEALED):
                yield table, column


def key_id(sealed: bytes) -> bytes:
    """The id of the key that sealed this value."""
    return sealed[_ID]


class Vault:
    """Holds the sealing keys; `drawer` restricts it to one table."""

    def __init__(self, keys: KeySource) -> None:
        self._source = keys
        self._ciphers: dict[bytes, AESGCM] = {}
        self._active = b""
        self.reload()

    @property
    def description(self) -> str:
        """Where the keys are stored."""
        return self._source.description

    @property
    def is_empty(self) -> bool:
        """Whether there is no key yet."""
        return not self._ciphers

    @property
    def active(self) -> bytes:
        """The id of the key that seals new values."""
        return self._active

    @property
    def key_ids(self) -> list[bytes]:
        """The ids of all keys, the active one first."""
        return list(self._ciphers)

    def reload(self) -> None:
        """Read the keys again, because another process may have added one."""
        self._use(self._source.read())

    def add_key(self) -> None:
        """Add a new active key."""
        self._store([generate(), *self._source.read()])

    def drop_keys(self, ids: Sequence[bytes]) -> None:
        """Remove keys that nothing is sealed with any more."""
        self._store([key for key in self._source.read() if key.id not in ids])

    def drawer(self, table: str) -> "Drawer":
        """The part of the vault that belongs to one table."""
        return Drawer(self, table)

    def seal(self, value: bytes, place: bytes) -> bytes:
        """Encrypt for one place, under the active key."""
        nonce = os.urandom(12)
        return (
            _VERSION
            + self._active
            + nonce
            + self._ciphers[self._active].encrypt(nonce, value, place)
        )

    def open(self, sealed: bytes, place: bytes) -> bytes:
        """Decrypt at the place for which it was sealed."""
        if len(sealed) < _SHORTEST or not sealed.startswith(_VERSION):
            raise SealBroken("A sealed value was altered or cut.")
        try:
            return self._cipher(key_id(sealed)).decrypt(sealed[_NONCE], sealed[_BODY], place)
        except InvalidTag:
            raise SealBroken("A sealed value was altered or moved to another place.") from None

    def _cipher(self, id: bytes) -> AESGCM:
        if id not in self._ciphers:
            self.reload()
        if id not in self._ciphers:
            raise WrongVaultKey(
                f"Something was sealed with the key {id.hex()}, which is not in "
                f"{self.description}. Put that key back, or restore a backup together with its key."
            )
        return self._ciphers[id]

    def _store(self, keys: Sequence[Key]) -> None:
        self._source.write(keys)
        self._use(keys)

    def _use(self, keys: Sequence[Key]) -> None:
        self._ciphers = {key.id: AESGCM(key.reveal()) for key in keys}
        self._active = keys[0].id if keys else b""


class Drawer:
    """Seals and opens the columns of one table."""

    def __init__(self, vault: Vault, table: str) -> None:
        self._vault = vault
        self._table = table

    def seal(self, secret: SecretStr, *, column: str, row: str) -> bytes:
        """The bytes to store in this column of this row."""
        return self._vault.seal(secret.get_secret_value().encode(), self._place(column, row))

    def open(self, sealed: bytes, *, column: str, row: str) -> SecretStr:
        """What was sealed for this column of this row."""
        return SecretStr(self._vault.open(sealed, self._place(column, row)).decode())

    def reseal(self, sealed: bytes, *, column: str, row: str) -> bytes:
        """The same secret under the active key."""
        place = self._place(column, row)
        return self._vault.seal(self._vault.open(sealed, place), place)

    def _place(self, column: str, row: str) -> bytes:
        return "\x1f".join((self._table, column, row)).encode()
