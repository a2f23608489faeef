"""How mail gets in: a page of a connector becomes rows, in one transaction."""

from bailiwick.mail.intake.intake import Intake, TakenPage

__all__ = ["Intake", "TakenPage"]
