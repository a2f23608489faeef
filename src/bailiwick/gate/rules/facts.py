"""What a rule's condition may look at. These names are part of the public contract."""

from typing import Any
from zoneinfo import ZoneInfo

from bailiwick.kit import clock

# None: anything may be beneath it. Empty: it is a plain value.
FACTS: dict[str, tuple[str, ...] | None] = {
    "tool": (),
    "effect": (),
    "args": None,
    "connector": (),
    "account": ("id", "address", "primary"),
    "caller": ("kind", "name", "version"),
    "user": ("id", "roles"),
    "agent": ("id", "name", "kind"),
    "workspace": (),
    "run": ("id", "tainted", "steps", "sources"),
    "recipients": ("all", "new", "grounded", "seen_only_in_untrusted"),
    "path": ("folder", "name", "suffix"),
    "time": ("hour", "weekday", "iso"),
    "cost": ("tokens", "money"),
}
# Known before there are any arguments.
OF_THE_CALLER = frozenset(("tool", "effect", "connector", "caller", "user", "agent", "workspace"))


def unseen(path: str) -> str | None:
    """Why a condition may not look at a path; None if it may."""
    root, *beneath = path.split(".")
    if root not in FACTS:
        return f"there is no '{root}' to look at; there are {', '.join(FACTS)}"
    parts = FACTS[root]
    if parts is None or not beneath:
        return None
    if beneath[0] not in parts:
        known = f"; there are {', '.join(f'{root}.{part}' for part in parts)}" if parts else ""
        return f"there is no '{root}.{beneath[0]}' to look at{known}"
    return None


def time_facts(zone: str | None) -> dict[str, Any]:
    """Now, in the zone of the office's schedules, or the machine's own."""
    now = clock.now().astimezone(ZoneInfo(zone) if zone else None)
    return {"hour": now.hour, "weekday": now.isoweekday(), "iso": now.isoformat()}
