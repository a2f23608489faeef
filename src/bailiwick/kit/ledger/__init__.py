"""A keyed hash chain with signed checkpoints: what was appended cannot be changed unseen."""

from bailiwick.kit.ledger.ledger import Ledger
from bailiwick.kit.ledger.rows import LedgerUnwritable
from bailiwick.kit.ledger.verify import LedgerFinding, Report, verify

__all__ = ["Ledger", "LedgerFinding", "LedgerUnwritable", "Report", "verify"]
