"""The life of a run: every status, every step between two of them, and who takes it.

    (new) ── start ──▶ pending ── loop ──▶ running ── steps ──▶ completed, failed, expired
                        ▲  ▲                 │  ▲
                        │  └── approvals, ── │  └─ loop: taken over from a process that died
                        │      outcome       ▼
                        │     (children)  waiting ── for a person or another agent
                        │
                        └── start.say, service.resume: a person speaks again, or lets it go on

Whoever ends a run (`end`) may do so from any status in which it lives. Nothing else changes a
status: `move` is the only assignment, and refuses what is not drawn here.
"""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bailiwick.runs.models import Run

RunKind = Literal[
    "session", "task", "schedule", "case", "inbox", "delegate", "retry", "replay", "trial"
]
DRY: tuple[RunKind, ...] = ("replay", "trial")
# pending: nothing was asked yet, or it is queued; waiting: for a person or another agent.
RunStatus = Literal["pending", "running", "waiting", "completed", "failed", "cancelled", "expired"]
EndReason = Literal[
    "done",
    "step_limit",
    "timeout",
    "budget",
    "cancelled",
    "halted",
    "agent_gone",
    "person_gone",
    "parent_ended",
    "prompt",
    "length",
    "model",
    "error",
]
# rehearsed: a run without effects would have done it.
CallStatus = Literal[
    "wanted", "waiting", "done", "denied", "failed", "unknown", "skipped", "rehearsed"
]

LIVE: tuple[RunStatus, ...] = ("pending", "running", "waiting")
OVER: tuple[RunStatus, ...] = ("completed", "failed", "cancelled", "expired")
# A new message or "go on" takes these up again.
RESUMABLE: tuple[RunStatus, ...] = ("completed", "failed", "expired")
TRANSITIONS: dict[RunStatus, tuple[RunStatus, ...]] = {
    "pending": ("pending", "running", *OVER),
    "running": ("running", "waiting", *OVER),
    "waiting": ("pending", *OVER),
    "completed": ("pending",),
    "failed": ("pending",),
    "expired": ("pending",),
    "cancelled": (),
}


class ImpossibleTransition(Exception):
    """A run was to go where no arrow leads: a fault of ours."""


def move(run: "Run", to: RunStatus) -> None:
    """Bring a run that this transaction holds into its next status."""
    if to not in TRANSITIONS[run.status]:
        raise ImpossibleTransition(f"{run.id} is {run.status} and cannot become {to}")
    run.status = to
