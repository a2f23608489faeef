"""Verifies the file of checkpoints, in itself and against the database."""

from bailiwick.kit.ledger import checkpoints
from bailiwick.kit.ledger.checkpoints import Checkpoint, CheckpointContent
from bailiwick.kit.ledger.connections import LedgerConnection
from bailiwick.kit.ledger.file import CheckpointFile
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.report import BreakKind, LedgerFinding, Report
from bailiwick.kit.ledger.rows import Head


class CheckpointLines:
    """Reads the file; `certain` is its length before the snapshot."""

    def __init__(self, file: CheckpointFile, certain: int) -> None:
        self._file = file
        self._certain = sum(1 for _ in file.lines(certain))
        self._before: Checkpoint | None = None
        self._last: Checkpoint | None = None
        self._matched = 0
        self._rolled: tuple[Checkpoint, Checkpoint] | None = None  # the first and the last
        self.ahead: list[Checkpoint] = []

    def check(
        self,
        connection: LedgerConnection,
        ring: Ring,
        said: CheckpointContent,
        *,
        newest: int,
        report: Report,
    ) -> None:
        """Check every line; `newest` is the number of the database's last checkpoint."""
        for number, line in self._file.lines(self._file.size()):
            if line is None:
                _add(report, "file_altered", f"Line {number} of {self._file.path.name} is no line.")
            elif not checkpoints.is_authentic(ring, line):
                _add(report, "file_altered", f"{self._name(number)} was changed.", line)
            else:
                self._check_link(connection, number, line, said, report)
                self._check_said(connection, number, line, said, newest, report)
                self._last = line
            self._before = line
        self._tell_rolled_back(report)

    @property
    def last(self) -> Checkpoint | None:
        """The newest authentic line."""
        return self._last

    def _name(self, number: int) -> str:
        return f"Line {number} of {self._file.path.name}"

    def _check_link(
        self,
        connection: LedgerConnection,
        number: int,
        line: Checkpoint,
        said: CheckpointContent,
        report: Report,
    ) -> None:
        before = self._before
        if before is None:
            if number == 1 and line.number > said.first:
                gone = f"checkpoints {said.first} to {line.number - 1}"
                _add(report, "file_cut", f"The file's first lines are gone: {gone}.", line)
            return
        if line.previous == before.signature:
            return
        if line.number > before.number:
            text = f"{self._name(number)} does not follow: lines before it are gone."
            _add(report, "file_cut", text, line)
        elif line.number > said.first and not self._follows_stored(connection, line):
            text = f"{self._name(number)} stands where it was not written."
            _add(report, "file_altered", text, line)

    def _follows_stored(self, connection: LedgerConnection, line: Checkpoint) -> bool:
        earlier = checkpoints.numbered(connection, line.number - 1)
        return earlier is not None and earlier.signature == line.previous

    def _check_said(
        self,
        connection: LedgerConnection,
        number: int,
        line: Checkpoint,
        said: CheckpointContent,
        newest: int,
        report: Report,
    ) -> None:
        if line.content.accepts:
            self._accept(line, report)
        stored = checkpoints.numbered(connection, line.number)
        if stored and stored.signature == line.signature:
            if line.number <= self._matched:
                _add(report, "file_altered", f"{self._name(number)} is there twice.", line)
            self._matched = max(self._matched, line.number)
        elif number <= self._certain:
            if not all(_is_there(connection, said, *head) for head in line.content.heads.items()):
                self._rolled = (self._rolled[0] if self._rolled else line), line
            elif line.number > newest:
                self.ahead.append(line)
                del self.ahead[2:]

    def _accept(self, line: Checkpoint, report: Report) -> None:
        if self._rolled:
            first, last = self._rolled
            report.notes.append(
                f"A backup was restored, as {line.content.by} said on {line.at[:19]} UTC. Rows "
                f"that were sealed between {first.at[:19]} and {last.at[:19]} UTC are not in it."
            )
        self._rolled = None
        self.ahead.clear()

    def _tell_rolled_back(self, report: Report) -> None:
        if not self._rolled:
            return
        first, last = self._rolled
        _add(
            report,
            "rolled_back",
            f"The checkpoint file is ahead of the database: it knows checkpoint {last.number} of "
            f"{last.at[:19]} UTC, and rows that it names are not there. If you restored a backup, "
            f"say so with `bailiwick audit verify --accept-restore`; if nobody did, someone cut "
            f"the database back.",
            first,
        )


def missing_from_file(
    lines: CheckpointLines, newest: Checkpoint | None, *, alone: bool, report: Report
) -> None:
    """Report that the file lacks the database's newest checkpoint."""
    at = lines.last.number if lines.last else 0
    if newest is None or at >= newest.number:
        return
    text = (
        f"The checkpoint file ends with {at}, the database with {newest.number}."
        if at
        else "The checkpoint file is gone. The server writes it anew when it starts; if this is "
        "not a backup that was restored on a new machine, someone removed it."
    )
    if alone:
        _add(report, "file_cut", text, newest)
    else:
        report.notes.append(f"{text} Other processes have files of their own.")


def tell_ahead(lines: CheckpointLines, connection: LedgerConnection, report: Report) -> None:
    """Report checkpoints of the file that are missing from the database even now."""
    if not lines.ahead:
        return
    # A maker of checkpoints holds this lock from before the line until after the commit.
    connection.begin()
    connection.alone()
    for line in lines.ahead:
        stored = checkpoints.numbered(connection, line.number)
        if stored is None or stored.signature != line.signature:
            text = f"Checkpoint {line.number} is in the file, but gone from the database."
            _add(report, "checkpoint_removed", text, line)


def _is_there(
    connection: LedgerConnection, said: CheckpointContent, chain: str, head: Head
) -> bool:
    floor = said.floor.get(chain, Head())
    return head.number <= floor.number or checkpoints.holds(connection, chain, head)


def _add(report: Report, kind: BreakKind, text: str, line: Checkpoint | None = None) -> None:
    number, at = (line.number, line.at) if line else (None, None)
    report.add(LedgerFinding(kind, text, number=number, at=at))
