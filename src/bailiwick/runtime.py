"""An opened installation: keys, databases, blobs. Opening one either works or says why not."""

import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr
from sqlalchemy.exc import SQLAlchemyError

from bailiwick.config import Settings
from bailiwick.errors import WrongDataKey
from bailiwick.instance.models import Instance
from bailiwick.instance.service import TokenHasher, open_instance, touch
from bailiwick.instance.settings import RuntimeSettings, SettingsStore
from bailiwick.kit import keys, logs
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage, migrate, sqlite
from bailiwick.kit.db.storage import STORES, sqlite_path
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.keys import Key, KeyFile, KeySource
from bailiwick.kit.vault import Vault

BLOBS = "blobs"
VAULT_KEY = "vault.key"


@dataclass(frozen=True, slots=True)
class Runtime:
    """Everything the app is built from."""

    settings: Settings
    storage: Storage
    vault: Vault
    blobs: BlobFolder
    data_key: Key | None
    instance_id: str
    hasher: TokenHasher
    changeable: SettingsStore
    operator_token: SecretStr


@asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Runtime]:
    """Open the installation for as long as the block runs."""
    key = data_key(settings)
    storage = storage_of(settings, key)
    try:
        await storage.ping()
        await migrate.upgrade(storage)
        vault = Vault(vault_keys(settings))
        instance_id, hasher = await open_instance(
            storage, vault, accept_clock=settings.accept_clock
        )
        yield Runtime(
            settings=settings,
            storage=storage,
            vault=vault,
            blobs=BlobFolder(settings.data / BLOBS, key),
            data_key=key,
            instance_id=instance_id,
            hasher=hasher,
            changeable=SettingsStore(storage, on_read=_log_level(settings)),
            operator_token=SecretStr("bwo_" + secrets.token_urlsafe(32)),
        )
        # A database that is away must not keep the rest from being closed.
        with suppress(SQLAlchemyError, OSError):
            await touch(storage)
    finally:
        await storage.close()


def data_key(settings: Settings) -> Key | None:
    """The key of the database files; made only where there is no database yet."""
    source = data_keys(settings)
    if source is None:
        return None
    known = source.read()
    if not known:
        if sqlite_path(settings.data, "app").exists():
            raise WrongDataKey(
                f"There is data in {settings.data}, but no key in {source.description}. "
                f"Put the key back that the data was made with."
            )
        known = [keys.generate()]
        source.write(known)
    return known[0]


def data_keys(settings: Settings) -> KeySource | None:
    """Where the data key is kept; None if there is none."""
    if settings.data_key is None:
        return None
    return keys.source(settings.data_key, name="BAILIWICK_DATA_KEY", entry=f"data {settings.data}")


def vault_keys(settings: Settings) -> KeySource:
    """Where the sealing keys are kept."""
    if settings.vault_key is None:
        return KeyFile(settings.data / VAULT_KEY)
    return keys.source(
        settings.vault_key, name="BAILIWICK_VAULT_KEY", entry=f"vault {settings.data}"
    )


def storage_of(settings: Settings, key: Key | None) -> Storage:
    """The stores that the settings name; a file that does not fit the key is refused here."""
    if settings.database_url:
        storage = Storage.on_postgresql(settings.database_url.get_secret_value(), settings.data)
    else:
        check_files(settings.data, key)
        storage = Storage.on_sqlite(settings.data, key)
    eventlog.install(storage)
    return storage


def check_files(folder: Path, key: Key | None) -> None:
    """All database files or none: one that is gone or damaged must not become a new, empty one."""
    app, *others = (sqlite_path(folder, name) for name in STORES)
    present = [path for path in (app, *others) if path.exists()]
    # The first start makes the app's file first and its row last: before that, nothing is lost,
    # and a file may be there a moment before there is anything in it.
    for path in present:
        if path.stat().st_size or _is_whole(app, others, key):
            sqlite.check(path, key)
    whole = app not in present or _is_whole(app, others, key)
    missing = [path for path in (app, *others) if path not in present]
    if present and missing and whole:
        raise sqlite.corrupt(missing[0], "it is gone, but others are there")


def _is_whole(app: Path, others: list[Path], key: Key | None) -> bool:
    if not app.exists() or not app.stat().st_size:
        return any(path.exists() and path.stat().st_size for path in others)
    return sqlite.has_rows(app, key, Instance.__tablename__)


def database_files(folder: Path) -> list[Path]:
    """The database files that exist in a folder."""
    return [path for name in STORES if (path := sqlite_path(folder, name)).exists()]


def _log_level(settings: Settings) -> Callable[[RuntimeSettings], None]:
    def apply(current: RuntimeSettings) -> None:
        logs.set_level(current.log_level or settings.log_level)

    return apply
