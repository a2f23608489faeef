"""Virtual ids: the names under which a realm knows entities, never a provider's own.

The same entity keeps its name within a realm, also when two see it first at the same time, and
after a restart. Hot names come from memory. The SQL of names is here.
"""

import re
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import Iterable

from sqlalchemy import bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.models import VirtualId
from bailiwick.kit import clock
from bailiwick.kit.db import Storage, UtcDateTime
from bailiwick.tools.tool import IdKind, Ref

_FORM = r"(?:email|account|event|task|file|note|item)_[A-Za-z0-9_-]{12}"
_PATTERN = re.compile(_FORM)
# A virtual id that stands by itself in a text.
IN_TEXT = re.compile(rf"(?<![A-Za-z0-9_-])({_FORM})(?![A-Za-z0-9_-])")
_KEPT = 20_000
_BATCH = 200
# Written out: as fast as it gets on both databases, where the ORM would ask twice.
_INSERT = text(
    "INSERT INTO virtual_ids (virtual_id, realm, kind, account_id, entity_id, created_at) "
    "VALUES (:virtual_id, :realm, :kind, :account_id, :entity_id, :created_at) "
    "ON CONFLICT DO NOTHING"
).bindparams(bindparam("created_at", type_=UtcDateTime))


def looks_virtual(value: str) -> bool:
    """Whether a text has the form of a virtual id."""
    return _PATTERN.fullmatch(value) is not None


class VirtualNames:
    """All names of all realms; the hot ones in memory."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._names: OrderedDict[tuple[str, Ref], str] = OrderedDict()
        self._refs: dict[tuple[str, str], Ref] = {}

    def known(self, realm: str, ref: Ref) -> str | None:
        """The name of an entity, if it is hot."""
        name = self._names.get((realm, ref))
        if name is not None:
            self._names.move_to_end((realm, ref))
        return name

    async def names(self, realm: str, refs: Iterable[Ref]) -> dict[Ref, str]:
        """The name of each, given now where it has none."""
        found: dict[Ref, str] = {}
        missing: dict[Ref, None] = {}
        for ref in refs:
            if name := self.known(realm, ref):
                found[ref] = name
            else:
                missing[ref] = None
        waiting = list(missing)
        for start in range(0, len(waiting), _BATCH):
            batch = waiting[start : start + _BATCH]
            async with self._storage.app.read() as session:
                named = await self._stored(session, realm, batch)
            if new := [ref for ref in batch if ref not in named]:
                named |= await self._given(realm, new)
            found |= named
        return found

    async def resolve(self, realm: str, kind: IdKind, name: str) -> Ref | None:
        """What a name of this realm and kind stands for; another realm's stands for nothing."""
        ref = self._refs.get((realm, name))
        if ref is None and looks_virtual(name):
            async with self._storage.app.read() as session:
                row = await session.get(VirtualId, name)
            if row and row.realm == realm:
                ref = _ref(row)
                self._keep(realm, ref, name)
        return ref if ref and ref.kind == kind else None

    async def _given(self, realm: str, refs: list[Ref]) -> dict[Ref, str]:
        given = {ref: f"{ref.kind}_{secrets.token_urlsafe(9)}" for ref in refs}
        now = clock.now()
        rows = [
            {
                "virtual_id": name,
                "realm": realm,
                "kind": ref.kind,
                "account_id": ref.account,
                "entity_id": ref.id,
                "created_at": now,
            }
            for ref, name in given.items()
        ]
        async with self._storage.app.write() as session:
            connection = await session.connection()
            done = await connection.execute(_INSERT, rows)
            if done.rowcount != len(rows):
                # Someone came first and has named it: what is stored counts, not what we made up.
                return await self._stored(session, realm, refs)
        for ref, name in given.items():
            self._keep(realm, ref, name)
        return given

    async def _stored(self, session: AsyncSession, realm: str, refs: list[Ref]) -> dict[Ref, str]:
        alike: defaultdict[tuple[IdKind, str], list[str]] = defaultdict(list)
        for ref in refs:
            alike[ref.kind, ref.account].append(ref.id)
        found: dict[Ref, str] = {}
        for (kind, account), wanted in alike.items():
            statement = select(VirtualId.entity_id, VirtualId.virtual_id).where(
                VirtualId.realm == realm,
                VirtualId.kind == kind,
                VirtualId.account_id == account,
                VirtualId.entity_id.in_(wanted),
            )
            rows = await session.execute(statement)
            found |= {Ref(kind, row[0], account): row[1] for row in rows}
        for ref, name in found.items():
            self._keep(realm, ref, name)
        return found

    def _keep(self, realm: str, ref: Ref, name: str) -> None:
        self._names[realm, ref] = name
        self._refs[realm, name] = ref
        if len(self._names) > _KEPT:
            (of, _), oldest = self._names.popitem(last=False)
            self._refs.pop((of, oldest), None)


def _ref(row: VirtualId) -> Ref:
    return Ref(row.kind, row.entity_id, row.account_id)  # pyright: ignore[reportArgumentType]
