"""A keyed hash chain with signed checkpoints: what was appended cannot be changed unseen."""

from bailiwick.kit.ledger.ledger import Ledger
from bailiwick.kit.ledger.rows import LedgerUnwritable
from bailiwick.kit.ledger.verify import Elsewhere, LedgerFinding, Records, Report, verify

__all__ = [
    "Elsewhere",
    "Ledger",
    "LedgerFinding",
    "LedgerUnwritable",
    "Records",
    "Report",
    "verify",
]
