"""Holds the records against their digests: what was edited, removed or added shows."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError

from bailiwick.kit.db import Storage
from bailiwick.kit.ledger.records.recorder import LATE, RECORD
from bailiwick.kit.ledger.records.table import Hasher, RecordTable, digest, said
from bailiwick.kit.ledger.report import BreakKind, LedgerFinding, Report
from bailiwick.kit.ledger.rows import moment

_BATCH = 1_000
_UNREADABLE = (ValueError, TypeError, AttributeError, SQLAlchemyError)


@dataclass(slots=True)
class ChainedRecords:
    """The digests that the ledger holds, by table and id."""

    found: dict[tuple[str, str], tuple[str, str]] = field(
        default_factory=dict[tuple[str, str], tuple[str, str]]
    )
    late: int = 0

    def take(self, body: dict[str, Any], at: str) -> None:
        """Remember the digest in a line, if it holds one."""
        if body.get("phase") == RECORD:
            place = str(body.get("record")), str(body.get("call_id"))
            self.late += body.get("late") is True and place not in self.found
            self.found.setdefault(place, (str(body.get("digest")), at))


class RecordCheck:
    """Reads the tables of records, after the ledger was read."""

    def __init__(
        self, storage: Storage, hasher: Hasher, chained: ChainedRecords, report: Report
    ) -> None:
        self._storage = storage
        self._hasher = hasher
        self._chained = chained
        self._report = report
        self._waiting = 0

    async def check(self, tables: Sequence[RecordTable]) -> None:
        """Check every row, and that none is missing."""
        self._report.covers_records = True
        for table in tables:
            async for row in self._rows(table):
                self._check_row(table, row)
        self._tell_missing({table.name: table.word for table in tables})
        if self._waiting:
            self._note(f"{self._waiting} not in the chain yet: the next start puts them in.")
        if self._chained.late:
            self._note(
                f"{self._chained.late} put into the chain later than they happened, by a start "
                f"after a crash, a command without a server or an upgrade. One that was removed "
                f"before that would not show."
            )

    def _check_row(self, table: RecordTable, row: Any) -> None:
        self._report.records += 1
        try:
            told = said(row)
            at = row.at
        except _UNREADABLE:
            self._add("record_altered", table, row.id, "cannot be read")
            return
        known = self._chained.found.pop((table.name, str(row.id)), None)
        is_sealed = row.seal == self._hasher(told)
        if known and known[0] != digest(told):
            self._add("record_altered", table, row.id, "was changed", moment(at))
        elif known and not is_sealed:
            self._add("record_altered", table, row.id, "has another seal", moment(at))
        elif not is_sealed:
            what = "was added, or changed, by someone who is not the office"
            self._add("record_added", table, row.id, what, moment(at))
        elif known is None and not (self._report.since and at < self._report.since):
            self._waiting += self._report.at - at > LATE

    def _tell_missing(self, words: dict[str, str]) -> None:
        accepted, excused = self._report.accepted_at or "", 0
        for (table, id), (_, at) in self._chained.found.items():
            if at <= accepted:
                excused += 1
                continue
            text = (
                f"The {words.get(table, table)} {id} is gone. If you restored a backup, say so "
                f"with `bailiwick audit verify --accept-restore`; if nobody did, someone removed "
                f"it."
            )
            self._report.add(LedgerFinding("record_removed", text, at=at))
        if excused:
            self._note(f"{excused} gone; someone said since that a backup was restored.")

    async def _rows(self, table: RecordTable) -> AsyncIterator[Any]:
        model, after = table.model, ""
        while True:
            statement = select(model).where(model.id > after).order_by(model.id).limit(_BATCH)
            try:
                async with self._storage[table.store].read() as session:
                    rows = (await session.scalars(statement)).all()
            except _UNREADABLE:
                rows = await self._singly(table, after)
            if not rows:
                return
            for row in rows:
                yield row
            after = rows[-1].id

    async def _singly(self, table: RecordTable, after: str) -> list[Any]:
        """The next rows one by one, because some cannot be read."""
        ids = text(
            f"SELECT id FROM {table.name} WHERE id > :after ORDER BY id LIMIT {_BATCH}"  # noqa: S608
        )
        rows = list[Any]()
        async with self._storage[table.store].read() as session:
            for id in (await session.scalars(ids, {"after": after})).all():
                try:
                    rows.append(await session.get_one(table.model, id))
                except _UNREADABLE:
                    rows.append(_Unreadable(id))
        return rows

    def _add(
        self, kind: BreakKind, table: RecordTable, id: object, what: str, at: str | None = None
    ) -> None:
        self._chained.found.pop((table.name, str(id)), None)
        self._report.add(LedgerFinding(kind, f"The {table.word} {id} {what}.", at=at))

    def _note(self, what: str) -> None:
        self._report.notes.append(f"Sign-ins and changes: {what}")


@dataclass(frozen=True, slots=True)
class _Unreadable:
    """A row that somebody made unreadable."""

    id: str
