"""What a verification found."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

BreakKind = Literal[
    "altered",
    "removed",
    "unlinked",
    "unknown_key",
    "column_altered",
    "truncated",
    "vanished",
    "checkpoint_altered",
    "checkpoint_removed",
    "file_altered",
    "file_cut",
    "rolled_back",
    "anchor_differs",
    "record_altered",
    "record_removed",
    "record_added",
]
_KEPT = 100


@dataclass(frozen=True, slots=True)
class LedgerFinding:
    """A deviation from what was written, and its place."""

    kind: BreakKind
    text: str
    chain: str | None = None
    number: int | None = None
    at: str | None = None


@dataclass(slots=True)
class Report:
    """The result; it lists the first findings and counts all."""

    at: datetime
    problems: list[LedgerFinding] = field(default_factory=list[LedgerFinding])
    count: int = 0
    notes: list[str] = field(default_factory=list[str])
    rows: int = 0
    chains: int = 0
    checkpoints: int = 0
    # Rows that no checkpoint covers yet: these could still be cut off unnoticed.
    unsealed: int = 0
    sealed_at: datetime | None = None
    since: datetime | None = None
    # The newest checkpoint that a copy elsewhere has too.
    anchored_at: datetime | None = None
    # The newest checkpoint's number and digest, for comparing with what was kept elsewhere.
    mark: str | None = None
    # Sign-ins and changes that were held against the chains.
    records: int = 0
    covers_records: bool = False
    # When somebody last said that a backup was restored.
    accepted_at: str | None = None

    @property
    def is_clean(self) -> bool:
        """Whether there are no findings."""
        return self.count == 0

    @property
    def limits(self) -> list[str]:
        """What this does prove and what it cannot, in sentences."""
        holder = (
            "Whoever holds this folder and its vault key could have rewritten everything, and "
            "whoever can write the folder could have put an older copy of all of it in its place"
        )
        said = ["Without the vault key, nobody can have changed or removed a sealed entry unseen."]
        if self.unsealed:
            said.append("Entries that are not sealed yet could have been cut off unseen.")
        if self.covers_records:
            said.append("The same holds of sign-ins and the record of changes.")
        else:
            said.append(
                "Sign-ins and the record of changes are not covered yet: the next start of the "
                "server puts them into the chain."
            )
        if self.since:
            said.append("What was removed as old proves nothing any more.")
        if self.anchored_at:
            newest = f"{self.anchored_at:%Y-%m-%d %H:%M:%S} UTC"
            said.append(
                f"{holder} after {newest}, the newest checkpoint that was also kept elsewhere; "
                "not what was before."
            )
        else:
            said.append(
                f"{holder}: nothing that was kept elsewhere was compared. The settings "
                "audit_anchor_* keep checkpoints elsewhere."
            )
        return said

    def add(self, finding: LedgerFinding) -> None:
        """Add a finding."""
        self.count += 1
        if len(self.problems) < _KEPT:
            self.problems.append(finding)
