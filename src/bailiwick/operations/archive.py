"""The backup file: a tar of known members that ends with a manifest of their digests.

The manifest comes last, so a file that was cut short has none and is refused.
"""

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from bailiwick.errors import BackupUnusable

FORMAT = 1
MANIFEST = "manifest.json"
DUMP = "database.dump"
VAULT_KEY = "vault.key"
_MEMBER = re.compile(
    r"(app|engine|audit)\.db|database\.dump|vault\.key|notebooks\.tar|blobs/[0-9a-f]{64}"
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


class ArchiveWriter:
    """Adds members and records their digests."""

    def __init__(self, file: BinaryIO, manifest: Manifest) -> None:
        self._tar = tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT)  # noqa: SIM115
        self.manifest = manifest

    def add(self, name: str, path: Path) -> None:
        """Add a file under a name."""
        with path.open("rb") as file:
            self.manifest.files[name] = hashlib.file_digest(file, "sha256").hexdigest()
        self._tar.add(path, arcname=name, recursive=False, filter=_anonymous)

    def close(self) -> None:
        """Close the tar with its manifest."""
        content = json.dumps(asdict(self.manifest), indent=2).encode()
        info = tarfile.TarInfo(MANIFEST)
        info.size = len(content)
        info.mode = 0o600
        self._tar.addfile(info, io.BytesIO(content))
        self._tar.close()


def unpack(file: Path, target: Path) -> Manifest:
    """Unpack a backup into an empty folder, and verify every member; nothing else is written."""
    try:
        with tarfile.open(file, "r:") as tar:
            digests = dict(_members(tar, target))
    except (tarfile.TarError, OSError, EOFError) as error:
        raise BackupUnusable(f"{file} is not a backup, or is damaged: {error}.") from None
    manifest = _manifest(file, target)
    if wrong := [name for name in manifest.files if digests.get(name) != manifest.files[name]]:
        raise BackupUnusable(
            f"{file} is damaged: {', '.join(sorted(wrong)[:3])} is not as written."
        )
    return manifest


def _members(tar: tarfile.TarFile, target: Path) -> Iterator[tuple[str, str]]:
    for member in tar:
        if not member.isreg() or not (member.name == MANIFEST or _MEMBER.fullmatch(member.name)):
            raise BackupUnusable(
                f"The backup holds something that does not belong: {member.name!r}."
            )
        path = target / member.name
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
        return Manifest(**content)
    except (OSError, ValueError, TypeError, KeyError):
        raise BackupUnusable(
            f"{file} is incomplete: it has no manifest. The backup was cut short; use another."
        ) from None


def _anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mode = 0o600
    return info
