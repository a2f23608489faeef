"""The ledger's own keys, sealed by the vault: the database alone is not enough to make a row."""

import hmac
import secrets
from collections.abc import Mapping, Sequence

import structlog
from pydantic import SecretStr
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import WrongVaultKey
from bailiwick.kit import clock, ids
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger.models import KeyRow
from bailiwick.kit.vault import SealBroken, Vault, key_id

log = structlog.stdlib.get_logger("bailiwick.ledger")
_PLACE = {"table": KeyRow.__tablename__, "column": "key"}


class Ring:
    """All keys that were ever in use, by id, and the current one."""

    def __init__(self, keys: Mapping[str, bytes], active: str = "") -> None:
        self._keys = dict(keys)
        self.active = active

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, id: object) -> bool:
        return id in self._keys

    def digest(self, id: str, message: bytes) -> bytes:
        """The keyed hash of a message under one of the keys."""
        return hmac.digest(self._keys[id], message, "sha256")


async def opened(storage: Storage, vault: Vault) -> Ring:
    """The keys, sealed again with the vault's newest; a new one is made if none opens."""
    async with storage.audit.write() as session:
        await storage.audit.alone(session)
        await _reseal(session, vault)
        keys = _open(await _stored(session), vault)
        if not keys:
            keys = _add(session, vault)
    return Ring(keys, active=next(iter(keys)))


async def known(storage: Storage, vault: Vault) -> Ring:
    """The existing keys, for verification."""
    async with storage.audit.read() as session:
        return Ring(_open(await _stored(session), vault))


async def reseal(storage: Storage, vault: Vault) -> int:
    """Seal the keys with the vault's newest key; how many were sealed with another."""
    async with storage.audit.write() as session:
        await storage.audit.alone(session)
        return await _reseal(session, vault)


async def _stored(session: AsyncSession) -> Sequence[KeyRow]:
    newest_first = select(KeyRow).order_by(KeyRow.created_at.desc(), KeyRow.id)
    return (await session.scalars(newest_first)).all()


def _open(rows: Sequence[KeyRow], vault: Vault) -> dict[str, bytes]:
    drawer, keys = vault.drawer(_PLACE["table"]), dict[str, bytes]()
    for row in rows:
        try:
            secret = drawer.open(bytes(row.key), column=_PLACE["column"], row=row.id)
            keys[row.id] = bytes.fromhex(secret.get_secret_value())
        except (SealBroken, WrongVaultKey) as error:
            # The office continues under a new key; `verify` names the rows made with the old one.
            log.error("a key of the ledger does not open", key=row.id, reason=str(error))  # noqa: TRY400
    return keys


async def _reseal(session: AsyncSession, vault: Vault) -> int:
    drawer, done = vault.drawer(_PLACE["table"]), 0
    for row in await _stored(session):
        if key_id(bytes(row.key)) == vault.active:
            continue
        try:
            row.key = drawer.reseal(bytes(row.key), column=_PLACE["column"], row=row.id)
            done += 1
        except (SealBroken, WrongVaultKey) as error:
            log.error("a key of the ledger does not open", key=row.id, reason=str(error))  # noqa: TRY400
    return done


def _add(session: AsyncSession, vault: Vault) -> dict[str, bytes]:
    id, key = ids.new("lky"), secrets.token_bytes(32)
    sealed = vault.drawer(_PLACE["table"]).seal(
        SecretStr(key.hex()), column=_PLACE["column"], row=id
    )
    session.add(KeyRow(id=id, key=sealed, created_at=clock.now()))
    return {id: key}
