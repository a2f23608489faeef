"""Backups: consistent copies while the office runs; a partial one is never left."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick import __version__
from bailiwick.errors import Conflict, NotFound
from bailiwick.instance import audience
from bailiwick.instance.changes import SYSTEM, Actor, record
from bailiwick.kit import clock, keys, streamcipher
from bailiwick.kit.db import postgres, sqlite
from bailiwick.kit.db.storage import STORES, sqlite_path
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.files import PRIVATE_FILE, PRIVATE_FOLDER, alone, replacing
from bailiwick.kit.keys import Key
from bailiwick.office import Office, vault_keys
from bailiwick.operations import folders
from bailiwick.operations.archive import DUMP, VAULT_KEY, ArchiveWriter, Manifest

FOLDER = "backups"
FAILED = "backup.failed"
_SUFFIX = ".bailiwick-backup"
_SCRATCH = ".making-"
_LOCK = ".backing-up"


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished backup."""

    path: Path
    size: int
    created_at: datetime
    holds_vault_key: bool = False


async def make(
    office: Office,
    *,
    target: Path | None = None,
    with_keys: bool = False,
    due: datetime | None = None,
    actor: Actor = SYSTEM,
) -> Backup:
    """Back everything up into one file; databases first, in the order app, engine, audit.

    A scheduled one (`due`) is skipped if a backup was made after its due time.
    """
    keep = (await office.changeable.current()).backups_kept
    if target is None:
        folder = _folder(office)
        target = folder / f"{clock.now():%Y%m%dT%H%M%S%f}Z{_SUFFIX}"
    made = await asyncio.to_thread(_write, office, target, with_keys=with_keys, due=due)
    if made.path != target:
        return made
    for old in listed(office)[keep:]:
        old.path.unlink(missing_ok=True)
    await _emit(office, "backup.made", actor=actor, name=made.path.name)
    return made


def find(office: Office, name: str) -> Backup:
    """A backup in the data folder, or `NotFound`."""
    for made in listed(office):
        if made.path.name == name:
            return made
    raise NotFound("That backup does not exist.")


async def delete(office: Office, name: str, *, actor: Actor) -> None:
    """Remove a backup for good."""
    found = find(office, name)
    found.path.unlink(missing_ok=True)
    async with office.storage.app.write() as session:
        before = {"size": found.size, "created_at": found.created_at.isoformat()}
        record(session, actor, action="backup.deleted", subject=name, before=before)


async def emit_failed(office: Office, reason: str) -> None:
    """Notify admins of a failed backup."""
    await _emit(office, FAILED, actor=SYSTEM, name=None, reason=reason)


async def last_error(session: AsyncSession) -> str | None:
    """The error of the last backup; None if it succeeded."""
    types = (FAILED, "backup.made")
    last = await eventlog.last_of(session, types)
    return str(last.data.get("reason")) if last and last.type == FAILED else None


def listed(office: Office) -> list[Backup]:
    """The backups in the data folder, newest first."""
    found = sorted((office.settings.data / FOLDER).glob(f"*{_SUFFIX}"), reverse=True)
    return [_described(path) for path in found]


def _folder(office: Office) -> Path:
    folder = office.settings.data / FOLDER
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    except OSError as error:
        raise Conflict(f"{folder} cannot be made: {error.strerror}.") from None
    return folder


async def _emit(office: Office, type: str, *, actor: Actor, name: str | None, **data: str) -> None:
    async with office.storage.app.write() as session:
        eventlog.record(
            session,
            eventlog.Event(
                type,
                audience=(audience.ADMINS,),
                actor_id=actor.id,
                subject_id=name,
                data=data,
            ),
        )


def _write(office: Office, target: Path, *, with_keys: bool, due: datetime | None) -> Backup:
    # One at a time across processes, because each removes what an earlier one left behind.
    with alone(office.settings.data / _LOCK):
        newest = next(iter(listed(office)), None)
        if due and newest and newest.created_at >= due:
            return newest
        if target.exists():
            raise Conflict(f"{target} exists already. Give another name.")
        _sweep(target.parent)
        return _write_alone(office, target, with_keys=with_keys)


def _write_alone(office: Office, target: Path, *, with_keys: bool) -> Backup:
    holds_key = with_keys or office.data_key is not None
    manifest = Manifest(
        version=__version__,
        created_at=clock.now().isoformat(),
        instance=office.instance_id,
        database=office.storage.kind,
        data_key_id=office.data_key.id.hex() if office.data_key else None,
        holds_vault_key=holds_key,
    )
    try:
        with (
            tempfile.TemporaryDirectory(dir=target.parent, prefix=_SCRATCH) as scratch,
            replacing(target) as file,
        ):
            archive = ArchiveWriter(file, manifest, vault_keys(office.settings).read()[0])
            _add_databases(office, archive, Path(scratch))
            for name in office.blobs.names():
                archive.add(f"blobs/{name}", office.blobs.path(name))
            for member, name in folders.members(folders.kept(office.features)).items():
                if folders.pack(office.data / name, Path(scratch) / member, office.data_key):
                    archive.add(member, Path(scratch) / member)
            if holds_key:
                archive.add(VAULT_KEY, _vault_key(office, Path(scratch)))
            archive.close()
    except OSError as error:
        raise Conflict(f"The backup could not be written to {target}: {error.strerror}.") from error
    return _described(target, holds_key=holds_key)


def _add_databases(office: Office, archive: ArchiveWriter, scratch: Path) -> None:
    if office.settings.database_url:
        pieces = postgres.dump(office.settings.database_url.get_secret_value())
        archive.add(DUMP, _sealed(pieces, scratch / DUMP, office.data_key))
        return
    for name in STORES:
        source = sqlite_path(office.settings.data, name)
        copy = scratch / source.name
        sqlite.copy(source, copy, office.data_key)
        archive.add(source.name, copy)
        copy.unlink()


def _vault_key(office: Office, scratch: Path) -> Path:
    held = keys.render(vault_keys(office.settings).read()).encode()
    return _sealed([held], scratch / VAULT_KEY, office.data_key)


def _sealed(pieces: Iterable[bytes], target: Path, key: Key | None) -> Path:
    """Write these pieces to a new file, encrypted if there is a data key."""
    with target.open("xb") as out:
        target.chmod(PRIVATE_FILE)
        if key:
            streamcipher.write(pieces, out, key)
        else:
            out.writelines(pieces)
    return target


def _sweep(folder: Path) -> None:
    """Remove what a killed backup left behind."""
    for path in folder.glob(f".*{_SUFFIX}.*"):
        path.unlink(missing_ok=True)
    for path in folder.glob(f"{_SCRATCH}*"):
        shutil.rmtree(path, ignore_errors=True)


def _described(path: Path, *, holds_key: bool = False) -> Backup:
    stat = path.stat()
    created = datetime.fromtimestamp(stat.st_mtime, clock.now().tzinfo)
    return Backup(path, stat.st_size, created, holds_key)
