"""Sources of 256-bit keys: the environment, a private file, or the operating system's keyring.

A source holds one or more keys, newest first. A key must not be generated where data exists that
another key protects; the caller decides that, by `create`.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pydantic import SecretStr

from bailiwick.errors import BadConfiguration, DataFolderUnusable
from bailiwick.kit.files import readable_by_others, write_atomic

_HEX_KEY = re.compile(r"[0-9a-fA-F]{64}")
_KEYRING_SERVICE = "bailiwick"


class Key:
    """32 secret bytes with a public id; never prints itself."""

    __slots__ = ("_bytes", "id")

    def __init__(self, material: bytes) -> None:
        self._bytes = material
        self.id = hashlib.sha256(b"key-id" + material).digest()[:8]

    def reveal(self) -> bytes:
        """The key itself, for the cipher that needs it."""
        return self._bytes

    def __repr__(self) -> str:
        return f"Key(id={self.id.hex()})"


class KeySource(Protocol):
    """A place where keys are stored."""

    @property
    def description(self) -> str:
        """The source's name in messages."""
        ...

    def read(self) -> list[Key]:
        """All keys, the active one first; empty if there is none yet."""
        ...

    def write(self, keys: Sequence[Key]) -> None:
        """Replace all keys at once; refused if the source is read-only."""
        ...


def generate() -> Key:
    """A new random key."""
    return Key(secrets.token_bytes(32))


class FixedKeys:
    """Keys from the environment, which are read-only."""

    def __init__(self, name: str, text: str) -> None:
        self.description = name
        self._keys = parse(text, where=name)

    def read(self) -> list[Key]:
        """The given keys."""
        return self._keys

    def write(self, keys: Sequence[Key]) -> None:
        """Refuse: only the operator can change the environment."""
        raise BadConfiguration(
            f"The key comes from {self.description}, which cannot be written from here. Put a new "
            f"key (`bailiwick key new`) before the old one, with a comma between, restart, and "
            f"run `bailiwick key rotate` again."
        )


class KeyFile:
    """Keys in a file that only its owner may read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.description = f"the key file {path}"

    def read(self) -> list[Key]:
        """The keys in the file; empty if it does not exist."""
        try:
            if readable_by_others(self.path):
                raise BadConfiguration(
                    f"{self.path} holds a key but others can read it. Run: chmod 600 '{self.path}'"
                )
            return parse(self.path.read_text(), where=str(self.path))
        except FileNotFoundError:
            return []
        except UnicodeDecodeError:
            raise _no_key(str(self.path)) from None
        except OSError as error:
            raise DataFolderUnusable(f"{self.path} cannot be read: {error.strerror}.") from error

    def write(self, keys: Sequence[Key]) -> None:
        """Replace the file in one step, with mode 600."""
        try:
            write_atomic(self.path, render(keys).encode())
        except OSError as error:
            raise DataFolderUnusable(f"{self.path} cannot be written: {error.strerror}.") from error


class SystemKeyring:
    """Keys in the operating system's keyring, one entry for each installation."""

    def __init__(self, entry: str) -> None:
        self._entry = entry
        self.description = f"the system keyring (entry {entry})"

    def read(self) -> list[Key]:
        """The keys in the entry; empty if there is none."""
        try:
            text = kept_text(self._entry)
        except BadConfiguration as error:
            raise BadConfiguration(f"{error.detail} Use file:/path instead.") from error
        return parse(text, where=self.description) if text else []

    def write(self, keys: Sequence[Key]) -> None:
        """Replace the entry."""
        keep_text(self._entry, render(keys))


def kept_text(entry: str) -> str | None:
    """What the operating system's keyring has under an entry."""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(_KEYRING_SERVICE, entry)
    except KeyringError as error:
        raise BadConfiguration(f"The system keyring cannot be used here ({error}).") from error


def keep_text(entry: str, text: str) -> None:
    """Put a text into the operating system's keyring, in the place of the one before."""
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(_KEYRING_SERVICE, entry, text)
    except KeyringError as error:
        raise BadConfiguration(f"The system keyring refused the entry ({error}).") from error


def source(given: SecretStr, *, name: str, entry: str) -> KeySource:
    """The source in a setting: hex digits, `file:/path` or `keyring`."""
    text = given.get_secret_value().strip()
    if text == "keyring":
        return SystemKeyring(entry)
    if text.startswith("file:"):
        return KeyFile(Path(text.removeprefix("file:")).expanduser().absolute())
    return FixedKeys(name, text)


def parse(text: str, *, where: str) -> list[Key]:
    """Keys from text: 64 hex digits each, newest first, with commas or line ends between."""
    parts = [part for part in re.split(r"[\s,]+", text) if part]
    if not parts or not all(_HEX_KEY.fullmatch(part) for part in parts):
        raise _no_key(where)
    return [Key(bytes.fromhex(part)) for part in parts]


def _no_key(where: str) -> BadConfiguration:
    return BadConfiguration(
        f"{where} does not hold a key: expected 64 hex digits (make one with "
        f"`bailiwick key new`), file:/path or keyring."
    )


def render(keys: Sequence[Key]) -> str:
    """The text form that `parse` reads."""
    return "".join(f"{key.reveal().hex()}\n" for key in keys)
