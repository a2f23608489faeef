"""The closed sets of a run: its statuses, why it ended, and how a call of it stands."""

from typing import Literal

Kind = Literal["session", "task", "schedule", "delegate", "retry", "replay"]
# pending: nothing was asked yet, or it is queued; waiting: for a person or another agent.
Status = Literal["pending", "running", "waiting", "completed", "failed", "cancelled", "expired"]
Why = Literal[
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
    "model",
    "error",
]
CallStatus = Literal["wanted", "waiting", "done", "denied", "failed", "unknown", "skipped"]

LIVE: tuple[Status, ...] = ("pending", "running", "waiting")
OVER: tuple[Status, ...] = ("completed", "failed", "cancelled", "expired")
# A new message or "go on" takes these up again.
RESUMABLE: tuple[Status, ...] = ("completed", "failed", "expired")
