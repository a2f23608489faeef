"""Restoring: into a staging folder, verified there, then put in place in one step."""

import io
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bailiwick.config import Settings
from bailiwick.errors import BackupUnusable, BadConfiguration, Conflict, ServerRunning, WrongDataKey
from bailiwick.feature import Feature
from bailiwick.kit import clock, key_mark, keys, streamcipher
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import postgres, sqlite
from bailiwick.kit.db.storage import STORES, sqlite_path
from bailiwick.kit.files import PRIVATE_FOLDER, sync_folder, write_atomic
from bailiwick.kit.folder import DataFolder
from bailiwick.kit.keys import Key, KeyFile
from bailiwick.kit.ledger.file import NAME as CHECKPOINTS
from bailiwick.kit.sealing import KeptFolder, reseal_all
from bailiwick.kit.streamcipher import CipherBroken
from bailiwick.office import BLOBS, VAULT_KEY, data_keys, vault_keys
from bailiwick.operations import archive, backup, folders
from bailiwick.operations.archive import BackupProof, Manifest


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore."""

    created_at: str
    kept_aside: Path | None
    has_vault_key: bool
    proof: BackupProof


def restore(
    settings: Settings,
    file: Path,
    *,
    features: Sequence[Feature],
    backup_key: Key | None = None,
    vault_key_file: Path | None = None,
    replace: bool = False,
    accept_unsigned: bool = False,
) -> Restored:
    """Restore a backup into the data folder (and the PostgreSQL database) of the settings."""
    if not file.is_file():
        raise BackupUnusable(f"{file} does not exist.")
    settings.data.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    _refuse_unless_free(settings, replace=replace)
    with tempfile.TemporaryDirectory(dir=settings.data.parent, prefix=".restoring-") as scratch:
        unpacked, staged = Path(scratch) / "unpacked", Path(scratch) / "staged"
        unpacked.mkdir(mode=PRIVATE_FOLDER)
        staged.mkdir(mode=PRIVATE_FOLDER)
        manifest = archive.unpack(file, unpacked)
        _refuse_other_database(settings, manifest)
        old = _old_key(manifest, backup_key, settings)
        proof = archive.prove(
            manifest,
            trusted=_trusted_keys(settings, vault_key_file),
            own=_held_keys(unpacked, old, manifest),
            accept_unsigned=accept_unsigned,
        )
        new = _new_key(settings)
        if not settings.database_url:
            _stage_databases(unpacked, staged, old=old, new=new)
        _stage_blobs(unpacked, staged, old=old, new=new)
        _stage_folders(unpacked, staged, folders.kept(features), old=old, new=new)
        _stage_vault_key(unpacked, staged, old, manifest, vault_key_file or _kept_key(settings))
        if settings.database_url:
            key_mark.mark(staged, new)
            _load_dump(settings.database_url.get_secret_value(), unpacked, old, manifest)
        aside = _put_in_place(settings.data, staged)
    return Restored(manifest.created_at, aside, not _lacks_vault_key(settings), proof)


def _refuse_unless_free(settings: Settings, *, replace: bool) -> None:
    folder = DataFolder(settings.data)
    holds_data = sqlite_path(settings.data, "app").exists()
    if settings.data.exists():
        folder.prepare()
        if folder.server():
            raise ServerRunning(
                "The server is running on this data folder. Stop it, then restore; or restore into "
                "another folder with BAILIWICK_DATA."
            )
        with folder.owned():
            pass
    if settings.database_url:
        holds_data, served = postgres.in_use(settings.database_url.get_secret_value())
        if served:
            raise ServerRunning("A server is connected to this database. Stop it, then restore.")
    if holds_data and not replace:
        raise Conflict(
            f"There is an installation in {settings.data} already. With --replace it is moved "
            f"aside, not deleted (on PostgreSQL: back it up first, its tables are replaced)."
        )


def _refuse_other_database(settings: Settings, manifest: Manifest) -> None:
    kind = "postgresql" if settings.database_url else "sqlite"
    if manifest.database != kind:
        raise BackupUnusable(
            f"This backup is of a {manifest.database} installation, and the settings name {kind}."
        )


def _old_key(manifest: Manifest, given: Key | None, settings: Settings) -> Key | None:
    if manifest.data_key_id is None:
        return None
    source = data_keys(settings)
    candidates = [*([given] if given else []), *(source.read() if source else [])]
    for key in candidates:
        if key.id.hex() == manifest.data_key_id:
            return key
    raise WrongDataKey(
        "The backup is encrypted under another data key. Set BAILIWICK_DATA_KEY to the key it was "
        "made with, or give that key with --backup-key."
    )


def _new_key(settings: Settings) -> Key | None:
    source = data_keys(settings)
    if source is None:
        return None
    if not (known := source.read()):
        known = [keys.generate()]
        source.write(known)
    return known[0]


def _stage_databases(unpacked: Path, staged: Path, *, old: Key | None, new: Key | None) -> None:
    for name in STORES:
        source, target = sqlite_path(unpacked, name), sqlite_path(staged, name)
        if not source.exists():
            raise BackupUnusable(f"The backup lacks {source.name}.")
        if (old and old.id) == (new and new.id):
            source.replace(target)
        else:
            sqlite.convert(source, target, old=old, new=new)
        sqlite.check(target, new)
        for leftover in staged.glob(f"{target.name}-*"):
            leftover.unlink()


def _load_dump(url: str, unpacked: Path, old: Key | None, manifest: Manifest) -> None:
    try:
        with (unpacked / archive.DUMP).open("rb") as file:
            sealed = old if manifest.has_sealed_dump else None
            pieces = iter(lambda: file.read(streamcipher.CHUNK), b"")
            postgres.load(url, streamcipher.decrypt(file, sealed) if sealed else pieces)
    except (CipherBroken, FileNotFoundError) as error:
        raise BackupUnusable(f"The backup's {archive.DUMP} does not open: {error}.") from None


def _stage_folders(
    unpacked: Path, staged: Path, kept: Sequence[KeptFolder], *, old: Key | None, new: Key | None
) -> None:
    for member, name in folders.members(kept).items():
        folders.unpack(unpacked / member, staged / name, old)
    try:
        reseal_all(staged, kept, known=[old] if old else [], new=new)
    except CipherBroken as error:
        raise BackupUnusable(f"A file in the backup's folders does not open: {error}.") from None


def _stage_blobs(unpacked: Path, staged: Path, *, old: Key | None, new: Key | None) -> None:
    flat = unpacked / BLOBS
    for path in sorted(flat.iterdir()) if flat.is_dir() else ():
        target = BlobFolder(staged / BLOBS, new).path(path.name)
        target.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        _convert_blob(path, target, old=old, new=new)


def _convert_blob(path: Path, target: Path, *, old: Key | None, new: Key | None) -> None:
    """Encrypt a blob anew under its old name, which rows refer to."""
    if (old and old.id) == (new and new.id):
        path.replace(target)
        return
    with path.open("rb") as source, target.open("wb") as out:
        content = b"".join(streamcipher.decrypt(source, old)) if old else source.read()
        if new:
            streamcipher.encrypt(io.BytesIO(content), out, new)
        else:
            out.write(content)


def _trusted_keys(settings: Settings, given: Path | None) -> list[Key]:
    """The vault's keys that do not come out of the backup."""
    return [*(KeyFile(given).read() if given else []), *vault_keys(settings).read()]


def _held_keys(unpacked: Path, old: Key | None, manifest: Manifest) -> list[Key]:
    """The vault's keys that the backup holds."""
    if not manifest.holds_vault_key:
        return []
    try:
        with (unpacked / archive.VAULT_KEY).open("rb") as file:
            content = b"".join(streamcipher.decrypt(file, old)) if old else file.read()
        return keys.parse(content.decode(), where="The backup's vault.key")
    except (CipherBroken, OSError, UnicodeDecodeError, BadConfiguration) as error:
        raise BackupUnusable(f"The backup's vault.key does not open: {error}.") from None


def _stage_vault_key(
    unpacked: Path, staged: Path, old: Key | None, manifest: Manifest, given: Path | None
) -> None:
    held = _held_keys(unpacked, old, manifest) or (KeyFile(given).read() if given else [])
    if held:
        write_atomic(staged / VAULT_KEY, keys.render(held).encode())


def _kept_key(settings: Settings) -> Path | None:
    path = settings.data / VAULT_KEY
    return path if path.exists() else None


def _put_in_place(folder: Path, staged: Path) -> Path | None:
    aside = None
    if folder.exists() and any(folder.iterdir()):
        aside = folder.with_name(DataFolder(folder).aside(f"{clock.now():%Y%m%dT%H%M%SZ}"))
        folder.rename(aside)
        if (aside / backup.FOLDER).is_dir():
            (aside / backup.FOLDER).rename(staged / backup.FOLDER)
        if (aside / CHECKPOINTS).is_file():
            # The newer checkpoints are kept, so that `audit verify` shows that the audit went back.
            shutil.copy2(aside / CHECKPOINTS, staged / CHECKPOINTS)
    elif folder.exists():
        folder.rmdir()
    staged.rename(folder)
    sync_folder(folder.parent)
    return aside


def _lacks_vault_key(settings: Settings) -> bool:
    return not vault_keys(settings).read()
