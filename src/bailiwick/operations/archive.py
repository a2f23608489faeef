"""The backup file: a tar of known members that ends with a signed manifest of their digests.

The manifest comes last, so a file that was cut short has none and is refused. Its signature is an
HMAC under a key derived from the vault's: who does not hold the vault's key cannot make a backup
that passes for one of this installation, nor change one. It does not prove that a backup is the
newest, and nothing to whoever holds that key.
"""

import hashlib
import hmac
import io
import json
import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal

from bailiwick.errors import BackupUnusable
from bailiwick.kit.keys import Key

FORMAT = 3
_PLAIN_DUMP_FORMAT = 2  # of versions that did not encrypt the dump of PostgreSQL
_UNSIGNED_FORMAT = 1  # of versions that did not sign
MANIFEST = "manifest.json"
DUMP = "database.dump"
VAULT_KEY = "vault.key"
_MEMBER = re.compile(
    r"(app|engine|audit)\.db|database\.dump|vault\.key|[a-z_]{1,40}\.tar|blobs/[0-9a-f]{64}"
)


@dataclass(slots=True)
class Manifest:
    """The content of a backup."""

    version: str
    created_at: str
    instance: str
    database: str
    data_key_id: str | None
    holds_vault_key: bool
    format: int = FORMAT
    files: dict[str, str] = field(default_factory=dict)
    signed_by: str | None = None  # the id of the vault's key
    signature: str | None = None

    def sign(self, key: Key) -> None:
        """Say which key vouches for all of this."""
        self.signed_by = key.id.hex()
        self.signature = self._digest(key)

    def is_signed_by(self, key: Key) -> bool:
        """Whether this key vouches for exactly this."""
        return hmac.compare_digest(self._digest(key), self.signature or "")

    @property
    def has_sealed_dump(self) -> bool:
        """Whether the dump of PostgreSQL is under the data key."""
        return self.data_key_id is not None and self.format > _PLAIN_DUMP_FORMAT

    def _digest(self, key: Key) -> str:
        said = {name: value for name, value in asdict(self).items() if name != "signature"}
        derived = hmac.digest(key.reveal(), b"bailiwick backup manifest", "sha256")
        return hmac.digest(derived, json.dumps(said, sort_keys=True).encode(), "sha256").hex()


# What vouches for a backup: the vault's key that was here already, the key in it, or nothing.
BackupProof = Literal["vault_key", "own_key", "nothing"]


class ArchiveWriter:
    """Adds members and records their digests."""

    def __init__(self, file: BinaryIO, manifest: Manifest, key: Key) -> None:
        self._key = key
        self._tar = tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT)  # noqa: SIM115
        self.manifest = manifest

    def add(self, name: str, path: Path) -> None:
        """Add a file under a name."""
        with path.open("rb") as file:
            self.manifest.files[name] = hashlib.file_digest(file, "sha256").hexdigest()
        self._tar.add(path, arcname=name, recursive=False, filter=_anonymous)

    def close(self) -> None:
        """Close the tar with its manifest, signed."""
        self.manifest.sign(self._key)
        content = json.dumps(asdict(self.manifest), indent=2).encode()
        info = tarfile.TarInfo(MANIFEST)
        info.size = len(content)
        info.mode = 0o600
        self._tar.addfile(info, io.BytesIO(content))
        self._tar.close()


def is_encrypted(file: Path) -> bool:
    """Whether a backup can be read with the data key alone; one that cannot be read is not."""
    try:
        with tarfile.open(file, "r:") as tar:
            member = tar.extractfile(MANIFEST)
            return bool(member and json.load(member)["data_key_id"])
    except (tarfile.TarError, OSError, EOFError, ValueError, TypeError, KeyError):
        return False


def unpack(file: Path, target: Path) -> Manifest:
    """Unpack a backup into an empty folder, and verify every member; nothing else is written."""
    try:
        with tarfile.open(file, "r:") as tar:
            digests = dict(_members(tar, target))
    except (tarfile.TarError, OSError, EOFError) as error:
        raise BackupUnusable(f"{file} is not a backup, or is damaged: {error}.") from None
    manifest = _manifest(file, target)
    digests.pop(MANIFEST, None)
    for fault, names in _differences(manifest.files, digests):
        if names:
            raise BackupUnusable(f"{file} is not as it was written: {', '.join(names)} {fault}.")
    return manifest


def _differences(listed: Mapping[str, str], found: Mapping[str, str]) -> Iterator[Any]:
    yield "is in it and not in its manifest", sorted(found.keys() - listed.keys())[:3]
    yield "is missing", sorted(listed.keys() - found.keys())[:3]
    yield "was changed", sorted(name for name in listed if listed[name] != found.get(name))[:3]


def prove(
    manifest: Manifest, *, trusted: Sequence[Key], own: Sequence[Key], accept_unsigned: bool
) -> BackupProof:
    """Who vouches for a backup: a key that was here before, or the one that is in it.

    Raise for one that is forged, or of which nobody here can tell, unless a person accepts that.
    """
    if manifest.signed_by is None and manifest.format > _UNSIGNED_FORMAT:
        raise BackupUnusable("The backup's manifest is not signed, though its version signs them.")
    sources: tuple[tuple[Sequence[Key], BackupProof], ...] = (
        (trusted, "vault_key"),
        (own, "own_key"),
    )
    for keys, proof in sources:
        for key in keys:
            if key.id.hex() != manifest.signed_by:
                continue
            if not manifest.is_signed_by(key):
                raise BackupUnusable(
                    "The backup's manifest was changed after it was made: its signature is wrong."
                )
            if proof == "vault_key" or not trusted or accept_unsigned:
                return proof
    if accept_unsigned or (manifest.signed_by and not trusted):
        return "nothing"
    raise BackupUnusable(
        "The backup is signed by no key of this installation, so anyone may have made it. If it is "
        "yours (made by an older version, or under a key that was pruned), give the key with "
        "--vault-key-file, or restore it with --accept-unsigned."
    )


def _members(tar: tarfile.TarFile, target: Path) -> Iterator[tuple[str, str]]:
    for member in tar:
        if not member.isreg() or not (member.name == MANIFEST or _MEMBER.fullmatch(member.name)):
            raise BackupUnusable(
                f"The backup holds something that does not belong: {member.name!r}."
            )
        path = target / member.name
        if path.exists():
            raise BackupUnusable(f"The backup holds {member.name!r} twice.")
        path.parent.mkdir(mode=0o700, exist_ok=True)
        source = tar.extractfile(member)
        assert source is not None
        digest = hashlib.sha256()
        with path.open("xb") as out:
            path.chmod(0o600)
            while chunk := source.read(1 << 20):
                digest.update(chunk)
                out.write(chunk)
        yield member.name, digest.hexdigest()


def _manifest(file: Path, target: Path) -> Manifest:
    try:
        content: dict[str, Any] = json.loads((target / MANIFEST).read_text())
        if content["format"] > FORMAT:
            raise BackupUnusable(f"{file} was made by a newer Bailiwick. Upgrade, then restore.")
        manifest = Manifest(**content)
        manifest.files = {str(name): str(digest) for name, digest in manifest.files.items()}
        return manifest
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BackupUnusable(
            f"{file} is incomplete: it has no manifest. The backup was cut short; use another."
        ) from None


def _anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mode = 0o600
    return info
