"""The doctor: checks the safety settings one by one, and says how to fix each fault."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from sqlalchemy.exc import DBAPIError

from bailiwick.accounts import repository as accounts
from bailiwick.connectors.registry import Connectors
from bailiwick.errors import BailiwickError
from bailiwick.kit import clock
from bailiwick.kit.db import migrate, sqlite
from bailiwick.kit.engine.engine import Engine
from bailiwick.kit.files import readable_by_others
from bailiwick.kit.ledger import Ledger
from bailiwick.kit.sealing import sealed_folders
from bailiwick.library import repository as library
from bailiwick.office import VAULT_KEY, Office, database_files
from bailiwick.operations import backup, folders

_SEALED = "sealed with the data key"
DoctorState = Literal["ok", "warning", "failed"]


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """The result of one check."""

    check: str
    state: DoctorState
    detail: str


async def examine(office: Office) -> list[DoctorFinding]:
    """Run every check."""
    found = [_run(name, check, office) for name, check in _CHECKS.items()]
    found.append(await _folders(office))
    found.append(await _anchor(office))
    found.append(await _schema(office))
    return [*found, await _jobs(office.engine)] if office.engine.running else found


async def _jobs(engine: Engine) -> DoctorFinding:
    failed = await engine.failures(clock.now() - timedelta(days=1))
    if not failed:
        return DoctorFinding("jobs", "ok", "no job failed in the last day")
    last = failed[0]
    return DoctorFinding(
        "jobs", "warning", f"{len(failed)} failed in the last day, {last.name} last: {last.error}"
    )


def _run(
    name: str, check: Callable[[Office], tuple[DoctorState, str]], office: Office
) -> DoctorFinding:
    try:
        return DoctorFinding(name, *check(office))
    except (OSError, BailiwickError) as error:
        return DoctorFinding(name, "failed", str(error))


def _folder(office: Office) -> tuple[DoctorState, str]:
    path = office.settings.data
    if readable_by_others(path):
        return "warning", f"Others can look into {path}. Run: chmod 700 '{path}'"
    return "ok", f"{path} is private"


def _database_files(office: Office) -> tuple[DoctorState, str]:
    if office.storage.kind == "postgresql":
        return "ok", "PostgreSQL holds the data"
    folder_is_private = not readable_by_others(office.settings.data)
    open_files = [p.name for p in database_files(office.settings.data) if readable_by_others(p)]
    if open_files and not folder_is_private:
        return "failed", f"Others can read {', '.join(open_files)}"
    return "ok", "only this user can read the database files"


def _vault_key(office: Office) -> tuple[DoctorState, str]:
    path = office.settings.data / VAULT_KEY
    if office.settings.vault_key is None and readable_by_others(path):
        return "failed", f"Others can read {path}. Run: chmod 600 '{path}'"
    kept = len(office.vault.key_ids)
    return "ok", f"{office.vault.description}, {kept} key(s), active {office.vault.active.hex()}"


def _encryption(office: Office) -> tuple[DoctorState, str]:
    if office.storage.kind == "postgresql":
        files = "encrypted" if office.data_key else "not encrypted"
        return (
            "warning",
            "PostgreSQL: encryption of the database at rest is the operator's (disk or cloud "
            f"volume); stored files and backups are {files}",
        )
    if office.data_key is None:
        return "warning", "The database is not encrypted. Set BAILIWICK_DATA_KEY (see docs/keys.md)"
    return "ok", "databases, stored files and backups are encrypted"


def _integrity(office: Office) -> tuple[DoctorState, str]:
    if office.storage.kind == "postgresql":
        return "ok", "PostgreSQL checks itself"
    for path in database_files(office.settings.data):
        if problems := sqlite.integrity(path, office.data_key):
            return "failed", f"{path.name}: {problems[0]}"
    return "ok", "every page of every database file is sound"


def _listening(office: Office) -> tuple[DoctorState, str]:
    settings = office.settings
    if settings.host in ("127.0.0.1", "localhost", "::1"):
        return "ok", f"listens on {settings.host} only"
    if not (settings.url or "").startswith("https://"):
        return (
            "failed",
            f"listens on {settings.host} without HTTPS. Put a proxy in front, set BAILIWICK_URL",
        )
    return "ok", f"listens on {settings.host}, reached at {settings.url}"


def _backups(office: Office) -> tuple[DoctorState, str]:
    made = backup.listed(office)
    if not made:
        return "warning", "There is no backup yet. Run: bailiwick backup"
    return "ok", f"{len(made)} backup(s), the last at {made[0].created_at:%Y-%m-%d %H:%M} UTC"


def _user(office: Office) -> tuple[DoctorState, str]:
    if os.geteuid() == 0:
        return "warning", "runs as root; an ordinary user is enough"
    return "ok", "runs as an ordinary user"


async def _folders(office: Office) -> DoctorFinding:
    """Which folders the office keeps and seals, and which are a user's own and stay plain."""
    kept = Counter(
        _at_rest(office, key_id)
        for folder in folders.kept(office.features)
        for parent in office.data.glob(folder.parents)
        for _, _, key_id in sealed_folders(parent)
    )
    state: DoctorState = "ok" if set(kept) <= {_SEALED} else "warning"
    said = [f"{count} of the office's own {words}" for words, count in sorted(kept.items())]
    if users := await _users_folders(office):
        paths = ", ".join(users)
        said.append(f"{len(users)} of users, which stay in plain text as they are: {paths}")
    return DoctorFinding("folders", state, "; ".join(said) or "none is kept or opened yet")


def _at_rest(office: Office, key_id: str | None) -> str:
    if key_id is None:
        return "in plain text"
    is_active = office.data_key is not None and office.data_key.id.hex() == key_id
    return _SEALED if is_active else f"sealed with another data key ({key_id})"


async def _users_folders(office: Office) -> list[str]:
    async with office.storage.app.read() as session:
        found = [row.path for row in await library.on_disk(session)]
        for connector in office[Connectors]:
            if named := connector.users_folder:
                rows = await accounts.of_connector(session, connector.name)
                found += [named(row.settings) for row in rows]
    return sorted({path for path in found if path})


async def _anchor(office: Office) -> DoctorFinding:
    settings, ledger = await office.changeable.current(), office[Ledger]
    wanted = {
        str(settings.anchor_path): settings.anchor_path is not None,
        "the system keyring": settings.audit_anchor_keyring,
        "what webhooks get": settings.audit_anchor_events,
    }
    if failures := [each.failure for each in ledger.anchors if each.failure]:
        return DoctorFinding("audit elsewhere", "warning", "; ".join(failures))
    if places := [name for name, is_wanted in wanted.items() if is_wanted]:
        said = f"checkpoints are also kept in {' and '.join(places)}"
        return DoctorFinding("audit elsewhere", "ok", said)
    said = "none: whoever has this folder and its vault key could rewrite the audit unseen"
    return DoctorFinding("audit elsewhere", "ok", said)


async def _schema(office: Office) -> DoctorFinding:
    try:
        at = {name: await migrate.revision(office.storage[name]) for name in migrate.MIGRATED}
    except DBAPIError as error:
        return DoctorFinding("schema", "failed", f"cannot be read: {error.orig}")
    behind = [name for name in migrate.MIGRATED if at[name] != migrate.head(name)]
    if behind:
        return DoctorFinding("schema", "failed", f"{', '.join(behind)} is not at the newest schema")
    return DoctorFinding(
        "schema", "ok", ", ".join(f"{name} {revision}" for name, revision in at.items())
    )


_CHECKS: dict[str, Callable[[Office], tuple[DoctorState, str]]] = {
    "data folder": _folder,
    "database files": _database_files,
    "vault key": _vault_key,
    "encryption at rest": _encryption,
    "integrity": _integrity,
    "listening": _listening,
    "backups": _backups,
    "user": _user,
}
