"""What a tool does to the world, and the capability flags that each effect needs."""

from typing import Literal, get_args

Effect = Literal[
    "read",
    "create",
    "edit",
    "move",
    "label",
    "complete",
    "send",
    "share",
    "invite",
    "fetch",
    "delete",
    "execute",
]
Capability = Literal["read", "write", "create", "delete", "execute", "integrations"]
EFFECTS: tuple[Effect, ...] = get_args(Effect)
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)

# What it does to the world to take such an act back; what is missing here is its own inverse.
INVERSES: dict[Effect, Effect] = {
    "create": "delete",
    "delete": "create",
    "complete": "edit",
    "send": "edit",
    "share": "edit",
    "invite": "edit",
}
_OUTWARD: frozenset[Capability] = frozenset(("write", "integrations"))
NEEDED: dict[Effect, frozenset[Capability]] = {
    "read": frozenset(("read",)),
    "create": frozenset(("create",)),
    "edit": frozenset(("write",)),
    "move": frozenset(("write",)),
    "label": frozenset(("write",)),
    "complete": frozenset(("write",)),
    "send": _OUTWARD,
    "share": _OUTWARD,
    "invite": _OUTWARD,
    "fetch": _OUTWARD,
    "delete": frozenset(("delete",)),
    "execute": frozenset(("execute",)),
}
