"""Key rotation: every sealed value under a new key, in small steps, resumable after any crash."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Table

from bailiwick.errors import BadConfiguration, Conflict
from bailiwick.gate.audit.service import RECORDS
from bailiwick.instance import changes
from bailiwick.instance import repository as instances
from bailiwick.instance.models import Instance
from bailiwick.instance.service import new_hash_key, open_instance
from bailiwick.kit.db import Base, Storage
from bailiwick.kit.ledger import keys as ledger_keys
from bailiwick.kit.ledger.records.recorder import seal_all
from bailiwick.kit.vault import Vault, sealed_columns
from bailiwick.operations import repository


@dataclass(frozen=True, slots=True)
class Rotation:
    """The result of a rotation."""

    active: str
    resealed: int
    resumed: bool


async def rotate(storage: Storage, vault: Vault, actor: changes.Actor) -> Rotation:
    """Seal everything with a new key, or finish a rotation that was cut short.

    The old keys stay in the key file, because older backups need them; `prune` drops them.
    """
    vault.reload()
    resumed = await _sealed_otherwise(storage, vault) > 0
    if not resumed:
        try:
            vault.add_key()
        except BadConfiguration as error:
            raise Conflict(error.detail) from None
    resealed = 0
    for table, column in sealed_columns(Base.metadata):
        while done := await _reseal_some(storage, vault, table, column):
            resealed += done
    resealed += await ledger_keys.reseal(storage, vault)
    async with storage.app.write() as session:
        changes.record(
            session,
            actor,
            action="vault.rotated",
            subject=vault.active.hex(),
            after={"resealed": resealed, "resumed": resumed},
        )
    return Rotation(active=vault.active.hex(), resealed=resealed, resumed=resumed)


async def prune(storage: Storage, vault: Vault, actor: changes.Actor) -> list[str]:
    """Drop the keys that nothing in the database is sealed with any more."""
    vault.reload()
    if await _sealed_otherwise(storage, vault):
        raise Conflict("Some values are still sealed with an old key. Run `bailiwick key rotate`.")
    await ledger_keys.reseal(storage, vault)
    old = [id for id in vault.key_ids if id != vault.active]
    if old:
        try:
            vault.drop_keys(old)
        except BadConfiguration as error:
            raise Conflict(error.detail) from None
        async with storage.app.write() as session:
            dropped = [id.hex() for id in old]
            changes.record(
                session,
                actor,
                action="vault.pruned",
                subject=vault.active.hex(),
                before={"keys": dropped},
            )
    return [id.hex() for id in old]


async def reset(storage: Storage, vault: Vault) -> int:
    """Give up values sealed with lost keys, and start with a new key: the last resort."""
    if vault.is_empty:
        vault.add_key()
    given_up = 0
    async with storage.app.write() as session:
        for table, column in sealed_columns(Base.metadata):
            if table.name != Instance.__tablename__:
                given_up += await repository.give_up(session, table, column, vault.key_ids)
        instance = await instances.get(session)
        instance.hash_key = new_hash_key(vault, instance.id)
        changes.record(session, changes.SYSTEM, action="vault.reset", subject=instance.id)
    _, hasher = await open_instance(storage, vault, accept_clock=True)
    await seal_all(storage, hasher, RECORDS, anew=True)
    return given_up


async def _sealed_otherwise(storage: Storage, vault: Vault) -> int:
    found = 0
    async with storage.app.read() as session:
        for table, column in sealed_columns(Base.metadata):
            found += await repository.count_otherwise(session, table, column, vault.active)
    return found


async def _reseal_some(storage: Storage, vault: Vault, table: Table, column: Column[Any]) -> int:
    async with storage.app.write() as session:
        return await repository.reseal_some(
            session, table, column, drawer=vault.drawer(table.name), active=vault.active
        )
