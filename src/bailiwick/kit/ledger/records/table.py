"""A table of records, and what proves one of its rows.

The seal is a keyed hash that is written with the row, so that nobody but the office adds one. The
digest goes into the ledger after the commit, so that nobody takes one away. A process that is
killed between the two leaves a sealed row without a digest, which the next start puts in.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Table, inspect
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db import Storage
from bailiwick.kit.db.base import StoreName
from bailiwick.kit.ledger.rows import moment

Hasher = Callable[[str], str]
SEAL = "seal"
_HASHER, _ADDED = "hasher", "records"


@dataclass(frozen=True, slots=True)
class RecordTable:
    """Rows with an `id`, an `at` and a `seal`, which are only ever added."""

    model: type[Any]
    store: StoreName
    word: str  # what one row is called

    @property
    def name(self) -> str:
        """The table's name."""
        return cast("Table", self.model.__table__).name


def install(storage: Storage, hasher: Hasher) -> None:
    """Seal the records that are made in these stores from now on."""
    for store in (storage.app, storage.audit):
        store.info[_HASHER] = hasher


def add(session: AsyncSession, row: Any) -> None:
    """Add a record to a transaction, with its seal; it is never changed afterwards."""
    hasher: Hasher | None = session.info.get(_HASHER)
    row.seal = hasher(said(row)) if hasher else None
    session.add(row)
    session.info.setdefault(_ADDED, []).append((type(row), row.id))


def added_in(session: AsyncSession, model: type[Any]) -> list[str]:
    """The ids of the records that a transaction made, or took back with a savepoint."""
    return [id for kind, id in session.info.get(_ADDED, ()) if kind is model]


def said(row: Any) -> str:
    """All that a record says, in one form on both databases."""
    names = [each.key for each in inspect(type(row)).column_attrs if each.key != SEAL]
    values = {name: _plain(getattr(row, name)) for name in names}
    return f"{row.__tablename__}\0{json.dumps(values, sort_keys=True, separators=(',', ':'))}"


def digest(text: str) -> str:
    """The digest that is chained."""
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return moment(value)
    # As JSON gives it back: keys become texts, and tuples lists.
    return json.loads(json.dumps(value, default=repr))
