"""How a case stands, in words that a person understands; the SQL of it is here."""

from typing import Literal

from sqlalchemy import ColumnElement, and_, case, select
from sqlalchemy.orm import aliased

from bailiwick.cases.models import Case
from bailiwick.runs.models import Run, RunCall

CaseState = Literal["working", "waiting", "done", "failed", "stopped"]


def waits() -> ColumnElement[bool]:
    """Whether a run of the case, or of an agent that it asked, waits for a person."""
    # A list that is made once, and not looked for again at each case.
    waiting = aliased(Run)
    return Case.id.in_(
        select(waiting.case_id)
        .join(RunCall, RunCall.run_id == waiting.id)
        .where(
            waiting.case_id.is_not(None),
            waiting.status == "waiting",
            RunCall.status == "waiting",
            RunCall.approval_id.is_not(None),
        )
    )


def state() -> ColumnElement[CaseState]:
    """The state of a case, beside whose row that of its run is joined."""
    return case(
        (Run.id.is_(None), "failed"),
        (Run.status == "completed", "done"),
        (Run.status.in_(("failed", "expired")), "failed"),
        (Run.status == "cancelled", "stopped"),
        (and_(Run.status == "waiting", waits()), "waiting"),
        else_="working",
    )
