"""What runs work with, made once per process."""

from dataclasses import dataclass

from bailiwick.gate.gate import Gate
from bailiwick.kit.engine.flags import Flags
from bailiwick.kit.eventlog.bus import Bus
from bailiwick.kit.vault import Vault
from bailiwick.llm.adapter import Models


@dataclass(frozen=True, slots=True)
class Means:
    """The gate, the models, and the ways to hear and to be heard."""

    gate: Gate
    models: Models
    flags: Flags
    vault: Vault
    # None: nobody looks while words are being written.
    bus: Bus | None = None
