"""Verifies the rows, each against the one before it."""

from typing import Any, cast

from bailiwick.kit.ledger.checkpoints import CheckpointContent
from bailiwick.kit.ledger.connections import LedgerConnection, batches
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.records.check import ChainedRecords
from bailiwick.kit.ledger.report import BreakKind, LedgerFinding, Report
from bailiwick.kit.ledger.rows import (
    COLUMNS,
    FIELDS,
    Head,
    RowValues,
    chain_name,
    columns_of,
    parsed,
    place,
    row_hash,
)
from bailiwick.kit.ledger.start import FOUND

_LOWEST = -(1 << 63)
_TEXTS: dict[BreakKind, str] = {
    "altered": "This row is not as it was written: it was changed, added or moved here.",
    "unlinked": "This row does not follow the one before it: that one was replaced or removed.",
    "unknown_key": "The key that this row names is not there, so nobody can tell who wrote it.",
    "column_altered": "What is shown in lists is not what the row says: a column was changed.",
}


class ChainLinks:
    """Reads all rows in the order of their chains."""

    _chain: str
    _before: Head
    _sealed: int

    def __init__(
        self, connection: LedgerConnection, ring: Ring, said: CheckpointContent, report: Report
    ) -> None:
        self._connection = connection
        self._ring = ring
        self._said = said
        self._report = report
        self.records = ChainedRecords()

    def check(self) -> dict[str, int]:
        """Check all rows; return the last number of each chain."""
        fields = ", ".join(self._connection.moment if name == "at" else name for name in FIELDS)
        statement = f"SELECT {fields} FROM ledger WHERE id > ? ORDER BY id"  # noqa: S608
        ends: dict[str, int] = {}
        entered = None
        for values in batches(self._connection, statement, _LOWEST):
            slot, number = place(values[0])
            if slot != entered:
                self._enter(chain_name(slot))
                entered = slot
            if 0 < number <= self._said.floor.get(self._chain, Head()).number:
                continue  # declared forgotten, and not removed yet
            self._check_row(number, values)
            ends[self._chain] = number
        self._report.chains = len(ends)
        return ends

    def _enter(self, chain: str) -> None:
        self._chain = chain
        self._before = self._said.floor.get(chain, Head())
        self._sealed = self._said.heads.get(chain, Head()).number

    def _check_row(self, number: int, values: RowValues) -> None:
        missing = number - self._before.number - 1
        if missing > 0:
            self._add("removed", number - missing, values[3], _gone(number - missing, number - 1))
        if problem := self._problem(number, values, follows=missing == 0):
            self._add(problem, number, values[3], _TEXTS[problem])
        else:
            self._take(number, parsed(values[5]), str(values[3]))
        if number:  # there is no row 0 that row 1 could follow
            self._before = Head(number, values[7])
        self._report.rows += 1
        self._report.unsealed += number > self._sealed

    def _problem(self, number: int, values: RowValues, *, follows: bool) -> BreakKind | None:
        key_id, body, previous, hash = values[4:8]
        if (values[1], values[2]) != (self._chain, number):
            return "altered"
        if key_id not in self._ring:
            return "unknown_key"
        if not isinstance(previous, bytes) or row_hash(self._ring, values) != hash:
            return "altered"
        if follows and previous != self._before.hash:
            return "unlinked"
        if columns_of(parsed(body)) != tuple(values[-len(COLUMNS) :]):
            return "column_altered"
        return None

    def _take(self, number: int, body: dict[str, Any], at: str) -> None:
        """What a whole row says of records, or of what a start has found."""
        self.records.take(body, at)
        if body.get("phase") == FOUND:
            text = str(body.get("text"))
            if at <= (self._report.accepted_at or ""):
                self._report.notes.append(f"{text} Someone said since that a backup was restored.")
            else:
                self._add(cast("BreakKind", body.get("kind")), number, at, text)

    def _add(self, kind: BreakKind, number: int, at: Any, text: str) -> None:
        self._report.add(LedgerFinding(kind, text, chain=self._chain, number=number, at=str(at)))


def _gone(first: int, last: int) -> str:
    rows = f"Row {first} is" if first == last else f"The rows {first} to {last} are"
    return f"{rows} gone from the middle of the chain, before the time named."
